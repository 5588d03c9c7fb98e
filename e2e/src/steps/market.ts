/** Price source of each instrument in the journeys: a few simulated, one on signed quotes, the rest scripted. */
export const MARKET_SOURCES = "scripted,EURUSD=simulated,XAUUSD=simulated,DOGEUSD=pyth";

/** A simulated instrument: its price moves, and no journey controls it. */
export const LIVELY = { symbol: "EURUSD", name: "EUR/USD" } as const;
/** Ticks twice a second at a price that never changes, so every order on it ties. */
export const STEADY = { symbol: "USDJPY", name: "USD/JPY" } as const;

/** Priced by quotes that the journeys' own Hermes signs. */
export const SIGNED = { symbol: "DOGEUSD", name: "DOGE/USD" } as const;

export interface Steered {
  readonly symbol: string;
  readonly name: string;
}

/** Instruments whose price a journey sets, one per journey and screen size, because journeys run in parallel. */
const STEERED: Readonly<Record<string, Readonly<Record<"moves" | "stops" | "falls silent" | "falls", Steered>>>> = {
  phone: {
    moves: { symbol: "GBPUSD", name: "GBP/USD" },
    stops: { symbol: "BTCUSD", name: "BTC/USD" },
    "falls silent": { symbol: "AUDUSD", name: "AUD/USD" },
    falls: { symbol: "SOLUSD", name: "SOL/USD" },
  },
  desktop: {
    moves: { symbol: "USDCHF", name: "USD/CHF" },
    stops: { symbol: "ETHUSD", name: "ETH/USD" },
    "falls silent": { symbol: "USDCAD", name: "USD/CAD" },
    falls: { symbol: "XRPUSD", name: "XRP/USD" },
  },
};

export function steered(project: string, what: "moves" | "stops" | "falls silent" | "falls"): Steered {
  const instrument = STEERED[project]?.[what];
  if (!instrument) throw new Error(`no instrument is kept for ${project}`);
  return instrument;
}

/** Sets the scripted price of an instrument from now on; null silences it. */
export async function setPrice(symbol: string, price: string | null): Promise<void> {
  await post("prices", { [symbol]: price });
}

/** Sends one quote for an instrument that is silent before and after it. */
export async function sayOnce(symbol: string, price: string): Promise<void> {
  await post("quotes", { [symbol]: price });
}

/** Returns the instrument's current price in the script. */
export async function scriptedPrice(symbol: string): Promise<string> {
  const response = await fetch(`${scriptUrl()}/prices`);
  const prices = (await response.json()) as Record<string, string | null>;
  const price = prices[symbol];
  if (typeof price !== "string") throw new Error(`${symbol} is silent`);
  return price;
}

/** Returns the price moved by `points` of its last decimal place: up if positive, down if negative. */
export function moved(price: string, points: number): string {
  const places = (price.split(".")[1] ?? "").length;
  const value = BigInt(price.replace(".", "")) + BigInt(points);
  const digits = value.toString().padStart(places + 1, "0");
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

async function post(what: "prices" | "quotes", prices: Readonly<Record<string, string | null>>): Promise<void> {
  const response = await fetch(`${scriptUrl()}/${what}`, { method: "POST", body: JSON.stringify(prices) });
  if (!response.ok) throw new Error(`the price script refused ${JSON.stringify(prices)}`);
}

function scriptUrl(): string {
  const url = process.env["JOURNEY_SCRIPT_URL"];
  if (!url) throw new Error("JOURNEY_SCRIPT_URL is set by the global setup");
  return url;
}
