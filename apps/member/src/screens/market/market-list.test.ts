import type { Instrument } from "@fairtick/protocol";
import { describe, expect, it } from "vitest";
import { marketSections } from "./market-list.ts";

function instrument(symbol: string, name: string, kind: Instrument["kind"]): Instrument {
  return {
    symbol,
    name,
    kind,
    decimals: 2,
    open: true,
    suspended: false,
    nextChange: null,
    minStake: "1.00",
    maxStake: "1000.00",
    feeRate: "0.01",
    durations: [],
    price: "1.00",
    priceAt: 0,
    seq: 1,
    dayOpen: "1.00",
    changeToday: "0",
    spark: [],
    source: "simulated",
  };
}

const euro = instrument("EURUSD", "EUR/USD", "fx");
const gold = instrument("XAUUSD", "XAU/USD", "fx");
const bitcoin = instrument("BTCUSD", "BTC/USD", "crypto");
const all = [bitcoin, euro, gold];
const describeIt = ({ symbol }: Instrument) => ({ EURUSD: "Euro / dollar", XAUUSD: "Gold" })[symbol] ?? "Bitcoin";

function symbols(list: Parameters<typeof marketSections>[1], words: string, favourites: string[] = []): string[] {
  return marketSections(all, list, favourites, words, describeIt).flatMap((section) =>
    section.instruments.map((one) => one.symbol),
  );
}

describe("what the market screen lists", () => {
  it("puts FX and metals before digital assets", () => {
    expect(symbols("all", "")).toEqual(["EURUSD", "XAUUSD", "BTCUSD"]);
  });
  it.each([
    ["gold", ["XAUUSD"]],
    ["eur/usd", ["EURUSD"]],
    ["eurusd", ["EURUSD"]],
    ["btc", ["BTCUSD"]],
    ["euro dollar", ["EURUSD"]],
    ["ＥＵＲ／ＵＳＤ", ["EURUSD"]],
    ["yen", []],
  ])("finds %j", (words, found) => {
    expect(symbols("all", words)).toEqual(found);
  });
  it.each([
    ["dolar", "Euro / dólar"],
    ["DÓLAR", "Euro / dolar"],
    ["do la", "Euro / đô la"],
    ["vang", "Vàng"],
  ])("finds by %j what is described as %j", (words, described) => {
    expect(marketSections([euro], "all", [], words, () => described)).toHaveLength(1);
  });
  it("lists one kind, or the favourites", () => {
    expect(symbols("digital", "")).toEqual(["BTCUSD"]);
    expect(symbols("fx", "")).toEqual(["EURUSD", "XAUUSD"]);
    expect(symbols("favourites", "", ["XAUUSD"])).toEqual(["XAUUSD"]);
  });
});
