import { describe, expect, it } from "vitest";
import type { Instant } from "../base/time.ts";
import type { Points } from "../market/price.ts";
import { dueAfterPauses, settlementDueAt } from "./settlement-due.ts";

const order = { acceptedAt: 1_000_000n as Instant, durationSeconds: 60 };
const entry = { seq: 7n, time: 1_000_400n as Instant, price: 5n as Points };
const WEEK = 604_800_000n;

describe("an order is due to be settled", () => {
  it.each([
    ["at its expiry", { entry, outcome: "won", voidReason: null }, null, 1_060_400n],
    ["at its expiry, revealed before", { entry, outcome: "lost", voidReason: null }, 1_001_000n, 1_060_400n],
    ["at its reveal, if that came later", { entry, outcome: "tied", voidReason: null }, 1_090_000n, 1_090_000n],
    [
      "a week after its expiry, unrevealed",
      { entry, outcome: "unrevealed", voidReason: null },
      null,
      1_060_400n + WEEK,
    ],
    [
      "at the end of the entry window",
      { entry: null, outcome: "voided", voidReason: "NO_ENTRY_TICK" },
      null,
      1_010_000n,
    ],
    ["at the entry that passes its limit", { entry, outcome: "voided", voidReason: "LIMIT_PASSED" }, null, 1_000_400n],
    [
      "at its expiry, though its exit is stale",
      { entry, outcome: "voided", voidReason: "STALE_EXIT" },
      null,
      1_060_400n,
    ],
  ] as const)("%s", (_what, settlement, revealedAt, due) => {
    expect(settlementDueAt(order, settlement, revealedAt)).toBe(due);
  });
});

describe("the moment from which the grace period counts", () => {
  it.each<[string, [bigint, bigint][], bigint]>([
    ["without a pause", [], 100n],
    ["with a pause at the due time", [[50n, 400n]], 400n],
    ["with a pause that begins within the grace period", [[110n, 400n]], 400n],
    ["with a pause that begins after the grace period", [[111n, 400n]], 100n],
    ["with a pause that ended before", [[50n, 100n]], 100n],
    [
      "with a second pause within the grace period, in any order",
      [
        [405n, 900n],
        [50n, 400n],
      ],
      900n,
    ],
    [
      "with a second pause after the grace period",
      [
        [411n, 900n],
        [50n, 400n],
      ],
      400n,
    ],
  ])("%s", (_what, pauses, moment) => {
    expect(
      dueAfterPauses(
        100n,
        pauses.map(([from, to]) => ({ from, to })),
        10n,
      ),
    ).toBe(moment);
  });
});
