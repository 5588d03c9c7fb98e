import { keccak_256 } from "@noble/hashes/sha3.js";
import { getAddress } from "viem";
import { describe, expect, it } from "vitest";
import type { MicroUsd, Rate } from "../money/money.ts";
import type { Instant } from "../base/time.ts";
import {
  isCancelable,
  judgeEvmAddress,
  judgeWithdrawal,
  type Payment,
  paymentStatement,
  quoteWithdrawal,
  tokenUnits,
  WITHDRAWAL_STAGES,
  withdrawalState,
} from "./withdrawal.ts";
import { changeWithdrawals, FIRST_WITHDRAWAL_POLICY, withdrawalNoticeMs } from "./withdrawal-terms.ts";

const usd = (amount: number) => (BigInt(Math.round(amount * 100)) * 10_000n) as MicroUsd;
const has = (available: number, asked = 0) => ({ available: usd(available), askedToday: usd(asked) });
const error = (verdict: { ok: boolean; refusal?: { error: string } }) => (verdict.ok ? null : verdict.refusal?.error);

describe("a withdrawal's figures", () => {
  it.each([
    [9.99, "WITHDRAWAL_BELOW_MINIMUM"],
    [10, null],
    [50_000, null],
    [50_000.01, "WITHDRAWAL_TOO_LARGE"],
    [0, "WITHDRAWAL_BELOW_MINIMUM"],
  ])("for %d give the error %s", (amount, expected) => {
    expect(error(quoteWithdrawal(FIRST_WITHDRAWAL_POLICY, usd(amount)))).toBe(expected);
  });

  it("take the fee from the amount, so that the typed amount is what is held", () => {
    expect(quoteWithdrawal(FIRST_WITHDRAWAL_POLICY, usd(300))).toEqual({
      ok: true,
      value: { fee: usd(1), receives: usd(299) },
    });
  });

  it("never exceed what is available, to the cent", () => {
    expect(error(judgeWithdrawal(FIRST_WITHDRAWAL_POLICY, has(300), usd(300)))).toBe(null);
    expect(judgeWithdrawal(FIRST_WITHDRAWAL_POLICY, has(299.99), usd(300))).toEqual({
      ok: false,
      refusal: { error: "WITHDRAWAL_TOO_LARGE", params: { max: "299.99" } },
    });
    // If the amount exceeds both the largest withdrawal and the balance, the refusal shows the balance.
    expect(judgeWithdrawal(FIRST_WITHDRAWAL_POLICY, has(299.99), usd(60_000))).toMatchObject({
      refusal: { params: { max: "299.99" } },
    });
    expect(judgeWithdrawal(FIRST_WITHDRAWAL_POLICY, has(90_000), usd(60_000))).toMatchObject({
      refusal: { params: { max: "50000.00" } },
    });
    // The minimum is checked before the balance.
    expect(error(judgeWithdrawal(FIRST_WITHDRAWAL_POLICY, has(20), usd(5)))).toBe("WITHDRAWAL_BELOW_MINIMUM");
  });

  it("convert to tokens at the rate, rounded in the member's favour", () => {
    expect(tokenUnits(usd(299), 1_000_000n as Rate)).toBe(299_000_000n);
    expect(tokenUnits(usd(1), 3_000_000n as Rate)).toBe(333_334n);
  });

  it("respect the daily limit, if there is one", () => {
    const terms = { ...FIRST_WITHDRAWAL_POLICY, dayMax: usd(50_000) };
    expect(error(judgeWithdrawal(terms, has(900, 49_800), usd(200)))).toBe(null);
    expect(judgeWithdrawal(terms, has(900, 49_800), usd(200.01))).toEqual({
      ok: false,
      refusal: { error: "WITHDRAWAL_DAY_LIMIT", params: { max: "50000.00", left: "200.00" } },
    });
    expect(judgeWithdrawal(terms, has(900, 60_000), usd(10))).toMatchObject({ refusal: { params: { left: "0.00" } } });
  });
});

describe("a change of the terms", () => {
  const before = { version: 1, effectiveAt: 0n as Instant, ...FIRST_WITHDRAWAL_POLICY };
  const next = { version: 2, effectiveAt: 0n as Instant };

  it.each([
    [{ fee: usd(2) }, null],
    [{ fee: usd(10) }, "minimum"],
    [{ fee: usd(100.01) }, "fee"],
    [{ fee: usd(1) }, "fee"],
    [{ maximum: usd(9) }, "maximum"],
    [{ dayMax: usd(49_999) }, "dayMax"],
    [{ dayMax: usd(50_000) }, null],
    [{ automaticMax: usd(6_000) }, "singleMax"],
    [{ automaticMax: usd(0) }, null],
  ])("%o gives the wrong field %s", (change, wrong) => {
    const changed = changeWithdrawals(before, change, next);
    expect(changed.ok ? null : changed.refusal.params?.["field"]).toBe(wrong);
  });

  it.each([
    [{ fee: usd(2) }, 86_400_000n],
    [{ minimum: usd(20) }, 86_400_000n],
    [{ maximum: usd(10_000) }, 86_400_000n],
    [{ dayMax: usd(50_000) }, 86_400_000n],
    [{ fee: usd(0) }, 0n],
    // The number of approvals only concerns the house.
    [{ automaticMax: usd(100), singleMax: usd(200) }, 0n],
  ])("%o must be in the log for %d ms before it applies", (change, expected) => {
    expect(withdrawalNoticeMs(before, { ...before, ...change })).toBe(expected);
  });
});

