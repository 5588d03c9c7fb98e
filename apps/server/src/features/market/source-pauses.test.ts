import type { Instant, Points } from "@fairtick/domain";
import { expect, it } from "vitest";
import type { InstrumentClock } from "./market-rows.ts";
import { pauseOfTerms, watchSourcePauses } from "./source-pauses.ts";
import type { TickSource } from "./sources/source.ts";

const sources = [
  { symbols: ["EURUSD"], madeBy: () => "SM1" },
  {
    symbols: ["BTCUSD"],
    madeBy: () => "kraken",
    whyStill: () => "0 of 1 sources that are needed spoke; silent: kraken",
  },
] as unknown as TickSource[];

function clocks(time: bigint, seq = 1n): ReadonlyMap<string, InstrumentClock> {
  const one = { seq, time: time as Instant, price: 1n as Points, sealedThrough: time as Instant };
  return new Map(["EURUSD", "BTCUSD"].map((symbol) => [symbol, { symbol, ...one } as InstrumentClock]));
}
const at = (time: bigint) => time as Instant;

it("reports once, with the reason, an outside source that was silent for long enough to void orders", () => {
  const pauses = watchSourcePauses(
    sources,
    new Map(),
    () => true,
    () => 30_000n,
  );
  expect(pauses.look(clocks(0n, 0n), at(900n))).toEqual([]);
  expect(pauses.look(clocks(1_000n), at(1_500n))).toEqual([]);
  expect(pauses.look(clocks(1_000n), at(30_000n))).toEqual([]);
  expect(pauses.look(clocks(31_000n), at(31_500n))).toEqual([]);
  const [told, ...more] = pauses.look(clocks(61_001n), at(61_500n));
  expect(told).toMatchObject({ at: 61_500n, from: 31_000n, to: 61_001n, part: "source", symbol: "BTCUSD" });
  expect(told?.reason).toBe("0 of 1 sources that are needed spoke; silent: kraken");
  expect(more).toEqual([]);
  expect(pauses.look(clocks(61_001n), at(62_500n))).toEqual([]);
});

it("takes the limit from the instrument's terms, ten seconds at most", () => {
  expect([5_000n, 15_000n, undefined].map(pauseOfTerms)).toEqual([5_000n, 10_000n, 10_000n]);
  const pauses = watchSourcePauses(
    sources,
    new Map(),
    () => true,
    () => 5_000n,
  );
  pauses.look(clocks(1_000n), at(1_500n));
  expect(pauses.look(clocks(6_000n), at(6_500n))).toEqual([]);
  expect(pauses.look(clocks(11_001n), at(11_500n))).toMatchObject([{ from: 6_000n, to: 11_001n }]);
});

it("reports nothing for the time that the market was closed", () => {
  const pauses = watchSourcePauses(sources, new Map(), (_symbol, _from, to) => to <= 1_500n);
  pauses.look(clocks(1_000n), at(1_500n));
  expect(pauses.look(clocks(172_800_000n), at(172_800_500n))).toEqual([]);
});

it("tells of one that was cut short by the end of its market's hours", () => {
  const closesAt = 20_000n;
  const pauses = watchSourcePauses(sources, new Map(), (_symbol, _from, to) => to <= closesAt);
  pauses.look(clocks(9_000n), at(9_500n));
  expect(pauses.look(clocks(172_800_000n), at(172_800_500n))).toMatchObject([{ from: 9_000n, to: 172_800_000n }]);
});

it("tells of one that began before this market wrote, and says so", () => {
  const pauses = watchSourcePauses(sources, clocks(9_000n), () => true);
  expect(pauses.look(clocks(9_000n), at(60_000n))).toEqual([]);
  const [told] = pauses.look(clocks(61_000n), at(61_500n));
  expect(told).toMatchObject({ from: 9_000n, to: 61_000n, symbol: "BTCUSD" });
  expect(told?.reason).toBe("the market began to write anew; 0 of 1 sources that are needed spoke; silent: kraken");
});
