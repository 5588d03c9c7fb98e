import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Authenticator, createAuthenticator } from "./authenticate.ts";
import { changeLoginPassword, resetPassword } from "./change-login-password.ts";
import { endAllSessions, logOut, revokeSession } from "./end-sessions.ts";
import { listSessions } from "./list-sessions.ts";
import { logIn } from "./log-in.ts";
import { setTradePassword } from "./trade-password.ts";
import { readDeviceKey } from "../../platform/device-key.ts";
import { createSessionsWorld, PASSWORD, type SessionsWorld } from "./testing.ts";

let world: SessionsWorld;
let authenticator: Authenticator;
beforeAll(async () => {
  world = await createSessionsWorld();
  authenticator = createAuthenticator(world.context);
});
afterAll(async () => {
  authenticator.close();
  await world.close();
});

const enter = (account: string, password = PASSWORD, ip = "203.0.113.7") =>
  logIn(world.context, { account, password }, world.visitor(ip));
async function tokenOf(account: string): Promise<string> {
  const answer = await enter(account);
  if (!answer.ok) throw new Error(answer.refusal.error);
  return answer.value.access_token;
}
const now = () => world.context.clock.now();

describe("logging in", () => {
  it("opens a session by mail address or phone number", async () => {
    await world.join("maria@example.org");
    await world.join("+5511911112222");
    expect(await enter("maria@example.org")).toMatchObject({
      ok: true,
      value: { userInfo: { account: "m•••@example.org" } },
    });
    expect(await enter("+5511911112222")).toMatchObject({
      ok: true,
      value: { userInfo: { account: "+55•••••••2222" } },
    });
  });

  it("has mails written in the language that the member logged in with last", async () => {
    const { memberId } = await world.join("lina@example.org");
    const language = async () =>
      (await world.context.databases.reader.query("SELECT language FROM members WHERE member_id = $1", [memberId]))[0];
    for (const lang of ["de", "ri"] as const) {
      const visitor = { ...world.visitor(), lang };
      expect(await logIn(world.context, { account: "lina@example.org", password: PASSWORD }, visitor)).toMatchObject({
        ok: true,
      });
      expect(await language()).toEqual({ language: lang });
    }
    await logIn(
      world.context,
      { account: "lina@example.org", password: "not hers" },
      { ...world.visitor(), lang: "en" },
    );
    expect(await language()).toEqual({ language: "ri" });
  });

  it("answers unknown accounts as it answers wrong passwords", async () => {
    const unknown = await enter("nobody@example.org", "not the password", "198.51.100.1");
    const wrong = await enter("maria@example.org", "not the password", "198.51.100.2");
    expect(unknown).toEqual({ ok: false, refusal: { error: "BAD_CREDENTIALS" } });
    expect(wrong).toEqual(unknown);
  });

  it("takes as long for unknown accounts as for wrong passwords", async () => {
    await world.join("timing@example.org");
    const times = { known: [] as number[], unknown: [] as number[] };
    for (let round = 0; round < 60; round += 1) {
      for (const [kind, account] of [
        ["known", "timing@example.org"],
        ["unknown", `no${round}@example.org`],
      ] as const) {
        world.pass(86_400_000 / 9);
        const start = performance.now();
        await enter(account, "not the password", `198.51.100.${round}`);
        times[kind].push(performance.now() - start);
      }
    }
    const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;
    // The hash alone takes milliseconds: without it for unknown accounts the ratio would be several times one.
    expect(median(times.known) / median(times.unknown)).toBeGreaterThan(0.6);
    expect(median(times.known) / median(times.unknown)).toBeLessThan(1.6);
  });

  it("lets strangers guess three times, then after growing waits, and never more than ten times in 24 hours", async () => {
    await world.join("target@example.org");
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, (_, index) =>
        enter("target@example.org", `guess number ${index}`, `192.0.2.${index % 250}`),
      ),
    );
    const guesses = [...answers];
    expect(answers.filter((answer) => !answer.ok && answer.refusal.error === "BAD_CREDENTIALS")).toHaveLength(3);
    const waits: number[] = [];
    const begun = Number(now());
    while (Number(now()) < begun + 86_400_000) {
      const locked = await enter("target@example.org", "another guess", "198.51.100.77");
      if (locked.ok) throw new Error("no guess was right");
      const retryAt = Number((locked.refusal.params as { retryAt?: number } | undefined)?.retryAt ?? now());
      if (retryAt > Number(now())) waits.push(retryAt - Number(now()));
      guesses.push(locked);
      world.pass(Math.max(0, retryAt - Number(now())));
    }
    const judged = guesses.filter((answer) => !answer.ok && answer.refusal.error === "BAD_CREDENTIALS");
    expect(judged.length).toBeLessThanOrEqual(10);
    expect(judged.length).toBeGreaterThan(8);
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    expect(Math.max(...waits)).toBeLessThanOrEqual(5.5 * 3_600_000);
  });

  it("leaves the next try to the owner's new device while someone guesses from one place without a pause", async () => {
    await world.join("new-phone@example.org");
    const guessed = () => enter("new-phone@example.org", "a guess", "198.51.100.66");
    for (const slot of [4, 5, 6, 7, 8, 9]) {
      let answer = await guessed();
      while (!answer.ok && answer.refusal.error === "BAD_CREDENTIALS") answer = await guessed();
      const { retryAt = 0 } = ((answer.ok ? null : answer.refusal.params) ?? {}) as { retryAt?: number };
      // One second before the guesser may try again, the owner has already been allowed to for a while.
      world.pass(retryAt - Number(now()) - 1_000);
      expect([slot, (await enter("new-phone@example.org", PASSWORD, "198.51.100.67")).ok]).toEqual([slot, true]);
      world.pass(1_000);
    }
  });

  it("lets the owner in on a known device, whatever strangers tried, even from the same address", async () => {
    const owner = world.browser("198.51.100.7");
    await world.join("owner@example.org");
    const login = { account: "owner@example.org", password: PASSWORD };
    expect(await logIn(world.context, login, owner())).toMatchObject({ ok: true });
    for (let round = 0; round < 40; round += 1) {
      await enter("owner@example.org", `guess ${round}`, "198.51.100.7");
      world.pass(3_600_000);
    }
    for (let round = 0; round < 4; round += 1) await enter("owner@example.org", "a guess", "198.51.100.7");
    expect(await enter("owner@example.org", PASSWORD, "198.51.100.7")).toMatchObject({
      refusal: { error: "TOO_MANY_TRIES" },
    });
    expect(await logIn(world.context, login, owner())).toMatchObject({ ok: true });
  });

  it("reports a device as new to the account, even if someone else has used it", async () => {
    await world.join("first@example.org");
    await world.join("second@example.org");
    const device = world.browser();
    const news: string[] = [];
    const login = (account: string) =>
      logIn(
        world.context,
        { account, password: PASSWORD },
        { ...device(), noteNewDevice: () => void news.push(account) },
      );
    for (const account of ["first@example.org", "first@example.org", "second@example.org", "second@example.org"])
      expect((await login(account)).ok).toBe(true);
    expect(news).toEqual(["first@example.org", "second@example.org"]);
  });

  it("counts a known device's own mistakes separately: minutes of waiting, cleared by the right password", async () => {
    const owner = world.browser("198.51.100.9");
    await world.join("mistypes@example.org");
    const login = { account: "mistypes@example.org", password: PASSWORD };
    await logIn(world.context, login, owner());
    const mistype = () => logIn(world.context, { ...login, password: "mistyped again" }, owner());
    for (let wrong = 0; wrong < 5; wrong += 1)
      expect(await mistype()).toMatchObject({ refusal: { error: "BAD_CREDENTIALS" } });
    expect(await mistype()).toMatchObject({
      refusal: { error: "TOO_MANY_TRIES", params: { retryAt: Number(now()) + 30_000 } },
    });
    expect(await enter("mistypes@example.org", PASSWORD, "198.51.100.10")).toMatchObject({ ok: true });
    world.pass(30_000);
    expect(await logIn(world.context, login, owner())).toMatchObject({ ok: true });
    for (let wrong = 0; wrong < 5; wrong += 1)
      expect(await mistype()).toMatchObject({ refusal: { error: "BAD_CREDENTIALS" } });
  });

  it("grants no exemption to another account's device or to a forged device key", async () => {
    await world.join("victim@example.org");
    await world.join("attacker@example.org");
    const browser = world.browser("198.51.100.11");
    await logIn(world.context, { account: "attacker@example.org", password: PASSWORD }, browser());
    const forged = readDeviceKey(`${"A".repeat(32)}.${"A".repeat(22)}`, world.context.config.secret, "member");
    expect(forged).toBeNull();
    const visitors = [browser(), browser(), browser(), browser()];
    const answers = [];
    for (const visitor of visitors)
      answers.push(await logIn(world.context, { account: "victim@example.org", password: "a guess" }, visitor));
    expect(answers.map((answer) => !answer.ok && answer.refusal.error)).toEqual([
      "BAD_CREDENTIALS",
      "BAD_CREDENTIALS",
      "BAD_CREDENTIALS",
      "TOO_MANY_TRIES",
    ]);
  });

  it("slows an address that was wrong too often, but still lets the right password in from there", async () => {
    const office = "2001:db8:1:2::";
    await world.join("colleague@example.org");
    const colleague = world.browser(`${office}1`);
    await logIn(world.context, { account: "colleague@example.org", password: PASSWORD }, colleague());
    await world.join("newcomer@example.org");
    const spray = Array.from({ length: 200 }, (_, index) =>
      enter(`spray${index}@example.org`, "Summer2026!!", `${office}${(index % 9) + 1}`),
    );
    const known = await logIn(world.context, { account: "colleague@example.org", password: PASSWORD }, colleague());
    expect(known).toMatchObject({ ok: true });
    const answers = await Promise.all(spray);
    const braked = answers.filter((answer) => !answer.ok && answer.refusal.error === "RATE_LIMITED");
    expect(braked.length).toBeGreaterThan(120);
    const [first] = braked;
    const retryAt = !first || first.ok ? 0 : (first.refusal.params as { retryAt: number }).retryAt;
    expect(retryAt - Number(now())).toBeLessThanOrEqual(10_000);
    // Another network isn't affected, and the right password works from this one as soon as its turn comes.
    expect(await enter("newcomer@example.org", PASSWORD, "2001:db8:1:3::1")).toMatchObject({ ok: true });
    world.pass(10_000);
    expect(await enter("newcomer@example.org", PASSWORD, `${office}1`)).toMatchObject({ ok: true });
  });

  it("lets a member in on a new device from a network where they have a session while someone there goes on guessing", async () => {
    const office = "2001:db8:1:4::";
    await world.join("neighbour@example.org");
    const desk = await enter("neighbour@example.org", PASSWORD, `${office}5`);
    expect(desk.ok).toBe(true);
    const guesses: ReturnType<typeof enter>[] = [];
    const flood = () => {
      for (let index = 0; index < 80; index += 1)
        guesses.push(enter(`stranger${guesses.length}@example.org`, "Summer2026!!", `${office}${(index % 9) + 1}`));
    };
    flood();
    // The flood takes every turn that the address gets.
    for (let second = 0; second < 3; second += 1) {
      world.pass(1_000);
      flood();
      const phone = await enter("neighbour@example.org", PASSWORD, `${office}6`);
      expect(phone).toMatchObject({ ok: true });
    }
    // This doesn't make guessing easier: the account's own tries are counted as usual.
    const wrong = [];
    for (let guess = 0; guess < 4; guess += 1)
      wrong.push(await enter("neighbour@example.org", "a guess", `${office}1`));
    expect(wrong.map((answer) => !answer.ok && answer.refusal.error)).toEqual([
      "BAD_CREDENTIALS",
      "BAD_CREDENTIALS",
      "BAD_CREDENTIALS",
      "TOO_MANY_TRIES",
    ]);
    // An account without a session in that network waits with the others.
    const unseen = await enter("somebody@example.org", "a guess", `${office}2`);
    expect(unseen).toMatchObject({ ok: false, refusal: { error: "RATE_LIMITED" } });
    await Promise.all(guesses);
  });

  it("gives a try back if it couldn't be judged", async () => {
    await world.join("fault@example.org");
    const { sessions } = world.context.databases;
    const broken = {
      ...world.context,
      databases: {
        ...world.context.databases,
        sessions: {
          ...sessions,
          query: (text: string, values?: readonly unknown[]) =>
            text.includes("password_hash")
              ? Promise.reject(new Error("the database is away"))
              : sessions.query(text, values),
        },
      },
    } as typeof world.context;
    const login = { account: "fault@example.org", password: PASSWORD };
    for (let fault = 0; fault < 12; fault += 1)
      await expect(logIn(broken, login, world.visitor("198.51.100.12"))).rejects.toThrow("the database is away");
    expect(await enter("fault@example.org", PASSWORD, "198.51.100.12")).toMatchObject({ ok: true });
  });

  it("doesn't limit correct logins, even many at once", async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => enter("maria@example.org")));
    expect(answers.every(({ ok }) => ok)).toBe(true);
  });

  it("lets suspended and excluded members in, and reveals a closed account only to someone who knows the password", async () => {
    const { memberId } = await world.join("standing@example.org");
    const stand = (standing: string, reason: string | null = null) =>
      world.context.databases.sessions.query(
        "UPDATE members SET standing = $2, standing_reason = $3 WHERE member_id = $1",
        [memberId, standing, reason],
      );
    await stand("suspended", "used by another person");
    expect(await enter("standing@example.org")).toMatchObject({
      value: { userInfo: { standing: "suspended", standingReason: "used by another person" } },
    });
    await stand("excluded");
    expect(await enter("standing@example.org")).toMatchObject({ value: { userInfo: { standing: "excluded" } } });
    await stand("closed");
    expect(await enter("standing@example.org")).toMatchObject({ refusal: { error: "CLOSED" } });
    expect(await enter("standing@example.org", "not the password", "198.51.100.3")).toMatchObject({
      refusal: { error: "BAD_CREDENTIALS" },
    });
  });
});

