import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ClientId, MemberId } from "@fairtick/domain";
import { createIdSource } from "@fairtick/domain";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createOrderWorld, instant, newClientId, type OrderWorld, usd } from "../orders/test-world.ts";
import { checkInvariants, readSummaries, seedHouseCapital } from "./index.ts";
import { listFundRecords } from "./list-fund-records.ts";
import { refillPractice } from "./refill-practice.ts";

let world: OrderWorld;
beforeAll(async () => {
  world = await createOrderWorld();
});
afterAll(() => world.close());

const ids = () => ({ ...world.context, ids: createIdSource({ node: 900, clock: world.context.clock }) });

describe("house capital", () => {
  it("is given once, however often the house starts", async () => {
    const pool = async () =>
      (await world.build.client.query("SELECT balance FROM house_accounts WHERE account = 'pool' ORDER BY wallet"))
        .rows;
    const before = await pool();
    await seedHouseCapital(world.context);
    await Promise.all([seedHouseCapital(world.context), seedHouseCapital(world.context)]);
    const after = await pool();
    expect(BigInt(after[0].balance) - BigInt(before[0].balance)).toBe(usd(10_000_000));
    expect(BigInt(after[1].balance) - BigInt(before[1].balance)).toBe(usd(1_000_000));
    expect(await checkInvariants(world.context, 0n)).toEqual([]);
  });

  it("is not given in live", async () => {
    const live = { ...world.context, config: { ...world.context.config, deployment: "live" as const } };
    const count = async () => (await world.build.client.query("SELECT count(*) FROM transfers")).rows[0].count;
    const before = await count();
    await seedHouseCapital(live);
    expect(await count()).toBe(before);
  });
});

describe("practice refill", () => {
  it("refills to 10,000.00 once for each client id", async () => {
    const memberId = (await world.build.createMember({ practice: usd(999.99) })) as MemberId;
    const clientId = newClientId();
    const context = ids();
    const answers = await Promise.all([1, 2, 3].map(() => refillPractice(context, memberId, clientId)));
    expect(answers.every(({ ok }) => ok)).toBe(true);
    const [practice] = await readSummaries(world.context, memberId, instant(await world.build.now()), ["practice"]);
    expect(practice).toMatchObject({ available: "10000.00", totalAssets: "10000.00", creditScore: 100 });
    expect(await checkInvariants(world.context, 0n)).toEqual([]);
  });

  it("is refused while the wallet holds 1,000.00 or more", async () => {
    const memberId = (await world.build.createMember({ practice: usd(1_000) })) as MemberId;
    expect(await refillPractice(ids(), memberId, "another-client-id" as ClientId)).toEqual({
      ok: false,
      refusal: { error: "REFILL_NOT_NEEDED", params: { below: "1000.00" } },
    });
  });
});

describe("fund records", () => {
  it("show each change of available with its balance, page by page", async () => {
    const memberId = (await world.build.createMember()) as MemberId;
    await world.build.feedTicks("EURUSD", [{ time: await world.build.now(), price: 1_085_000n }]);
    const placed = await world.accepted(memberId);
    const at = BigInt(placed.acceptedAt);
    await world.build.feedTicks("EURUSD", [
      { time: at + 1n, price: 1_085_000n },
      { time: at + 30_001n, price: 1_085_001n },
    ]);
    await world.settlement.settleNow();
    const first = await listFundRecords(world.context, memberId, { wallet: "practice", kind: "all", limit: 2 });
    if (!first.ok) throw new Error("refused");
    expect(first.value.items).toMatchObject([
      { type: "instantTrade", remark: "payout", amount: "18.20", balanceAfter: "10008.10", orderNo: placed.orderNo },
      { type: "instantTrade", remark: "stake", amount: "-10.10", balanceAfter: "9989.90", orderNo: placed.orderNo },
    ]);
    const rest = await listFundRecords(world.context, memberId, {
      wallet: "practice",
      kind: "all",
      cursor: first.value.nextCursor!,
    });
    expect(rest).toMatchObject({
      ok: true,
      value: {
        items: [{ type: "system", remark: "practiceIssue", amount: "10000.00", orderNo: null }],
        nextCursor: null,
      },
    });
    expect(await checkInvariants(world.context, 0n)).toEqual([]);
    const [practice] = await readSummaries(world.context, memberId, instant(await world.build.now()), ["practice"]);
    expect(practice).toMatchObject({ available: "10008.10", locked: "0.00", todayProfit: "8.10", openPositions: 0 });
  });
});

