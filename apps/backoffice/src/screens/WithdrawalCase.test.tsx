// @vitest-environment jsdom
import { caseTakes, type WithdrawalCase, withdrawalDetail, withdrawalKeys } from "@fairtick/protocol/operator";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { answer, renderFor, SELF } from "../testing.tsx";
import { WithdrawalCaseView } from "./WithdrawalCase.tsx";

afterEach(cleanup);

const review: WithdrawalCase = {
  withdrawNo: "wd_1",
  memberId: "usr_1",
  account: "member@example.com",
  chain: "tron",
  amount: "6000.00",
  stage: "review",
  createdAt: 0,
  stageAt: 0,
  approvals: 0,
  approvalsNeeded: 2,
  frozen: false,
  waitsFor: null,
  payoutWaits: null,
  reason: null,
  fee: "1.00",
  receives: "5999.000000",
  address: "0x1",
  payment: { id: "1", chain: "1", genesis: "0x0", token: "0x2", to: "0x1", amount: "5999000000", expiry: 0 },
  steps: [],
  decided: [],
  agreed: [],
  attempts: [],
  deadAt: null,
  short: null,
  released: [],
  member: {
    deposited: "0.00",
    reversed: "0.00",
    owed: "0.00",
    withdrawn: "0.00",
    available: "0.00",
    locked: "0.00",
    openOrders: 0,
  },
  paidBefore: [],
};
const KEY_ID = "a".repeat(64);
const ownKey = { keyId: KEY_ID, publicKey: "B" };
const enrolled = {
  proposalId: "p1",
  state: "approved" as const,
  madeBy: SELF,
  madeAt: 0,
  reason: "My key",
  decidedBy: null,
  decidedAt: null,
  decisionReason: null,
  operatorId: SELF.operatorId,
  publicKey: "B",
  keyId: KEY_ID,
  revoked: null,
  ownerLeft: false,
};

function renderCase(change: Partial<WithdrawalCase>, hasKey: boolean) {
  renderFor(
    ["finance"],
    [
      answer(withdrawalDetail, { withdrawNo: "wd_1" }, { ...review, ...change }),
      answer(withdrawalKeys, {}, hasKey ? [enrolled] : []),
      answer(caseTakes, { queue: "withdrawals" }, []),
      ["own key", SELF.operatorId, hasKey ? ownKey : null],
    ],
    <WithdrawalCaseView withdrawNo="wd_1" />,
  );
}

it("says what the reason is for if both decisions are open", () => {
  renderCase({}, true);
  expect(screen.getByRole("button", { name: /^Approve/ })).toBeDefined();
  expect(screen.getByLabelText("Reason (kept in the audit trail; the member reads it if you reject)")).toBeDefined();
});

it("says why an approved withdrawal isn't sent yet", () => {
  renderCase({ stage: "approved", payoutWaits: "walletFilling" }, true);
  expect(screen.getByText(/The payout wallet has too little/)).toBeDefined();
});

it.each(["review", "requested", "approved"])(
  "says that the member reads the reason if only rejecting is open: %s",
  (stage) => {
    renderCase({ stage }, false);
    expect(screen.getByLabelText("Reason (shown to the member)")).toBeDefined();
  },
);

it("says at the key a why this operator can't approve", () => {
  renderCase({}, false);
  expect(screen.queryByRole("alert")).toBeNull();
  fireEvent.keyDown(document.body, { key: "a" });
  expect(screen.getByRole("alert").textContent).toContain("no approved signing key");
});

it("says at the key a that another person's approval is missing", () => {
  renderCase({ agreed: [{ by: SELF, at: 0, reason: "Agreed", keyId: KEY_ID, counts: true }] }, true);
  fireEvent.keyDown(document.body, { key: "a" });
  expect(screen.getByRole("alert").textContent).toContain("Another person has to approve");
});
