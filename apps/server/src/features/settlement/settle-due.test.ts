import {
  type AgreedOrder,
  type ClientId,
  type Instant,
  type MemberId,
  type MicroUsd,
  orderCommitment,
  type OrderId,
  parseId,
  type Points,
  type Rate,
  termsHash,
  termsJson,
  toHex,
  utf8,
  type VoidReason,
} from "@fairtick/domain";
import { setTimeout as sleep } from "node:timers/promises";
import { nodeHashes } from "@fairtick/domain/node";
import type { Order, PlacedOrder } from "@fairtick/protocol";
import { parseLogEntry } from "@fairtick/transparency";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkInvariants } from "../ledger/index.ts";
import { readOrders } from "../orders/index.ts";
import { createOrderWorld, type OrderWorld, usd } from "../orders/test-world.ts";
import type { PlaceOrderInput } from "../orders/place-order.ts";
import { settleEntries } from "./log-entries.ts";
import { startSettlement } from "./settle-due.ts";

let world: OrderWorld;
beforeAll(async () => {
  world = await createOrderWorld();
});
afterAll(() => world.close());

async function read(memberId: bigint, placed: PlacedOrder): Promise<Order> {
  const [found] = await readOrders(world.placing, [memberId], [parseId("order", placed.orderNo)!]);
  return found!.order;
}

interface Tape {
  /** Offset from the order's acceptance in ms, and price in points. */
  readonly ticks?: readonly (readonly [offset: number, price: bigint])[];
  /** Offset through which the seal moves without a tick afterwards. */
  readonly seal?: number;
}

/** Feeds a tape after an order's acceptance. */
async function feed(placed: PlacedOrder, { ticks = [], seal }: Tape): Promise<void> {
  const at = BigInt(placed.acceptedAt);
  await world.build.feedTicks(
    placed.symbol,
    ticks.map(([offset, price]) => ({ time: at + BigInt(offset), price })),
  );
  if (seal !== undefined) await world.build.seal(placed.symbol, at + BigInt(seal));
}

async function settled(wish: Partial<PlaceOrderInput>, tape: Tape) {
  const memberId = await world.build.createMember();
  await world.tick(wish.symbol);
  const placed = await world.accepted(memberId, wish);
  await feed(placed, tape);
  await world.settlement.settleNow();
  return { memberId, placed, order: await read(memberId, placed) };
}

const available = async (memberId: bigint) =>
  BigInt(
    (
      await world.build.client.query("SELECT practice_available AS a FROM members_money WHERE member_id = $1", [
        memberId,
      ])
    ).rows[0].a,
  );

describe("an outcome", () => {
  it.each([
    { title: "up above its entry wins", direction: "up", exit: 1_085_001n, outcome: "won", profit: "8.10" },
    { title: "up below its entry loses", direction: "up", exit: 1_084_999n, outcome: "lost", profit: "-10.10" },
    { title: "down below its entry wins", direction: "down", exit: 1_084_999n, outcome: "won", profit: "8.10" },
    { title: "down above its entry loses", direction: "down", exit: 1_085_001n, outcome: "lost", profit: "-10.10" },
    { title: "equal prices tie", direction: "up", exit: 1_085_000n, outcome: "tied", profit: "0.00" },
  ] as const)("$title", async ({ direction, exit, outcome, profit }) => {
    const { memberId, placed, order } = await settled(
      { direction },
      {
        ticks: [
          [1, 1_085_000n],
          [20_000, 1_080_000n],
          [30_001, exit],
          [30_002, 1_999_999n],
        ],
      },
    );
    expect(order).toMatchObject({
      state: "settled",
      outcome,
      profit,
      voidReason: null,
      entryAt: placed.acceptedAt + 1,
      entryPrice: "1.085000",
      exitAt: placed.acceptedAt + 30_001,
      expiresAt: placed.acceptedAt + 30_001,
    });
    expect(await available(memberId)).toBe(usd(10_000 + Number(profit)));
  });

  it("takes the first tick later than acceptance, not one at that very millisecond", async () => {
    const memberId = await world.build.createMember();
    const at = await world.tick("EURUSD", 1_000_000n);
    const ahead = at + 500n;
    await world.build.feedTicks("EURUSD", [{ time: ahead, price: 1_000_000n }]);
    const placed = await world.accepted(memberId);
    expect(placed.acceptedAt).toBe(Number(ahead));
    await feed(placed, {
      ticks: [
        [1, 1_000_005n],
        [30_001, 1_000_005n],
      ],
    });
    await world.settlement.settleNow();
    expect(await read(memberId, placed)).toMatchObject({ outcome: "tied", entryAt: placed.acceptedAt + 1 });
  });
});

