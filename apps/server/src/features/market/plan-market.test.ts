import { firstTradingConfig, type InstrumentTerms, type Instant, type OutsidePrices } from "@fairtick/domain";
import { describe, expect, it } from "vitest";
import type { Config } from "../../platform/config.ts";
import { offeredSources, planMarket, wrongSource } from "./plan-market.ts";

type Settings = Parameters<typeof planMarket>[0];

const { instruments: first } = firstTradingConfig(0n as Instant);
const like = first.find(({ symbol }) => symbol === "BTCUSD")!;
const simulated: InstrumentTerms = {
  ...like,
  symbol: "LTCUSD",
  name: "LTC/USD",
  prices: {
    source: "simulated",
    anchor: 85_000n as never,
    sigma: 110_757_084n,
    jump: 18,
    spread: 20n,
    pull: 22,
    switches: [1, 1, 1, 1],
  },
};
const outside = (names: OutsidePrices["names"], change: Partial<InstrumentTerms> = {}): InstrumentTerms => ({
  ...simulated,
  ...change,
  prices: { source: "outside", names },
});
const signers: Config["pyth"]["signers"] = {
  set: 4,
  quorum: 1,
  guardians: [new Uint8Array(20)],
  chain: 26,
  emitter: new Uint8Array(32),
};
const settings = (marketSources: string, change: Partial<Settings> = {}): Settings => ({
  deployment: "sandbox",
  marketSources,
  marketQuorum: 2,
  krakenUrl: "",
  binanceUrl: "",
  pyth: { url: "", key: null, signers: null },
  ...change,
});
const MIXED = "simulated,BTCUSD=kraken+binance,ETHUSD=pyth";

describe("the sources offered for an added instrument", () => {
  it("are those in the settings, and never a simulated one in live", () => {
    expect(offeredSources(settings("simulated"))).toEqual({ simulated: true, outside: [] });
    expect(offeredSources(settings(MIXED))).toEqual({ simulated: true, outside: ["kraken", "binance", "pyth"] });
    expect(offeredSources(settings("kraken, BTCUSD=kraken + binance"))).toEqual({
      simulated: false,
      outside: ["kraken", "binance"],
    });
    expect(offeredSources(settings("simulated", { deployment: "live" }))).toEqual({ simulated: false, outside: [] });
  });

  it.each<[string, Settings, InstrumentTerms, "source" | "names" | null]>([
    ["simulated in a sandbox", settings(MIXED), simulated, null],
    ["simulated in live", settings(MIXED, { deployment: "live" }), simulated, "source"],
    ["simulated if all other prices are from outside", settings("kraken"), simulated, "source"],
    ["outside if there are no outside sources", settings("simulated"), outside({ kraken: "LTC/USD" }), "source"],
    ["one source", settings(MIXED), outside({ kraken: "LTC/USD" }), null],
    ["as many as must agree", settings(MIXED), outside({ kraken: "LTC/USD", binance: "LTCUSDT" }), null],
    [
      "fewer than must agree",
      settings(MIXED, { marketQuorum: 3 }),
      outside({ kraken: "LTC/USD", binance: "LTCUSDT" }),
      "names",
    ],
    ["an unknown source", settings(MIXED), outside({ kraken: "LTC/USD", coinbase: "LTC-USD" }), "names"],
    ["a name that another instrument is priced by", settings(MIXED), outside({ kraken: "BTC/USD" }), "names"],
    ["a currency at Binance", settings(MIXED), outside({ binance: "LTCUSDT" }, { kind: "fx" }), "names"],
    ["Pyth, of whom nobody says who signs", settings(MIXED), outside({ pyth: "ab".repeat(32) }), "names"],
    [
      "Pyth with a feed's id",
      settings(MIXED, { pyth: { url: "", key: null, signers } }),
      outside({ pyth: "ab".repeat(32) }),
      null,
    ],
    [
      "Pyth with a name that is no id",
      settings(MIXED, { pyth: { url: "", key: null, signers } }),
      outside({ pyth: "Crypto.LTC/USD" }),
      "names",
    ],
    ["instruments of the first version", settings("simulated"), like, null],
  ])("%s", (_what, config, terms, field) => {
    expect(wrongSource(config, terms, [...first, terms])).toBe(field);
  });
});

describe("the market's plan", () => {
  const plain = settings("simulated,BTCUSD=kraken");

  it("asks an outside source by that source's own name, and simulates the rest with their own figures", () => {
    const plan = planMarket(plain, [
      ...first,
      outside({ kraken: "XLTCZUSD" }),
      { ...simulated, symbol: "L2", name: "L2" },
    ]);
    expect([...plan.real.pairs.get("kraken")!]).toEqual([
      ["BTC/USD", "BTCUSD"],
      ["XLTCZUSD", "LTCUSD"],
    ]);
    expect(plan.simulated.map(({ symbol }) => symbol)).toEqual([
      ...first.map(({ symbol }) => symbol).filter((symbol) => symbol !== "BTCUSD"),
      "L2",
    ]);
    expect(plan.simulated.at(-1)).toMatchObject({ name: "L2", anchor: 85_000n, jump: 18, digits: like.decimals });
    expect(plan.leftOut).toEqual([]);
  });

  it("leaves out an added instrument whose source the settings no longer name, and plans all others", () => {
    const plan = planMarket(settings("simulated"), [...first, outside({ kraken: "LTC/USD" })]);
    expect(plan.leftOut.map(({ symbol }) => symbol)).toEqual(["LTCUSD"]);
    expect(plan.simulated).toHaveLength(first.length);
    expect(plan.real.instruments).toEqual([]);
  });
});
