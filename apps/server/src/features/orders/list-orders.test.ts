import type { Instant, MemberId } from "@fairtick/domain";
import type { Order } from "@fairtick/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { watchInvariants } from "../ledger/index.ts";
import { eachSettledOrder, listHistory, listPositions, type OrderFilters } from "./list-orders.ts";
import { skewMs } from "./open-acceptance.ts";
import { quoteOrder } from "./quote-order.ts";
import { createOrderWorld, instant, type OrderWorld, usd } from "./test-world.ts";

let world: OrderWorld;
let memberId: MemberId;
let placed: string[];

/** Places seven orders of one member: five settled ones (EURUSD, up, won), then two running ones (BTCUSD). */
beforeAll(async () => {
  world = await createOrderWorld();
  memberId = (await world.build.createMember()) as MemberId;
  placed = [];
  await world.tick();
  let newest = 0;
  for (const direction of ["up", "up", "down", "up", "down"] as const) {
    const order = await world.accepted(memberId, { direction });
    placed.push(order.orderNo);
    newest = order.acceptedAt;
  }
  await world.build.feedTicks("EURUSD", [
    { time: BigInt(newest + 1), price: 1_085_000n },
    { time: BigInt(newest + 30_001), price: 1_085_001n },
  ]);
  await world.settlement.settleNow();
  await world.tick("BTCUSD", 9_700_000n);
  for (const stake of [20, 30]) {
    placed.push((await world.accepted(memberId, { symbol: "BTCUSD", stake: usd(stake) })).orderNo);
  }
});
afterAll(() => world.close());

const all: OrderFilters = { wallet: "practice" };
async function history(filters: Partial<OrderFilters> = {}, whose = memberId) {
  const verdict = await listHistory(world.placing, whose, { ...all, ...filters });
  if (!verdict.ok) throw new Error(JSON.stringify(verdict.refusal));
  return verdict.value;
}
const numbers = (orders: readonly Order[]) => orders.map(({ orderNo }) => orderNo);

describe("positions", () => {
  it("are the running orders, newest first", async () => {
    const verdict = await listPositions(world.placing, memberId, all);
    expect(verdict.ok && numbers(verdict.value.items)).toEqual([placed[6], placed[5]]);
  });

  it("are only the member's own, in the requested wallet", async () => {
    const other = (await world.build.createMember()) as MemberId;
    for (const [whose, wallet] of [
      [other, "practice"],
      [memberId, "real"],
    ] as const) {
      const verdict = await listPositions(world.placing, whose, { wallet });
      expect(verdict).toEqual({ ok: true, value: { items: [], nextCursor: null } });
    }
  });
});

describe("history", () => {
  it("leaves returned money out of the amounts and fees of its totals", async () => {
    const other = (await world.build.createMember()) as MemberId;
    await world.tick("GBPUSD", 1_270_000n);
    const returned = await world.accepted(other, { symbol: "GBPUSD", limitPrice: "1.260000" });
    await world.build.feedTicks("GBPUSD", [{ time: BigInt(returned.acceptedAt + 1), price: 1_270_000n }]);
    await world.settlement.settleNow();
    const { items, totals } = await history({}, other);
    expect(items).toMatchObject([{ outcome: "voided", voidReason: "LIMIT_PASSED", fee: "0.10", profit: "0.00" }]);
    expect(totals).toEqual({ count: 1, staked: "0.00", fees: "0.00", profit: "0.00" });
  });

  it("comes page by page, newest first, each order once, with totals over all pages", async () => {
    const first = await history({ limit: 2 });
    const second = await history({ limit: 2, cursor: first.nextCursor! });
    const third = await history({ limit: 2, cursor: second.nextCursor! });
    expect(third.nextCursor).toBeNull();
    expect(numbers([...first.items, ...second.items, ...third.items])).toEqual(placed.slice(0, 5).toReversed());
    const totals = { count: 5, staked: "50.00", fees: "0.50", profit: "4.10" };
    for (const page of [first, second, third]) expect(page.totals).toEqual(totals);
  });

  it("is filtered by outcome, symbol and acceptance", async () => {
    const lost = await history({ outcome: "lost" });
    expect(numbers(lost.items)).toEqual([placed[4], placed[2]]);
    expect(lost.totals).toEqual({ count: 2, staked: "20.00", fees: "0.20", profit: "-20.20" });
    expect((await history({ symbol: "BTCUSD" })).totals.count).toBe(0);
    const [newest] = (await history()).items;
    const at = instant(newest!.acceptedAt);
    expect((await history({ from: at, to: at })).items.length).toBeGreaterThan(0);
    expect((await history({ from: (at + 1n) as Instant })).totals.count).toBe(0);
    expect((await history({ to: 0n as Instant })).totals.count).toBe(0);
    expect((await history({ from: 0n as Instant, to: 253_402_300_799_999n as Instant })).totals.count).toBe(5);
  });

  it("refuses an invalid cursor", async () => {
    const verdict = await listHistory(world.placing, memberId, { ...all, cursor: "nonsense" });
    expect(verdict).toMatchObject({ ok: false, refusal: { error: "FIELD_INVALID" } });
  });

  it("is exported completely, or what its filters find", async () => {
    async function exported(filters: Partial<OrderFilters> = {}) {
      const orders: Order[] = [];
      for await (const order of eachSettledOrder(world.placing, memberId, { ...all, ...filters })) orders.push(order);
      return numbers(orders);
    }
    expect(await exported()).toEqual(placed.slice(0, 5).toReversed());
    expect(await exported({ symbol: "EURUSD", outcome: "lost" })).toEqual([placed[4], placed[2]]);
    expect(await exported({ symbol: "BTCUSD" })).toEqual([]);
  });
});

