/** Tests warnings on every channel, and what their links do. */
import type { Instant, MemberId } from "@fairtick/domain";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Authenticator, createAuthenticator } from "../sessions/index.ts";
import { hashRecoveryCode } from "../second-factor/factor-rows.ts";
import { resetPassword } from "../sessions/change-login-password.ts";
import { isKnownDevice } from "../sessions/known-devices.ts";
import { logIn } from "../sessions/log-in.ts";
import { createSessionsWorld, PASSWORD, type SessionsWorld } from "../sessions/testing.ts";
import { resetTradePassword, setTradePassword } from "../sessions/trade-password.ts";
import { freezeByLink, freezeOwn } from "./freeze-withdrawals.ts";
import { liftOwnFreeze } from "./lift-freeze.ts";

const NEW = "another quiet harbour";
let world: SessionsWorld;
let authenticator: Authenticator;
let made = 0;
let email: string;
let phone: string;
let memberId: MemberId;
let token: string;
let owner: pg.Client;
beforeAll(async () => {
  world = await createSessionsWorld();
  owner = new pg.Client({ connectionString: world.databaseUrl });
  await owner.connect();
  authenticator = createAuthenticator(world.context);
});
afterAll(async () => {
  authenticator.close();
  await owner.end();
  await world.close();
});
beforeEach(async () => {
  made += 1;
  email = `frozen-${made}@example.org`;
  phone = `+55119000001${String(made).padStart(2, "0")}`;
  ({ memberId, token } = await world.join(email));
  await world.context.databases.sessions.query("UPDATE members SET phone = $2 WHERE member_id = $1", [memberId, phone]);
});

const now = () => world.context.clock.now();
const by = (sessionId = BigInt(made)) => ({ memberId, sessionId, now: now() });
const twice = (password: string) => ({ password, confirmPassword: password });
async function textsTo(address: string) {
  await world.context.messenger.drained();
  return world.inbox.messages(address).map(({ text }) => text);
}
const LINK = /http\S+\/#\/pages\/auth\/freeze\?token=([A-Za-z0-9_-]{43})/;
/** Returns the token in the newest warning to an address. */
async function linkOf(address = phone): Promise<string> {
  const found = (await textsTo(address)).map((text) => LINK.exec(text)?.[1]).find((text) => text !== undefined);
  if (found === undefined) throw new Error("no link arrived");
  return found;
}
async function frozenSince(of = memberId): Promise<bigint | null> {
  const [row] = await world.context.databases.sessions.query<{ since: bigint | null }>(
    "SELECT member_frozen_since($1) AS since",
    [of],
  );
  return row?.since ?? null;
}
async function enter(browser = world.browser("198.51.100.40"), password = PASSWORD) {
  const entered = await logIn(world.context, { account: email, password }, { ...browser(), lang: "en" });
  if (!entered.ok) throw new Error(entered.refusal.error);
  return entered.value.access_token;
}
async function setFirst() {
  const set = await setTradePassword(world.context, { ...twice("471108"), loginPassword: PASSWORD }, by());
  if (!set.ok) throw new Error(set.refusal.error);
}

describe("a warning", () => {
  const acts: Record<string, () => Promise<unknown>> = {
    "Login password reset": async () => {
      const code = await world.codeFor(email, "reset");
      await resetPassword(world.context, twice(NEW), { address: email, code, ip: "203.0.113.9", now: now() });
    },
    "Transaction password reset": async () => {
      const code = await world.codeFor(email, "tradePassword");
      const reset = { channel: "email", code, loginPassword: PASSWORD, ...twice("804271") } as const;
      await resetTradePassword(world.context, reset, { ...by(), ip: "203.0.113.9" });
    },
    "Transaction password set": setFirst,
    "Login on a new device": () => enter(),
  };
  it.each(Object.keys(acts))("goes to mail, SMS and browsers, each with a link that freezes: %s", async (title) => {
    const told: bigint[] = [];
    const stop = world.context.bus.subscribe("warnings", ({ messageIds }) => told.push(...messageIds));
    await acts[title]?.();
    stop();
    for (const address of [email, phone]) expect((await textsTo(address))[0]).toMatch(LINK);
    expect((await textsTo(phone))[0]).toContain(title);
    expect(world.inbox.messages(email)[0]).toMatchObject({ subject: `Fairtick: ${title}` });
    expect(told).toHaveLength(1);
    const stored = await world.context.databases.sessions.query<{ token_hash: Buffer }>(
      "SELECT token_hash FROM freeze_links",
    );
    const texts = stored.map(({ token_hash: hash }) => hash.toString("utf8"));
    expect(texts.some((text) => text.includes("http"))).toBe(false);
    expect(stored.every(({ token_hash: hash }) => hash.length === 32)).toBe(true);
  });

  it("is sent for a login on a browser without a known key, whatever its name, and never for a known one", async () => {
    const browser = world.browser("198.51.100.41");
    await enter(browser);
    const before = (await textsTo(phone)).length;
    await enter(browser);
    expect((await textsTo(phone)).length).toBe(before);
    await enter(world.browser("198.51.100.42"));
    expect((await textsTo(phone)).length).toBe(before + 1);
  });
});

