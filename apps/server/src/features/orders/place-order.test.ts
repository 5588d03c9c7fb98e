import type { ErrorName, Rate, Refusal, TradingConfig } from "@fairtick/domain";
import type { NewMember } from "@fairtick/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { checkInvariants } from "../ledger/index.ts";
import type { PlaceOrderInput } from "./place-order.ts";
import { createOrderWorld, newClientId, type OrderWorld, TEST_SIGNER, usd } from "./test-world.ts";

let world: OrderWorld;
beforeAll(async () => {
  world = await createOrderWorld();
});
beforeEach(async () => {
  await world.tick();
});
afterAll(() => world.close());

const instruments = (config: TradingConfig, change: Partial<TradingConfig["instruments"][number]>) => ({
  instruments: config.instruments.map((terms) => (terms.symbol === "EURUSD" ? { ...terms, ...change } : terms)),
});

describe("a refused order", () => {
  interface Row {
    readonly error: ErrorName;
    readonly params?: Refusal["params"];
    readonly member?: NewMember;
    readonly wish?: Partial<PlaceOrderInput>;
    readonly limits?: Readonly<Record<string, bigint>>;
    readonly config?: (config: TradingConfig) => Partial<TradingConfig>;
  }
  const far = 4_000_000_000_000n;
  const rows: readonly Row[] = [
    { error: "SUSPENDED", params: { reason: "shared" }, member: { standing: "suspended", standingReason: "shared" } },
    { error: "EXCLUDED", params: { until: Number(far) }, member: { standing: "excluded", excludedUntil: far } },
    { error: "EXCLUDED", params: { until: Number(far) }, limits: { coolOffUntil: far } },
    { error: "CLOSED", member: { standing: "closed" } },
    { error: "REGION_BLOCKED", member: { region: "BL" } },
    { error: "TRADE_PASSWORD_NOT_SET", member: { tradePassword: false } },
    { error: "REGION_PRACTICE_ONLY", member: { region: "PR" }, wish: { wallet: "real" } },
    { error: "INSTRUMENT_UNKNOWN", wish: { symbol: "NOTHERE" } },
    { error: "INSTRUMENT_SUSPENDED", config: (config) => instruments(config, { suspended: true }) },
    { error: "PRICE_STALE", wish: { symbol: "GBPUSD" } },
    { error: "DURATION_NOT_OFFERED", wish: { duration: 31 } },
    { error: "STAKE_BELOW_MINIMUM", params: { min: "1.00" }, wish: { stake: usd(0.99) } },
    { error: "STAKE_ABOVE_MAXIMUM", params: { max: "1000.00" }, wish: { stake: usd(1000.01) } },
    {
      error: "MEMBER_LIMIT",
      params: { limit: "9.99", left: "9.99", name: "dailyStake" },
      limits: { dailyStake: usd(9.99) },
    },
    {
      error: "MEMBER_LIMIT",
      params: { limit: "10.09", left: "10.09", name: "dailyLoss" },
      limits: { dailyLoss: usd(10.09) },
    },
    {
      error: "MEMBER_LIMIT",
      params: { limit: "9.00", left: "9.00", name: "runningStakes" },
      config: () => ({ memberRunningStakeMax: usd(9) }),
    },
    {
      error: "EXPOSURE_LIMIT",
      params: { max: "0.00" },
      config: (config) => instruments(config, { exposureShare: 0n as Rate }),
    },
    { error: "INSUFFICIENT_BALANCE", params: { available: "10.09" }, member: { practice: usd(10.09) } },
    { error: "QUOTE_CHANGED", params: { payoutRate: "0.82", fee: "0.10" }, wish: { payoutRate: 830_000n as Rate } },
    { error: "QUOTE_CHANGED", params: { payoutRate: "0.82", fee: "0.10" }, wish: { fee: usd(0.11) } },
  ];

  it.each(rows)(
    "is told $error $params and leaves nothing behind",
    async ({ error, params, member, wish, limits, config }) => {
      const memberId = await world.build.createMember(member);
      for (const [name, value] of Object.entries(limits ?? {})) {
        await world.build.client.query("INSERT INTO member_limits VALUES ($1, $2, 0, $3)", [memberId, name, value]);
      }
      if (config !== undefined) await world.configure(config);
      const clientOrderId = newClientId();
      const verdict = await world.place(memberId, { ...wish, clientOrderId });
      if (config !== undefined) await world.configure(() => ({}));
      expect(verdict).toEqual({ ok: false, refusal: { error, ...(params && { params }) } });
      expect(await world.orderCount(memberId)).toBe(0);
      // The client id can still be used.
      const bound = await world.build.client.query("SELECT FROM orders WHERE client_key = client_key($1)", [
        clientOrderId,
      ]);
      expect(bound.rowCount).toBe(0);
    },
  );

  it("is told when the session changes, if the order would outlive it", async () => {
    // No session lasts eight days, whatever day this runs on.
    const eightDays = { seconds: 691_200, payoutRate: 820_000n as Rate };
    await world.configure((config) => instruments(config, { sessionHours: "fx-new-york", durations: [eightDays] }));
    const memberId = await world.build.createMember();
    const verdict = await world.place(memberId, { duration: eightDays.seconds });
    await world.configure(() => ({}));
    expect(verdict).toMatchObject({
      refusal: { error: "INSTRUMENT_CLOSED", params: { nextChange: expect.any(Number) } },
    });
  });

  it("is told FIELD_INVALID for a limit price with more decimal places than the instrument has", async () => {
    const memberId = await world.build.createMember();
    expect(await world.place(memberId, { limitPrice: "1.0850001" })).toMatchObject({
      ok: false,
      refusal: { error: "FIELD_INVALID", fields: { limitPrice: "FIELD_INVALID" } },
    });
  });

  it("gets the same answer for the same client id, apart from its time", async () => {
    const memberId = await world.build.createMember();
    const wish = { clientOrderId: newClientId(), limitPrice: "1.090000" };
    const { serverTime: first, ...placed } = await world.accepted(memberId, wish);
    const { serverTime: second, ...again } = await world.accepted(memberId, wish);
    expect(JSON.stringify(again)).toBe(JSON.stringify(placed));
    expect(placed.acceptance?.signature).toBeTruthy();
    expect(second).toBeGreaterThanOrEqual(first);
  });

  it("is told NOT_NOW while acceptance is stopped, but a known client id still gets its order", async () => {
    const memberId = await world.build.createMember();
    const clientOrderId = newClientId();
    const placed = await world.accepted(memberId, { clientOrderId });
    world.acceptance.stop("invariant", "I2: planted");
    const fresh = await world.place(memberId);
    const again = await world.place(memberId, { clientOrderId });
    world.acceptance.clear("invariant");
    expect(fresh).toEqual({ ok: false, refusal: { error: "NOT_NOW" } });
    expect(again).toMatchObject({ ok: true, value: { orderNo: placed.orderNo } });
  });
});

