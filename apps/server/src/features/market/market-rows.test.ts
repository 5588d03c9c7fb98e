import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Instant, type Points, toHex } from "@fairtick/domain";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "../../platform/database.ts";
import { createTestContext, type TestContext } from "../../platform/test-context.ts";
import {
  ensureTickPartitions,
  giveBackMarket,
  readClocks,
  renewLease,
  type Seal,
  StaleWriterError,
  storeGenesis,
  type StoredTick,
  storeSlot,
  takeMarket,
} from "./market-rows.ts";
import { logFinished, logPriceMinutes, logSlotHeads, priceLines } from "./price-log.ts";

let context: TestContext;
let database: Database;
let epoch: bigint;
/** Each test starts at its own minute. */
let now = 1_767_225_600_000n;

beforeAll(async () => {
  context = await createTestContext();
  database = context.databases.market;
  epoch = (await takeMarket(database, 0))!;
  await ensureTickPartitions(database, (now - 1n) as Instant, now as Instant);
  const sealedThrough = (now - 1n) as Instant;
  await storeGenesis(
    database,
    epoch,
    ["AAA", "BBB"].map((symbol) => ({ symbol, candles: [], longCandles: [], ticks: [], sealedThrough })),
  );
});
beforeEach(() => {
  now += 600_000n;
});
afterAll(() => context.close());

function tick(symbol: string, seq: bigint, time: bigint, price = 100n): StoredTick {
  return { symbol, seq, time: time as Instant, price: price as Points, late: false };
}
function seal(symbol: string, time: bigint): Seal {
  return { symbol, time: time as Instant };
}
async function clockOf(symbol: string) {
  return (await readClocks(database)).find((clock) => clock.symbol === symbol)!;
}
async function everything() {
  const tables = ["ticks", "instrument_clock", "slot_heads"];
  return Promise.all(
    tables.map((table) => context.databases.reader.query(`SELECT t::text FROM ${table} t ORDER BY 1`)),
  );
}

describe("a slot", () => {
  it("keeps each tick with the seal it found, and moves clock and seals with it", async () => {
    const { seq, sealedThrough } = await clockOf("AAA");
    await storeSlot(
      database,
      epoch,
      [tick("AAA", seq + 1n, now), tick("AAA", seq + 2n, now + 5n, 101n)],
      [seal("AAA", now + 9n), seal("BBB", now)],
    );
    expect(await clockOf("AAA")).toMatchObject({ seq: seq + 2n, time: now + 5n, price: 101n, sealedThrough: now + 9n });
    expect(await clockOf("BBB")).toMatchObject({ seq: 0n, sealedThrough: now });
    const stored = await database.query("SELECT seal_before, late FROM ticks WHERE symbol = 'AAA' AND time >= $1", [
      now,
    ]);
    expect(stored).toEqual([
      { seal_before: sealedThrough, late: false },
      { seal_before: sealedThrough, late: false },
    ]);
  });

  it("with seals only changes nothing else and has no head", async () => {
    const before = await clockOf("AAA");
    expect(await storeSlot(database, epoch, [], [seal("AAA", now)])).toBeNull();
    expect(await clockOf("AAA")).toEqual({ ...before, sealedThrough: now });
  });

  it.each<[what: string, ticks: (seq: bigint) => StoredTick[], seals: () => Seal[], writer?: bigint]>([
    ["a writer that was taken over", (seq) => [tick("AAA", seq, now)], () => [seal("AAA", now)], 0n],
    ["a stale writer's seal", () => [], () => [seal("AAA", now)], 0n],
    ["a seal that doesn't move", () => [], () => [seal("AAA", now - 1n)]],
    ["a seal that moves back", () => [], () => [seal("BBB", now), seal("AAA", now - 2n)]],
    ["a skipped number", (seq) => [tick("AAA", seq + 1n, now)], () => [seal("AAA", now)]],
    ["a number used twice", (seq) => [tick("AAA", seq - 1n, now)], () => [seal("AAA", now)]],
    ["a tick without a seal", (seq) => [tick("AAA", seq, now)], () => [seal("BBB", now)]],
    ["a tick after its seal", (seq) => [tick("AAA", seq, now + 2n)], () => [seal("AAA", now + 1n)]],
    [
      "two ticks at the same time",
      (seq) => [tick("AAA", seq, now), tick("AAA", seq + 1n, now)],
      () => [seal("AAA", now)],
    ],
    ["a tick at the seal", (seq) => [tick("AAA", seq, now - 1n)], () => [seal("AAA", now)]],
    ["a price of zero", (seq) => [tick("AAA", seq, now, 0n)], () => [seal("AAA", now)]],
    ["an unknown instrument", () => [tick("ZZZ", 1n, now)], () => [seal("ZZZ", now)]],
  ])("is refused as a whole for %s", async (_what, ticks, seals, writer) => {
    await storeSlot(database, epoch, [], [seal("AAA", now - 1n)]);
    const before = await everything();
    const { seq } = await clockOf("AAA");
    await expect(storeSlot(database, writer ?? epoch, ticks(seq + 1n), seals())).rejects.toThrow(
      /^writer .* (?:holds|moved)|violates (check|unique)/,
    );
    expect(await everything()).toEqual(before);
  });
});