describe("a void", () => {
  const rows: readonly { title: string; wish?: Partial<PlaceOrderInput>; tape: Tape; reason: VoidReason | null }[] = [
    { title: "no tick comes within ten seconds, sealed", tape: { seal: 10_000 }, reason: "NO_ENTRY_TICK" },
    { title: "the first tick comes after ten seconds", tape: { ticks: [[10_001, 1n]] }, reason: "NO_ENTRY_TICK" },
    {
      title: "a tick at exactly ten seconds is an entry",
      tape: {
        ticks: [
          [10_000, 5n],
          [40_000, 5n],
        ],
      },
      reason: null,
    },
    {
      title: "up enters above its limit",
      wish: { limitPrice: "1.085" },
      tape: { ticks: [[1, 1_085_001n]] },
      reason: "LIMIT_PASSED",
    },
    {
      title: "down enters below its limit",
      wish: { limitPrice: "1.085", direction: "down" },
      tape: { ticks: [[1, 1_084_999n]] },
      reason: "LIMIT_PASSED",
    },
    {
      title: "an entry equal to the limit fills",
      wish: { limitPrice: "1.085" },
      tape: {
        ticks: [
          [1, 1_085_000n],
          [30_001, 1_085_000n],
        ],
      },
      reason: null,
    },
    {
      title: "there is no tick between entry and expiry",
      tape: { ticks: [[1, 5n]], seal: 30_001 },
      reason: "NO_TICK_BETWEEN",
    },
    {
      title: "the exit is older than 15 s on fx",
      tape: {
        ticks: [
          [1, 5n],
          [15_000, 5n],
        ],
        seal: 30_001,
      },
      reason: "STALE_EXIT",
    },
    {
      title: "an exit exactly 15 s old counts on fx",
      tape: {
        ticks: [
          [1, 5n],
          [15_001, 5n],
        ],
        seal: 30_001,
      },
      reason: null,
    },
    {
      title: "the exit is older than 5 s on crypto",
      wish: { symbol: "BTCUSD" },
      tape: {
        ticks: [
          [1, 5n],
          [25_000, 5n],
        ],
        seal: 30_001,
      },
      reason: "STALE_EXIT",
    },
    {
      title: "an exit exactly 5 s old counts on crypto",
      wish: { symbol: "BTCUSD" },
      tape: {
        ticks: [
          [1, 5n],
          [25_001, 5n],
        ],
        seal: 30_001,
      },
      reason: null,
    },
  ];
  it.each(rows)("when $title: $reason", async ({ wish = {}, tape, reason }) => {
    const { memberId, order } = await settled(wish, tape);
    expect(order).toMatchObject({ state: "settled", outcome: reason === null ? "tied" : "voided", voidReason: reason });
    expect(await available(memberId)).toBe(usd(10_000));
  });

  it("waits for the seal, to the millisecond", async () => {
    const memberId = await world.build.createMember();
    await world.tick();
    const placed = await world.accepted(memberId);
    await feed(placed, { seal: 9_999 });
    await world.settlement.settleNow();
    expect((await read(memberId, placed)).state).toBe("accepted");
    await feed(placed, { seal: 10_000 });
    await world.settlement.settleNow();
    expect((await read(memberId, placed)).voidReason).toBe("NO_ENTRY_TICK");
  });

  it("does not wait for the expiry when a gap without ticks ends", async () => {
    const { order } = await settled({ duration: 3600 }, { ticks: [[12_000, 7n]] });
    expect(order).toMatchObject({ state: "settled", voidReason: "NO_ENTRY_TICK" });
  });
});

