import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { depositState, type DepositStage, ORPHANED_MS_MAX, tokenCredit, tokenDepositMovement } from "./deposit.ts";
import { balanceChange } from "../money/ledger.ts";
import type { Rate } from "../money/money.ts";
import { MICRO_PER_CENT, RATE_ONE } from "../money/rounding.ts";
import type { Instant } from "../base/time.ts";

describe("the credit of a token transfer", () => {
  it.each([
    [250_000_000n, 1_000_000n, 250_000_000n],
    [5_000_001n, 1_000_000n, 5_010_000n],
    [12_345_678n, 1_000_000n, 12_350_000n],
    [10_000_000n, 998_000n, 9_980_000n],
    [10_000_001n, 998_000n, 9_990_000n],
  ])("%d units at a rate of %d are %d micro-USD", (units, rate, credited) => {
    expect(tokenCredit(units, rate as Rate).credited).toBe(credited);
  });

  it("is in whole cents, from the tokens' value to less than a cent more, and its movement has both amounts", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1_000n, max: 10n ** 15n }),
        fc.bigInt({ min: 900_000n, max: RATE_ONE }),
        (units, rate) => {
          const credit = tokenCredit(units, rate as Rate);
          const { postings } = tokenDepositMovement(credit);
          expect(credit.credited % MICRO_PER_CENT).toBe(0n);
          expect(credit.credited - credit.value).toBeLessThan(MICRO_PER_CENT);
          expect(balanceChange(postings, "available")).toBe(credit.credited);
          expect(balanceChange(postings, "chain_clearing")).toBe(0n - credit.value);
          expect(balanceChange(postings, "capital")).toBe(credit.value - credit.credited);
        },
      ),
    );
  });
});

describe("a deposit's state", () => {
  it.each<[DepositStage, bigint, string]>([
    ["confirming", 0n, "processing"],
    ["below_minimum", ORPHANED_MS_MAX * 2n, "processing"],
    ["orphaned", ORPHANED_MS_MAX, "processing"],
    ["orphaned", ORPHANED_MS_MAX + 1n, "failed"],
    ["wrong_token", 0n, "failed"],
    ["rejected", 0n, "failed"],
    ["credited", 0n, "deposited"],
    ["awaiting_transfer", ORPHANED_MS_MAX * 9n, "processing"],
    ["in_review", 0n, "processing"],
    ["claimed", 0n, "processing"],
  ])("of %s after %d ms is %s", (stage, after, state) => {
    expect(depositState(stage, 5n as Instant, (5n + after) as Instant)).toBe(state);
  });
});