describe("the fence", () => {
  it("keeps other writers out while the lease runs, and lets the next one in once it has expired", async () => {
    const present = BigInt(Date.now());
    await ensureTickPartitions(database, present as Instant, present as Instant);
    const writer = (await takeMarket(database, 300))!;
    await sleep(200);
    await storeSlot(database, writer, [], [seal("AAA", present)]);
    await sleep(200);
    expect(await takeMarket(database, 300), "a slot renews the lease").toBeNull();
    await renewLease(database, writer);
    await sleep(200);
    expect(await takeMarket(database, 300), "so does a writer that has no slot yet").toBeNull();
    await sleep(150);
    const next = (await takeMarket(database, 60_000))!;
    expect(next).toBeGreaterThan(writer);
    await expect(storeSlot(database, writer, [], [seal("AAA", present + 50n)])).rejects.toThrow(StaleWriterError);
    await expect(renewLease(database, writer)).rejects.toThrow(StaleWriterError);
    const fresh = { symbol: "CCC", candles: [], longCandles: [], ticks: [], sealedThrough: present as Instant };
    await expect(storeGenesis(database, writer, [fresh])).rejects.toThrow(StaleWriterError);
    await storeSlot(database, next, [], [seal("AAA", present + 60n)]);
    await giveBackMarket(database, next);
    await expect(storeSlot(database, next, [], [seal("AAA", present + 70n)])).rejects.toThrow(StaleWriterError);
    epoch = (await takeMarket(database, 60_000))!;
    expect(epoch).toBeGreaterThan(next);
    now = present + 600_000n;
  });

  it("respects the lease of a writer whose seals are old, as all are after an outage", async () => {
    expect(await takeMarket(database, 60_000)).toBeNull();
    expect((await clockOf("BBB")).sealedThrough).toBeLessThan(BigInt(Date.now()) - 60_000n);
  });

  it("lets the process that held the market last take it again at once, under a new epoch", async () => {
    const again = (await takeMarket(database, 60_000, epoch))!;
    expect(again).toBeGreaterThan(epoch);
    expect(await takeMarket(database, 60_000, epoch)).toBeNull();
    epoch = again;
  });

  it("ignores a lease if the database's clock was set back since", async () => {
    await database.query("UPDATE market_writer SET lease_until = lease_until + 3600000");
    epoch = (await takeMarket(database, 60_000))!;
    expect(epoch).not.toBeNull();
  });

  it("lets in one of many that come at once", async () => {
    await giveBackMarket(database, epoch);
    const taken = await Promise.all(Array.from({ length: 3 }, () => takeMarket(database, 60_000)));
    expect(taken.filter((one) => one !== null)).toHaveLength(1);
    epoch = taken.find((one) => one !== null)!;
  });
});

