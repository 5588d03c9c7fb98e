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
const by = async (token: string) => ({ ...(await authenticator.authenticate(token))!, now: now() });

describe("the login password", () => {
  it("is changed with the old one, which ends the other sessions and sends the owner a mail", async () => {
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

  it("can't be guessed through a stolen session, whose tries don't lock anyone else out", async () => {
    const { token } = await world.join("stolen@example.org");
    const mine = await enter("stolen@example.org", PASSWORD);
    if (!mine.ok) throw new Error("no session");
    const guessOld = async (oldPassword: string) =>
      changeLoginPassword(world.context, { oldPassword, ...twice(NEW) }, await by(token));
    for (let wrong = 0; wrong < 5; wrong += 1)
      expect(await guessOld(`guess ${wrong}`)).toMatchObject({ refusal: { error: "WRONG_PASSWORD" } });
    expect(await guessOld(PASSWORD)).toMatchObject({ refusal: { error: "TOO_MANY_TRIES" } });
    expect(await enter("stolen@example.org", PASSWORD)).toMatchObject({ ok: true });
    const change = { oldPassword: PASSWORD, ...twice(NEW) };
    expect(await changeLoginPassword(world.context, change, await by(mine.value.access_token))).toMatchObject({
      ok: true,
    });
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

  it("ends the wait after strangers' guesses when it is reset, and the device is known from then on", async () => {
    const account = "locked@example.org";
    await world.join(account);
    const home = world.browser("198.51.100.22");
    for (let tries = 0; tries < 4; tries += 1)
      await logIn(world.context, { account, password: "wrong" }, world.visitor("198.51.100.20"));
    expect(await logIn(world.context, { account, password: PASSWORD }, home())).toMatchObject({
      refusal: { error: "TOO_MANY_TRIES" },
    });
    const code = await world.codeFor(account, "reset", home());
    expect(await resetPassword(world.context, twice(NEW), { address: account, code, ...home() })).toMatchObject({
      ok: true,
    });
    for (let tries = 0; tries < 4; tries += 1)
      await logIn(world.context, { account, password: "wrong" }, world.visitor("198.51.100.20"));
    expect(await logIn(world.context, { account, password: NEW }, world.visitor("198.51.100.23"))).toMatchObject({
      refusal: { error: "TOO_MANY_TRIES" },
    });
    expect(await logIn(world.context, { account, password: NEW }, home())).toMatchObject({ ok: true });
  });

  it("makes all other devices unknown when it is changed or reset", async () => {
    const account = "thief@example.org";
    const { token } = await world.join(account);
    const [thief, owner] = [world.browser("198.51.100.40"), world.browser("198.51.100.41")];
    await logIn(world.context, { account, password: PASSWORD }, thief());
    await logIn(world.context, { account, password: PASSWORD }, owner());
    const change = { oldPassword: PASSWORD, ...twice(NEW) };
    const changed = await changeLoginPassword(world.context, change, {
      ...(await by(token)),
      deviceKey: owner().deviceKey,
    });
    expect(changed).toMatchObject({ ok: true });
    for (let tries = 0; tries < 3; tries += 1) await logIn(world.context, { account, password: "wrong" }, thief());
    expect(await logIn(world.context, { account, password: NEW }, thief())).toMatchObject({
      refusal: { error: "TOO_MANY_TRIES" },
    });
    expect(await logIn(world.context, { account, password: NEW }, owner())).toMatchObject({ ok: true });
  });

  it("can be reset by its owner while a stranger asks for codes and enters wrong ones", async () => {
    const account = "harassed@example.org";
    await world.join(account);
    const [owner, stranger] = [world.browser("198.51.100.50"), world.browser("198.51.100.51")];
    await world.codeFor(account, "reset", stranger());
    const wrong = () => resetPassword(world.context, twice(NEW), { address: account, code: "wrong!", ...stranger() });
    for (let tries = 0; tries < 8; tries += 1) await wrong();
    const keyless = { address: account, code: "wrong!", ip: "198.51.100.52", now: now() };
    for (let tries = 0; tries < 12; tries += 1) await resetPassword(world.context, twice(NEW), keyless);
    world.pass(60_000);
    const code = await world.codeFor(account, "reset", owner());
    for (let tries = 0; tries < 8; tries += 1) await wrong();
    expect(await wrong()).toMatchObject({ refusal: { error: "TOO_MANY_TRIES" } });
    expect(await resetPassword(world.context, twice(NEW), { address: account, code, ...owner() })).toMatchObject({
      ok: true,
    });
  });

  it("can be reset on a known device after strangers have used up the address's codes", async () => {
    const account = "used-up@example.org";
    await world.join(account);
    const owner = world.browser("198.51.100.53");
    await logIn(world.context, { account, password: PASSWORD }, owner());
    const ask = (visitor: Parameters<typeof sendCode>[2]) =>
      sendCode(world.context, { channel: "email", to: account, purpose: "reset" }, visitor);
    const refusals = [];
    for (let round = 0; round < 12; round += 1) {
      const answer = await ask(world.visitor(`198.51.100.${round + 60}`));
      if (!answer.ok) refusals.push(answer.refusal.error);
      world.pass(60_000);
    }
    expect(refusals.length).toBeGreaterThan(4);
    expect(new Set(refusals)).toEqual(new Set(["RATE_LIMITED"]));
    expect(await ask(owner())).toMatchObject({ ok: true });
  });

  it("can be reset with a code that another device asked for", async () => {
    const account = "two-devices@example.org";
    await world.join(account);
    const [asks, types] = [world.browser("198.51.100.54"), world.browser("198.51.100.55")];
    const code = await world.codeFor(account, "reset", asks());
    expect(await resetPassword(world.context, twice(NEW), { address: account, code, ...types() })).toMatchObject({
      ok: true,
    });
  });

  it("isn't reset by a code that was sent for another purpose", async () => {
    await world.join("purpose@example.org");
    const code = await world.codeFor("purpose@example.org", "tradePassword");
    const entry = { address: "purpose@example.org", code, ip: "198.51.100.4", now: now() };
    expect(await resetPassword(world.context, twice(NEW), entry)).toMatchObject({ refusal: { error: "BAD_CODE" } });
  });

  it("doesn't reveal through sending a code whether an address is known, though only a known one gets it", async () => {
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
      // The second request finds the machine busy with the first one's mail, so each kind comes second equally often.
      for (const [kind, to] of round % 2 === 0 ? turns : turns.toReversed()) {
        const start = performance.now();
        await ask(to);
        times[kind].push(performance.now() - start);
        await world.context.messenger.drained();
      }
    }
    const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;
    // Sending the mail takes longer than everything else, so it must not be part of the time until the answer.
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
