import { describe, expect, it } from "vitest";
import {
  ADD_RULES,
  type AddDraft,
  changeDraft,
  emptyAddition,
  rateOfPercent,
  readAddition,
  usualSteps,
} from "./add-draft.ts";

const MODELS = [
  { symbol: "EURUSD", kind: "fx" },
  { symbol: "BTCUSD", kind: "crypto" },
  { symbol: "ETHUSD", kind: "crypto" },
] as const;
const draft: AddDraft = {
  ...emptyAddition("simulated", MODELS),
  name: "ltc/usd",
  title: " Litecoin ",
  titles: "de = Litecoin auf Deutsch\n\nfr=Litecoin",
  decimals: "3",
  anchor: "1,085.5",
  volatility: "80",
  spread: "0.02",
  jumpsADay: "47.5",
};
const read = (change: Partial<AddDraft>) => readAddition({ ...draft, ...change });

describe("an instrument to be added", () => {
  it("takes its symbol from its name, its volatility in percent and its jumps per day", () => {
    expect(readAddition(draft)).toEqual({
      ok: true,
      add: {
        symbol: "LTCUSD",
        name: "LTC/USD",
        title: "Litecoin",
        titles: { de: "Litecoin auf Deutsch", fr: "Litecoin" },
        kind: "crypto",
        decimals: 3,
        termsOf: "BTCUSD",
        prices: { source: "simulated", anchor: "1085.5", volatility: "0.80", spread: "0.02", jump: 18 },
      },
    });
  });

  it("names the outside sources whose names were typed, without simulated figures", () => {
    const outside = read({ source: "outside", names: { kraken: " LTC/USD ", binance: "" }, anchor: "none" });
    expect(outside).toMatchObject({ ok: true, add: { prices: { source: "outside", names: { kraken: "LTC/USD" } } } });
  });

  it.each<[string, Partial<AddDraft>, readonly string[]]>([
    ["no name, and so no symbol", { name: "" }, ["name", "symbol"]],
    ["a symbol with a slash", { symbol: "LTC/USD" }, ["symbol"]],
    ["no title", { title: " " }, ["title"]],
    ["a line that is no title", { titles: "Litecoin" }, ["titles"]],
    ["a language twice", { titles: "de = a1\nde = b2" }, ["titles"]],
    ["places in words", { decimals: "three" }, ["decimals"]],
    ["an anchor with a sign", { anchor: "-85" }, ["anchor"]],
    ["volatility with its sign", { volatility: "80 %" }, ["volatility"]],
    ["no spread and no jumps", { spread: "", jumpsADay: "often" }, ["spread", "jump"]],
    ["no outside name", { source: "outside", names: { kraken: " " } }, ["names"]],
  ])("reports which field can't be read: %s", (_what, change, fields) => {
    expect(read(change)).toEqual({ ok: false, fields });
    for (const field of fields) expect(ADD_RULES[field]).toBeDefined();
  });

  it("copies terms from a product of its own kind, and starts with that kind's figures", () => {
    const crypto = emptyAddition("simulated", MODELS);
    expect(crypto).toMatchObject({ kind: "crypto", termsOf: "BTCUSD", volatility: "60" });
    const fx = changeDraft({ ...crypto, jumpsADay: "20" }, { kind: "fx" }, MODELS);
    expect(fx).toMatchObject({ kind: "fx", termsOf: "EURUSD", volatility: "8", jumpsADay: "20" });
    expect(emptyAddition("simulated", MODELS.slice(0, 1)).termsOf).toBe("EURUSD");
  });

  it.each([
    // With three decimals it would be 49.8 steps.
    ["85.20", "4"],
    ["64000", "2"],
    ["0.0451", "7"],
    ["1.08512", "5"],
  ])("has as many decimals as a price of %s needs: %s", (anchor, decimals) => {
    const priced = changeDraft(emptyAddition("simulated", MODELS), { anchor }, MODELS);
    expect(priced.decimals).toBe(decimals);
    expect(usualSteps(priced)).toBeGreaterThanOrEqual(50);
  });

  it("leaves decimals alone once they are typed", () => {
    const typed = changeDraft(emptyAddition("simulated", MODELS), { decimals: "3" }, MODELS);
    expect(changeDraft(typed, { anchor: "0.0451" }, MODELS).decimals).toBe("3");
  });

  it("shows how far the price moves before anyone proposes it", () => {
    expect(usualSteps({ ...draft, anchor: "85" })).toBe(66);
    expect(usualSteps({ ...draft, anchor: "" })).toBeNull();
    expect(usualSteps({ ...draft, source: "outside", names: { kraken: "LTC/USD" } })).toBeNull();
  });

  it.each([
    ["80", "0.80"],
    ["5", "0.05"],
    ["112.5", "1.125"],
    ["1000", null],
    ["8,5", null],
  ])("converts %s percent to the rate %s", (text, rate) => {
    expect(rateOfPercent(text)).toBe(rate);
  });
});
