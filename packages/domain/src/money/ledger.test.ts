import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FUND_RECORD_OF, fundRecord, refillAmount } from "./fund-record.ts";
import {
  balanceChange,
  HOUSE_ACCOUNTS,
  holdMovement,
  settlementMovement,
  TRANSFER_KINDS,
  transferMovement,
  type Transfer,
} from "./ledger.ts";
import type { MicroUsd, Rate } from "./money.ts";
import type { Outcome } from "../orders/order.ts";
import { calculateQuote } from "../orders/quote.ts";
import { calculateResult } from "../orders/settle.ts";
import { positionMargin, todayProfit, totalAssets } from "./summary.ts";
import { DAY_MS, type Instant } from "../base/time.ts";
import { EMPTY_WALLET } from "./test-wallet.ts";
import { afterHold, afterSettlement } from "./wallet.ts";

const money = (amount: bigint): MicroUsd => amount as MicroUsd;
const order = { stake: money(10_000_000n), fee: money(100_000n), profitIfWon: money(8_400_000n) };

describe("the postings of an order", () => {
  it.each<[Outcome, string, [string, string, bigint][]]>([
    [
      "won",
      "settle_won",
      [
        ["locked", "available", 10_000_000n],
        ["pool", "available", 8_500_000n],
        ["locked", "fees", 100_000n],
      ],
    ],
    [
      "lost",
      "settle_lost",
      [
        ["locked", "pool", 10_000_000n],
        ["locked", "fees", 100_000n],
      ],
    ],
    ["tied", "release", [["locked", "available", 10_100_000n]]],
    ["voided", "release", [["locked", "available", 10_100_000n]]],
  ])("%s", (outcome, kind, lines) => {
    expect(settlementMovement(order, outcome)).toEqual({
      kind,
      postings: lines.map(([from, to, amount]) => ({ from, to, amount })),
    });
  });

  it("have no line with a zero amount", () => {
    expect(settlementMovement({ ...order, fee: money(0n) }, "lost").postings).toHaveLength(1);
  });

  it("sum to zero, leave locked unchanged, and change available by exactly the profit", () => {
    const anyOrder = fc.record({
      cents: fc.bigInt({ min: 1n, max: 10_000_000n }),
      rate: fc.bigInt({ min: 10_000n, max: 2_000_000n }),
      feeRate: fc.bigInt({ min: 0n, max: 10_000n }),
      outcome: fc.constantFrom<Outcome>("won", "lost", "tied", "voided"),
    });
    fc.assert(
      fc.property(anyOrder, ({ cents, rate, feeRate, outcome }) => {
        const stake = money(cents * 10_000n);
        const agreed = calculateQuote({ feeRate: feeRate as Rate }, { seconds: 30, payoutRate: rate as Rate }, stake);
        const hold = holdMovement(agreed);
        const settled = settlementMovement(agreed, outcome);
        const all = [...hold.postings, ...settled.postings];
        const accounts = ["available", "locked", ...HOUSE_ACCOUNTS] as const;
        const total = accounts.reduce((sum, account) => sum + balanceChange(all, account), 0n);
        const { profit, credit } = calculateResult(agreed, outcome);
        expect(total).toBe(0n);
        expect(all.every(({ amount }) => amount > 0n)).toBe(true);
        expect(balanceChange(all, "locked")).toBe(0n);
        expect(balanceChange(all, "available")).toBe(profit);
        expect(balanceChange(settled.postings, "available")).toBe(credit);
        // The wallet's own arithmetic gives the same result.
        const before = { ...EMPTY_WALLET, available: money(agreed.cost) };
        const after = afterSettlement(afterHold(before, agreed, 3), agreed, { outcome, credit }, 3);
        expect(after.available - before.available).toBe(profit);
        expect([after.locked, after.runningStakes, after.runningOrders, after.stakedToday]).toEqual([0n, 0n, 0, stake]);
        expect(after.lostToday).toBe(outcome === "lost" ? agreed.cost : 0n);
      }),
    );
  });
});

