import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Authenticator, createAuthenticator } from "./authenticate.ts";
import { changeLoginPassword, resetPassword } from "./change-login-password.ts";
import { logIn } from "./log-in.ts";
import { sendCode } from "./send-code.ts";
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

const NEW = "a louder harbour at dusk";
const twice = (password: string) => ({ password, confirmPassword: password });
const now = () => world.context.clock.now();
const enter = (account: string, password: string) => logIn(world.context, { account, password }, world.visitor());
const by = async (token: string) => ({ ...(await authenticator.authenticate(token))!, ip: "203.0.113.7", now: now() });

describe("the login password", () => {
  it("is changed with the old one; the other sessions end, and the owner gets a mail", async () => {
    const { token } = await world.join("change@example.org");
    const other = await enter("change@example.org", PASSWORD);
    if (!other.ok) throw new Error("no second session");
    expect(
      (await changeLoginPassword(world.context, { oldPassword: PASSWORD, ...twice(NEW) }, await by(token))).ok,
    ).toBe(true);
    expect(await authenticator.authenticate(token)).not.toBeNull();
    expect(await authenticator.authenticate(other.value.access_token)).toBeNull();
    expect((await enter("change@example.org", PASSWORD)).ok).toBe(false);
    expect((await enter("change@example.org", NEW)).ok).toBe(true);
    await world.context.messenger.drained();
    expect(world.inbox.messages("change@example.org")[0]?.subject).toBe("Your Fairtick password was changed");
  });

  it.each([
    ["the wrong old one", { oldPassword: "not the password", ...twice(NEW) }, "WRONG_PASSWORD"],
    ["two that differ", { oldPassword: PASSWORD, password: NEW, confirmPassword: "other" }, "PASSWORDS_DIFFER"],
    ["a short one", { oldPassword: PASSWORD, ...twice("short") }, "PASSWORD_TOO_SHORT"],
    ["a common one", { oldPassword: PASSWORD, ...twice("iloveyou1") }, "PASSWORD_COMMON"],
  ])("is not changed with %s", async (_, change, error) => {
    const { token } = await world.join(`${error.toLowerCase()}@example.org`);
    expect(await changeLoginPassword(world.context, change, await by(token))).toMatchObject({ refusal: { error } });
    expect((await enter(`${error.toLowerCase()}@example.org`, PASSWORD)).ok).toBe(true);
  });

  it("cannot be guessed through a stolen session: its tries are those of logging in", async () => {
    const { token } = await world.join("stolen@example.org");
    for (let wrong = 0; wrong < 10; wrong += 1) {
      const guessed = await changeLoginPassword(
        world.context,
        { oldPassword: `guess ${wrong}`, ...twice(NEW) },
        { ...(await by(token)), ip: `192.0.2.${wrong}` },
      );
      expect(guessed).toMatchObject({ refusal: { error: "WRONG_PASSWORD" } });
    }
    expect(
      await changeLoginPassword(
        world.context,
        { oldPassword: PASSWORD, ...twice(NEW) },
        { ...(await by(token)), ip: "192.0.2.200" },
      ),
    ).toMatchObject({
      refusal: { error: "TOO_MANY_TRIES" },
    });
    expect(await enter("stolen@example.org", PASSWORD)).toMatchObject({ refusal: { error: "TOO_MANY_TRIES" } });
  });

  it("is reset by a code, once, and all sessions end", async () => {
    const { token } = await world.join("reset@example.org");
    const code = await world.codeFor("reset@example.org", "reset");
    const entry = { address: "reset@example.org", code, ip: "203.0.113.7", now: now() };
    const both = await Promise.all([
      resetPassword(world.context, twice(NEW), entry),
      resetPassword(world.context, twice(NEW), entry),
    ]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await authenticator.authenticate(token)).toBeNull();
    expect((await enter("reset@example.org", NEW)).ok).toBe(true);
    expect(await resetPassword(world.context, twice(PASSWORD), entry)).toMatchObject({
      refusal: { error: "BAD_CODE" },
    });
  });

  it("lets its owner in after a reset, however often the old one was guessed, and no host that guessed", async () => {
    const account = "locked@example.org";
    const { memberId } = await world.join(account);
    const phone = "+5511987650001";
    await world.context.databases.sessions.query("UPDATE members SET phone = $2 WHERE member_id = $1", [
      memberId,
      phone,
    ]);
    const from = (ip: string, name: string, password: string) =>
      logIn(world.context, { account: name, password }, world.visitor(ip));
    for (let tries = 0; tries < 10; tries += 1) {
      await from("198.51.100.20", account, "wrong");
      await from("198.51.100.21", phone, "wrong");
    }
    const home = "198.51.100.22";
    expect(await from(home, account, PASSWORD)).toMatchObject({ refusal: { error: "TOO_MANY_TRIES" } });
    const code = await world.codeFor(account, "reset", home);
    expect((await resetPassword(world.context, twice(NEW), { address: account, code, ip: home, now: now() })).ok).toBe(
      true,
    );
    expect((await from(home, account, NEW)).ok).toBe(true);
    expect((await from(home, phone, NEW)).ok).toBe(true);
    expect(await from("198.51.100.20", account, NEW)).toMatchObject({ refusal: { error: "TOO_MANY_TRIES" } });
  });

  it("lets its owner in after a reset from the very host that had tried, but for what that tried elsewhere", async () => {
    const [account, other] = ["one-host@example.org", "elsewhere@example.org"];
    await world.join(account);
    await world.join(other);
    const host = "198.51.100.30";
    const from = (name: string, password: string) =>
      logIn(world.context, { account: name, password }, world.visitor(host));
    for (let tries = 0; tries < 3; tries += 1) await from(other, "wrong");
    world.pass(1_000);
    for (let tries = 0; tries < 7; tries += 1) {
      await from(account, "wrong");
      world.pass(10);
    }
    expect(await from(account, PASSWORD)).toMatchObject({ refusal: { error: "TOO_MANY_TRIES" } });
    const code = await world.codeFor(account, "reset", host);
    expect((await resetPassword(world.context, twice(NEW), { address: account, code, ip: host, now: now() })).ok).toBe(
      true,
    );
    expect((await from(account, NEW)).ok).toBe(true);
    // Three of its ten were at another account: seven are left.
    for (let tries = 0; tries < 7; tries += 1)
      expect(await from(`nobody${tries}@example.org`, "wrong")).toMatchObject({
        refusal: { error: "BAD_CREDENTIALS" },
      });
    expect(await from(account, NEW)).toMatchObject({ refusal: { error: "TOO_MANY_TRIES" } });
  });

  it("is not reset by a code that was sent for something else", async () => {
    await world.join("purpose@example.org");
    const code = await world.codeFor("purpose@example.org", "tradePassword");
    const entry = { address: "purpose@example.org", code, ip: "198.51.100.4", now: now() };
    expect(await resetPassword(world.context, twice(NEW), entry)).toMatchObject({ refusal: { error: "BAD_CODE" } });
  });

  it("does not tell by a code's sending whether an address is known, though only the known one gets it", async () => {
    await world.join("exists@example.org");
    const ask = (to: string) =>
      sendCode(world.context, { channel: "email", to, purpose: "reset" }, world.visitor("198.51.100.5"));
    const known = await ask("exists@example.org");
    const unknown = await ask("absent@example.org");
    expect(known).toEqual(unknown);
    await world.context.messenger.drained();
    expect(world.inbox.messages("absent@example.org")).toHaveLength(0);
    expect(world.inbox.messages("exists@example.org")).toHaveLength(2);
    const times = { known: [] as number[], unknown: [] as number[] };
    for (let round = 0; round < 80; round += 1) {
      world.pass(86_400_000);
      const turns = [
        ["known", "exists@example.org"],
        ["unknown", "absent@example.org"],
      ] as const;
      // Whoever comes second finds the machine busy with the first one's mail: each is second as often.
      for (const [kind, to] of round % 2 === 0 ? turns : turns.toReversed()) {
        const start = performance.now();
        await ask(to);
        times[kind].push(performance.now() - start);
        await world.context.messenger.drained();
      }
    }
    const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;
    // Sending the mail takes as long as all the rest and longer; it must not stand in the answer's time.
    expect(median(times.known) / median(times.unknown)).toBeGreaterThan(0.6);
    expect(median(times.known) / median(times.unknown)).toBeLessThan(1.6);
    const guessed = await resetPassword(world.context, twice(NEW), {
      address: "absent@example.org",
      code: "000000",
      ip: "198.51.100.6",
      now: now(),
    });
    expect(guessed).toMatchObject({ refusal: { error: "BAD_CODE" } });
  });
});