describe("a running order", () => {
  it("is shown as open once its entry is sealed, with its expiry", async () => {
    const memberId = await world.build.createMember();
    await world.tick();
    const placed = await world.accepted(memberId);
    expect((await read(memberId, placed)).state).toBe("accepted");
    await feed(placed, { ticks: [[250, 1_085_123n]] });
    await world.settlement.settleNow();
    expect(await read(memberId, placed)).toMatchObject({
      state: "open",
      entryAt: placed.acceptedAt + 250,
      entryPrice: "1.085123",
      expiresAt: placed.acceptedAt + 30_250,
      outcome: null,
      profit: null,
    });
    await feed(placed, { ticks: [[30_249, 1n]] });
    await world.settlement.settleNow();
    expect((await read(memberId, placed)).state).toBe("open");
    await feed(placed, { seal: 30_250 });
    await world.settlement.settleNow();
    expect((await read(memberId, placed)).outcome).toBe("lost");
  });

  it("counts its loss on the day it is settled and frees its stake", async () => {
    const { memberId } = await settled(
      {},
      {
        ticks: [
          [1, 5n],
          [30_001, 4n],
        ],
      },
    );
    const { rows } = await world.build.client.query("SELECT * FROM members_money WHERE member_id = $1", [memberId]);
    expect(rows[0]).toMatchObject({
      practice_locked: "0",
      practice_running_stakes: "0",
      practice_running_orders: 0,
      practice_lost_today: "10100000",
      member_seq: "3",
    });
  });
});

