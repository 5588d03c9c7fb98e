/** Tests that a token copied from one machine doesn't work on another. */
import type { MemberId } from "@fairtick/domain";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type Authenticator, createAuthenticator, type TokenSeen } from "./authenticate.ts";
import { logIn } from "./log-in.ts";
import type { Visitor } from "./session-rows.ts";
import { createSessionsWorld, PASSWORD, type SessionsWorld, VISITOR } from "./testing.ts";

const note = vi.fn();
let world: SessionsWorld;
let authenticator: Authenticator;
let made = 0;
beforeAll(async () => {
  world = await createSessionsWorld();
  authenticator = createAuthenticator({ ...world.context, security: { note } });
});
afterAll(async () => {
  authenticator.close();
  await world.close();
});

type At = ReturnType<SessionsWorld["browser"]>;
const seenAt = (at: At): TokenSeen => {
  const { deviceKey, ip } = at();
  return { ip, device: VISITOR.userAgent, deviceKey };
};
const withoutKey: TokenSeen = { ip: "198.51.100.99", device: "curl/8.0", deviceKey: null };

async function newMember(): Promise<{ email: string; memberId: MemberId }> {
  made += 1;
  const email = `moved-${made}@example.org`;
  return { email, memberId: (await world.join(email)).memberId };
}
async function enter(email: string, visitor: Visitor): Promise<string> {
  const entered = await logIn(world.context, { account: email, password: PASSWORD }, { ...visitor, lang: "en" });
  if (!entered.ok) throw new Error(entered.refusal.error);
  return entered.value.access_token;
}
async function told(memberId: MemberId) {
  const rows = await world.context.databases.reader.query<{ params: unknown }>(
    "SELECT params FROM member_messages WHERE member_id = $1 AND message_key = 'sessionMoved'",
    [memberId],
  );
  return rows.map(({ params }) => params);
}

it.each(["another browser's key", "none"] as const)(
  "ends the session of a token that shows up with %s",
  async (sent) => {
    const { email, memberId } = await newMember();
    const owner = world.browser();
    const thief = world.browser("198.51.100.99");
    await enter((await newMember()).email, thief());
    const token = await enter(email, owner());
    expect(await authenticator.authenticate(token, seenAt(owner))).toMatchObject({ memberId });

    note.mockClear();
    const ended: bigint[] = [];
    const stop = world.context.bus.subscribe("sessionsEnded", ({ sessionIds }) => ended.push(...sessionIds));
    const elsewhere = sent === "none" ? withoutKey : seenAt(thief);
    // A page sends many calls at once.
    const answers = await Promise.all(Array.from({ length: 5 }, () => authenticator.authenticate(token, elsewhere)));
    stop();
    expect(answers).toEqual([null, null, null, null, null]);
    expect(await authenticator.authenticate(token, seenAt(owner))).toBeNull();
    expect(ended).toHaveLength(1);
    expect(note.mock.calls).toEqual([["session_moved", {}]]);
    expect(await told(memberId)).toEqual([
      { device: sent === "none" ? "?" : "Safari · iPhone", place: "198.51.100.x" },
    ]);
  },
);

it("binds a login on a known browser to that browser from the first call on", async () => {
  const { email } = await newMember();
  const owner = world.browser();
  await enter(email, owner());
  const token = await enter(email, owner());
  expect(await authenticator.authenticate(token, withoutKey)).toBeNull();
});

it("works for a process that read the session before it was bound", async () => {
  const { email } = await newMember();
  const owner = world.browser();
  const other = createAuthenticator(world.context);
  const token = await enter(email, owner());
  expect(await other.authenticate(token, withoutKey)).not.toBeNull();
  await authenticator.authenticate(token, seenAt(owner));
  world.pass(5_001);
  expect(await other.authenticate(token, withoutKey)).toBeNull();
  other.close();
});

it("doesn't affect clients that keep no key, or sessions from before keys existed", async () => {
  const { email } = await newMember();
  // The client is given a key, as every client is, but never sends it.
  const token = await enter(email, world.browser()());
  for (let call = 0; call < 3; call += 1) expect(await authenticator.authenticate(token, withoutKey)).not.toBeNull();
  const older = await enter(email, world.visitor());
  expect(await authenticator.authenticate(older, withoutKey)).not.toBeNull();
  expect(await authenticator.authenticate(older, seenAt(world.browser()))).not.toBeNull();
});

it("lets two members use one browser, each with their own session", async () => {
  const browser = world.browser();
  const [first, second] = [await newMember(), await newMember()];
  const tokens = [await enter(first.email, browser()), await enter(second.email, browser())];
  for (const token of tokens) expect(await authenticator.authenticate(token, seenAt(browser))).not.toBeNull();
});
