import { DAY_MS, utcDay } from "@fairtick/domain";
import { fairness, type Fairness, fairnessDay } from "@fairtick/protocol";
import { fastify } from "fastify";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nameUnsigned } from "../../platform/incident-entry.ts";
import { publishLiabilities } from "../liabilities/index.ts";
import { createOrderWorld, type OrderWorld, usd } from "../orders/test-world.ts";
import { addRefusals } from "./count-refusals.ts";
import { addCounts } from "./count-settled.ts";
import { addFairnessPages, openFairness } from "./index.ts";

let world: OrderWorld;
let figures: Fairness;
beforeAll(async () => {
  world = await createOrderWorld();
  const [left, right] = [await world.build.createMember({ real: usd(100) }), await world.build.createMember()];
  await world.tick();
  const wish = { duration: 30, stake: usd(10) } as const;
  await world.accepted(left, { ...wish, direction: "up" });
  await world.accepted(left, { ...wish, direction: "up", stake: usd(20) });
  await world.accepted(right, { ...wish, direction: "down", stake: usd(30) });
  await world.accepted(right, { ...wish, direction: "up", limitPrice: "1.000000" });
  await world.accepted(left, { ...wish, direction: "down", wallet: "real" });
  const at = (await world.build.now()) + 1n;
  await world.build.feedTicks("EURUSD", [
    { time: at, price: 1_085_000n },
    { time: at + 30_000n, price: 1_085_010n },
    { time: at + 30_500n, price: 1_085_010n },
  ]);
  await world.settlement.settleNow();
  await publishLiabilities(world.context, world.context.clock.now());
  figures = await openFairness(world.context).read();
});
afterAll(() => world.close());

