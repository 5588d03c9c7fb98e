import { createIdSource } from "@fairtick/domain";
import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock } from "../../platform/clock.ts";
import { createConsoleWorld, type ConsoleWorld } from "../../testing/console-world.ts";
import { fromBase32, type OperatorContext, totp } from "./index.ts";
import { enrolOperator, judgeEnrolment, openInvitation } from "./invitations.ts";

let world: ConsoleWorld;
const cookies = new Map<string, string>();
beforeAll(async () => {
  world = await createConsoleWorld();
  for (const login of ["admin-1", "admin-2"]) cookies.set(login, await world.logIn(login));
});
afterAll(() => world.close());

interface Opened {
  readonly secret: string;
  readonly openedBefore: readonly number[];
}
const ask = (login: string, path: string, body: object) => world.call(path, body, cookies.get(login));
const open = async (token: string) => (await world.call("session/invitation", { token })).body.data as Opened;
const codeOf = (secret: string) => totp(fromBase32(secret), systemClock.now());
const password = "gravel-window-31";
const enrol = (token: string, secret: string) => world.call("session/enrol", { token, password, code: codeOf(secret) });

/** Invites a colleague. Returns the token that the approver is shown, and the newcomer's number. */
async function invite(login: string) {
  const reason = "New colleague";
  const made = await ask("admin-1", "operator/invite", { login, name: login, roles: ["finance"], reason });
  const { proposalId } = made.body.data as { proposalId: string };
  const { invitation, proposal } = (await ask("admin-2", "operator/approve", { proposalId, reason })).body.data as {
    invitation: string;
    proposal: { target: { operatorId: string } };
  };
  return { token: invitation.split("/").at(-1)!, operatorId: proposal.target.operatorId };
}

it("an earlier opening's secret is worth nothing, and the newcomer sees when the link was opened before", async () => {
  const { token, operatorId } = await invite("newcomer-1");
  const since = Date.now();
  const byApprover = await open(token);
  expect(byApprover.openedBefore).toEqual([]);
  const own = await open(token);
  expect(own.secret).not.toBe(byApprover.secret);
  expect(own.openedBefore).toHaveLength(1);
  expect(own.openedBefore[0]).toBeGreaterThanOrEqual(since - 1_000);
  expect(own.openedBefore[0]).toBeLessThanOrEqual(Date.now() + 1_000);
  expect((await enrol(token, byApprover.secret)).status).toBe(422);
  expect((await enrol(token, own.secret)).status).toBe(200);
  const { items } = (await ask("admin-1", "audit/list", { subject: operatorId })).body.data as {
    items: { action: string; outcome: string }[];
  };
  expect(items.map(({ action, outcome }) => [action, outcome])).toEqual([
    ["session/enrol", "done"],
    ["session/enrol", "BAD_CODE"],
    ["session/invitation", "done"],
    ["session/invitation", "done"],
  ]);
});

it("an invitation that is opened while its code is being judged isn't accepted with the new secret", async () => {
  const { token } = await invite("newcomer-2");
  const { secret } = await open(token);
  const context = {
    ...world.context,
    ids: createIdSource({ node: 5, clock: systemClock }),
  } as unknown as OperatorContext;
  const [db, now] = [world.context.databases.console, systemClock.now()];
  const about = () => {};
  const judged = await judgeEnrolment(context, { token, password, code: codeOf(secret) }, { now, about });
  if (!judged.ok) throw new Error("the code was refused");
  await openInvitation(context, token, { db, now, about });
  expect(await enrolOperator({ token }, judged.value, { db, now })).toMatchObject({
    ok: false,
    refusal: { error: "BAD_CODE" },
  });
});

it("an invitation that its newcomer declines can't be used by anyone", async () => {
  const { token, operatorId } = await invite("newcomer-3");
  const { secret } = await open(token);
  expect((await world.call("session/declineInvitation", { token })).status).toBe(200);
  expect((await enrol(token, secret)).status).toBe(404);
  expect((await world.call("session/invitation", { token })).status).toBe(404);
  expect((await world.call("session/declineInvitation", { token })).status).toBe(404);
  const { items } = (await ask("admin-1", "audit/list", { subject: operatorId })).body.data as {
    items: { action: string }[];
  };
  expect(items[0]).toMatchObject({ action: "session/declineInvitation", outcome: "done" });
});
