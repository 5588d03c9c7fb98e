import { formatId, type MemberId } from "@fairtick/domain";
import type { Correction } from "@fairtick/protocol/operator";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ConsoleWorld, createConsoleWorld } from "../../testing/console-world.ts";

let world: ConsoleWorld;
const cookies = new Map<string, string>();
const ask = (login: string, path: string, body: object) => world.call(path, body, cookies.get(login));

beforeAll(async () => {
  world = await createConsoleWorld();
  for (const login of ["finance-1", "finance-2", "compliance-1"]) cookies.set(login, await world.logIn(login));
});
afterAll(() => world.close());

async function proposeCorrection(): Promise<Correction> {
  const memberId = formatId("member", (await world.builder.createMember()) as MemberId);
  const wish = { memberId, wallet: "practice", amount: "1.00", reason: "Fee charged twice" };
  return (await ask("finance-1", "correction/propose", wish)).body.data;
}

it("of two operators who decide at once, the second is told who decided first, what they decided and when", async () => {
  const { proposalId } = await proposeCorrection();
  const answers = await Promise.all([
    ask("finance-2", "correction/approve", { proposalId, amount: "1.00", reason: "Seen in the ledger" }),
    ask("finance-1", "correction/reject", { proposalId, reason: "Typed in the wrong account" }),
  ]);
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
  const wasApproved = answers[0].status === 200;
  const lost: unknown = answers.find(({ status }) => status === 409)?.body.data;
  expect(lost).toEqual({
    error: "CONFLICT",
    params: {
      by: wasApproved ? "finance-2" : "finance-1",
      action: wasApproved ? "correction/approve" : "correction/reject",
      at: expect.any(Number) as number,
    },
  });
});

it("a conflict that no decision caused names no one, and neither does the refusal to approve one's own proposal", async () => {
  const memberId = formatId("member", (await world.builder.createMember()) as MemberId);
  const lift = await ask("compliance-1", "member/lift", { memberId, reason: "Cleared by phone" });
  expect([lift.status, lift.body.data]).toEqual([409, { error: "CONFLICT" }]);
  const { proposalId } = await proposeCorrection();
  const early = await ask("finance-1", "correction/approve", { proposalId, amount: "1.00", reason: "My own" });
  expect(early.body.data).toEqual({ error: "FORBIDDEN" });
});