describe("the public figures", () => {
  it("have the promised shape, with thirty days of both wallets", () => {
    expect(v.safeParse(fairness, figures).issues).toBeUndefined();
    expect(figures.byDay).toHaveLength(60);
  });

  it("count what was settled, by wallet, day and terms, and why orders were void", () => {
    const [practice, real] = figures.wallets;
    expect(practice).toMatchObject({ wallet: "practice", orders: 4, won: 2, lost: 1, tied: 0 });
    expect(practice?.voided).toEqual({ NO_ENTRY_TICK: 0, LIMIT_PASSED: 1, NO_TICK_BETWEEN: 0, STALE_EXIT: 0 });
    expect(real).toMatchObject({ wallet: "real", orders: 1, won: 0, lost: 1, staked: "10.00", result: "-10.10" });
    expect(figures.byDay.slice(-2).map(({ orders }) => orders)).toEqual([4, 1]);
    expect(
      figures.byTerms.map(({ wallet, symbol, duration, direction, orders }) => [
        wallet,
        symbol,
        duration,
        direction,
        orders,
      ]),
    ).toEqual([
      ["practice", "EURUSD", 30, "up", 3],
      ["practice", "EURUSD", 30, "down", 1],
      ["real", "EURUSD", 30, "down", 1],
    ]);
  });

  it("show what a fair coin would give, with one toss for each window of orders", () => {
    const [practice] = figures.wallets;
    // Stakes of 10, 20 and 30 at a rate of 0.82 and a fee of 1 %: each 10.00 wins 8.10 or loses 10.10, so −1.00 is expected.
    expect(practice).toMatchObject({ staked: "60.00", result: "-6.00", fairResult: "-6.00", share: "0.666667" });
    const up = figures.byTerms[0];
    // Two orders of one window count as a single toss, so any share is possible by chance.
    expect(up).toMatchObject({
      won: 2,
      share: "1.00",
      shareFrom: "0.00",
      shareTo: "1.00",
      result: "24.30",
      fairResult: "-3.00",
    });
    // The interval is −3.00 ± 27.30 (24.30 less the expected −3.00) × 3.2905 × √2.
    expect(up).toMatchObject({ fairFrom: "-130.04", fairTo: "124.04" });
  });

  it("count members, those who lost, and delays, and show zeros if there was nothing", () => {
    expect(figures.wallets.map(({ members, membersLost }) => [members, membersLost])).toEqual([
      [2, 1],
      [1, 1],
    ]);
    // The order voided by its limit price counts too, since it has an entry price. It has no settlement delay.
    expect(figures.entryDelay.count).toBe(5);
    expect(figures.settlementDelay).toMatchObject({ count: 4 });
    expect(figures.withdrawalTime).toEqual({ count: 0, p50: null, p95: null });
    expect(figures.corrections).toEqual({ count: 0, credited: "0.00", debited: "0.00" });
  });

  it("count the log's refusals by reason, outages, and sealed orders that nobody revealed", async () => {
    const { client } = world.build;
    const at = await world.build.now();
    const batch = (batchNo: number, reasons: object) =>
      JSON.stringify({ acceptedAt: Number(at), batch: batchNo, kind: "orders.accept", reasons, v: 2 });
    const incident = (part: string, ms: bigint, reason = "a test") =>
      JSON.stringify({
        at: Number(at),
        from: Number(at - ms),
        kind: "incident",
        part,
        reason,
        to: Number(at),
        v: 1,
      });
    const texts: [string, string, bigint, string][] = [
      ["orders.accept", "", 1n, batch(1, { LATE: 2, PRICE_STALE: 1 })],
      ["orders.accept", "", 2n, batch(2, {})],
      ["orders.accept", "", 3n, batch(3, { LATE: 3 })],
      ["incident", "settlement", at, incident("settlement", 12_000n)],
      ["incident", "settlement", at, incident("settlement", 20_000n)],
      ["incident", "house", at, incident("house", 120_000n)],
      ["incident", "log", at, incident("log", 11_000n, nameUnsigned("a test", ["one.example/w", "two.example/w"]))],
      ["incident", "log", at, incident("log", 12_000n, nameUnsigned("a test", ["two.example/w"]))],
      ["incident", "prices", at, incident("prices", 13_000n)],
      ["incident", "source", at, incident("source", 14_000n)],
    ];
    for (const [place, [kind, about, number, entry]] of texts.entries()) {
      await client.query(
        "WITH made AS (INSERT INTO outbox (kind, entry) VALUES ($1, $2) RETURNING outbox_id) INSERT INTO log_entries (log_index, outbox_id, kind, about, number) SELECT $3, outbox_id, $1, $4, $5 FROM made",
        [kind, entry, place, about, number],
      );
    }
    await client.query("UPDATE log_writer SET size = $1", [texts.length]);
    await client.query("INSERT INTO fairness_sealed (day, wallet, unrevealed, voided) VALUES ($1, 'practice', 3, 1)", [
      utcDay(world.context.clock.now()),
    ]);
    const day = utcDay(world.context.clock.now()) - 29;
    await addRefusals(world.context, day);
    await addRefusals(world.context, day);
    const told = await openFairness(world.context).read();
    expect(told.refusals).toEqual([
      { reason: "LATE", count: 5 },
      { reason: "PRICE_STALE", count: 1 },
    ]);
    expect(told.incidents).toEqual([
      { part: "house", count: 1, ms: 120_000, lastAt: Number(at), unsigned: [] },
      { part: "log", count: 2, ms: 23_000, lastAt: Number(at), unsigned: ["one.example/w", "two.example/w"] },
      { part: "prices", count: 1, ms: 13_000, lastAt: Number(at), unsigned: [] },
      { part: "settlement", count: 2, ms: 32_000, lastAt: Number(at), unsigned: [] },
      { part: "source", count: 1, ms: 14_000, lastAt: Number(at), unsigned: [] },
    ]);
    // A part that the log may name but this page doesn't count would be missing here.
    expect(told.incidents.map(({ part }) => part)).toEqual(
      [...fairness.entries.incidents.item.entries.part.options].toSorted(),
    );
    expect(told.wallets.map(({ unrevealed, unrevealedVoided }) => [unrevealed, unrevealedVoided])).toEqual([
      [3, 1],
      [0, 0],
    ]);
  });

  it("show what was published as owed, and the house's funds", () => {
    // The member had 100.00 and lost 10.10. The house had 10,000,000.00 and won that.
    expect(figures.liabilities).toMatchObject({ members: 1, sum: "89.90" });
    expect(figures.reserves).toEqual({ house: "10000010.10", chains: [] });
  });

  it("are served to everyone, and read once for simultaneous requests", async () => {
    const app = fastify();
    const report = openFairness(world.context);
    let reads = 0;
    addFairnessPages(app, { ...report, read: () => ((reads += 1), Promise.resolve(figures)) });
    const answer = await app.inject("/fairness.json");
    expect(answer.headers["access-control-allow-origin"]).toBe("*");
    expect(answer.json()).toEqual(figures);
    expect((await app.inject("/fairness")).headers["location"]).toBe("/#/pages/fairness/index");
    expect(reads).toBe(1);
    const [one, other] = await Promise.all([report.read(), report.read()]);
    expect(one).toBe(other);
    await app.close();
  });
});