describe("a session", () => {
  it("is found by its token alone, and a wrong, changed or empty token finds nothing", async () => {
    const { token, memberId } = await world.join("session@example.org");
    expect(await authenticator.authenticate(token)).toMatchObject({ memberId });
    const changed = (token.startsWith("A") ? "B" : "A") + token.slice(1);
    for (const bad of ["", "x", changed, `${token}A`, token.slice(1), "é".repeat(43)]) {
      expect(await authenticator.authenticate(bad)).toBeNull();
    }
  });

  it("ends at once for every call when it is logged out, and logging out twice changes nothing more", async () => {
    await world.join("out@example.org");
    const token = await tokenOf("out@example.org");
    const session = (await authenticator.authenticate(token))!;
    await logOut(world.context, session, now());
    expect(await authenticator.authenticate(token)).toBeNull();
    await expect(logOut(world.context, session, now())).resolves.toBeUndefined();
  });

  it("can't be brought back by a query that was under way when it ended", async () => {
    await world.join("race@example.org");
    for (let round = 0; round < 20; round += 1) {
      const token = await tokenOf("race@example.org");
      const [{ session_id: sessionId, member_id: memberId }] = (await world.context.databases.sessions.query<{
        session_id: bigint;
        member_id: never;
      }>("SELECT session_id, member_id FROM sessions ORDER BY session_id DESC LIMIT 1")) as [
        { session_id: bigint; member_id: never },
      ];
      await Promise.all([
        authenticator.authenticate(token),
        authenticator.authenticate(token),
        logOut(world.context, { sessionId, memberId }, now()),
        authenticator.authenticate(token),
      ]);
      expect(await authenticator.authenticate(token)).toBeNull();
    }
  });

  it("is listed with device and network, and can be revoked only by its owner", async () => {
    const { memberId } = await world.join("devices@example.org");
    const token = await tokenOf("devices@example.org");
    const session = (await authenticator.authenticate(token))!;
    const list = await listSessions(world.context, session, now());
    expect(list).toHaveLength(2);
    expect(list.filter(({ current }) => current)).toEqual([
      expect.objectContaining({
        device: "Safari · iPhone",
        place: "203.0.113.x",
        sessionId: expect.stringMatching(/^ses_/),
      }),
    ]);
    const other = list.find(({ current }) => !current)!;
    const stranger = await world.join("stranger@example.org");
    expect(await revokeSession(world.context, stranger.memberId, other.sessionId, now())).toMatchObject({
      refusal: { error: "NOT_FOUND" },
    });
    expect(await revokeSession(world.context, memberId, "ses_nonsense", now())).toMatchObject({
      refusal: { error: "NOT_FOUND" },
    });
    expect((await revokeSession(world.context, memberId, other.sessionId, now())).ok).toBe(true);
    expect((await revokeSession(world.context, memberId, other.sessionId, now())).ok).toBe(true);
    expect(await listSessions(world.context, session, now())).toHaveLength(1);
  });

  it("ends if it was unused for the longest when an eleventh begins, and the member is told why", async () => {
    const { memberId, token: oldest } = await world.join("many@example.org");
    world.pass(1_000);
    const tokens: string[] = [];
    for (let login = 0; login < 9; login += 1) tokens.push(await tokenOf("many@example.org"));
    expect(await authenticator.authenticate(oldest)).not.toBeNull();
    const told: bigint[] = [];
    const stop = world.context.bus.subscribe("sessionsEnded", ({ sessionIds }) => told.push(...sessionIds));
    await Promise.all(Array.from({ length: 3 }, () => tokenOf("many@example.org")));
    stop();
    expect(told).toHaveLength(3);
    expect(await authenticator.authenticate(oldest)).toBeNull();
    const live = await world.context.databases.reader.query(
      "SELECT 1 FROM sessions WHERE member_id = $1 AND ended_at IS NULL",
      [memberId],
    );
    expect(live).toHaveLength(10);
    const messages = await world.context.databases.reader.query<{ params: unknown }>(
      "SELECT params FROM member_messages WHERE member_id = $1 AND message_key = 'tooManySessions'",
      [memberId],
    );
    expect(messages.map(({ params }) => params)).toEqual(
      Array.from({ length: 3 }, () => ({ device: "Safari · iPhone", place: "203.0.113.x" })),
    );
  });

  it("is extended while it is used, ends after a week without use, and after 90 days in any case", async () => {
    await world.join("slide@example.org");
    const token = await tokenOf("slide@example.org");
    const day = 86_400_000;
    for (let used = 0; used < 14; used += 1) {
      world.pass(6 * day);
      expect(await authenticator.authenticate(token)).not.toBeNull();
    }
    world.pass(5 * day);
    expect(await authenticator.authenticate(token)).not.toBeNull();
    world.pass(2 * day);
    expect(await authenticator.authenticate(token)).toBeNull();
    const idle = await tokenOf("slide@example.org");
    world.pass(7 * day);
    expect(await authenticator.authenticate(idle)).toBeNull();
  });

  it("ends with all others when a member is locked out", async () => {
    const { memberId, token } = await world.join("shut@example.org");
    const second = await tokenOf("shut@example.org");
    const told: bigint[] = [];
    const stop = world.context.bus.subscribe("sessionsEnded", ({ sessionIds }) => told.push(...sessionIds));
    await endAllSessions(world.context, memberId, now());
    stop();
    expect(told).toHaveLength(2);
    expect(await authenticator.authenticate(token)).toBeNull();
    expect(await authenticator.authenticate(second)).toBeNull();
  });

  it("is stored as a hash of its token, never as the token", async () => {
    const token = await tokenOf("maria@example.org");
    const rows = await world.context.databases.sessions.query<{ token_hash: Buffer }>(
      "SELECT token_hash FROM sessions",
    );
    expect(rows.every(({ token_hash }) => token_hash.length === 32)).toBe(true);
    expect(rows.some(({ token_hash }) => token_hash.equals(Buffer.from(token, "base64url")))).toBe(false);
  });
});

