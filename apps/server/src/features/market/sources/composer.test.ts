import type { Points, Rate } from "@fairtick/domain";
import { describe, expect, it } from "vitest";
import { createComposer, FRESH_MS, JUMP_HOLDS_MS } from "./composer.ts";
import type { RawQuote, Rejection } from "./feed.ts";
import { parseJsonKeepingNumbers } from "./json-numbers.ts";

const instrument = { symbol: "BTCUSD", decimals: 2, band: 50_000n as Rate, agreement: 10_000n as Rate };

function quote(bid: string, ask = bid, order: bigint | null = null): RawQuote {
  return { symbol: "BTCUSD", bid, ask, order };
}

function composerOf(quorum: number, last?: bigint) {
  const lastPrices = new Map(last === undefined ? [] : [["BTCUSD", last as Points]]);
  return createComposer([{ ...instrument, quorum }], lastPrices);
}

describe("one source", () => {
  it("gives the mid of bid and ask, exact to the point and rounded half to even", () => {
    const rows: [bid: string, ask: string, points: bigint][] = [
      ["97000.1", "97000.3", 9_700_020n],
      ["97000.01", "97000.02", 9_700_002n],
      ["97000.02", "97000.03", 9_700_002n],
      ["97000.123456789", "97000.123456789", 9_700_012n],
      ["0.07", "0.07", 7n],
    ];
    for (const [bid, ask, points] of rows) {
      const composer = composerOf(1);
      composer.hear("a", quote(bid, ask), 0);
      expect(composer.compose("BTCUSD", 0)).toBe(points);
    }
  });

  it.each<[what: string, quotes: RawQuote[], reason: Rejection]>([
    ["zero", [quote("0", "0")], "zero"],
    ["zero with decimal places", [quote("0.00", "1")], "zero"],
    ["less than half a point", [quote("0.001")], "zero"],
    ["negative", [quote("-97000.1")], "negative"],
    ["NaN", [quote("NaN")], "notANumber"],
    ["an exponent", [quote("9.7e4")], "notANumber"],
    ["nothing", [{ symbol: "BTCUSD", order: null }], "notANumber"],
    ["crossed", [quote("97001", "97000")], "crossed"],
    ["bid and ask further apart than sources may be", [quote("96514.9", "97485")], "unsure"],
    ["one side of an empty book", [quote("1", "200000")], "unsure"],
    ["a foreign instrument", [{ ...quote("97000"), symbol: "PEPEUSD" }], "unknownInstrument"],
  ])("rejects and counts %s", (_what, quotes, reason) => {
    const composer = composerOf(1, 9_700_000n);
    for (const one of quotes) composer.hear("a", one, 0);
    expect(composer.compose("BTCUSD", 0)).toBeNull();
    expect(composer.rejections()).toEqual({ [reason]: 1 });
  });

  it("takes bid and ask that are as far apart as sources may be, in a band or without one", () => {
    const composer = createComposer([{ ...instrument, band: null, quorum: 1 }]);
    composer.hear("a", quote("96515", "97485"), 0);
    expect(composer.compose("BTCUSD", 0)).toBe(9_700_000n);
    composer.hear("a", quote("1", "200000"), 1);
    expect([composer.compose("BTCUSD", 1), composer.rejections()]).toEqual([9_700_000n, { unsure: 1 }]);
  });

  it("ignores quotes that are out of order, and a repeated quote doesn't count as fresh", () => {
    const composer = composerOf(1);
    composer.hear("a", quote("97000", "97000", 20n), 0);
    composer.hear("a", quote("96999", "96999", 19n), 10);
    composer.hear("a", quote("97000", "97000", 20n), 1_900);
    expect(composer.rejections()).toEqual({ outOfOrder: 1, duplicate: 1 });
    expect(composer.compose("BTCUSD", 1_999)).toBe(9_700_000n);
    expect(composer.compose("BTCUSD", FRESH_MS + 1)).toBeNull();
  });

  it("makes only one tick of one quote", () => {
    const composer = composerOf(1);
    composer.hear("a", quote("97000"), 0);
    composer.taken("BTCUSD", composer.compose("BTCUSD", 5)!, 5);
    expect(composer.compose("BTCUSD", 100)).toBeNull();
    composer.hear("a", quote("97000"), 110);
    expect(composer.compose("BTCUSD", 200)).toBe(9_700_000n);
  });

  it("ignores a spike, but accepts a jump that lasts", () => {
    const composer = composerOf(1, 9_700_000n);
    composer.hear("a", quote("97000"), 0);
    composer.hear("a", quote("123000"), 100);
    expect(composer.compose("BTCUSD", 200)).toBe(9_700_000n);
    expect(composer.rejections()).toEqual({ jump: 1 });
    composer.hear("a", quote("97010"), 300);
    for (let at = 1_000; at < 1_000 + JUMP_HOLDS_MS; at += 500) composer.hear("a", quote("123000"), at);
    expect(composer.compose("BTCUSD", 1_000 + JUMP_HOLDS_MS - 1)).toBeNull();
    composer.hear("a", quote("123050"), 1_000 + JUMP_HOLDS_MS);
    expect(composer.compose("BTCUSD", 1_000 + JUMP_HOLDS_MS)).toBe(12_305_000n);
  });
});

