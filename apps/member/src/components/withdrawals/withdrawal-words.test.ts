// @vitest-environment jsdom
import { PAYOUT_WAITS } from "@fairtick/domain";
import { LANGUAGE_CODES } from "@fairtick/i18n";
import { beforeEach, describe, expect, it } from "vitest";
import type { Withdrawal } from "../../data/withdrawals.ts";
import { activateAllWords, text } from "../../shared/i18n.ts";
import { reasonWords, stationsOf } from "./withdrawal-words.ts";

const AT = Date.UTC(2026, 10, 21, 12);
const withdrawal = (rest: Partial<Withdrawal>): Withdrawal => ({
  withdrawNo: "wdr_1",
  state: "processing",
  stage: "approved",
  currency: "USDT",
  amount: "50.00",
  fee: "1.00",
  receives: "49.00",
  chain: "test",
  address: "0x1",
  createdAt: AT,
  approvedAt: AT + 1_000,
  stageAt: AT + 1_000,
  cancelable: true,
  ...rest,
});

describe("why a withdrawal waits", () => {
  beforeEach(() => activateAllWords("en"));

  it.each(LANGUAGE_CODES)("is told in words for each reason of the payout: %s", async (code) => {
    await activateAllWords(code);
    for (const reason of PAYOUT_WAITS) {
      const words = reasonWords(text, withdrawal({ reason }));
      expect(words).not.toBe(reason);
      expect(words?.length).toBeGreaterThan(20);
    }
  });

  it("names the wallet, the limit and the stop, and says that the member can cancel", () => {
    const wordsOf = (reason: string) => reasonWords(text, withdrawal({ reason }));
    expect(wordsOf("walletFilling")).toMatch(/wallet .* refilled.*You can cancel/);
    expect(wordsOf("payoutLimit")).toMatch(/24 hours.*You can cancel/);
    expect(wordsOf("payoutRefused")).toMatch(/You can still cancel/);
    // A payment with a nonce can't be canceled, but waits for a stopped wallet too.
    expect(wordsOf("payoutsStopped")).toMatch(/stopped/);
    expect(wordsOf("payoutsStopped")).not.toMatch(/cancel/);
  });
});

it("an approved withdrawal that can be canceled says so", async () => {
  await activateAllWords("en");
  const noteOf = (cancelable: boolean) => stationsOf(text, withdrawal({ cancelable }))[0]?.note;
  expect(noteOf(true)).toBe("can cancel");
  expect(noteOf(false)).not.toBe("can cancel");
});
