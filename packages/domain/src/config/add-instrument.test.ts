import { describe, expect, it } from "vitest";
import type { Instant } from "../base/time.ts";
import { sigmaOfVolatility, sm1ParamsOf, volatilityOfSigma } from "../market/instrument-prices.ts";
import { sm1ParamsEntry } from "../market/sm1-epoch.ts";
import type { Rate } from "../money/money.ts";
import { type NewInstrument, type SimulatedWish, wrongIdentity } from "./add-instrument.ts";
import { changeConfig, type ConfigChange, configDifferences, wrongConfigField } from "./change-config.ts";
import { FIRST_SM1_PARAMS, firstTradingConfig } from "./first-config.ts";

const first = firstTradingConfig(1_000n as Instant);
const next = { version: 2, effectiveAt: 2_000n as Instant };
const rate = (millionths: number) => BigInt(millionths) as Rate;
const simulated: SimulatedWish = {
  source: "simulated",
  anchor: "85.000",
  volatility: rate(800_000),
  spread: "0.020",
  jump: 18,
};
const litecoin: NewInstrument = {
  symbol: "LTCUSD",
  name: "LTC/USD",
  title: "Litecoin",
  kind: "crypto",
  decimals: 3,
  termsOf: "BTCUSD",
  prices: simulated,
};
const add = (change: Partial<NewInstrument>): ConfigChange => ({ add: { ...litecoin, ...change } });
const priced = (change: Partial<SimulatedWish>) => add({ prices: { ...simulated, ...change } });
const outside = (names: Record<string, string>) => add({ prices: { source: "outside", names } });

function added(change: ConfigChange) {
  const changed = changeConfig(first, change, next);
  if (!changed.ok) throw new Error(JSON.stringify(changed.refusal));
  return changed.value;
}

