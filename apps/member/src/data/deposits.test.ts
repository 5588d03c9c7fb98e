// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from "vitest";
import { type Deposit, type DepositPage, takeDeposit } from "./deposits.ts";
import { keys, queryClient } from "./queries.ts";

const announced: Deposit = {
  depositNo: "dep_1",
  method: "bank",
  state: "processing",
  stage: "awaiting_transfer",
  amount: "100.00",
  createdAt: 1_000,
  stageAt: 1_000,
};
const credited: Deposit = { ...announced, state: "deposited", stage: "credited", stageAt: 2_000, creditedAt: 2_000 };

function shown() {
  const listed = queryClient.getQueryData<{ pages: DepositPage[] }>(keys.deposits);
  return {
    own: queryClient.getQueryData<Deposit>(keys.deposit("dep_1"))?.stage,
    listed: listed?.pages.flatMap(({ items }) => items).map(({ stage }) => stage),
  };
}

describe("a deposit that arrives through calls and the stream", () => {
  beforeEach(() => {
    queryClient.clear();
    queryClient.setQueryData(keys.deposits, { pages: [{ items: [], nextCursor: null }], pageParams: [undefined] });
  });

  it("stays at its later stage when the answer of the call that created it comes after the stream", () => {
    takeDeposit(credited);
    takeDeposit(announced);
    expect(shown()).toEqual({ own: "credited", listed: ["credited"] });
  });

  it("advances with each later stage, and takes updates within the same stage", () => {
    takeDeposit(announced);
    takeDeposit({ ...announced, receiptFileId: "fil_1" });
    expect(queryClient.getQueryData<Deposit>(keys.deposit("dep_1"))?.receiptFileId).toBe("fil_1");
    takeDeposit(credited);
    expect(shown()).toEqual({ own: "credited", listed: ["credited"] });
  });

  it("is compared with the list too if its own screen was never open", () => {
    queryClient.setQueryData(keys.deposits, {
      pages: [{ items: [credited], nextCursor: null }],
      pageParams: [undefined],
    });
    takeDeposit(announced);
    expect(shown()).toEqual({ own: undefined, listed: ["credited"] });
  });
});