describe("several sources", () => {
  it("need a quorum of two fresh ones", () => {
    const composer = composerOf(2);
    composer.hear("a", quote("97000"), 0);
    expect(composer.compose("BTCUSD", 1)).toBeNull();
    composer.hear("b", quote("97000.05"), 10);
    expect(composer.compose("BTCUSD", 11)).toBe(9_700_002n);
    composer.hear("a", quote("97000.5"), FRESH_MS + 100);
    expect(composer.compose("BTCUSD", FRESH_MS + 101)).toBeNull();
  });

  it("may be fewer than the quorum if one of them signs its quotes, and then all have to agree", () => {
    const signed = { vaa: new Uint8Array([1]), message: new Uint8Array([2]), branch: new Uint8Array() };
    const composer = composerOf(3, 9_700_000n);
    composer.hear("signer", { ...quote("97004"), signed }, 0);
    expect(composer.compose("BTCUSD", 1)).toBe(9_700_400n);
    composer.hear("a", quote("97000"), 2);
    expect([...composer.composeWithSources("BTCUSD", 3)!.sources.keys()]).toEqual(["signer", "a"]);
    composer.hear("a", quote("99500"), 4);
    expect(composer.compose("BTCUSD", 5)).toBeNull();
    expect(composer.whyStill("BTCUSD")).toBe("its sources were too far apart: a 9950000, signer 9700400");
    composer.hear("a", quote("97001"), FRESH_MS + 1);
    expect(composer.compose("BTCUSD", FRESH_MS + 2)).toBeNull();
    expect(composer.whyStill("BTCUSD")).toBe("1 of 3 sources that are needed counted; silent: signer");
  });

  it("keep the median of three between the honest ones if one lies within the band", () => {
    for (let lie = 93_000; lie <= 101_000; lie += 250) {
      const composer = composerOf(2, 9_700_000n);
      composer.hear("a", quote("97000"), 0);
      composer.hear("b", quote("97001"), 1);
      composer.hear("liar", quote(`${lie}`), 2);
      const price = composer.compose("BTCUSD", 3)!;
      expect(price).toBeGreaterThanOrEqual(9_700_000n);
      expect(price).toBeLessThanOrEqual(9_700_100n);
    }
  });

  it("leave out a source that is far from the others, and count each of its quotes once", () => {
    const composer = composerOf(2, 9_700_000n);
    composer.hear("a", quote("97000"), 0);
    composer.hear("b", quote("97010"), 1);
    composer.hear("far", quote("99000"), 2);
    expect(composer.compose("BTCUSD", 3)).toBe(9_700_500n);
    expect(composer.compose("BTCUSD", 4)).toBe(9_700_500n);
    expect(composer.rejections()).toEqual({ outlier: 1 });
    composer.hear("far", quote("97020"), 5);
    expect(composer.compose("BTCUSD", 6)).toBe(9_701_000n);
  });

  it("give no price when two disagree and either could be wrong", () => {
    const composer = composerOf(2, 9_700_000n);
    composer.hear("a", quote("97000"), 0);
    composer.hear("b", quote("99000"), 1);
    expect(composer.compose("BTCUSD", 2)).toBeNull();
    composer.hear("c", quote("97002"), 3);
    expect(composer.compose("BTCUSD", 4)).toBe(9_700_100n);
  });

  it("need as many fresh sources as the quorum says, and a new quote from one that counts", () => {
    const composer = composerOf(3, 9_700_000n);
    composer.hear("a", quote("97000"), 0);
    composer.hear("b", quote("97001"), 1);
    composer.hear("far", quote("99000"), 2);
    expect(composer.compose("BTCUSD", 3)).toBeNull();
    composer.hear("c", quote("97002"), 4);
    composer.taken("BTCUSD", composer.compose("BTCUSD", 5)!, 5);
    composer.hear("far", quote("99001"), 6);
    expect(composer.compose("BTCUSD", 7)).toBeNull();
  });
});