describe("security notices", () => {
  const told = async (account: string) =>
    (
      await world.context.databases.reader.query<{ told: string }>(
        `SELECT message_key || coalesce(' ' || nullif(params, '{}')::text, '') AS told
         FROM member_messages JOIN members USING (member_id) WHERE email = $1 ORDER BY message_id`,
        [account],
      )
    ).map((row) => row.told);

  it("report a device that the account has never seen, once", async () => {
    await world.join("new-device@example.org");
    await enter("new-device@example.org", PASSWORD, "198.51.100.77");
    expect(await told("new-device@example.org")).toEqual([]);
    const other = { ...world.visitor("198.51.100.78"), userAgent: "Mozilla/5.0 (Windows NT 10.0) Firefox/140.0" };
    for (let time = 0; time < 2; time += 1)
      await logIn(world.context, { account: "new-device@example.org", password: PASSWORD }, { ...other, now: now() });
    expect(await told("new-device@example.org")).toEqual([
      'newDevice {"place": "198.51.100.x", "device": "Firefox · Windows"}',
    ]);
  });

  it("report password changes, but not refused ones", async () => {
    const { memberId } = await world.join("told@example.org");
    const by = { memberId, sessionId: 0n, now: now() };
    const change = { password: "another quiet harbour", confirmPassword: "another quiet harbour" };
    const digits = { password: "135790", confirmPassword: "135790" };
    await setTradePassword(world.context, { ...digits, loginPassword: "wrong password" }, by);
    await setTradePassword(world.context, { ...digits, loginPassword: PASSWORD }, by);
    await setTradePassword(world.context, { ...digits, oldPassword: "000000" }, by);
    await setTradePassword(world.context, { ...digits, oldPassword: "135790" }, by);
    await changeLoginPassword(world.context, { oldPassword: "wrong password", ...change }, by);
    await changeLoginPassword(world.context, { oldPassword: PASSWORD, ...change }, by);
    const address = "told@example.org";
    const code = await world.codeFor(address, "reset");
    await resetPassword(world.context, change, { address, code, ip: "203.0.113.9", now: now() });
    expect(await told(address)).toEqual([
      "tradePasswordSet",
      "tradePasswordChanged",
      "loginPasswordChanged",
      expect.stringMatching(/^withdrawalsRest /),
      "loginPasswordReset",
    ]);
  });
});
