import { describe, expect, it } from "vitest";
import type { Deposit } from "../../data/deposits.ts";
import type { Text } from "../../shared/i18n.ts";
import { stationsOf } from "./deposit-words.ts";

const t = ((id: string) => id) as Text;
const AT = Date.UTC(2026, 10, 21, 12);
const remittance = (rest: Partial<Deposit>): Deposit => ({
  depositNo: "dep_1",
  method: "bank",
  state: "failed",
  stage: "rejected",
  amount: "125.00",
  createdAt: AT,
  stageAt: AT + 1_000,
  ...rest,
});
const labelsOf = (deposit: Deposit) => stationsOf(t, deposit).map(({ label }) => label);

describe("the stages of a bank transfer", () => {
  it("say that its transfer was waited for if nothing came", () => {
    expect(labelsOf(remittance({}))).toEqual(["bank.announced", "bank.awaiting", "assets.state.failed"]);
  });
  it("say that it was matched if there was something to match", () => {
    expect(labelsOf(remittance({ receiptFileId: "fil_1" }))[1]).toBe("bank.inReview");
    expect(labelsOf(remittance({ state: "deposited", stage: "credited" }))[1]).toBe("bank.inReview");
  });
  it("show the day if it ended on another one", () => {
    const noteOf = (stageAt: number) => stationsOf(t, remittance({ stageAt })).at(-1)?.note;
    expect(noteOf(AT + 1_000)).toMatch(/^\d\d:00:01$/);
    expect(noteOf(AT + 3 * 86_400_000)).toMatch(/Nov 24, 2026/);
  });
});