describe("invariants", () => {
  const free = (table: string, sql: string) =>
    `ALTER TABLE ${table} DISABLE TRIGGER ALL; ${sql}; ALTER TABLE ${table} ENABLE TRIGGER ALL; ALTER TABLE ${table} ENABLE ALWAYS TRIGGER refuse_row_change`;

  it.each([
    [
      "I2",
      "UPDATE members_money SET practice_available = practice_available + 1 WHERE member_id = (SELECT max(member_id) FROM members_money)",
      "UPDATE members_money SET practice_available = practice_available - 1 WHERE member_id = (SELECT max(member_id) FROM members_money)",
    ],
    [
      "I2",
      "UPDATE members_money SET member_seq = member_seq + 1 WHERE member_id = (SELECT max(member_id) FROM members_money)",
      "UPDATE members_money SET member_seq = member_seq - 1 WHERE member_id = (SELECT max(member_id) FROM members_money)",
    ],
    [
      "I4",
      "UPDATE house_accounts SET balance = balance + 5 WHERE account = 'fees' AND wallet = 'real'",
      "UPDATE house_accounts SET balance = balance - 5 WHERE account = 'fees' AND wallet = 'real'",
    ],
    [
      "I5",
      "INSERT INTO open_groups (first_id, accepted_at, duration, symbol, order_ids, member_ids) VALUES (1, 0, 30, 'EURUSD', '{1}', '{1}')",
      "DELETE FROM open_groups WHERE first_id = 1",
    ],
    [
      "I6",
      "UPDATE members_money SET practice_locked = practice_locked + 7 WHERE member_id = (SELECT max(member_id) FROM members_money)",
      "UPDATE members_money SET practice_locked = practice_locked - 7 WHERE member_id = (SELECT max(member_id) FROM members_money)",
    ],
    [
      "I7",
      free("orders", "UPDATE orders SET client_order_id = 'another'"),
      free("orders", "UPDATE orders SET client_order_id = NULL"),
    ],
    [
      "I8",
      free("settlements", "UPDATE settlements SET outcome = 'lost', profit = -10100000, credit = 0"),
      free("settlements", "UPDATE settlements SET outcome = 'won', profit = 8100000, credit = 18200000"),
    ],
    [
      "I1",
      free("settlements", "UPDATE settlements SET credit = credit + 1"),
      free("settlements", "UPDATE settlements SET credit = credit - 1"),
    ],
    [
      "I10",
      free("ticks", "UPDATE ticks SET seq = seq + 10 WHERE seq = 1"),
      free("ticks", "UPDATE ticks SET seq = seq - 10 WHERE seq = 11"),
    ],
  ])("a violation of %s is found", async (invariant, sql, undo) => {
    await world.build.client.query(sql);
    const found = await checkInvariants(world.context, 0n);
    await world.build.client.query(undo);
    expect(found.map((violation) => violation.invariant)).toContain(invariant);
    expect(await checkInvariants(world.context, 0n)).toEqual([]);
  });

  it("each have a number of their own", () => {
    const text = readFileSync(join(import.meta.dirname, "invariants.sql"), "utf8");
    const numbers = [...text.matchAll(/^-- check (I[0-9]+):/gm)].map(([, number]) => number);
    expect(numbers.length).toBeGreaterThan(15);
    expect(numbers).toEqual([...new Set(numbers)]);
  });
});
