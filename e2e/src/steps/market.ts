/** Which source prices which instrument in the journeys: a few live on the simulated market, one on signed quotes, the others on the script. */
export const MARKET_SOURCES = "scripted,EURUSD=simulated,XAUUSD=simulated,DOGEUSD=pyth";

/** Alive, and nobody steers it. */
export const LIVELY = { symbol: "EURUSD", name: "EUR/USD" } as const;
/** Ticks twice a second at one price that never changes: whatever runs on it is tied. */
export const STEADY = { symbol: "USDJPY", name: "USD/JPY" } as const;

/** Priced by what a Hermes of the journeys' own signs. */
export const SIGNED = { symbol: "DOGEUSD", name: "DOGE/USD" } as const;

export interface Steered {
  readonly symbol: string;
  readonly name: string;
}

/** Instruments whose price a journey sets, each for one journey at one screen size, since journeys run side by side. */
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

/** From now on; null silences. */
export async function setPrice(symbol: string, price: string | null): Promise<void> {
  await post("prices", { [symbol]: price });
}

/** One quote of an instrument that is silent before and after. */
export async function sayOnce(symbol: string, price: string): Promise<void> {
  await post("quotes", { [symbol]: price });
}

/** What the script says for an instrument now. */
export async function scriptedPrice(symbol: string): Promise<string> {
  const response = await fetch(`${scriptUrl()}/prices`);
  const prices = (await response.json()) as Record<string, string | null>;
  const price = prices[symbol];
  if (typeof price !== "string") throw new Error(`${symbol} is silent`);
  return price;
}

/** A price `points` of its last place higher; lower with a negative number. */
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