describe("a source that is not named for an instrument", () => {
  it("prices nothing, and isn't in the reason for a standstill", () => {
    const composer = createComposer([{ ...instrument, quorum: 1 }], new Map(), new Map([["BTCUSD", ["kraken"]]]));
    composer.hear("coinbase", quote("97000"), 0);
    composer.refuse("coinbase", "old", 0, [quote("97000")]);
    expect(composer.compose("BTCUSD", 1)).toBeNull();
    expect(composer.rejections()).toEqual({ unknownInstrument: 1, old: 1 });
    expect(composer.whyStill("BTCUSD")).toBe("0 of 1 sources that are needed counted; silent: kraken");
    composer.hear("kraken", quote("97001"), 2);
    expect([...composer.composeWithSources("BTCUSD", 3)!.sources.keys()]).toEqual(["kraken"]);
  });
});

describe("the reason for a standstill", () => {
  const said = (composer: ReturnType<typeof composerOf>, at: number) => {
    expect(composer.compose("BTCUSD", at)).toBeNull();
    return composer.whyStill("BTCUSD");
  };
  const known = () =>
    createComposer(
      [{ ...instrument, quorum: 2 }],
      new Map([["BTCUSD", 9_700_000n as Points]]),
      new Map([["BTCUSD", ["kraken", "pyth"]]]),
    );

  it("names sources whose quotes were refused as a jump with their prices, and doesn't call them silent", () => {
    const composer = known();
    for (let at = 0; at < JUMP_HOLDS_MS; at += 400) {
      composer.hear("kraken", quote("103000"), at);
      composer.hear("pyth", quote("103001"), at);
      expect(said(composer, at)).toBe(
        "0 of 2 sources that are needed counted; refused as a jump: kraken 10300000, pyth 10300100",
      );
    }
    composer.hear("kraken", quote("103000"), JUMP_HOLDS_MS);
    composer.hear("pyth", quote("103000"), JUMP_HOLDS_MS);
    expect(composer.compose("BTCUSD", JUMP_HOLDS_MS)).toBe(10_300_000n);
  });

  it.each<[what: string, quotes: RawQuote[], told: string]>([
    ["crossed", [quote("97001", "97000")], "refused as crossed: kraken"],
    [
      "out of order",
      [quote("97000", "97000", 9n), quote("97002", "97002", 8n)],
      "refused as out of order: kraken 9700200",
    ],
    ["a repeat", [quote("97000", "97000", 9n), quote("97000", "97000", 9n)], "refused as a repeat: kraken 9700000"],
    ["no number", [quote("NaN")], "refused as not a number: kraken"],
  ])("names a source whose newest quote was %s", (_what, quotes, told) => {
    const composer = known();
    for (const [index, one] of quotes.entries()) composer.hear("kraken", one, index * (FRESH_MS + 1));
    const at = (quotes.length - 1) * (FRESH_MS + 1) + 1;
    expect(said(composer, at)).toBe(`0 of 2 sources that are needed counted; silent: pyth; ${told}`);
  });

  it("names a source that its feed refused, and one that may have sent something unreadable", () => {
    const composer = known();
    composer.refuse("pyth", "unsure", 0, [{ symbol: "BTCUSD", last: "97000.5", order: null }]);
    composer.refuse("kraken", "malformed", 1);
    expect(said(composer, 2)).toBe(
      "0 of 2 sources that are needed counted; silent: kraken; refused as unreadable: kraken; refused as unsure: pyth 9700050",
    );
    expect(composer.rejections()).toEqual({ unsure: 1, malformed: 1 });
  });

  it("calls a source silent once nothing more comes, and forgets refusals from before the last tick", () => {
    const composer = known();
    composer.hear("kraken", quote("150000"), 0);
    expect(said(composer, FRESH_MS + 1)).toBe(
      "0 of 2 sources that are needed counted; silent: kraken, pyth; refused as a jump: kraken 15000000",
    );
    composer.taken("BTCUSD", 9_700_000n as Points, FRESH_MS + 2);
    expect(said(composer, FRESH_MS + 3)).toBe("0 of 2 sources that are needed counted; silent: kraken, pyth");
  });

  it("says besides a dispute which sources were refused", () => {
    const composer = composerOf(2, 9_700_000n);
    composer.hear("kraken", quote("97000"), 0);
    composer.hear("pyth", quote("99500"), 0);
    composer.hear("binance", quote("150000"), 0);
    expect(said(composer, 1)).toBe(
      "its sources were too far apart: kraken 9700000, pyth 9950000; refused as a jump: binance 15000000",
    );
  });
});

describe("numbers in JSON", () => {
  it("stay exactly the text that was sent", () => {
    const text = '{"bid":97000.10,"ask":0.1e1,"deep":[{"x":123456789012345678901234567890.5}],"s":"1","n":null}';
    expect(parseJsonKeepingNumbers(text)).toEqual({
      bid: "97000.10",
      ask: "0.1e1",
      deep: [{ x: "123456789012345678901234567890.5" }],
      s: "1",
      n: null,
    });
    expect(parseJsonKeepingNumbers('{"bid":NaN}')).toBeUndefined();
  });
});