describe("a withdrawal's state", () => {
  it("is one of three, and canceled only if the money was returned", () => {
    expect(Object.fromEntries(WITHDRAWAL_STAGES.map((stage) => [stage, withdrawalState(stage)]))).toEqual({
      requested: "processing",
      review: "processing",
      approved: "processing",
      reserved: "processing",
      signed: "processing",
      broadcast: "processing",
      needs_review: "processing",
      confirmed: "withdrawn",
      canceled: "canceled",
      rejected: "canceled",
      reverted: "canceled",
    });
  });

  it("lets its member cancel it until it gets a nonce, whoever has approved it", () => {
    expect(WITHDRAWAL_STAGES.filter(isCancelable)).toEqual(["requested", "review", "approved"]);
  });
});

describe("an EVM address", () => {
  const right = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
  it.each([
    ["with its checksum", right, null],
    ["in lower case", right.toLowerCase(), null],
    ["in capitals", `0x${right.slice(2).toUpperCase()}`, null],
    ["with one letter's case changed", right.replace("C5", "c5"), "ADDRESS_CHECKSUM"],
    ["with two digits exchanged", right.replace("0997", "9097"), "ADDRESS_CHECKSUM"],
    ["of nobody", `0x${"0".repeat(40)}`, "ADDRESS_INVALID"],
    ["cut short", right.slice(0, -1), "ADDRESS_INVALID"],
    ["without 0x", right.slice(2), "ADDRESS_INVALID"],
    ["that is a name", "vitalik.eth", "ADDRESS_INVALID"],
    ["of TRON", "TFSR9HKDBvBx7nQ5RQ2RaXwzzPCChhneuW", "ADDRESS_OTHER_CHAIN"],
    ["of Bitcoin", "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "ADDRESS_OTHER_CHAIN"],
    ["of Bitcoin, old", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "ADDRESS_OTHER_CHAIN"],
    ["of Solana", "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T", "ADDRESS_OTHER_CHAIN"],
    ["of a chain with 32 bytes", `0x${"ab".repeat(32)}`, "ADDRESS_OTHER_CHAIN"],
  ])("%s is judged", (_what, text, expected) => {
    expect(error(judgeEvmAddress(text, keccak_256))).toBe(expected);
  });

  it("has the checksum that another implementation gives it", () => {
    for (let number = 1n; number < 60n; number += 1n) {
      const text = getAddress(
        `0x${((number * 0x9e3779b97f4a7c15f39cc0605cedc8341082276bn) % 2n ** 160n).toString(16).padStart(40, "0")}`,
      );
      expect(judgeEvmAddress(text, keccak_256)).toEqual({ ok: true, value: text.toLowerCase() });
    }
  });
});

describe("a payment's statement", () => {
  const payment: Payment = {
    id: "wdr_1",
    chain: 31_337n,
    genesis: `0x${"1".repeat(64)}`,
    token: `0x${"2".repeat(40)}`,
    to: `0x${"3".repeat(40)}`,
    amount: 299_000_000n,
    expiry: 1_795_271_400_000n as Instant,
  };

  it("is its prefix followed by its fields in order", () => {
    expect(new TextDecoder().decode(paymentStatement(payment))).toBe(
      `WD1\0{"amount":299000000,"chain":31337,"expiry":1795271400000,"genesis":"0x${"1".repeat(64)}","id":"wdr_1",` +
        `"to":"0x${"3".repeat(40)}","token":"0x${"2".repeat(40)}"}`,
    );
  });

  it("differs if any field differs, and ignores other fields", () => {
    const changes: Partial<Payment>[] = [
      { id: "wdr_2" },
      { chain: 1n },
      { genesis: "0x" },
      { token: "0x" },
      { to: "0x" },
      { amount: 299_000_001n },
      { expiry: 1n as Instant },
    ];
    const texts = [{}, ...changes].map((change) => String(paymentStatement({ ...payment, ...change })));
    expect(new Set(texts).size).toBe(texts.length);
    expect(String(paymentStatement({ ...payment, extra: 1 } as Payment))).toBe(texts[0]);
  });
});