describe("settlement", () => {
  it("keeps both wallets of a member correct when one batch settles orders of both", async () => {
    const memberId = await world.build.createMember({ real: usd(1_000) });
    await world.tick();
    // Place the first order alone, so that the others are accepted as one batch, with both wallets in mixed order.
    const placed = await Promise.all(
      (["practice", "real", "practice", "real", "practice"] as const).map((wallet) =>
        world.accepted(memberId, { wallet }),
      ),
    );
    const seqOf = async () => {
      const { rows } = await world.build.client.query<{ seq: string; facts: string }>(
        `SELECT member_seq AS seq, (SELECT count(*) FROM orders WHERE member_id = $1)
           + (SELECT count(*) FROM settlements s JOIN orders o USING (order_id) WHERE o.member_id = $1)
           + (SELECT count(*) FROM transfers WHERE member_id = $1) AS facts
         FROM members_money WHERE member_id = $1`,
        [memberId],
      );
      return rows[0];
    };
    const between = await seqOf();
    expect(between?.seq).toBe(between?.facts);
    await feed(placed.at(-1)!, {
      ticks: [
        [1, 1_085_000n],
        [20_000, 1_085_002n],
        [30_500, 1_085_001n],
      ],
    });
    await world.settlement.settleNow();
    const after = await seqOf();
    expect(after?.seq).toBe(after?.facts);
    expect(Number(after?.facts) - Number(between?.facts)).toBe(placed.length);
    expect(await checkInvariants(world.context, 0n)).toEqual([]);
  });

  it("settles all other orders when one cannot be settled, names that one, and settles it once it can", async () => {
    const [bent, ...others] = await world.build.createMembers(9);
    await world.tick();
    const [bad, ...good] = await Promise.all([bent!, ...others].map((memberId) => world.accepted(memberId)));
    const bend = (amount: bigint) =>
      world.build.client.query("UPDATE members_money SET practice_locked = practice_locked - $2 WHERE member_id = $1", [
        bent,
        amount,
      ]);
    await bend(1n);
    const at = Math.max(...[bad!, ...good].map(({ acceptedAt }) => acceptedAt));
    await world.settlement.close();
    await world.build.feedTicks("EURUSD", [
      { time: BigInt(at + 1), price: 1_085_000n },
      { time: BigInt(at + 30_001), price: 1_085_001n },
    ]);
    const troubles: (string | undefined)[] = [];
    const startAgain = (onTrouble: (reason: string | undefined) => void) =>
      startSettlement({
        database: world.context.databases.settlement,
        bus: world.context.bus,
        log: world.context.log,
        configs: world.configs,
        firstStripe: 200,
        retryMs: 0,
        onTrouble,
      });
    let worker = startAgain((reason) => troubles.push(reason));
    await worker.settleNow();
    for (const [index, order] of good.entries()) {
      expect((await read(others[index]!, order)).outcome).toBe("won");
    }
    expect((await read(bent!, bad!)).outcome).toBeNull();
    expect(troubles.at(-1)).toContain(bad!.orderNo);
    // After a restart, the worker names it at once, before retrying it.
    await worker.close();
    const told: (string | undefined)[] = [];
    worker = startAgain((reason) => told.push(reason));
    await worker.settleNow();
    expect(told[0]).toContain(bad!.orderNo);
    await bend(-1n);
    await worker.settleNow();
    await worker.settleNow();
    expect((await read(bent!, bad!)).outcome).toBe("won");
    expect(told.at(-1)).toBeUndefined();
    await worker.close();
    expect(await checkInvariants(world.context, 0n)).toEqual([]);
  });

  it("announces late settlements in the log before it settles them", { timeout: 40_000 }, async () => {
    const [memberId] = await world.build.createMembers(1);
    await world.tick("GBPUSD");
    await world.settlement.close();
    const placed = await world.accepted(memberId!, { symbol: "GBPUSD", limitPrice: "1.084999" });
    // No other test has prices of this instrument. The order is voided by its entry and is due from then on.
    await feed(placed, { ticks: [[1, 1_085_000n]] });
    await sleep(10_500);
    const late = startSettlement({
      database: world.context.databases.settlement,
      bus: world.context.bus,
      log: world.context.log,
      configs: world.configs,
      firstStripe: 300,
    });
    await late.settleNow();
    await late.close();
    expect((await read(memberId!, placed)).voidReason).toBe("LIMIT_PASSED");
    const { rows } = await world.build.client.query<{ kind: string; entry: string }>(
      "SELECT kind, entry FROM outbox WHERE kind IN ('incident', 'orders.settle') ORDER BY outbox_id",
    );
    const place = rows.findIndex(({ kind }) => kind === "incident");
    const incident = parseLogEntry(utf8(rows[place]!.entry));
    const from = BigInt(placed.acceptedAt) + 1n;
    expect(incident).toMatchObject({ ok: true, entry: { kind: "incident", part: "settlement", from, orders: 1 } });
    // The incident and the settlements are in the same transaction.
    const { settledAt, orders } = JSON.parse(rows[place + 1]!.entry) as { settledAt: number; orders: object[] };
    expect(incident).toMatchObject({ entry: { at: BigInt(settledAt), to: BigInt(settledAt) } });
    expect(orders).toMatchObject([{ acceptedAt: placed.acceptedAt, voidReason: "LIMIT_PASSED" }]);
    expect(rows.filter(({ kind }) => kind === "incident")).toHaveLength(1);
  });

  it("resumes from the tables alone, and several workers settle each order only once", async () => {
    const members = await world.build.createMembers(50);
    await world.tick();
    const placed = await Promise.all(members.flatMap((member) => [1, 2, 3, 4].map(() => world.accepted(member))));
    await world.settlement.close();
    const newest = Math.max(...placed.map(({ acceptedAt }) => acceptedAt));
    await world.build.feedTicks("EURUSD", [
      { time: BigInt(newest + 1), price: 1_085_000n },
      { time: BigInt(newest + 30_001), price: 1_085_001n },
    ]);
    const orders = new Set<bigint>();
    let told = 0;
    const stop = world.context.bus.subscribe("orders", ({ orderIds }) => {
      told += orderIds.length;
      for (const id of orderIds) orders.add(id);
    });
    const workers = Array.from({ length: 3 }, (_, index) =>
      startSettlement({
        database: world.context.databases.settlement,
        bus: world.context.bus,
        log: world.context.log,
        configs: world.configs,
        firstStripe: 100 + index * 2,
        batchOrders: 17,
      }),
    );
    await Promise.all(workers.map((worker) => worker.settleNow()));
    await Promise.all(workers.map((worker) => worker.settleNow()));
    stop();
    await Promise.all(workers.map((worker) => worker.close()));
    expect(orders.size).toBe(200);
    expect(told).toBe(200);
    const { rows } = await world.build.client.query(
      "SELECT (SELECT count(*) FROM open_orders)::integer AS open, (SELECT sum(profit) FROM exposure)::integer AS exposure",
    );
    expect(rows[0]).toEqual({ open: 0, exposure: 0 });
    expect(await checkInvariants(world.context, 0n)).toEqual([]);
  });

  it("shows each settlement in the log in clear text", async () => {
    const { rows } = await world.build.client.query<{ entry: string }>(
      "SELECT entry FROM outbox WHERE kind = 'orders.settle'",
    );
    const orders = rows.flatMap(({ entry }) => JSON.parse(entry).orders as Record<string, unknown>[]);
    const { rows: counted } = await world.build.client.query("SELECT count(*)::integer AS n FROM settlements");
    expect(orders).toHaveLength(counted[0].n);
    expect(Object.keys(orders[0]!)).toEqual(Object.keys(orders[0]!).toSorted());
    expect(new Set(orders.map(({ batch, place }) => `${String(batch)}/${String(place)}`)).size).toBe(orders.length);
  });

  it("opens the agreed terms in the log, matching the commitment of the acceptance batch", async () => {
    const { rows } = await world.build.client.query<{ kind: string; entry: string }>(
      "SELECT kind, entry FROM outbox WHERE kind IN ('orders.accept', 'orders.settle')",
    );
    const entries = rows.map(({ entry }) => {
      const parsed = parseLogEntry(utf8(entry));
      if (!parsed.ok) throw new Error(parsed.fault);
      return parsed.entry;
    });
    const batches = new Map(
      entries.flatMap((entry) => (entry.kind === "orders.accept" ? [[entry.batch, entry.commitments] as const] : [])),
    );
    const settled = entries.flatMap((entry) => (entry.kind === "orders.settle" ? entry.orders : []));
    expect(settled.length).toBeGreaterThan(0);
    for (const { batch, place, opening, symbol, duration, direction, limitPrice } of settled) {
      const terms = termsJson({
        symbol,
        durationSeconds: duration,
        direction,
        limitPrice: limitPrice as Points | null,
        seal: null,
      });
      const made = orderCommitment(nodeHashes, termsHash(nodeHashes, opening!.nonce, terms), opening!.own);
      expect(toHex(made)).toBe(toHex(batches.get(batch)!.subarray(place * 32, place * 32 + 32)));
    }
  });

  it("splits log entries at 65,535 bytes and 300 orders", () => {
    const order: AgreedOrder = {
      orderId: 1n as OrderId,
      memberId: 1n as MemberId,
      clientOrderId: "a-client-id" as ClientId,
      wallet: "practice",
      acceptedAt: 9_999_999_999_999n as Instant,
      direction: "down",
      sealed: null,
      stake: 1n as MicroUsd,
      fee: 1n as MicroUsd,
      payoutRate: 1n as Rate,
      profitIfWon: 1n as MicroUsd,
      configVersion: 1,
      durationSeconds: 86_400,
      limitPrice: null,
      symbol: "SIXTEENLETTERSXX",
    };
    const settlement = { entry: null, exit: null, outcome: "voided" as const, voidReason: "NO_TICK_BETWEEN" as const };
    const rows = Array.from({ length: 1_000 }, (_, batchPlace) => ({
      order,
      batchNo: BigInt(Number.MAX_SAFE_INTEGER),
      batchPlace,
      // Some orders are from before sealed orders existed.
      nonces: new Uint8Array(batchPlace % 3 === 0 ? 16 : 32),
      settlement,
    }));
    const entries = settleEntries(9_999_999_999_999n as Instant, rows);
    expect(entries.flatMap((entry) => JSON.parse(entry).orders)).toHaveLength(1_000);
    for (const entry of entries) {
      expect(Buffer.byteLength(entry)).toBeLessThanOrEqual(65_535);
      expect(JSON.parse(entry).orders.length).toBeLessThanOrEqual(300);
      expect(parseLogEntry(utf8(entry)).ok).toBe(true);
    }
  });
});