describe("slot heads", () => {
  it("chain over the acceptance batches committed since and the slot's ticks, as published", async () => {
    const [head] = await database.query<{ k: bigint; hash: Buffer; through_batch: bigint }>(
      "SELECT k, hash, through_batch FROM slot_heads ORDER BY k DESC LIMIT 1",
    );
    const roots = [createHash("sha256").update("one").digest(), createHash("sha256").update("two").digest()];
    await context.databases.orders.query(
      "INSERT INTO acceptance_batches (batch_no, accepted_at, root) VALUES ($1, 1, $3), ($2, 1, $4)",
      [head!.through_batch + 2n, head!.through_batch + 5n, ...roots],
    );
    const [a, b] = [await clockOf("AAA"), await clockOf("BBB")];
    const ticks = [tick("BBB", b.seq + 1n, now, 7n), tick("AAA", a.seq + 1n, now, 8n)];
    const next = await storeSlot(database, epoch, ticks, [seal("AAA", now), seal("BBB", now)]);
    const lines = `AAA,${a.seq + 1n},${now},8\nBBB,${b.seq + 1n},${now},7`;
    const digest = createHash("sha256").update(lines).digest();
    const expected = createHash("sha256")
      .update("SLOT1\0")
      .update(head!.hash)
      .update(Buffer.concat(roots))
      .update(digest);
    expect(next?.k).toBe(head!.k + 1n);
    expect(toHex(next!.hash)).toBe(expected.digest("hex"));

    // The next head binds no batch again, and a head without batches still extends the chain.
    const then = await storeSlot(database, epoch, [tick("AAA", a.seq + 2n, now + 1n)], [seal("AAA", now + 1n)]);
    const last = createHash("sha256")
      .update(`AAA,${a.seq + 2n},${now + 1n},100`)
      .digest();
    const plain = createHash("sha256").update("SLOT1\0").update(next!.hash).update(last).digest("hex");
    expect(toHex(then!.hash)).toBe(plain);
  });

  it("each go into the outbox once", async () => {
    const end = now + 60_000n;
    await logSlotHeads(database, end);
    await logSlotHeads(database, end);
    const heads = await database.query<{ k: bigint; hash: Buffer; through_batch: bigint; ticks: string }>(
      "SELECT k, hash, through_batch, ticks FROM slot_heads ORDER BY k",
    );
    const [first] = await database.query<{ seq: bigint }>("SELECT min(seq) AS seq FROM ticks WHERE symbol = 'AAA'");
    const [newest] = await database.query<{ time: bigint }>("SELECT max(time) AS time FROM slot_heads");
    const countIn = (ticks: string, symbol: string) =>
      Number(new RegExp(`${symbol},[0-9]+,([0-9]+)`).exec(ticks)?.[1] ?? 0);
    const countsOf = (symbol: string) => heads.map(({ ticks }) => countIn(ticks, symbol));
    // The market's own role may not read the outbox.
    const entries = await context.databases.jobs.query<{ entry: string }>(
      "SELECT entry FROM outbox WHERE kind = 'heads'",
    );
    expect(entries.map((row) => JSON.parse(row.entry) as unknown)).toEqual([
      {
        batches: heads.map((head) => Number(head.through_batch)),
        from: 1,
        heads: heads.map((head) => toHex(head.hash)),
        kind: "heads",
        ticks: { AAA: [Number(first!.seq), ...countsOf("AAA")], BBB: [expect.any(Number), ...countsOf("BBB")] },
        time: Number((newest!.time / 60_000n + 1n) * 60_000n),
        to: heads.length,
        v: 1,
      },
    ]);
    const stored = await database.query<{ n: bigint }>(
      "SELECT count(*) AS n FROM ticks WHERE symbol = 'AAA' AND NOT pre_genesis",
    );
    expect(countsOf("AAA").reduce((sum, each) => sum + each, 0)).toBe(Number(stored[0]!.n));
  });
});