describe("an instrument that is added", () => {
  it("comes last, with another instrument's terms and valid parameters for an epoch", () => {
    const config = added(add({}));
    expect(config.instruments.slice(0, -1)).toEqual(first.instruments);
    const terms = config.instruments.at(-1)!;
    const bitcoin = first.instruments.find(({ symbol }) => symbol === "BTCUSD")!;
    expect(terms).toMatchObject({
      durations: bitcoin.durations,
      feeRate: bitcoin.feeRate,
      staleExitMs: 5_000n,
      title: "Litecoin",
    });
    expect(sm1ParamsOf(terms)).toEqual({
      ...FIRST_SM1_PARAMS.find(({ symbol }) => symbol === "BTCUSD"),
      symbol: "LTCUSD",
      name: "LTC/USD",
      anchor: 85_000n,
      sigma: sigmaOfVolatility(rate(800_000)),
      spread: 20n,
      digits: 3,
    });
    expect(() => sm1ParamsEntry([sm1ParamsOf(terms)!])).not.toThrow();
  });

  it("may get terms of its own in the same version", () => {
    const change = { ...add({}), instruments: [{ symbol: "LTCUSD", feeRate: rate(20_000) }] };
    expect(added(change).instruments.at(-1)?.feeRate).toBe(20_000n);
    expect(added(change).instruments.slice(0, -1)).toEqual(first.instruments);
  });

  it("lists every figure for the second person", () => {
    const said = configDifferences(first, added(add({ titles: { de: "Litecoin (DE)" } })));
    expect(said.every(({ what, before }) => what.startsWith("LTCUSD ") && before === "–")).toBe(true);
    const after = new Map(said.map(({ what, after: now }) => [what.slice("LTCUSD ".length), now]));
    expect(Object.fromEntries(after)).toMatchObject({
      name: "LTC/USD",
      title: "Litecoin",
      "title de": "Litecoin (DE)",
      kind: "crypto",
      decimals: "3",
      staleExit: "5 s",
      prices: "simulated",
      anchor: "85.000",
      volatility: "0.80",
      spread: "0.020",
      jump: "18 of 65536, 47.5 a day",
      suspended: "no",
      feeRate: "0.01",
      "60 s payoutRate": "0.85",
    });
  });

  it("accepts outside sources with their names for it", () => {
    const terms = added(outside({ kraken: "LTC/USD", binance: "LTCUSDT" })).instruments.at(-1)!;
    expect(terms.prices).toEqual({ source: "outside", names: { kraken: "LTC/USD", binance: "LTCUSDT" } });
    expect(sm1ParamsOf(terms)).toBeNull();
  });

  it.each<[string, ConfigChange, string]>([
    ["an existing symbol with other decimals", add({ symbol: "EURUSD", decimals: 4 }), "symbol"],
    ["a symbol in lower case", add({ symbol: "ltcusd" }), "symbol"],
    ["another instrument's name, which would have the same prices", add({ name: "BTC/USD" }), "name"],
    ["a name with a space", add({ name: "LTC USD" }), "name"],
    ["no title", add({ title: " " }), "title"],
    ["a title of 61 letters", add({ title: "L".repeat(61) }), "title"],
    ["an empty title in another language", add({ titles: { de: "" } }), "titles"],
    ["nine decimal places", add({ decimals: 9 }), "decimals"],
    ["a fraction of a decimal place", add({ decimals: 1.5 }), "decimals"],
    [
      "so few decimal places that too many orders would tie",
      priced({ anchor: "85", spread: "0", volatility: rate(20_000) }),
      "decimals",
    ],
    ["the terms of an unknown instrument", add({ termsOf: "NOPE" }), "termsOf"],
    ["an anchor of zero", priced({ anchor: "0" }), "anchor"],
    ["an anchor with more decimal places", priced({ anchor: "85.0001" }), "anchor"],
    ["an anchor too large to be exact", priced({ anchor: "999999999999" }), "anchor"],
    ["a volatility below one per cent", priced({ volatility: rate(9_999) }), "volatility"],
    ["a volatility above 300 per cent", priced({ volatility: rate(3_000_100) }), "volatility"],
    ["a negative spread", priced({ spread: "-1" }), "spread"],
    ["a spread above a hundredth", priced({ spread: "0.851" }), "spread"],
    ["a jump at more than a hundredth of all ticks", priced({ jump: 656 }), "jump"],
    ["no outside source", outside({}), "names"],
    ["an outside name with a space", outside({ kraken: "LTC USD" }), "names"],
  ])("refuses %s", (_what, change, field) => {
    expect(changeConfig(first, change, next)).toMatchObject({ refusal: { error: "FIELD_INVALID", params: { field } } });
  });

  it("is refused if a newer version already uses its name", () => {
    const [one, other] = [added(add({})), added(add({ symbol: "LTC2USD" }))];
    const both = { ...one, instruments: [...one.instruments, other.instruments.at(-1)!] };
    expect(wrongConfigField(both)).toBe("name");
  });
});

describe("an instrument's identity", () => {
  const before = added(add({}));
  const last = before.instruments.at(-1)!;
  const become = (change: object) => ({
    ...before,
    instruments: before.instruments.map((terms) => (terms === last ? { ...terms, ...change } : terms)),
  });

  it("stays the same when terms change or instruments are added", () => {
    expect(wrongIdentity(before, become({ suspended: true, feeRate: rate(1), durations: [] }))).toBeNull();
    expect(wrongIdentity(first, before)).toBeNull();
  });

  it.each<[string, object]>([
    ["its places", { decimals: 2 }],
    ["its name", { name: "LTC2/USD" }],
    ["its kind", { kind: "fx" }],
    ["its title", { title: "Something else" }],
    ["its anchor", { prices: { ...last.prices, anchor: 86_000n } }],
    ["its path", { prices: { ...last.prices, sigma: 1n } }],
    ["its source", { prices: undefined }],
  ])("may not change: %s", (_what, change) => {
    expect(wrongIdentity(before, become(change))).toBe("symbol");
  });

  it("is refused if the instrument is left out", () => {
    expect(wrongIdentity(before, first)).toBe("symbol");
  });
});

describe("a volatility", () => {
  it("converts to the first instruments' sigma and back, exact to a millionth", () => {
    expect(sigmaOfVolatility(rate(80_000))).toBe(11_075_708n);
    for (const { sigma } of FIRST_SM1_PARAMS) expect(sigmaOfVolatility(volatilityOfSigma(sigma))).toBe(sigma);
    for (const millionths of [10_000, 123_457, 2_999_999]) {
      expect(volatilityOfSigma(sigmaOfVolatility(rate(millionths)))).toBe(BigInt(millionths));
    }
  });
});