describe("the link of a warning", () => {
  it("freezes withdrawals, ends all sessions and forgets all devices, but only once", async () => {
    const browser = world.browser("198.51.100.43");
    const second = await enter(browser);
    const link = await linkOf();
    expect(await freezeByLink(world.context, link, now())).toEqual({ ok: true, value: null });
    const since = await frozenSince();
    expect(since).not.toBeNull();
    for (const one of [token, second]) expect(await authenticator.authenticate(one)).toBeNull();
    expect(await isKnownDevice(world.context.databases.sessions, email, browser().deviceKey)).toBe(false);

    const again = await enter(browser);
    expect(await freezeByLink(world.context, link, now())).toEqual({ ok: true, value: null });
    const { deviceKey, ip } = browser();
    expect(await authenticator.authenticate(again, { ip, device: "", deviceKey })).not.toBeNull();
    expect(await frozenSince()).toBe(since);
    const told = await world.context.databases.reader.query(
      "SELECT 1 FROM member_messages WHERE member_id = $1 AND message_key = 'withdrawalsFrozen'",
      [memberId],
    );
    expect(told).toHaveLength(1);
  });

  it("gets the same answer with an unknown token, and then does nothing", async () => {
    await enter();
    const right = await freezeByLink(world.context, await linkOf(), now());
    const other = await world.join(`stranger-${made}@example.org`);
    for (const wrong of ["A".repeat(43), "x", (await linkOf()).slice(1)])
      expect(await freezeByLink(world.context, wrong, now())).toEqual(right);
    expect(await frozenSince(other.memberId)).toBeNull();
    expect(await authenticator.authenticate(other.token)).not.toBeNull();
  });

  it("expires after seven days", async () => {
    await enter();
    const link = await linkOf();
    await age(7 * 86_400_000 + 1_000);
    await freezeByLink(world.context, link, now());
    expect(await frozenSince()).toBeNull();
    await age(0);
  });
});

/** Moves the clock that the database uses for withdrawals and links forward. */
async function age(aheadMs: number): Promise<void> {
  await owner.query(
    `CREATE OR REPLACE FUNCTION withdrawal_now() RETURNS bigint LANGUAGE sql VOLATILE AS $$
       SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint + ${aheadMs} $$`,
  );
}

describe("lifting one's own freeze", () => {
  const lift = (loginPassword: string, at: Instant = now()) =>
    liftOwnFreeze(world.context, { loginPassword }, { ...by(), now: at });

  it("takes the login password, starts a withdrawal rest, warns, and invalidates earlier links", async () => {
    await enter();
    const early = await linkOf();
    await freezeOwn(world.context, memberId);
    await freezeOwn(world.context, memberId);
    expect(await lift("not the password")).toMatchObject({ refusal: { error: "WRONG_PASSWORD" } });
    expect(await frozenSince()).not.toBeNull();
    expect((await lift(PASSWORD)).ok).toBe(true);
    expect(await frozenSince()).toBeNull();
    const [rest] = await world.context.databases.money.query<{ until: bigint | null; waits: string | null }>(
      "SELECT withdrawals_rest_until($1) AS until, withdrawals_wait_for($1) AS waits",
      [memberId],
    );
    expect(rest).toMatchObject({ waits: "resting" });
    expect(Number(rest?.until) - Date.now()).toBeGreaterThan(23.9 * 3_600_000);
    expect((await textsTo(phone))[0]).toContain("Withdrawals unfrozen");

    await freezeByLink(world.context, early, now());
    expect(await frozenSince()).toBeNull();
    // The link in the warning about the lifting works.
    await freezeByLink(world.context, await linkOf(), now());
    expect(await frozenSince()).not.toBeNull();
  });

  it("needs the second factor if there is one", async () => {
    const code = "abcde-fghjk";
    await owner.query(
      "INSERT INTO member_totp (member_id, sealed_secret, used_step, made_at) VALUES ($1, '\\x00', 0, 1)",
      [String(memberId)],
    );
    await owner.query("INSERT INTO member_recovery_codes VALUES ($1, $2, 1)", [
      String(memberId),
      hashRecoveryCode(code, world.context.config.secret, memberId),
    ]);
    await freezeOwn(world.context, memberId);
    expect(await lift(PASSWORD)).toMatchObject({ refusal: { error: "SECOND_FACTOR_REQUIRED" } });
    expect(await frozenSince()).not.toBeNull();
    const lifted = await liftOwnFreeze(world.context, { loginPassword: PASSWORD, secondFactor: code }, by());
    expect(lifted.ok).toBe(true);
    expect(await frozenSince()).toBeNull();
  });

  it("is refused if nothing is frozen", async () => {
    expect(await lift(PASSWORD)).toMatchObject({ refusal: { error: "CONFLICT" } });
  });
});