describe("an accepted order", () => {
  it("holds stake and fee, and is answered as accepted", async () => {
    const memberId = await world.build.createMember();
    const placed = await world.accepted(memberId, { payoutRate: 820_000n as Rate, fee: usd(0.1), limitPrice: "1.09" });
    expect(placed).toMatchObject({
      state: "accepted",
      stake: "10.00",
      fee: "0.10",
      payoutRate: "0.82",
      limitPrice: "1.090000",
      entryAt: null,
      configVersion: expect.any(Number),
      acceptance: { place: 0, key: TEST_SIGNER.keyId },
    });
    const { rows } = await world.build.client.query("SELECT * FROM members_money WHERE member_id = $1", [memberId]);
    expect(rows[0]).toMatchObject({
      practice_available: "9989900000",
      practice_locked: "10100000",
      practice_running_stakes: "10000000",
      practice_running_orders: 1,
      practice_staked_today: "10000000",
      member_seq: "2",
    });
  });

  it("is written with its batch, root and log entry", async () => {
    const memberId = await world.build.createMember();
    const placed = await world.accepted(memberId);
    const { rows } = await world.build.client.query(
      `SELECT b.batch_no, b.accepted_at, encode(b.root, 'hex') AS root, x.entry,
         encode(sha256('\\x42415443483200'::bytea || int8send(b.batch_no) || int8send(b.accepted_at) || int4send(1) ||
           sha256('\\x00'::bytea || decode(x.entry::json ->> 'commitments', 'base64'))), 'hex') AS expected
       FROM orders o JOIN acceptance_batches b USING (batch_no)
       JOIN outbox x ON x.kind = 'orders.accept' AND (x.entry::json ->> 'batch')::bigint = b.batch_no
       WHERE coalesce(o.client_order_id, o.client_key::text) = $1`,
      [placed.clientOrderId],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0].root).toBe(rows[0].expected);
    expect(Object.keys(JSON.parse(rows[0].entry))).toEqual([
      "acceptedAt",
      "batch",
      "commitments",
      "config",
      "kind",
      "open",
      "reasons",
      "refusals",
      "v",
    ]);
    expect(Number(rows[0].accepted_at)).toBe(placed.acceptedAt);
  });

  it("is never accepted before the newest tick", async () => {
    const memberId = await world.build.createMember();
    const ahead = (await world.tick()) + 900n;
    await world.build.feedTicks("EURUSD", [{ time: ahead, price: 1_085_000n }]);
    const placed = await world.accepted(memberId);
    expect(placed.acceptedAt).toBe(Number(ahead));
  });
});