describe("transfers", () => {
  const hundred = money(100_000_000n);
  const every: Transfer[] = [
    { kind: "practice_issue", amount: hundred },
    { kind: "house_capital", amount: hundred },
    { kind: "deposit", amount: hundred, through: "chain_clearing" },
    { kind: "withdrawal_hold", amount: hundred },
    { kind: "withdrawal_release", amount: hundred },
    { kind: "withdrawal_paid", amount: hundred, fee: money(1_000_000n) },
    { kind: "referral", amount: hundred },
    { kind: "correction", amount: hundred },
    { kind: "deposit_reversed", amount: hundred, taken: money(40_000_000n) },
    { kind: "debt_settled", amount: hundred },
    { kind: "sweep", amount: hundred },
  ];

  it("cover every kind", () => {
    expect(new Set(every.map(({ kind }) => kind))).toEqual(new Set(TRANSFER_KINDS));
  });

  it.each(every)("$kind balances, and throws for zero and negative amounts", (transfer) => {
    const { postings } = transferMovement(transfer);
    const sum = ["available", "locked", ...HOUSE_ACCOUNTS].reduce(
      (total, account) => total + balanceChange(postings, account as "locked"),
      0n,
    );
    expect(sum).toBe(0n);
    expect(postings.every(({ amount }) => amount > 0n)).toBe(true);
    expect(() => transferMovement({ ...transfer, amount: money(0n) })).toThrow(RangeError);
  });

  it("pay a withdrawal from the held amount and its fee into fees", () => {
    const { postings } = transferMovement({ kind: "withdrawal_paid", amount: hundred, fee: money(1_000_000n) });
    expect(balanceChange(postings, "locked")).toBe(-100_000_000n);
    expect(balanceChange(postings, "withdrawal_clearing")).toBe(99_000_000n);
    expect(balanceChange(postings, "fees")).toBe(1_000_000n);
    expect(() => transferMovement({ kind: "withdrawal_paid", amount: hundred, fee: money(100_000_001n) })).toThrow(
      RangeError,
    );
  });

  it("allow negative amounts for corrections only", () => {
    const { postings } = transferMovement({ kind: "correction", amount: money(-5n) });
    expect(balanceChange(postings, "available")).toBe(-5n);
    expect(() => transferMovement({ kind: "referral", amount: money(-5n) })).toThrow(RangeError);
  });
});

describe("fund records", () => {
  it.each([
    [holdMovement(order), { type: "trade", remark: "stake", amount: -10_100_000n }],
    [settlementMovement(order, "won"), { type: "trade", remark: "payout", amount: 18_500_000n }],
    [settlementMovement(order, "lost"), null],
    [settlementMovement(order, "tied"), { type: "trade", remark: "release", amount: 10_100_000n }],
    [
      transferMovement({ kind: "practice_issue", amount: money(5n) }),
      { type: "system", remark: "practiceIssue", amount: 5n },
    ],
    [
      transferMovement({ kind: "withdrawal_hold", amount: money(5n) }),
      { type: "withdraw", remark: "withdrawalHold", amount: -5n },
    ],
    [transferMovement({ kind: "house_capital", amount: money(5n) }), null],
  ])("row %#: what changes available is shown with its sign", (movement, record) => {
    expect(fundRecord(movement)).toEqual(record);
  });

  it("are exactly the movements that change available", () => {
    for (const [kind, seen] of Object.entries(FUND_RECORD_OF)) {
      expect(seen === null).toBe(["house_capital", "withdrawal_paid", "settle_lost", "sweep"].includes(kind));
    }
  });
});

describe("a refill", () => {
  it.each([
    [999_990_000n, 0n, 9_000_010_000n],
    [0n, 0n, 10_000_000_000n],
    [100_000_000n, 500_000_000n, 9_400_000_000n],
  ])("row %#: fills up to 10,000.00 with what is locked counted", (available, locked, value) => {
    expect(refillAmount({ available: money(available), locked: money(locked) })).toEqual({ ok: true, value });
  });

  it.each([
    [1_000_000_000n, 0n],
    [0n, 1_000_000_000n],
  ])("row %#: is not needed from 1,000.00 on", (available, locked) => {
    expect(refillAmount({ available: money(available), locked: money(locked) })).toEqual({
      ok: false,
      refusal: { error: "REFILL_NOT_NEEDED", params: { below: "1000.00" } },
    });
  });
});

describe("summary figures", () => {
  it("add up", () => {
    expect(totalAssets({ available: money(3n), locked: money(4n) })).toBe(7n);
    expect(positionMargin([order, order])).toBe(20_200_000n);
    expect(positionMargin([])).toBe(0n);
  });

  it("count orders settled on the current UTC day as today's", () => {
    const day = 20_000n * DAY_MS;
    const settled = [
      { settledAt: (day - 1n) as Instant, profit: money(100n) },
      { settledAt: day as Instant, profit: money(7n) },
      { settledAt: (day + DAY_MS - 1n) as Instant, profit: money(-9n) },
    ];
    expect(todayProfit(settled, (day + 5n) as Instant)).toBe(-2n);
  });
});
