import { describe, expect, it } from "vitest";
import { addAmounts, linkOf, longestWaiting, shareOf } from "./overview.ts";

describe("links of the overview", () => {
  it.each([
    [{ queue: "withdrawals", kind: null }, "#/withdrawals"],
    [{ queue: "inbox", kind: null }, "#/inbox"],
    [{ queue: "approvals", kind: "correction" }, "#/corrections"],
    [{ queue: "approvals", kind: "operator" }, "#/operators?view=proposals"],
    [{ queue: "approvals", kind: "second_factor" }, "#/members"],
    [{ queue: "approvals", kind: "member_freeze" }, "#/members"],
    [{ queue: "approvals", kind: null }, "#/account"],
  ] as const)("%o opens %s", (queue, link) => {
    expect(linkOf(queue)).toBe(link);
  });
});

describe("the next item", () => {
  it("is in the queue whose oldest case has waited longest", () => {
    const queue = (name: "deposits" | "inbox", since: number[]) => ({
      queue: name,
      open: since.length,
      since,
      kind: null,
    });
    expect(longestWaiting({ queues: [queue("deposits", [50, 60]), queue("inbox", [40])] })?.queue).toBe("inbox");
    expect(longestWaiting({ queues: [queue("deposits", []), queue("inbox", [])] })).toBeNull();
  });
});

it("measures how much of a limit is used, at most all of it", () => {
  expect(shareOf("17940.00", "24000.00")).toBe(74.75);
  expect([shareOf("9.00", "3.00"), shareOf("1.00", "0.00"), shareOf("0.00", "0.00")]).toEqual([100, 100, 0]);
});

it("adds amounts exactly", () => {
  expect(addAmounts(["1.10", "2.05", "0.000001"])).toBe("3.150001");
  expect(addAmounts(["0.10", "-0.30"])).toBe("-0.20");
  expect(addAmounts([])).toBe("0.00");
});
