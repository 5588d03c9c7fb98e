import type { Instant, MemberId } from "@fairtick/domain";
import type { PasskeyQuestion } from "@fairtick/protocol";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fromBase32, totp } from "../../platform/second-factor/totp.ts";
import { type Lies, SoftAuthenticator } from "../../testing/soft-authenticator.ts";
import { resetPassword } from "../sessions/change-login-password.ts";
import { logIn } from "../sessions/log-in.ts";
import { createSessionsWorld, PASSWORD, type SessionsWorld } from "../sessions/testing.ts";
import { checkTradePassword, resetTradePassword, setTradePassword } from "../sessions/trade-password.ts";
import {
  askOwnPasskey,
  makeRecoveryCodes,
  readSecondFactors,
  registerPasskey,
  registerTotp,
  removeFactor,
  startPasskey,
  startTotp,
} from "./set-up-factors.ts";

let world: SessionsWorld;
let email: string;
let memberId: MemberId;
let sessionId: bigint;
let made = 0;
beforeAll(async () => {
  world = await createSessionsWorld();
});
afterAll(async () => {
  await world.close();
});
beforeEach(async () => {
  made += 1;
  email = `factor${made}@example.org`;
  ({ memberId } = await world.join(email));
  const [session] = await world.context.databases.sessions.query<{ session_id: bigint }>(
    "SELECT session_id FROM sessions WHERE member_id = $1",
    [memberId],
  );
  sessionId = session!.session_id;
  // Move past the time step of any code that was used before.
  world.pass(90_000);
});

const HOURS = 3_600_000;
const now = () => world.context.clock.now();
const by = () => ({ memberId, sessionId, now: now() });
const proof = (secondFactor?: string) => ({ loginPassword: PASSWORD, secondFactor });
const refused = (error: string, more: object = {}) => ({ ok: false, refusal: { error, ...more } });
const ORIGIN = () => {
  const { port } = new URL(world.context.config.publicUrl);
  return `http://localhost:${port}`;
};

/** Adds an authenticator app. `code` returns its current code. */
async function addApp(secondFactor?: string) {
  const started = await startTotp(world.context, proof(secondFactor), by());
  if (!started.ok) throw new Error(started.refusal.error);
  const secret = fromBase32(started.value.secret);
  const code = () => totp(secret, now());
  const registered = await registerTotp(world.context, code(), by());
  if (!registered.ok) throw new Error(registered.refusal.error);
  world.pass(60_000);
  return { code, recoveryCodes: registered.value.recoveryCodes };
}
async function addPasskey(secondFactor?: string) {
  const key = new SoftAuthenticator(ORIGIN());
  const wish = await startPasskey(world.context, proof(secondFactor), by());
  if (!wish.ok) throw new Error(wish.refusal.error);
  const passkey = JSON.stringify(key.make(wish.value));
  const registered = await registerPasskey(world.context, { name: "Desk key", passkey }, by());
  if (!registered.ok) throw new Error(registered.refusal.error);
  return { key, recoveryCodes: registered.value.recoveryCodes };
}
const enter = (secondFactor?: string, visitor = world.visitor(), password = PASSWORD) =>
  logIn(world.context, { account: email, password, secondFactor }, visitor);
/** Returns the question that a refusal asks a passkey to sign. */
function questionIn(answer: Awaited<ReturnType<typeof enter>>): PasskeyQuestion {
  if (answer.ok) throw new Error("the login was accepted");
  return JSON.parse(String(answer.refusal.params?.["question"])) as PasskeyQuestion;
}
const told = async () =>
  (
    await world.context.databases.reader.query<{ message_key: string }>(
      "SELECT message_key FROM member_messages WHERE member_id = $1 ORDER BY message_id",
      [memberId],
    )
  ).map(({ message_key: key }) => key);
