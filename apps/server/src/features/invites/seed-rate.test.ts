import { utcDay } from "@fairtick/domain";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../platform/clock.ts";
import { createTestContext, type TestContext } from "../../platform/test-context.ts";
import { readReferralRate } from "./read-invites.ts";
import { SANDBOX_REFERRAL_RATE, seedReferralRate } from "./seed-rate.ts";

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.close());

const live = () => ({ ...context, config: { ...context.config, deployment: "live" as const } });
const rateOn = (days: number) => readReferralRate(context.databases.reader, utcDay(systemClock.now()) + days);
const rates = async () => (await context.databases.console.query("SELECT rate FROM referral_rates")).length;

describe("the first reward for invitations", () => {
  it("isn't seeded in a live deployment, whose operators set it", async () => {
    await seedReferralRate(live());
    expect(await rates()).toBe(0);
    expect(await rateOn(0)).toBe(0n);
  });

  it("is a tenth of the fees in a sandbox from today on, and is stored once", async () => {
    await Promise.all([seedReferralRate(context), seedReferralRate(context)]);
    await seedReferralRate(context);
    expect(await rates()).toBe(1);
    expect(SANDBOX_REFERRAL_RATE).toBe(100_000n);
    expect([await rateOn(-1), await rateOn(0), await rateOn(30)]).toEqual([0n, 100_000n, 100_000n]);
  });
});
