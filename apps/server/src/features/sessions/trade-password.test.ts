import type { MemberId } from "@fairtick/domain";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createSessionsWorld, PASSWORD, type SessionsWorld } from "./testing.ts";
import { checkTradePassword, resetTradePassword, setTradePassword } from "./trade-password.ts";

let world: SessionsWorld;
beforeAll(async () => {
  world = await createSessionsWorld();
});
afterAll(async () => {
  await world.close();
});

const twice = (password: string) => ({ password, confirmPassword: password });
const now = () => world.context.clock.now();
const by = (memberId: MemberId) => ({ memberId, sessionId: BigInt(memberId), now: now() });
const first = (password: string) => ({ ...twice(password), loginPassword: PASSWORD });

describe("the trade password", () => {
  const setUp = async (address: string): Promise<MemberId> => {
    const { memberId } = await world.join(address);
    expect(await checkTradePassword(world.context, memberId, "123456", now())).toMatchObject({
      refusal: { error: "TRADE_PASSWORD_NOT_SET" },
    });
    expect((await setTradePassword(world.context, first("246810"), by(memberId))).ok).toBe(true);
    return memberId;
  };

  it("is set once without the old one, afterwards only with it", async () => {
    const memberId = await setUp("trade@example.org");
    expect((await checkTradePassword(world.context, memberId, "246810", now())).ok).toBe(true);
    expect(await setTradePassword(world.context, twice("804271"), by(memberId))).toMatchObject({
      refusal: { error: "FIELD_MISSING", fields: { oldPassword: "FIELD_MISSING" } },
    });
    expect(
      await setTradePassword(world.context, { ...twice("804271"), oldPassword: "999999" }, by(memberId)),
    ).toMatchObject({
      refusal: { error: "TRADE_PASSWORD_WRONG", params: { left: 4 } },
    });
    expect(
      (await setTradePassword(world.context, { ...twice("804271"), oldPassword: "246810" }, by(memberId))).ok,
    ).toBe(true);
    expect((await checkTradePassword(world.context, memberId, "804271", now())).ok).toBe(true);
    expect(await setTradePassword(world.context, { password: "1", confirmPassword: "2" }, by(memberId))).toMatchObject({
      refusal: { error: "PASSWORDS_DIFFER" },
    });
  });

  it("needs the login password the first time, since an open session is not enough", async () => {
    const { memberId } = await world.join("first@example.org");
    const set = (loginPassword?: string) =>
      setTradePassword(world.context, { ...twice("246810"), loginPassword }, by(memberId));
    expect(await set()).toMatchObject({
      refusal: { error: "FIELD_MISSING", fields: { loginPassword: "FIELD_MISSING" } },
    });
    for (let tries = 0; tries < 5; tries += 1)
      expect(await set("not the password")).toMatchObject({ refusal: { error: "WRONG_PASSWORD" } });
    // Guesses are counted, and none of them set a transaction password.
    expect(await set(PASSWORD)).toMatchObject({ refusal: { error: "TOO_MANY_TRIES" } });
    expect(await checkTradePassword(world.context, memberId, "246810", now())).toMatchObject({
      refusal: { error: "TRADE_PASSWORD_NOT_SET" },
    });
    world.pass(86_400_000);
    expect((await set(PASSWORD)).ok).toBe(true);
    expect((await checkTradePassword(world.context, memberId, "246810", now())).ok).toBe(true);
  });

  it.each(["123456", "777777", "123123", "170590"])("can't be %s, which a thief would try first", async (pin) => {
    const { memberId } = await world.join(`pin${pin}@example.org`);
    await world.context.databases.sessions.query(
      "SELECT submit_identity_basics($1, 'Silva', 'Ana', 'female', '1990-05-17')",
      [memberId],
    );
    const refusal = { error: "PASSWORD_COMMON", fields: { password: "PASSWORD_COMMON" } };
    expect(await setTradePassword(world.context, first(pin), by(memberId))).toMatchObject({ refusal });
    const code = await world.codeFor(`pin${pin}@example.org`, "tradePassword");
    const reset = { channel: "email" as const, code, loginPassword: PASSWORD, ...twice(pin) };
    const member = { memberId, sessionId: 1n, ip: "203.0.113.7", now: now() };
    expect(await resetTradePassword(world.context, reset, member)).toMatchObject({ refusal });
    // The code is not used up, so a better password can be set with it.
    expect((await resetTradePassword(world.context, { ...reset, ...twice("804271") }, member)).ok).toBe(true);
  });

  it("is set by only one of two requests that both find none", async () => {
    const { memberId } = await world.join("both@example.org");
    const both = await Promise.all([
      setTradePassword(world.context, first("471108"), by(memberId)),
      setTradePassword(world.context, first("471109"), by(memberId)),
    ]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  });

  it("locks after five wrong tries sent at once, and then refuses the right one until a day has passed", async () => {
    const memberId = await setUp("lock@example.org");
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => checkTradePassword(world.context, memberId, "000000", now())),
    );
    const wrong = answers.flatMap((answer) =>
      !answer.ok && answer.refusal.error === "TRADE_PASSWORD_WRONG" ? [answer.refusal.params!["left"]] : [],
    );
    expect(new Set(wrong)).toEqual(new Set([0, 1, 2, 3, 4]));
    expect(wrong).toHaveLength(5);
    expect(await checkTradePassword(world.context, memberId, "246810", now())).toMatchObject({
      refusal: { error: "TRADE_PASSWORD_LOCKED", params: { until: Number(now()) + 86_400_000 } },
    });
    world.pass(86_400_000);
    expect((await checkTradePassword(world.context, memberId, "246810", now())).ok).toBe(true);
  });

  it("is never locked by right ones, however many are sent at once, even with a single try left", async () => {
    const memberId = await setUp("taps@example.org");
    const check = (password: string) => checkTradePassword(world.context, memberId, password, now());
    const right = () => Promise.all(Array.from({ length: 8 }, () => check("246810")));
    expect((await right()).filter(({ ok }) => !ok)).toEqual([]);
    for (const left of [4, 3, 2, 1])
      expect(await check("000000")).toMatchObject({ refusal: { error: "TRADE_PASSWORD_WRONG", params: { left } } });
    expect((await right()).filter(({ ok }) => !ok)).toEqual([]);
    // When mixed, each right one gives the wrong ones after it all five tries again.
    const mixed = await Promise.all(
      Array.from({ length: 50 }, (_, place) => check(place % 2 === 0 ? "246810" : `00${1000 + place}`)),
    );
    const said = mixed.map((answer) => (answer.ok ? "right" : answer.refusal.error));
    expect(said.filter((word) => word === "TRADE_PASSWORD_WRONG")).toHaveLength(25);
  });

  it("has all its tries again after the right one", async () => {
    const memberId = await setUp("again@example.org");
    const check = (password: string) => checkTradePassword(world.context, memberId, password, now());
    for (const left of [4, 3, 2, 1]) expect(await check("000000")).toMatchObject({ refusal: { params: { left } } });
    expect((await check("246810")).ok).toBe(true);
    for (const left of [4, 3, 2, 1, 0]) expect(await check("000000")).toMatchObject({ refusal: { params: { left } } });
    expect(await check("246810")).toMatchObject({ refusal: { error: "TRADE_PASSWORD_LOCKED" } });
  });

  it("is never locked by right ones that several processes judge", async () => {
    const memberId = await setUp("processes@example.org");
    // Each process has its own queue. They share only the database.
    const processes: (typeof checkTradePassword)[] = [];
    for (let count = 0; count < 3; count += 1) {
      vi.resetModules();
      processes.push((await import("./trade-password.ts")).checkTradePassword);
    }
    expect(new Set(processes).size).toBe(3);
    const sent = (password: string) => processes.map((check) => check(world.context, memberId, password, now()));
    for (const left of [4, 3, 2, 1])
      expect(await checkTradePassword(world.context, memberId, "000000", now())).toMatchObject({
        refusal: { params: { left } },
      });
    const right = await Promise.all(Array.from({ length: 5 }, () => sent("246810")).flat());
    expect(right.filter(({ ok }) => !ok)).toEqual([]);
    // The right ones cleared the tries. Of the wrong ones after them, all processes together count five.
    const wrong = await Promise.all(Array.from({ length: 3 }, () => sent("000000")).flat());
    expect(wrong.filter((answer) => !answer.ok && answer.refusal.error === "TRADE_PASSWORD_WRONG")).toHaveLength(5);
  });

  it("is reset by a code to the member's own address and the login password, which ends a lock", async () => {
    const memberId = await setUp("forgot@example.org");
    await Promise.all(Array.from({ length: 6 }, () => checkTradePassword(world.context, memberId, "000000", now())));
    const code = await world.codeFor("forgot@example.org", "tradePassword");
    const reset = { channel: "email" as const, code, loginPassword: PASSWORD, ...twice("135790") };
    const member = { memberId, sessionId: 1n, ip: "203.0.113.7", now: now() };
    expect(
      await resetTradePassword(world.context, { ...reset, loginPassword: "not the password" }, member),
    ).toMatchObject({ refusal: { error: "WRONG_PASSWORD" } });
    expect(await resetTradePassword(world.context, { ...reset, channel: "phone" }, member)).toMatchObject({
      refusal: { error: "FIELD_INVALID" },
    });
    expect(await resetTradePassword(world.context, { ...reset, code: "wrong!" }, member)).toMatchObject({
      refusal: { error: "BAD_CODE" },
    });
    expect((await resetTradePassword(world.context, reset, member)).ok).toBe(true);
    expect((await checkTradePassword(world.context, memberId, "135790", now())).ok).toBe(true);
    expect(await resetTradePassword(world.context, reset, member)).toMatchObject({ refusal: { error: "BAD_CODE" } });
  });
});
