/** Tests that compliance can lift the freeze of a member who has lost everything needed to lift it. */
import { formatId, type MemberId } from "@fairtick/domain";
import type { MemberDetail } from "@fairtick/protocol/operator";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type ConsoleWorld, createConsoleWorld } from "../../testing/console-world.ts";

let world: ConsoleWorld;
const cookies = new Map<string, string>();
const reason = "showed a passport on a call";
let member: MemberId;
let memberId: string;
beforeAll(async () => {
  world = await createConsoleWorld();
  for (const login of ["compliance-1", "compliance-2", "support-1"]) cookies.set(login, await world.logIn(login));
});
afterAll(() => world.close());
beforeEach(async () => {
  member = (await world.builder.createMember()) as MemberId;
  memberId = formatId("member", member);
});

const ask = (login: string, path: string, fields: object = {}) =>
  world.call(`member/${path}`, { memberId, ...fields }, cookies.get(login));
const freeze = () => world.context.databases.sessions.query("SELECT begin_member_freeze($1, 'link')", [member]);
const waitsFor = async () =>
  (
    await world.builder.client.query<{ waits: string | null }>("SELECT withdrawals_wait_for($1) AS waits", [
      String(member),
    ])
  ).rows[0]?.waits;
const shown = async () => (await ask("support-1", "detail")).body.data as MemberDetail;

it("is lifted by two people, followed by a rest, and its member is warned", async () => {
  expect((await shown()).freeze).toBeNull();
  await freeze();
  expect((await shown()).freeze).toMatchObject({ by: "link", lift: null });
  expect((await ask("support-1", "proposeLiftFreeze", { reason })).status).toBe(403);
  expect((await ask("compliance-1", "proposeLiftFreeze", { reason })).status).toBe(200);
  expect((await ask("compliance-2", "proposeLiftFreeze", { reason })).status).toBe(409);
  expect((await shown()).freeze?.lift).toMatchObject({ state: "waiting", madeBy: { login: "compliance-1" } });
  const decision = { reason, decision: "approved" };
  expect((await ask("compliance-1", "decideLiftFreeze", decision)).status).toBe(403);
  expect(await waitsFor()).toBe("memberFrozen");
  expect((await ask("compliance-2", "decideLiftFreeze", decision)).status).toBe(200);
  expect(await waitsFor()).toBe("resting");
  expect((await shown()).freeze).toBeNull();
  const { rows } = await world.builder.client.query(
    "SELECT message_key FROM member_messages WHERE member_id = $1 AND message_key = 'freezeLifted'",
    [String(member)],
  );
  expect(rows).toHaveLength(1);
});

it("isn't lifted by an approval of an earlier proposal, nor by a program without approval", async () => {
  await freeze();
  await ask("compliance-1", "proposeLiftFreeze", { reason });
  const { sessions, console } = world.context.databases;
  await sessions.query("SELECT lift_own_freeze($1)", [member]);
  await freeze();
  expect((await ask("compliance-2", "decideLiftFreeze", { reason, decision: "approved" })).status).toBe(409);
  const { rows } = await world.builder.client.query<{ id: string }>(
    "SELECT proposal_id::text AS id FROM proposals WHERE member_id = $1",
    [String(member)],
  );
  await expect(console.query("SELECT lift_member_freeze($1)", [rows[0]?.id])).rejects.toThrow(/no approved/);
  await expect(console.query("UPDATE member_freezes SET lifted_at = 1, lifted_by = 'member'")).rejects.toThrow(
    /permission denied/,
  );
  expect(await waitsFor()).toBe("memberFrozen");
});

it("stays if the second person rejects", async () => {
  await freeze();
  await ask("compliance-1", "proposeLiftFreeze", { reason });
  expect((await ask("compliance-2", "decideLiftFreeze", { reason, decision: "rejected" })).status).toBe(200);
  expect(await waitsFor()).toBe("memberFrozen");
  expect((await ask("compliance-1", "proposeLiftFreeze", { reason })).status).toBe(200);
});