describe("the price log", () => {
  it("has exactly one entry for each sealed minute with ticks, with the hash of its lines", async () => {
    const minute = (now / 60_000n + 1n) * 60_000n;
    const { seq } = await clockOf("BBB");
    const times = [minute, minute + 30_000n, minute + 59_999n, minute + 180_000n, minute + 240_000n];
    await ensureTickPartitions(database, minute as Instant, minute as Instant);
    for (const [index, time] of times.entries()) {
      await storeSlot(database, epoch, [tick("BBB", seq + 1n + BigInt(index), time)], [seal("BBB", time)]);
      await logPriceMinutes(database, "BBB", time as Instant);
    }
    await logPriceMinutes(database, "BBB", times.at(-1)! as Instant);
    const entries = (
      await context.databases.jobs.query<{ entry: string }>(
        "SELECT entry FROM outbox WHERE kind = 'ticks' ORDER BY outbox_id",
      )
    ).map((row) => JSON.parse(row.entry) as { time: number; symbol: string });
    const mine = entries.filter((entry) => entry.symbol === "BBB" && BigInt(entry.time) >= minute);
    const hashOf = (rows: { seq: bigint; time: bigint; price: bigint }[]) =>
      createHash("sha256").update(priceLines(rows)).digest("hex");
    const rows = times.map((time, index) => ({ seq: seq + 1n + BigInt(index), time, price: 100n }));
    const entryOf = (time: bigint, part: typeof rows) => ({
      count: part.length,
      from: Number(part[0]!.seq),
      hash: hashOf(part),
      kind: "ticks",
      symbol: "BBB",
      time: Number(time),
      to: Number(part.at(-1)!.seq),
      v: 1,
    });
    expect(mine).toEqual([entryOf(minute, rows.slice(0, 3)), entryOf(minute + 180_000n, rows.slice(3, 4))]);
    expect(priceLines(rows.slice(0, 1))).toBe(`${seq + 1n},${minute},100`);
    const kept = await context.databases.reader.query(
      "SELECT time FROM price_minutes WHERE symbol = 'BBB' AND time >= $1",
      [minute],
    );
    expect(kept).toEqual([{ time: minute }, { time: minute + 180_000n }]);
  });
});

describe("two writers that finish the same minutes, as one woken from a pause beside its successor", () => {
  it("write each minute once between them, and neither fails", async () => {
    const minute = (now / 60_000n + 1n) * 60_000n;
    const { seq } = await clockOf("AAA");
    await ensureTickPartitions(database, minute as Instant, minute as Instant);
    for (let round = 0n; round < 10n; round += 1n) {
      const time = minute + round * 60_000n;
      await storeSlot(database, epoch, [tick("AAA", seq + 1n + round, time)], [seal("AAA", time + 59_999n)]);
      const sealed = [["AAA", (time + 59_999n) as Instant]] as const;
      await Promise.all(Array.from({ length: 4 }, () => logFinished(database, sealed)));
    }
    const entries = async (kind: string) =>
      (await context.databases.jobs.query<{ entry: string }>("SELECT entry FROM outbox WHERE kind = $1", [kind])).map(
        ({ entry }) => JSON.parse(entry) as { symbol: string; time: number; from: number; to: number },
      );
    const minutes = (await entries("ticks")).filter(({ symbol, time }) => symbol === "AAA" && time >= minute);
    expect(minutes.map(({ time }) => (time - Number(minute)) / 60_000)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const heads = (await entries("heads")).flatMap(({ from, to }) => [from, to]);
    expect(heads).toEqual(heads.toSorted((one, other) => one - other));
    expect(new Set(heads.filter((_, place) => place % 2 === 0)).size).toBe(heads.length / 2);
  });
});

describe("what the market's role may touch", () => {
  it.each(["orders", "open_orders", "open_groups", "settlements", "members", "members_money", "sessions"])(
    "not %s",
    async (table) => {
      await expect(database.query(`SELECT 1 FROM ${table}`)).rejects.toThrow(/permission denied/);
    },
  );

  it.each(["UPDATE ticks SET price = 1", "DELETE FROM ticks", "TRUNCATE ticks", "UPDATE slot_heads SET k = 1"])(
    "not change what is stored: %s",
    async (statement) => {
      await expect(database.query(statement)).rejects.toThrow(/permission denied|refused/);
    },
  );
});