describe("a quote", () => {
  const wish = { wallet: "practice", symbol: "EURUSD", direction: "up", stake: usd(10), duration: 60 } as const;

  it("shows what an order pays and costs, and to a member their balance", async () => {
    const now = instant(await world.build.now());
    expect(await quoteOrder(world.placing, null, wish, now)).toEqual({
      ok: true,
      value: {
        payoutRate: "0.85",
        payout: "18.50",
        fee: "0.10",
        feeRate: "0.01",
        profit: "8.40",
        cost: "10.10",
        breakEven: "0.545946",
        minStake: "1.00",
        maxStake: "1000.00",
        expiresAt: Number(now) + 60_000,
      },
    });
    expect(await quoteOrder(world.placing, memberId, wish, now)).toMatchObject({ value: { available: "9953.60" } });
  });

  it.each([
    [{ symbol: "NOTHERE" }, { error: "INSTRUMENT_UNKNOWN" }],
    [{ duration: 61 }, { error: "DURATION_NOT_OFFERED" }],
    [{ stake: usd(0.5) }, { error: "STAKE_BELOW_MINIMUM", params: { min: "1.00" } }],
  ])("of %o is refused", async (change, refusal) => {
    const verdict = await quoteOrder(world.placing, null, { ...wish, ...change }, instant(await world.build.now()));
    expect(verdict).toEqual({ ok: false, refusal });
  });
});

describe("acceptance stops", () => {
  it("while an invariant is broken, and resumes once it holds again", async () => {
    const watch = watchInvariants(world.context, { acceptance: world.acceptance });
    const shift = (by: number) =>
      world.build.client.query(
        "UPDATE members_money SET practice_available = practice_available + $2 WHERE member_id = $1",
        [memberId, by],
      );
    await shift(1);
    await watch.run();
    expect(world.acceptance.reasons().get("invariant")).toMatch(/^I2: member/);
    await world.tick();
    expect(await world.place(memberId)).toEqual({ ok: false, refusal: { error: "NOT_NOW" } });
    await shift(-1);
    await watch.run();
    await watch.close();
    await world.tick();
    expect((await world.place(memberId)).ok).toBe(true);
  });

  it("while the pool is below zero", async () => {
    const move = (by: bigint) =>
      world.build.client.query(
        "UPDATE house_accounts SET balance = balance + $1 WHERE account = 'pool' AND wallet = 'real'",
        [by],
      );
    await move(-20_000_000_000_000n);
    await expect.poll(() => world.acceptance.reasons().has("pool")).toBe(true);
    await move(20_000_000_000_000n);
    await expect.poll(() => world.acceptance.reasons().has("pool")).toBe(false);
  });

  it("if clocks certainly differ, but not if an answer was merely slow", () => {
    expect(skewMs(instant(1_000), instant(2_000), instant(1_500))).toBe(0);
    expect(skewMs(instant(1_000), instant(1_001), instant(1_300))).toBe(299);
    expect(skewMs(instant(1_000), instant(1_001), instant(700))).toBe(300);
  });
});

describe("roles", () => {
  it.each([
    ["settlement", "UPDATE orders SET stake = 0"],
    ["settlement", "INSERT INTO orders SELECT FROM orders"],
    ["settlement", "UPDATE settlements SET profit = 0"],
    ["settlement", "UPDATE open_groups SET accepted_at = 0"],
    ["settlement", "INSERT INTO open_groups SELECT FROM open_groups"],
    ["settlement", "INSERT INTO ticks SELECT FROM ticks"],
    ["reader", "UPDATE members_money SET practice_available = 0"],
    ["money", "INSERT INTO settlements SELECT FROM settlements"],
    ["market", "SELECT FROM orders"],
    ["market", "SELECT FROM members"],
    ["sessions", "UPDATE members_money SET practice_available = 0"],
    ["jobs", "DELETE FROM transfers"],
  ] as const)("%s may not %s", async (role, sql) => {
    await expect(world.context.databases[role].query(sql)).rejects.toMatchObject({ code: "42501" });
  });
});
