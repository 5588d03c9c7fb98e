import pg from "pg";
import type { Instant, MemberId, RegionTerms } from "@fairtick/domain";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { excludeSelf } from "../limits/limits.ts";
import { openRegionBook, regionsToJson, FIRST_REGIONS, seedRegions } from "../regions/index.ts";
import { createOrderWorld, instant, type OrderWorld, usd } from "./test-world.ts";

let world: OrderWorld;
beforeAll(async () => {
  world = await createOrderWorld();
});
beforeEach(async () => {
  await world.tick();
});
afterAll(() => world.close());

describe("an order is judged by terms changed since the last one", () => {
  const far = 4_000_000_000_000n;
  it.each<[string, string, readonly unknown[], object]>([
    [
      "standing",
      "UPDATE members SET standing = 'suspended', standing_reason = 'shared' WHERE member_id = $1",
      [],
      { error: "SUSPENDED" },
    ],
    [
      "self-exclusion",
      "UPDATE members SET standing = 'excluded', excluded_until = $2 WHERE member_id = $1",
      [far],
      { error: "EXCLUDED" },
    ],
    ["region", "UPDATE members SET region = 'BL' WHERE member_id = $1", [], { error: "REGION_BLOCKED" }],
    [
      "trade password",
      "UPDATE members SET trade_password_hash = NULL WHERE member_id = $1",
      [],
      { error: "TRADE_PASSWORD_NOT_SET" },
    ],
    ["limit", "INSERT INTO member_limits VALUES ($1, 'dailyStake', 0, $2)", [usd(15)], { error: "MEMBER_LIMIT" }],
  ])("%s", async (_name, change, values, refusal) => {
    const memberId = await world.build.createMember();
    await world.accepted(memberId);
    await world.build.client.query(change, [memberId, ...values]);
    expect(await world.place(memberId)).toMatchObject({ ok: false, refusal });
  });

  it("a limit withdrawn", async () => {
    const memberId = await world.build.createMember();
    await world.build.client.query("INSERT INTO member_limits VALUES ($1, 'dailyStake', 0, $2)", [memberId, usd(15)]);
    await world.accepted(memberId);
    expect(await world.place(memberId)).toMatchObject({ refusal: { error: "MEMBER_LIMIT" } });
    await world.build.client.query("DELETE FROM member_limits WHERE member_id = $1", [memberId]);
    await world.accepted(memberId);
  });

  it("a limit that takes effect between two orders, without another change", async () => {
    const memberId = await world.build.createMember();
    const from = (await world.build.now()) + 700n;
    await world.build.client.query("INSERT INTO member_limits VALUES ($1, 'dailyStake', $2, $3)", [
      memberId,
      from,
      usd(15),
    ]);
    await world.accepted(memberId);
    while ((await world.build.now()) < from) await new Promise((resolve) => setTimeout(resolve, 50));
    await world.tick();
    expect(await world.place(memberId)).toMatchObject({ refusal: { error: "MEMBER_LIMIT" } });
  });

  it("an exclusion that ends between two orders, without another change", async () => {
    const memberId = await world.build.createMember();
    const until = (await world.build.now()) + 1_500n;
    await world.build.client.query(
      "UPDATE members SET standing = 'excluded', excluded_until = $2 WHERE member_id = $1",
      [memberId, until],
    );
    expect(await world.place(memberId)).toMatchObject({
      refusal: { error: "EXCLUDED", params: { until: Number(until) } },
    });
    while ((await world.build.now()) < until) await new Promise((resolve) => setTimeout(resolve, 50));
    await world.tick();
    await world.accepted(memberId);
  });

  it("an exclusion chosen during a suspension, once that is lifted", async () => {
    const memberId = (await world.build.createMember()) as MemberId;
    const { client } = world.build;
    await client.query("UPDATE members SET standing = 'suspended', standing_reason = 'shared' WHERE member_id = $1", [
      memberId,
    ]);
    const now = instant(await world.build.now());
    expect(await excludeSelf(world.context, memberId, instant(now + 86_400_000n), now)).toMatchObject({ ok: true });
    expect(await world.place(memberId)).toMatchObject({ refusal: { error: "SUSPENDED" } });
    await client.query("UPDATE members SET standing = 'active', standing_reason = NULL WHERE member_id = $1", [
      memberId,
    ]);
    expect(await world.place(memberId)).toMatchObject({ refusal: { error: "EXCLUDED" } });
  });
});

it("an order that waits for a suspension's lock is judged after the suspension", async () => {
  const memberId = await world.build.createMember();
  await world.accepted(memberId);
  const other = new pg.Client({ connectionString: world.context.database.url });
  await other.connect();
  try {
    await other.query("BEGIN");
    await other.query("UPDATE members SET standing = 'suspended', standing_reason = 'shared' WHERE member_id = $1", [
      memberId,
    ]);
    const placing = world.place(memberId);
    // It waits for the row until the suspension is decided.
    expect(await Promise.race([placing, new Promise((resolve) => setTimeout(resolve, 200, "waits"))])).toBe("waits");
    await other.query("COMMIT");
    expect(await placing).toMatchObject({ refusal: { error: "SUSPENDED" } });
  } finally {
    await other.end();
  }
});

it("changes of settings, name or wallet in view don't change the version", async () => {
  const memberId = await world.build.createMember();
  const version = async () =>
    (await world.build.client.query("SELECT terms_version FROM members_money WHERE member_id = $1", [memberId]))
      .rows[0];
  const before = await version();
  await world.build.client.query("UPDATE members SET username = 'Someone', wallet = 'real' WHERE member_id = $1", [
    memberId,
  ]);
  expect(await version()).toEqual(before);
});

describe("an order is judged by the regions in force at its acceptance", () => {
  it("from the moment a version takes effect, for existing members and while they trade", async () => {
    const own = await createOrderWorld(undefined, openRegionBook);
    try {
      await seedRegions(own.context);
      await own.tick();
      await own.tick("BTCUSD", 6_500_000n);
      const [open, closed] = await Promise.all(
        ["AR", "BR"].map((region) => own.build.createMember({ region, real: usd(100) })),
      );
      const order = { wallet: "real", stake: usd(10) } as const;
      await own.accepted(closed!, order);
      const from = ((await own.build.now()) + 1_200n) as Instant;
      const regions = Array.from(FIRST_REGIONS.values(), (region): RegionTerms => {
        if (region.iso2 === "AR") return { ...region, products: ["fx"] };
        return region.iso2 === "BR" ? { ...region, policy: "practice", rule: { name: "Law 1", year: 2026 } } : region;
      });
      const body = regionsToJson({ version: 2, effectiveAt: from, regions });
      await own.build.client.query("SELECT store_policy('regions', $1)", [body]);
      // The version is known but not yet in force.
      await own.tick();
      await own.accepted(closed!, order);
      while ((await own.build.now()) < from) await new Promise((resolve) => setTimeout(resolve, 50));
      await own.tick();
      await own.tick("BTCUSD", 6_500_000n);
      expect(await own.place(closed!, order)).toMatchObject({ refusal: { error: "REGION_PRACTICE_ONLY" } });
      expect(await own.place(open!, { symbol: "BTCUSD" })).toMatchObject({ refusal: { error: "REGION_NOT_OFFERED" } });
      await own.accepted(closed!, { wallet: "practice" });
      await own.accepted(open!, order);
    } finally {
      await own.close();
    }
  });
});