describe("a day by instrument and duration", () => {
  const today = () => new Date(Number(world.context.clock.now())).toISOString().slice(0, 10);

  it("shows the sums of each instrument and duration, with their intervals", async () => {
    const day = await openFairness(world.context).readDay(today());
    expect(v.safeParse(fairnessDay, day).issues).toBeUndefined();
    expect(day?.cells).toMatchObject([
      { wallet: "practice", symbol: "EURUSD", duration: 30, orders: 4, won: 2, lost: 1, share: "0.666667" },
      { wallet: "real", symbol: "EURUSD", duration: 30, orders: 1, won: 0, lost: 1 },
    ]);
    expect(day?.cells[0]?.voided).toMatchObject({ LIMIT_PASSED: 1 });
  });

  it("is served to everyone, for covered days only", async () => {
    const app = fastify();
    addFairnessPages(app, openFairness(world.context));
    const answer = await app.inject(`/fairness/${today()}.json`);
    expect(answer.headers["access-control-allow-origin"]).toBe("*");
    expect(answer.json()).toMatchObject({ day: today() });
    for (const file of ["1999-01-01.json", "2999-01-01.json", `${today()}.txt`, "..json"]) {
      expect((await app.inject(`/fairness/${file}`)).statusCode).toBe(404);
    }
    await app.close();
  });
});

describe("the stored counts of settlements", () => {
  /** Moves all settlements back in time by `ms`, so that even the newest one is old enough to be counted. */
  async function settleEarlier(ms: bigint): Promise<void> {
    const { client } = world.build;
    const { rows } = await client.query<{ name: string }>(
      "SELECT 'settlements' AS name UNION ALL SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'settlements'::regclass",
    );
    for (const { name } of rows) await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
    await client.query("UPDATE settlements SET settled_at = settled_at - $1::bigint", [String(ms)]);
  }
  const figuresOf = async () => {
    const { asOf, ...rest } = await openFairness(world.context).read();
    expect(asOf).toBeGreaterThan(0);
    return rest;
  };
  const rowsOf = async (table: string) => {
    const [row] = await world.context.databases.reader.query<{ count: bigint }>(`SELECT count(*) FROM ${table}`);
    return row?.count;
  };

  it("don't change the figures, even if only part of a window is in them", async () => {
    await addCounts(world.context, world.context.clock.now());
    expect(await rowsOf("fairness_windows")).toBe(0n);
    await world.build.client.query("UPDATE fairness_progress SET through = 0");
    // They were settled when the prices above were there, half a minute from now.
    await settleEarlier(91_500n);
    const before = await figuresOf();
    await addCounts(world.context, world.context.clock.now());
    expect(await rowsOf("fairness_windows")).toBeGreaterThan(0n);
    expect(await figuresOf()).toEqual(before);
    await addCounts(world.context, world.context.clock.now());
    expect(await figuresOf()).toEqual(before);
  });

  it("keep only the sums of a day that is over, which don't change the figures", async () => {
    await world.build.client.query("UPDATE fairness_progress SET through = 0");
    await world.build.client.query("TRUNCATE fairness_windows, fairness_members, fairness_delays");
    await settleEarlier(DAY_MS);
    const before = await figuresOf();
    await addCounts(world.context, world.context.clock.now());
    expect([await rowsOf("fairness_windows"), await rowsOf("fairness_days")]).toEqual([0n, 3n]);
    expect(await figuresOf()).toEqual(before);
    const yesterday = new Date((utcDay(world.context.clock.now()) - 1) * Number(DAY_MS)).toISOString().slice(0, 10);
    const day = await openFairness(world.context).readDay(yesterday);
    expect(day?.cells.map(({ orders }) => orders)).toEqual([4, 1]);
  });

  it("can't be changed by any program", async () => {
    const { jobs, reader } = world.context.databases;
    await expect(jobs.query("UPDATE fairness_progress SET through = 0")).rejects.toThrow(/permission denied/);
    await expect(jobs.query("DELETE FROM fairness_members")).rejects.toThrow(/permission denied/);
    await expect(reader.query("SELECT count_fairness(0, 1, 0, 0)")).rejects.toThrow(/permission denied/);
    await expect(world.build.client.query("DELETE FROM fairness_days")).rejects.toThrow(/written once/);
  });
});
