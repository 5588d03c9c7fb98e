import type { OperatorAccount, OwnPasskey, PasskeyQuestion, PasskeyWish } from "@fairtick/protocol/operator";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fromBase32, sandboxOperators, totp } from "./index.ts";
import { systemClock } from "../../platform/clock.ts";
import { createConsoleWorld, type ConsoleWorld } from "../../testing/console-world.ts";
import { type Lies, SoftAuthenticator } from "../../testing/soft-authenticator.ts";

let world: ConsoleWorld;
let origin = "";

beforeAll(async () => {
  world = await createConsoleWorld();
  origin = `http://localhost:${new URL(world.console.url).port}`;
});
afterAll(() => world.close());
/** Tries are counted per operator and day, so each test starts without any. */
beforeEach(() => sql("DELETE FROM attempts"));

const passwordOf = (login: string) =>
  sandboxOperators(world.context.config.dataDir).find(({ account }) => account === login)!.password;
const sql = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await world.builder.client.query<Row>(text, values)).rows;

async function ok<Data>(path: string, body: unknown, cookie: string): Promise<Data> {
  const answer = await world.call(path, body, cookie, { origin });
  expect([path, answer.status, answer.body.data]).toEqual([path, 200, answer.body.data]);
  return answer.body.data;
}
const refused = async (path: string, body: unknown, cookie: string) =>
  ((await world.call(path, body, cookie, { origin })).body.data as { error?: string } | null)?.error;

/** Enrolls a new passkey for the operator with this cookie. */
async function enrol(login: string, cookie: string, name = "Key", key = new SoftAuthenticator(origin)) {
  const wish = await ok<PasskeyWish>("session/startPasskey", { password: passwordOf(login) }, cookie);
  const { passkeyId } = await ok<OwnPasskey>("session/registerPasskey", { name, passkey: key.make(wish) }, cookie);
  return { key, passkeyId };
}

/**
 * Logs in with the password alone. Returns the session's cookie and the answer, which lists the second factors to
 * choose from.
 */
async function halfway(login: string) {
  const first = await world.call("session/login", { login, password: passwordOf(login) }, "", { origin });
  const cookie = first.cookie!.split(";")[0]!;
  return { cookie, said: first.body.data as { means: string[]; passkeyOrigin: string } };
}
const ask = (cookie: string) => ok<PasskeyQuestion>("session/askPasskey", {}, cookie);
const account = (cookie: string) => ok<OperatorAccount>("session/account", {}, cookie);

