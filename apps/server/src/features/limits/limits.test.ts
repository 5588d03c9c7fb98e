import type { Instant, MemberId, MicroUsd } from "@fairtick/domain";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { memberInfo } from "../members/index.ts";
import { createSessionsWorld, type SessionsWorld } from "../sessions/testing.ts";
import { excludeSelf, type LimitsChange, readLimits, setLimits } from "./limits.ts";

const DAY = 86_400_000;
let world: SessionsWorld;
let memberId: MemberId;
let count = 0;
beforeAll(async () => {
  world = await createSessionsWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  ({ memberId } = await world.join(`limits${(count += 1)}@example.org`));
});

const now = () => world.context.clock.now();
const usd = (dollars: number) => BigInt(dollars * 1_000_000) as MicroUsd;
const change = (limits: LimitsChange) => setLimits(world.context, memberId, limits, now());
const inForce = () => readLimits(world.context.databases.sessions, memberId, now());
const later = (ms: number) => (now() + BigInt(ms)) as Instant;

describe("a member's own limits", () => {
  it("don't exist until they set them", async () => {
    expect(await inForce()).toEqual({
      dailyLoss: null,
      dailyStake: null,
      sessionMinutes: null,
      coolOffUntil: null,
      excludedUntil: null,
      pending: [],
    });
  });

  it("apply at once when they are set or lowered", async () => {
    expect(await change({ dailyLoss: usd(100), dailyStake: usd(500), sessionMinutes: 60 })).toMatchObject({
      value: { dailyLoss: "100.00", dailyStake: "500.00", sessionMinutes: 60, pending: [] },
    });
    expect(await change({ dailyLoss: usd(50) })).toMatchObject({ value: { dailyLoss: "50.00", dailyStake: "500.00" } });
  });

  it("are raised or lifted after 24 hours, which repeating the request doesn't restart", async () => {
    await change({ dailyLoss: usd(50), sessionMinutes: 30 });
    const at = Number(now()) + DAY;
    await change({ dailyLoss: usd(200), sessionMinutes: null });
    world.pass(3_600_000);
    expect(await change({ dailyLoss: usd(200) })).toMatchObject({
      value: {
        dailyLoss: "50.00",
        sessionMinutes: 30,
        pending: [
          { limit: "dailyLoss", value: "200.00", at },
          { limit: "sessionMinutes", value: null, at },
        ],
      },
    });
    world.pass(DAY - 3_600_000 - 1);
    expect(await inForce()).toMatchObject({ dailyLoss: "50.00" });
    world.pass(1);
    expect(await inForce()).toMatchObject({ dailyLoss: "200.00", sessionMinutes: null, pending: [] });
  });

  it("let a raise be canceled, and another one wait its own 24 hours", async () => {
    await change({ dailyStake: usd(100) });
    await change({ dailyStake: usd(300) });
    world.pass(DAY / 2);
    expect(await change({ dailyStake: usd(400) })).toMatchObject({
      value: { dailyStake: "100.00", pending: [{ value: "400.00", at: Number(now()) + DAY }] },
    });
    expect(await change({ dailyStake: usd(100) })).toMatchObject({ value: { dailyStake: "100.00", pending: [] } });
    await change({ dailyStake: usd(900) });
    expect(await change({ dailyStake: usd(80) })).toMatchObject({ value: { dailyStake: "80.00", pending: [] } });
  });

  it("changed several times at once end as if the changes had come one after another", async () => {
    await Promise.all([change({ dailyLoss: usd(10) }), change({ dailyLoss: usd(20) }), change({ dailyLoss: usd(30) })]);
    expect((await inForce()).dailyLoss).toBe("10.00");
  });
});

describe("a cool-off", () => {
  it("starts at once, and can be extended but never shortened", async () => {
    const until = later(DAY);
    expect(await change({ coolOffUntil: until })).toMatchObject({ value: { coolOffUntil: Number(until) } });
    expect(await change({ coolOffUntil: until })).toMatchObject({ ok: true });
    expect(await change({ coolOffUntil: later(2 * DAY) })).toMatchObject({ ok: true });
    expect(await change({ coolOffUntil: until })).toMatchObject({
      refusal: { error: "FIELD_INVALID", fields: { coolOffUntil: "FIELD_INVALID" } },
    });
    world.pass(2 * DAY);
    expect((await inForce()).coolOffUntil).toBeNull();
  });

  it.each([
    ["past", -1],
    ["beyond a year", 400 * DAY],
  ])("is refused when it is %s", async (_, ms) => {
    expect(await change({ coolOffUntil: later(ms) })).toMatchObject({ refusal: { error: "FIELD_INVALID" } });
  });
});

describe("excluding oneself", () => {
  it("is shown as the standing until its end, which can be moved later but never earlier", async () => {
    const until = later(30 * DAY);
    expect(await excludeSelf(world.context, memberId, until, now())).toMatchObject({
      value: { excludedUntil: Number(until) },
    });
    expect(await excludeSelf(world.context, memberId, later(DAY), now())).toMatchObject({
      value: { excludedUntil: Number(until) },
    });
    expect(await memberInfo(world.context, memberId, now())).toMatchObject({ standing: "excluded" });
    world.pass(30 * DAY);
    expect(await memberInfo(world.context, memberId, now())).toMatchObject({ standing: "active" });
  });

  it("does not lift a suspension", async () => {
    await world.context.databases.sessions.query("UPDATE members SET standing = 'suspended' WHERE member_id = $1", [
      memberId,
    ]);
    await excludeSelf(world.context, memberId, later(DAY), now());
    world.pass(2 * DAY);
    expect(await memberInfo(world.context, memberId, now())).toMatchObject({ standing: "suspended" });
  });

  it("is refused for an instant in the past", async () => {
    expect(await excludeSelf(world.context, memberId, now(), now())).toMatchObject({
      refusal: { error: "FIELD_INVALID" },
    });
  });
});