/** Returns the subjects of the mails that contain a link to freeze withdrawals. */
const warnedOf = async () => {
  await world.context.messenger.drained();
  const links = world.inbox.messages(email).filter(({ text }) => text.includes("/pages/auth/freeze?token="));
  return links.map(({ subject }) => subject);
};
const restsUntil = async () =>
  (
    await world.context.databases.reader.query<{ until: bigint | null }>("SELECT withdrawals_rest_until($1) AS until", [
      memberId,
    ])
  )[0]?.until;

describe("an authenticator app", () => {
  it("is added with the login password and its first code, and comes with recovery codes", async () => {
    expect(await startTotp(world.context, { loginPassword: "not the password" }, by())).toMatchObject(
      refused("WRONG_PASSWORD"),
    );
    expect(await registerTotp(world.context, "123456", by())).toMatchObject(refused("NOT_FOUND"));
    const started = await startTotp(world.context, proof(), by());
    if (!started.ok) throw new Error(started.refusal.error);
    expect(started.value.uri).toBe(
      `otpauth://totp/Fairtick:${encodeURIComponent(email)}?secret=${started.value.secret}&issuer=Fairtick`,
    );
    const secret = fromBase32(started.value.secret);
    const farAhead = totp(secret, (now() + 600_000n) as Instant);
    expect(await registerTotp(world.context, farAhead, by())).toMatchObject(
      refused("BAD_CODE", { fields: { code: "BAD_CODE" } }),
    );
    expect((await readSecondFactors(world.context, memberId)).totp).toBeNull();
    expect((await enter()).ok).toBe(true);
    const registered = await registerTotp(world.context, totp(secret, now()), by());
    expect(registered).toMatchObject({ ok: true });
    expect(registered.ok && registered.value.recoveryCodes).toHaveLength(8);
    expect(await readSecondFactors(world.context, memberId)).toMatchObject({
      totp: { madeAt: Number(now()), usedAt: null },
      passkeys: [],
      recoveryCodesLeft: 8,
    });
    expect(await told()).toContain("authenticatorAdded");
    expect(await warnedOf()).toContain("Fairtick: Authenticator app added");
  });

  it("can be set up for ten minutes, and only in the session that started it", async () => {
    const started = await startTotp(world.context, proof(), by());
    if (!started.ok) throw new Error(started.refusal.error);
    const secret = fromBase32(started.value.secret);
    await enter();
    const [other] = await world.context.databases.sessions.query<{ session_id: bigint }>(
      "SELECT session_id FROM sessions WHERE member_id = $1 AND session_id <> $2",
      [memberId, sessionId],
    );
    expect(
      await registerTotp(world.context, totp(secret, now()), { ...by(), sessionId: other!.session_id }),
    ).toMatchObject(refused("NOT_FOUND"));
    world.pass(600_000);
    expect(await registerTotp(world.context, totp(secret, now()), by())).toMatchObject(refused("NOT_FOUND"));
  });

  it("is required before another factor is added or new recovery codes are made", async () => {
    const app = await addApp();
    for (const change of [startTotp, startPasskey, makeRecoveryCodes]) {
      expect(await change(world.context, proof(), by())).toMatchObject(
        refused("SECOND_FACTOR_REQUIRED", { params: { means: "totp,recovery" } }),
      );
      expect(await change(world.context, proof("000000"), by())).toMatchObject(refused("SECOND_FACTOR_WRONG"));
    }
    const fresh = await makeRecoveryCodes(world.context, proof(app.code()), by());
    if (!fresh.ok) throw new Error(fresh.refusal.error);
    expect(fresh.value.recoveryCodes).not.toContain(app.recoveryCodes[0]);
    // The old codes no longer work, a new one does.
    expect(await enter(app.recoveryCodes[0])).toMatchObject(refused("SECOND_FACTOR_WRONG"));
    expect((await enter(fresh.value.recoveryCodes[0])).ok).toBe(true);
  });
});

