import type { Instant } from "@fairtick/domain";
import { expect, it } from "vitest";
import { firstPriceAt, type Upcoming } from "./first-price.ts";

const at = (ms: number) => BigInt(ms) as Instant;
const epoch = (startAt: number | null, ...symbols: string[]): Upcoming => ({
  startAt: startAt === null ? null : at(startAt),
  symbols: new Set(symbols),
});

it.each<[string, readonly Upcoming[], bigint | null]>([
  ["is the start of the opened epoch that lists it", [epoch(0, "A"), epoch(600_000, "A", "B")], 600_000n],
  [
    "follows from the epochs before, if its epoch isn't open",
    [epoch(0, "A"), epoch(null), epoch(null, "B")],
    1_200_000n,
  ],
  ["is after all epochs that were committed to without it", [epoch(0, "A"), epoch(null), epoch(null)], 1_800_000n],
  ["is unknown if it is already due", [epoch(0, "B")], null],
  ["is unknown while no epoch is open", [epoch(null, "B")], null],
  ["is unknown if the market has stood still since its last epoch", [epoch(-700_000, "A")], null],
  ["is unknown without any epoch", [], null],
])("%s", (_what, upcoming, expected) => {
  expect(firstPriceAt(upcoming, "B", at(1_000))).toBe(expected);
});
