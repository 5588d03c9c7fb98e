import { createIdSource, type Instant, type MemberId, startOfUtcDay, utcDay } from "@fairtick/domain";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkInvariants, listFundRecords } from "../ledger/index.ts";
import { createOrderWorld, instant, type OrderWorld, usd } from "../orders/test-world.ts";
import { payReferrals } from "./pay-referrals.ts";
import { listInvited, readInvite } from "./read-invites.ts";

let world: OrderWorld;
let inviter: MemberId;
let invited: MemberId[];
beforeAll(async () => {
  world = await createOrderWorld();
  inviter = (await world.build.createMember()) as MemberId;
  invited = (await world.build.createMembers(3, { real: usd(5_000) })) as MemberId[];
  await world.build.client.query("UPDATE members SET invited_by = $1 WHERE member_id = ANY ($2::bigint[])", [
    inviter,
    invited,
  ]);
  await world.build.client.query("ALTER TABLE referral_rates DROP CONSTRAINT referral_rates_proposal_id_fkey");
});
afterAll(() => world.close());

const referrals = () => ({ ...world.context, ids: createIdSource({ node: 901, clock: world.context.clock }) });
const now = async () => instant(await world.build.now());
/** Sets a rate for today, so that this day can be paid. `referral-desk.test.ts` tests how operators set it. */
async function setRate(rate: number, fromDay: number): Promise<void> {
  await world.build.client.query(
    "INSERT INTO referral_rates (from_day, rate, proposal_id) SELECT $1, $2, coalesce(max(proposal_id), 0) + 1 FROM referral_rates",
    [fromDay, rate],
  );
}
/** Places and settles orders of 1,000.00, each with a fee of 10.00. */
async function trade(real: readonly MemberId[], practice: readonly MemberId[]): Promise<void> {
  await world.tick();
  for (const member of real) await world.accepted(member, { wallet: "real", stake: usd(1000) });
  for (const member of practice) await world.accepted(member, { stake: usd(1000) });
  const at = (await world.build.now()) + 1n;
  await world.build.feedTicks("EURUSD", [
    { time: at, price: 1_085_000n },
    { time: at + 29_000n, price: 1_085_010n },
    { time: at + 30_500n, price: 1_085_010n },
  ]);
  await world.settlement.settleNow();
}

describe("an invitation", () => {
  it("has a link to the registration, brings no rewards until a share is set, and shows nobody's account", async () => {
    const info = await readInvite(world.context, inviter, await now());
    expect(info).toEqual({
      code: `i${inviter}`,
      url: `${world.context.config.publicUrl}/#/pages/index/Register?inviteCode=i${inviter}`,
      invited: 3,
      rewardRate: "0.00",
      earned: "0.00",
    });
    const first = await listInvited(world.context, inviter, { limit: 2 });
    if (!first.ok) throw new Error("refused");
    expect(first.value.items.map(({ username }) => username)).toEqual(["m•••@example.com", "m•••@example.com"]);
    expect(first.value.items[0]?.earned).toBe("0.00");
    const rest = await listInvited(world.context, inviter, { cursor: first.value.nextCursor ?? "" });
    expect(rest).toMatchObject({ ok: true, value: { items: [{ earned: "0.00" }], nextCursor: null } });
    expect(await listInvited(world.context, inviter, { cursor: "no-cursor" })).toMatchObject({
      refusal: { error: "FIELD_INVALID" },
    });
    expect(await payReferrals(referrals(), ((await now()) + 10n * 86_400_000n) as Instant)).toBe(0);
  });
});

describe("rewards", () => {
  it("are a share of a day's fees in the real wallet, in one fund record a day however often they are paid", async () => {
    const today = utcDay(await now());
    await setRate(333_333, today);
    await trade(invited.slice(0, 2), invited.slice(2));
    const settled = await now();
    // If the test runs past midnight, the orders belong to the new day.
    const day = utcDay(settled);
    expect(await payReferrals(referrals(), (startOfUtcDay(day + 1) + 599_999n) as Instant)).toBe(0);
    const due = (startOfUtcDay(day + 1) + 600_000n) as Instant;
    const made = await Promise.all([1, 2, 3].map(() => payReferrals(referrals(), due)));
    expect(made.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(await payReferrals(referrals(), due)).toBe(0);
    // 2 × 10.00 × 0.333333 = 6.66666, rounded up to a cent.
    const records = await listFundRecords(world.context, inviter, { wallet: "real", kind: "all" });
    expect(records).toMatchObject({
      value: { items: [{ type: "system", remark: "referral", amount: "6.67", balanceAfter: "6.67" }] },
    });
    expect(await readInvite(world.context, inviter, settled)).toMatchObject({ rewardRate: "0.333333", earned: "6.67" });
    const people = await listInvited(world.context, inviter, {});
    if (!people.ok) throw new Error("refused");
    expect(people.value.items.map(({ earned }) => earned).toSorted()).toEqual(["0.00", "3.33", "3.33"]);
    expect(await checkInvariants(world.context, 0n)).toEqual([]);
  });

  it("are paid later for days when the server was down, not paid to closed accounts, and end with a share of 0", async () => {
    const today = utcDay(await now());
    await setRate(0, today + 3);
    const later = (startOfUtcDay(today + 6) + 600_000n) as Instant;
    expect(await payReferrals(referrals(), later)).toBe(0);
    const { rows } = await world.build.client.query("SELECT max(day) AS day FROM referral_days");
    expect(rows[0].day).toBe(today + 5);
    expect(await readInvite(world.context, inviter, later)).toMatchObject({ rewardRate: "0.00" });
  });

  it("cannot be set without an approved proposal", async () => {
    await expect(world.context.databases.console.query("SELECT set_referral_rate(1)")).rejects.toThrow(/no approved/);
    await expect(
      world.context.databases.console.query(
        "INSERT INTO referral_rates (from_day, rate, proposal_id) VALUES (1, 1, 1)",
      ),
    ).rejects.toThrow(/permission denied/);
  });
});