describe("logging in on an unknown device", () => {
  it("needs the factor after the right password, and without it starts no session and remembers no device", async () => {
    const app = await addApp();
    const browser = world.browser("198.51.100.9");
    expect(await enter(app.code(), browser(), "not the password")).toMatchObject(refused("BAD_CREDENTIALS"));
    expect(await enter(undefined, browser())).toMatchObject(
      refused("SECOND_FACTOR_REQUIRED", { params: { means: "totp,recovery" } }),
    );
    expect(browser().deviceKey).toBeNull();
    const sessions = async () =>
      (await world.context.databases.sessions.query("SELECT 1 FROM sessions WHERE member_id = $1", [memberId])).length;
    expect(await sessions()).toBe(1);
    expect((await enter(app.code(), browser())).ok).toBe(true);
    expect(await sessions()).toBe(2);
    // The device is known from now on, so it isn't asked for a factor again.
    expect((await enter(undefined, browser())).ok).toBe(true);
    expect(await enter()).toMatchObject(refused("SECOND_FACTOR_REQUIRED"));
  });

  it("accepts no code twice, however many are sent at once", async () => {
    const app = await addApp();
    const code = app.code();
    const answers = await Promise.all(Array.from({ length: 4 }, () => enter(code)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(answers.find(({ ok }) => !ok)).toMatchObject(refused("SECOND_FACTOR_WRONG"));
    world.pass(60_000);
    expect((await enter(app.code())).ok).toBe(true);
  });

  it("accepts each recovery code once, however it is typed", async () => {
    const { recoveryCodes } = await addApp();
    const [first = "", second = ""] = recoveryCodes;
    expect((await enter(first.toUpperCase().replace("-", " "))).ok).toBe(true);
    expect(await enter(first)).toMatchObject(refused("SECOND_FACTOR_WRONG"));
    expect((await enter(second)).ok).toBe(true);
    expect((await readSecondFactors(world.context, memberId)).recoveryCodesLeft).toBe(6);
  });

  it("limits wrong codes: after five, even the right one has to wait, for a day at most", async () => {
    const app = await addApp();
    for (let tries = 0; tries < 5; tries += 1)
      expect(await enter("000000")).toMatchObject(
        refused("SECOND_FACTOR_WRONG", { fields: { secondFactor: "SECOND_FACTOR_WRONG" } }),
      );
    expect(await enter(app.code())).toMatchObject(refused("TOO_MANY_TRIES"));
    world.pass(24 * HOURS);
    expect((await enter(app.code())).ok).toBe(true);
  });

  it("forgets devices that logged in before the first factor, but not the one that adds it", async () => {
    const [own, other] = [world.browser("198.51.100.10"), world.browser("198.51.100.11")];
    for (const browser of [own, other]) expect((await enter(undefined, browser())).ok).toBe(true);
    const started = await startTotp(world.context, proof(), by());
    if (!started.ok) throw new Error(started.refusal.error);
    const code = totp(fromBase32(started.value.secret), now());
    await registerTotp(world.context, code, { ...by(), deviceKey: own().deviceKey });
    expect((await enter(undefined, own())).ok).toBe(true);
    expect(await enter(undefined, other())).toMatchObject(refused("SECOND_FACTOR_REQUIRED"));
  });
});

describe("a passkey", () => {
  const lies: readonly [string, Lies][] = [
    ["another key's signature", { foreignKey: true }],
    ["another site's origin", { origin: "https://fairtick.example.net" }],
    ["another site's name", { rpId: "example.net" }],
    ["a challenge that was never asked", { challenge: Buffer.alloc(32, 7).toString("base64url") }],
    ["nobody who showed that it is them", { userVerified: false }],
  ];

  it("answers the refusal's question, once", async () => {
    const { key } = await addPasskey();
    const question = questionIn(await enter());
    expect(question).toMatchObject({ rpId: "localhost", userVerification: "required" });
    const answer = JSON.stringify(key.answer(question));
    expect((await enter(answer)).ok).toBe(true);
    expect(await enter(answer)).toMatchObject(refused("SECOND_FACTOR_WRONG"));
    expect((await readSecondFactors(world.context, memberId)).passkeys).toMatchObject([
      { name: "Desk key", usedAt: Number(now()) },
    ]);
    expect(await told()).toContain("passkeyAdded");
    expect(await warnedOf()).toContain("Fairtick: Passkey added");
  });

  it.each(lies)("logs nobody in with %s", async (_name, lie) => {
    const { key } = await addPasskey();
    const wrong = await enter(JSON.stringify(key.answer(questionIn(await enter()), lie)));
    expect(wrong).toMatchObject(refused("SECOND_FACTOR_WRONG"));
    // The refusal asks again, and the right answer logs in.
    expect((await enter(JSON.stringify(key.answer(questionIn(wrong))))).ok).toBe(true);
  });

  it("answers for one purpose only, and within five minutes", async () => {
    const { key } = await addPasskey();
    const asked = await askOwnPasskey(world.context, memberId, { purpose: "withdrawal", now: now() });
    if (!asked.ok) throw new Error(asked.refusal.error);
    expect(await enter(JSON.stringify(key.answer(asked.value)))).toMatchObject(refused("SECOND_FACTOR_WRONG"));
    const late = key.answer(questionIn(await enter()));
    world.pass(300_000);
    expect(await enter(JSON.stringify(late))).toMatchObject(refused("SECOND_FACTOR_WRONG"));
  });

  it("is added only for its own request, once, and by nobody else", async () => {
    const key = new SoftAuthenticator(ORIGIN());
    const wish = await startPasskey(world.context, proof(), by());
    if (!wish.ok) throw new Error(wish.refusal.error);
    const passkey = JSON.stringify(key.make(wish.value));
    const name = "Key";
    expect(await registerPasskey(world.context, { name, passkey: "{}" }, by())).toMatchObject(refused("BAD_CODE"));
    // The request was used up by the failed attempt.
    expect(await registerPasskey(world.context, { name, passkey }, by())).toMatchObject(refused("BAD_CODE"));
    const again = await startPasskey(world.context, proof(), by());
    if (!again.ok) throw new Error(again.refusal.error);
    const lied = JSON.stringify(key.make(again.value, { origin: "https://fairtick.example.net" }));
    expect(await registerPasskey(world.context, { name, passkey: lied }, by())).toMatchObject(refused("BAD_CODE"));
    expect((await enter()).ok).toBe(true);
  });

  it("gets a limited number of questions at a time", async () => {
    await addPasskey();
    for (let asked = 0; asked < 30; asked += 1) await enter();
    const kept = await world.context.databases.sessions.query("SELECT 1 FROM member_challenges WHERE member_id = $1", [
      memberId,
    ]);
    expect(kept).toHaveLength(20);
  });
});

describe("a reset with the mailbox alone", () => {
  const twice = (password: string) => ({ password, confirmPassword: password });
  const reset = (code: string, secondFactor?: string) =>
    resetPassword(
      world.context,
      { ...twice("another quiet harbour"), secondFactor },
      { ...world.visitor(), address: email, code },
    );

  it("sets no login password, reveals nothing about factors to people without the code, and doesn't use up the code", async () => {
    const app = await addApp();
    const code = await world.codeFor(email, "reset");
    const guess = code === "111111" ? "222222" : "111111";
    expect(await reset(guess)).toMatchObject(refused("BAD_CODE"));
    expect(await reset(guess, app.code())).toMatchObject(refused("BAD_CODE"));
    expect(await reset(code)).toMatchObject(refused("SECOND_FACTOR_REQUIRED", { params: { means: "totp,recovery" } }));
    expect(await reset(code, "000000")).toMatchObject(refused("SECOND_FACTOR_WRONG"));
    expect(await restsUntil()).toBeNull();
    expect((await enter(app.code())).ok).toBe(true);
    world.pass(60_000);
    expect((await reset(code, app.code())).ok).toBe(true);
    // The withdrawal rest applies in any case.
    expect(await restsUntil()).not.toBeNull();
    expect(await reset(code, app.code())).toMatchObject(refused("BAD_CODE"));
  });

  it("sets no transaction password", async () => {
    await setTradePassword(world.context, { ...twice("246810"), loginPassword: PASSWORD }, by());
    const app = await addApp();
    const code = await world.codeFor(email, "tradePassword");
    const change = (secondFactor?: string) =>
      resetTradePassword(
        world.context,
        { channel: "email", code, loginPassword: PASSWORD, ...twice("804271"), secondFactor },
        { ...by(), ip: "203.0.113.7" },
      );
    expect(await change()).toMatchObject(refused("SECOND_FACTOR_REQUIRED"));
    expect(await change("000000")).toMatchObject(refused("SECOND_FACTOR_WRONG"));
    expect((await checkTradePassword(world.context, memberId, "246810", now())).ok).toBe(true);
    expect((await change(app.code())).ok).toBe(true);
    expect((await checkTradePassword(world.context, memberId, "804271", now())).ok).toBe(true);
  });
});

describe("removing a factor", () => {
  const remove = (factor: string, secondFactor?: string, loginPassword = PASSWORD) =>
    removeFactor(world.context, { factor, loginPassword, secondFactor }, by());

  it("needs the password and a factor; removing the last one starts a withdrawal rest and deletes the recovery codes", async () => {
    const app = await addApp();
    const { key, recoveryCodes } = await addPasskey(app.code());
    // The member already had recovery codes.
    expect(recoveryCodes).toEqual([]);
    const [passkey] = (await readSecondFactors(world.context, memberId)).passkeys;
    world.pass(60_000);
    expect(await remove("totp", app.code(), "not the password")).toMatchObject(refused("WRONG_PASSWORD"));
    expect(await remove("totp")).toMatchObject(
      refused("SECOND_FACTOR_REQUIRED", { params: { means: "totp,passkey,recovery" } }),
    );
    expect(await remove("psk_nonesuch", app.code())).toMatchObject(refused("NOT_FOUND"));
    world.pass(60_000);
    expect(await remove("totp", app.code())).toEqual({ ok: true, value: { restsUntil: null } });
    expect(await restsUntil()).toBeNull();
    expect(await enter(app.code())).toMatchObject(
      refused("SECOND_FACTOR_WRONG", { params: { means: "passkey,recovery" } }),
    );
    const asked = await askOwnPasskey(world.context, memberId, { purpose: "settings", now: now() });
    if (!asked.ok) throw new Error(asked.refusal.error);
    const removed = await remove(passkey!.passkeyId, JSON.stringify(key.answer(asked.value)));
    expect(removed).toEqual({ ok: true, value: { restsUntil: Number(await restsUntil()) } });
    expect((await readSecondFactors(world.context, memberId)).recoveryCodesLeft).toBe(0);
    expect((await enter()).ok).toBe(true);
    expect(await told()).toEqual(
      expect.arrayContaining(["authenticatorRemoved", "passkeyRemoved", "withdrawalsRestUnprotected"]),
    );
    await world.context.messenger.drained();
    expect(world.inbox.messages(email)[0]?.subject).toBe("Fairtick: Withdrawals wait: two-step verification is off");
  });

  it("is impossible for somebody else's factor", async () => {
    const owner = memberId;
    await addPasskey();
    const [passkey] = (await readSecondFactors(world.context, owner)).passkeys;
    ({ memberId } = await world.join(`thief${made}@example.org`));
    expect(await remove(passkey!.passkeyId)).toMatchObject(refused("NOT_FOUND"));
    expect((await readSecondFactors(world.context, owner)).passkeys).toHaveLength(1);
  });
});