describe("a passkey", () => {
  let cookie = "";
  let key: SoftAuthenticator;
  let passkeyId = "";
  const login = "auditor-1";
  beforeAll(async () => {
    cookie = await world.logIn(login);
    ({ key, passkeyId } = await enrol(login, cookie, "Desk key"));
  });
  const attempt = async (lies: Lies = {}, with_ = key) => {
    const half = await halfway(login);
    const passkey = with_.answer(await ask(half.cookie), lies);
    return world.call("session/verifySecondFactor", { passkey }, half.cookie, { origin });
  };

  it("opens a session instead of a code, and records when it was used", async () => {
    const half = await halfway(login);
    expect(half.said).toMatchObject({ means: ["totp", "passkey"], passkeyOrigin: origin });
    const question = await ask(half.cookie);
    expect(question).toMatchObject({ rpId: "localhost", userVerification: "required" });
    const opened = await world.call("session/verifySecondFactor", { passkey: key.answer(question) }, half.cookie, {
      origin,
    });
    expect(opened.status).toBe(200);
    const inside = opened.cookie!.split(";")[0]!;
    expect(inside).not.toBe(half.cookie);
    const { passkeys } = await account(inside);
    expect(passkeys).toEqual([expect.objectContaining({ passkeyId, name: "Desk key", synced: false })]);
    expect(Date.now() - passkeys[0]!.usedAt!).toBeLessThan(60_000);
  });

  it.each<[string, Lies]>([
    ["another site's page", { origin: "http://evil.example" }],
    ["the console's IP address", { origin: "http://127.0.0.1:8081" }],
    ["another site's name", { rpId: "evil.example" }],
    ["another challenge", { challenge: Buffer.alloc(32).toString("base64url") }],
    ["a registration's answer", { type: "webauthn.create" }],
    ["an authenticator that did not verify its owner", { userVerified: false }],
    ["an authenticator that was not touched", { userPresent: false }],
    ["a copy whose counter doesn't grow", { counter: 1 }],
    ["another key under its name", { foreignKey: true }],
  ])("is not accepted from %s", async (_what, lies) => {
    const answer = await attempt(lies);
    expect([answer.status, answer.body.data]).toMatchObject([422, { error: "BAD_CODE" }]);
    expect((await attempt()).status).toBe(200);
  });

  it("is not accepted twice, nor after a wrong answer to the same challenge", async () => {
    const half = await halfway(login);
    const question = await ask(half.cookie);
    const passkey = key.answer(question);
    const wrong = key.answer(question, { origin: "http://evil.example" });
    expect(await refused("session/verifySecondFactor", { passkey: wrong }, half.cookie)).toBe("BAD_CODE");
    expect(await refused("session/verifySecondFactor", { passkey }, half.cookie)).toBe("BAD_CODE");
    // An answer given in one login is used in another.
    const used = key.answer(await ask(half.cookie));
    expect((await world.call("session/verifySecondFactor", { passkey: used }, half.cookie, { origin })).status).toBe(
      200,
    );
    const other = await halfway(login);
    await ask(other.cookie);
    expect(await refused("session/verifySecondFactor", { passkey: used }, other.cookie)).toBe("BAD_CODE");
  });

  it("is not accepted after two minutes", async () => {
    const half = await halfway(login);
    const passkey = key.answer(await ask(half.cookie));
    await sql("UPDATE operator_challenges SET expires_at = $1", [Date.now() - 1]);
    expect(await refused("session/verifySecondFactor", { passkey }, half.cookie)).toBe("BAD_CODE");
  });

  it("of another operator is not accepted", async () => {
    const theirs = await enrol("support-1", await world.logIn("support-1"));
    const answer = await attempt({}, theirs.key);
    expect([answer.status, answer.body.data]).toMatchObject([422, { error: "BAD_CODE" }]);
  });

  it("can't be used to avoid the daily limit on tries", async () => {
    const half = await halfway(login);
    const statuses = [];
    for (let tries = 0; tries < 6; tries += 1) {
      // An answer to a challenge that was never sent costs no try.
      const stray = key.answer(await ask(half.cookie), { foreignKey: true });
      expect(
        await refused(
          "session/verifySecondFactor",
          { passkey: { ...stray, id: "c3RyYXk", rawId: "c3RyYXk" } },
          half.cookie,
        ),
      ).toBe("BAD_CODE");
      const passkey = key.answer(await ask(half.cookie), { foreignKey: true });
      const answer = await world.call("session/verifySecondFactor", { passkey }, half.cookie, { origin });
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([...Array.from({ length: 5 }, () => 422), 429]);
    expect(await refused("session/verifySecondFactor", { code: "000000" }, half.cookie)).toBe("TOO_MANY_TRIES");
  });

  it("is in the audit trail with its uses and refusals, and without what was signed", async () => {
    const rows = await sql<{ action: string; outcome: string; subject: string; detail: string }>(
      "SELECT action, outcome, subject, detail FROM audit_trail WHERE subject = $1",
      [passkeyId],
    );
    const seen = new Set(rows.map(({ action, outcome }) => `${action} ${outcome}`));
    expect(seen).toContain("session/registerPasskey done");
    expect(seen).toContain("session/verifySecondFactor done");
    expect(seen).toContain("session/verifySecondFactor BAD_CODE");
    expect(rows.filter(({ detail }) => /signature|clientData|lantern/.test(detail))).toEqual([]);
  });
});

describe("a new passkey", () => {
  const login = "compliance-1";
  let cookie = "";
  beforeAll(async () => {
    cookie = await world.logIn(login);
  });
  const start = () => ok<PasskeyWish>("session/startPasskey", { password: passwordOf(login) }, cookie);

  it("needs the password again", async () => {
    expect(await refused("session/startPasskey", { password: "not-it-at-all" }, cookie)).toBe("WRONG_PASSWORD");
  });

  it.each<[string, Lies]>([
    ["another site's page", { origin: "http://evil.example" }],
    ["another site's name", { rpId: "evil.example" }],
    ["another challenge", { challenge: "AAAA" }],
    ["a login's answer", { type: "webauthn.get" }],
    ["an authenticator that did not verify its owner", { userVerified: false }],
  ])("is not accepted from %s", async (_what, lies) => {
    const passkey = new SoftAuthenticator(origin).make(await start(), lies);
    expect(await refused("session/registerPasskey", { name: "Key", passkey }, cookie)).toBe("BAD_CODE");
    expect((await account(cookie)).passkeys).toEqual([]);
  });

  it("can be added once, and by one operator", async () => {
    const key = new SoftAuthenticator(origin);
    const wish = await start();
    await ok("session/registerPasskey", { name: "Key", passkey: key.make(wish) }, cookie);
    expect(await refused("session/registerPasskey", { name: "Again", passkey: key.make(wish) }, cookie)).toBe(
      "BAD_CODE",
    );
    const next = await start();
    expect(next.excludeCredentials).toEqual([
      { id: key.id.toString("base64url"), type: "public-key", transports: ["internal"] },
    ]);
    expect(await refused("session/registerPasskey", { name: "Again", passkey: key.make(next) }, cookie)).toBe(
      "CONFLICT",
    );
  });

  it("can't be requested by another site's page", async () => {
    const password = passwordOf(login);
    const elsewhere = { origin: `http://localhost.evil.example` };
    expect((await world.call("session/startPasskey", { password }, cookie, elsewhere)).status).toBe(403);
  });
});

describe("the last second factor", () => {
  const login = "compliance-2";
  it("can't be removed, whichever it is", async () => {
    const cookie = await world.logIn(login);
    const password = passwordOf(login);
    expect(await refused("session/removeTotp", { password }, cookie)).toBe("CONFLICT");
    const first = await enrol(login, cookie, "First");
    expect(await refused("session/removeTotp", { password: "not-it-at-all" }, cookie)).toBe("WRONG_PASSWORD");
    await ok("session/removeTotp", { password }, cookie);
    const remove = { passkeyId: first.passkeyId, password };
    expect(await refused("session/removePasskey", remove, cookie)).toBe("CONFLICT");

    // Now the passkey is needed instead of the app, and no code is accepted.
    const half = await halfway(login);
    expect(half.said.means).toEqual(["passkey"]);
    expect(await refused("session/verifySecondFactor", { code: "123456" }, half.cookie)).toBe("BAD_CODE");
    const passkey = first.key.answer(await ask(half.cookie));
    await ok("session/verifySecondFactor", { passkey }, half.cookie);

    const second = await enrol(login, cookie, "Second");
    await ok("session/removePasskey", remove, cookie);
    expect(await refused("session/removePasskey", remove, cookie)).toBe("NOT_FOUND");
    const gone = await halfway(login);
    const old = first.key.answer(await ask(gone.cookie));
    expect(await refused("session/verifySecondFactor", { passkey: old }, gone.cookie)).toBe("BAD_CODE");

    // The passkey can be removed only once another app is set up.
    const { secret } = await ok<{ secret: string }>("session/startTotp", { password }, cookie);
    expect(await refused("session/removePasskey", { passkeyId: second.passkeyId, password }, cookie)).toBe("CONFLICT");
    expect(await refused("session/registerTotp", { code: "000000" }, cookie)).toBe("BAD_CODE");
    await ok("session/registerTotp", { code: totp(fromBase32(secret), systemClock.now()) }, cookie);
    await ok("session/removePasskey", { passkeyId: second.passkeyId, password }, cookie);
    expect(await account(cookie)).toMatchObject({ totp: true, passkeys: [] });
  });

  it("can't be removed by removing two at the same moment, since the database refuses it", async () => {
    const cookie = await world.logIn("finance-2");
    await enrol("finance-2", cookie, "One");
    await enrol("finance-2", cookie, "Two");
    const remove = (what: string) =>
      world.context.databases.console
        .transaction(async (db) => {
          await db.query(what);
          await db.query("SELECT pg_sleep(0.1)");
        })
        .then(
          () => "done",
          () => "refused",
        );
    const of = "(SELECT operator_id FROM operators WHERE login = 'finance-2')";
    const answers = await Promise.all([
      remove(`UPDATE operators SET totp_secret = NULL WHERE operator_id = ${of}`),
      remove(`UPDATE operator_passkeys SET removed_at = 1 WHERE operator_id = ${of} AND name = 'One'`),
      remove(`UPDATE operator_passkeys SET removed_at = 1 WHERE operator_id = ${of} AND name = 'Two'`),
    ]);
    expect(answers.sort()).toEqual(["done", "done", "refused"]);
    await expect(sql("UPDATE operator_passkeys SET removed_at = NULL WHERE removed_at IS NOT NULL")).rejects.toThrow(
      "gone for good",
    );
  });
});

describe("one's own sessions", () => {
  it("are listed, and others can be ended one by one or all at once", async () => {
    const [here, there, third] = [
      await world.logIn("finance-1"),
      await world.logIn("finance-1"),
      await world.logIn("finance-1"),
    ];
    const { sessions } = await account(here);
    expect(sessions.map(({ current }) => current)).toEqual([false, false, true]);
    const other = (await account(there)).sessions.find(({ current }) => current)!;
    await ok("session/endOther", { sessionId: other.sessionId }, here);
    expect((await world.call("session/me", {}, there)).status).toBe(401);
    const own = sessions.find(({ current }) => current)!;
    expect(await refused("session/endOther", { sessionId: own.sessionId }, here)).toBe("NOT_FOUND");
    const stranger = await account(await world.logIn("admin-2"));
    const theirs = { sessionId: stranger.sessions[0]!.sessionId };
    expect(await refused("session/endOther", theirs, here)).toBe("NOT_FOUND");
    await ok("session/endOther", {}, here);
    expect((await world.call("session/me", {}, third)).status).toBe(401);
    expect((await account(here)).sessions).toHaveLength(1);
  });
});