describe("many orders at once", () => {
  it("can't take a balance below zero (64 at once), and aren't refused while it is sufficient", async () => {
    for (let round = 0; round < 30; round += 1) {
      await world.tick();
      const memberId = await world.build.createMember({ practice: usd(101) });
      const verdicts = await Promise.all(Array.from({ length: 64 }, () => world.place(memberId)));
      expect(verdicts.filter(({ ok }) => ok)).toHaveLength(10);
      const refusals = verdicts.flatMap((verdict) => (verdict.ok ? [] : [verdict.refusal.error]));
      expect(new Set(refusals)).toEqual(new Set(["INSUFFICIENT_BALANCE"]));
    }
    expect(await checkInvariants(world.context, 0n)).toEqual([]);
  });

  it("stop at the share of the pool that limits the house's exposure", async () => {
    const small = await createOrderWorld(100_000_000n);
    try {
      const members = await small.build.createMembers(40);
      await small.tick();
      const verdicts = await Promise.all(members.map((memberId) => small.place(memberId)));
      // The limit for an instrument is 20 % of 100.00. Each order may win 8.10, and a stake of 4.68 would win the 3.80
      // left.
      expect(verdicts.filter(({ ok }) => ok)).toHaveLength(2);
      const refused = verdicts.find(({ ok }) => !ok);
      expect(refused).toMatchObject({ refusal: { error: "EXPOSURE_LIMIT", params: { max: "4.68" } } });
      await small.tick("BTCUSD", 9_700_000n);
      const other = await small.place(members[0]!, { symbol: "BTCUSD" });
      expect(other.ok).toBe(true);
    } finally {
      await small.close();
    }
  });
});

describe("the role that places orders", () => {
  it.each([
    "UPDATE orders SET stake = 0",
    "DELETE FROM orders",
    "TRUNCATE orders",
    "DELETE FROM open_groups",
    "INSERT INTO settlements SELECT FROM orders",
    "INSERT INTO ticks SELECT FROM orders",
    "UPDATE house_accounts SET balance = 0",
    "SELECT password_hash FROM members",
    "INSERT INTO transfers SELECT FROM orders",
    "UPDATE acceptance_batches SET root = ''",
  ])("may not %s", async (sql) => {
    await expect(world.context.databases.orders.query(sql)).rejects.toMatchObject({ code: "42501" });
  });

  it("can't change an order, and neither can the owner", async () => {
    const memberId = await world.build.createMember();
    await world.accepted(memberId);
    await expect(world.build.client.query("UPDATE orders SET stake = 1")).rejects.toThrow("written once");
  });
});
