import { type ClientId, formatId, formatMoney, type Instant, type MemberId, type MicroUsd } from "@fairtick/domain";
import type { WalletReport } from "@fairtick/protocol/operator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { reportResult } from "./report-house.ts";
import { checkInvariants } from "../ledger/index.ts";
import { openDeviceKeys } from "../order-devices/index.ts";
import {
  type Acceptance,
  createAcceptanceSwitch,
  openAcceptance,
  placeOrder,
  type PlaceOrderInput,
} from "../orders/index.ts";
import { TEST_REGIONS, usd } from "../orders/test-world.ts";
import { type Settlement, startSettlement } from "../settlement/index.ts";
import { systemClock } from "../../platform/clock.ts";
import { type ConsoleWorld, createConsoleWorld } from "../../testing/console-world.ts";

const ENTRY = 1_085_000n;
const DAY_MS = 86_400_000n;

let world: ConsoleWorld;
let open: Acceptance;
let settlement: Settlement;
const cookies = new Map<string, string>();
const as = (login: string) => cookies.get(login) ?? "";
const sql = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await world.builder.client.query<Row>(text, values)).rows;
const money = (amount: bigint) => formatMoney(amount as MicroUsd);

type Day = Awaited<ReturnType<typeof reportResult>>[number];
const result = async (input: object = {}) =>
  (await world.call("report/result", input, as("finance-1"))).body.data as Day[];
const exposure = async () => (await world.call("report/exposure", {}, as("finance-1"))).body.data as WalletReport[];
const ofWallet = (reports: readonly WalletReport[], wallet: "practice" | "real") =>
  reports.find((report) => report.wallet === wallet)!;

let orders = 0;
async function place(memberId: bigint, wish: Pick<PlaceOrderInput, "wallet" | "stake"> & Partial<PlaceOrderInput>) {
  const { databases, bus } = world.context;
  const placing = {
    databases,
    bus,
    configs: world.configs,
    collector: open.collector,
    devices: openDeviceKeys(databases.reader),
  };
  const placed = await placeOrder(placing, memberId as MemberId, {
    symbol: "EURUSD",
    direction: "up",
    duration: 30,
    clientOrderId: `result-${(orders += 1)}` as ClientId,
    ...wish,
  });
  if (!placed.ok) throw new Error(JSON.stringify(placed.refusal));
}

/** Places and settles one order of each outcome in each wallet, and a second won one in the real wallet. */
async function trade(memberId: bigint) {
  const { builder } = world;
  for (const symbol of ["EURUSD", "GBPUSD"])
    await builder.feedTicks(symbol, [{ time: await builder.now(), price: ENTRY }]);
  const practice = { wallet: "practice" } as const;
  const real = { wallet: "real" } as const;
  await Promise.all([
    place(memberId, { ...practice, stake: usd(10) }),
    place(memberId, { ...practice, stake: usd(30), direction: "down" }),
    place(memberId, { ...practice, stake: usd(40), symbol: "GBPUSD" }),
    place(memberId, { ...practice, stake: usd(20), limitPrice: "1.000000" }),
    place(memberId, { ...real, stake: usd(50) }),
    place(memberId, { ...real, stake: usd(20) }),
    place(memberId, { ...real, stake: usd(15), direction: "down" }),
    place(memberId, { ...real, stake: usd(25), symbol: "GBPUSD", direction: "down" }),
    place(memberId, { ...real, stake: usd(35), limitPrice: "1.000000" }),
  ]);
  const at = (await builder.now()) + 1n;
  for (const [symbol, exit] of [
    ["EURUSD", ENTRY + 10n],
    ["GBPUSD", ENTRY],
  ] as const)
    await builder.feedTicks(symbol, [
      { time: at, price: ENTRY },
      { time: at + 30_000n, price: exit },
      { time: at + 30_500n, price: exit },
    ]);
  await settlement.settleNow();
}

/** Moves money without orders: corrections by two people, and a paid withdrawal of 100.00 with a fee of 1.00. */
async function moveMoney(memberId: bigint) {
  const reason = "Counted again with the bank";
  for (const [wallet, amount] of [
    ["practice", "5.00"],
    ["real", "-3.00"],
  ]) {
    const wish = { memberId: formatId("member", memberId as MemberId), wallet, amount, reason };
    const made = await world.call("correction/propose", wish, as("finance-1"));
    const { proposalId } = made.body.data as { proposalId: string };
    const booked = await world.call("correction/approve", { proposalId, amount, reason }, as("finance-2"));
    expect(booked.status).toBe(200);
  }
  await sql(
    `INSERT INTO chain_instances (chain, evm_chain_id, genesis_hash, token, cursor_height, cursor_hash, head_height, read_at)
     VALUES ('test', 31337, '0x1', '0x2', 9, '0x9', 9, 1)`,
  );
  await sql("SELECT add_withdrawal_address($1, 'test', '0xa', NULL, 0)", [memberId]);
  await sql(
    `SELECT request_withdrawal(7001, 7002, $1, 'result-paid', '\\x00', 'test', (SELECT instance_id FROM chain_instances), '0xa',
       100000000, 1000000, 99000000, 4000000000000, '\\x01')`,
    [memberId],
  );
  const step = (stage: string) => sql("UPDATE withdrawals SET stage = $1 WHERE withdrawal_id = 7001", [stage]);
  await step("approved");
  await sql(
    "INSERT INTO payout_wallets (instance_id, address, next_nonce, made_at) SELECT instance_id, '0xb', 1, 1 FROM chain_instances",
  );
  await sql(
    "INSERT INTO payout_nonces (instance_id, address, nonce, withdrawal_id) SELECT instance_id, '0xb', 0, 7001 FROM chain_instances",
  );
  await step("reserved");
  await sql("INSERT INTO withdrawal_attempts VALUES (7001, 1, 1, 1, '0xc', '0x', 1)");
  await step("signed");
  await step("broadcast");
  await sql("SELECT confirm_withdrawal(7001, 7003, '0xc', 9)");
}

interface Line {
  readonly kind: string;
  readonly fact_id: string;
  readonly wallet: "practice" | "real";
  readonly from_account: string;
  readonly to_account: string;
  readonly amount: string;
  /** UTC day of the settlement; null for other lines. */
  readonly day: string | null;
}
const lines = () =>
  sql<Line>(
    `SELECT l.kind, l.fact_id::text, l.wallet, l.from_account, l.to_account, l.amount::text,
       to_char(to_timestamp(s.settled_at / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day
     FROM postings_all l LEFT JOIN settlements s ON s.order_id = l.fact_id AND l.kind IN ('settle_won', 'settle_lost', 'release')`,
  );
/** Sums what the lines added to an account, less what they took from it. */
function sumOf(found: readonly Line[], account: string): bigint {
  let sum = 0n;
  for (const { from_account: from, to_account: to, amount } of found) {
    if (to === account) sum += BigInt(amount);
    if (from === account) sum -= BigInt(amount);
  }
  return sum;
}

let before: WalletReport[];
let daysBefore: Day[];
beforeAll(async () => {
  world = await createConsoleWorld();
  const { databases, bus, log } = world.context;
  open = await openAcceptance(
    { databases, log, clock: systemClock },
    { configs: world.configs, acceptance: createAcceptanceSwitch(), regions: TEST_REGIONS },
  );
  settlement = startSettlement({
    database: databases.settlement,
    bus,
    log,
    configs: world.configs,
    firstStripe: open.settlementStripe,
  });
  for (const login of ["finance-1", "finance-2"]) cookies.set(login, await world.logIn(login));
  const memberId = await world.builder.createMember({ real: usd(1_000) });
  before = await exposure();
  daysBefore = await result();
  await trade(memberId);
  await moveMoney(memberId);
});
afterAll(async () => {
  await settlement.close();
  await open.close();
  await world.close();
});

describe("the house's result", () => {
  it("is lost stakes less won profits in each wallet, with the fees of won and lost orders shown separately", async () => {
    expect(daysBefore).toEqual([]);
    const days = await result({ days: "2" });
    const all = (wallet: string, figure: "staked" | "fees" | "trading") =>
      days.filter((day) => day.wallet === wallet).reduce((sum, day) => sum + Math.round(Number(day[figure]) * 100), 0);
    const count = (wallet: string) =>
      days.filter((day) => day.wallet === wallet).reduce((sum, { orders }) => sum + orders, 0);
    // 30.00 lost less 8.20 won; fees of 0.10 and 0.30. Tied and voided orders bring the house nothing.
    expect([count("practice"), all("practice", "staked")]).toEqual([4, 100_00]);
    expect([all("practice", "trading"), all("practice", "fees")]).toEqual([21_80, 40]);
    // 15.00 lost less 41.00 and 16.40 won; fees of 0.50, 0.20 and 0.15.
    expect([count("real"), all("real", "staked")]).toEqual([5, 145_00]);
    expect([all("real", "trading"), all("real", "fees")]).toEqual([-42_40, 85]);
  });

  it("is for each day the sum of the postings of that day's settlements", async () => {
    const settled = (await lines()).filter(({ day }) => day !== null);
    const days = await result();
    expect(new Set(days.map(({ day, wallet }) => `${day} ${wallet}`)).size).toBe(days.length);
    expect(new Set(settled.map(({ day, wallet }) => `${day} ${wallet}`)).size).toBe(days.length);
    for (const { day, wallet, orders: count, fees, trading } of days) {
      const own = settled.filter((line) => line.day === day && line.wallet === wallet);
      expect(new Set(own.map((line) => line.fact_id)).size).toBe(count);
      expect(trading).toBe(money(sumOf(own, "pool")));
      expect(fees).toBe(money(sumOf(own, "fees")));
    }
  });

  it("changes the pool by the same amount, while corrections change the capital and a withdrawal's fee the fees", async () => {
    const after = await exposure();
    const moved = (wallet: "practice" | "real", figure: "pool" | "fees" | "capital") =>
      Math.round(Number(ofWallet(after, wallet)[figure]) * 100) -
      Math.round(Number(ofWallet(before, wallet)[figure]) * 100);
    expect([moved("practice", "pool"), moved("practice", "fees"), moved("practice", "capital")]).toEqual([
      21_80, 40, -5_00,
    ]);
    expect([moved("real", "pool"), moved("real", "fees"), moved("real", "capital")]).toEqual([-42_40, 85 + 1_00, 3_00]);
  });

  it("is reported with accounts that are the sums of their postings, and no exposure after settlement", async () => {
    const all = await lines();
    for (const report of await exposure()) {
      const own = all.filter(({ wallet }) => wallet === report.wallet);
      expect(report).toMatchObject({
        pool: money(sumOf(own, "pool")),
        fees: money(sumOf(own, "fees")),
        capital: money(sumOf(own, "capital")),
        owed: money(sumOf(own, "available") + sumOf(own, "locked")),
        receivable: "0.00",
        exposure: "0.00",
      });
    }
    expect(await checkInvariants(world.context, 0n)).toEqual([]);
  });

  it("covers the requested number of UTC days including today, at most 31", async () => {
    const db = world.context.databases.console;
    const [last] = await sql<{ at: string }>("SELECT max(settled_at)::text AS at FROM settlements");
    const seen = async (daysLater: bigint, days: number) =>
      (await reportResult(db, (BigInt(last!.at) + daysLater * DAY_MS) as Instant, days)).length > 0;
    expect(await seen(13n, 14)).toBe(true);
    expect(await seen(14n, 14)).toBe(false);
    expect(await seen(1n, 1)).toBe(false);
    for (const days of ["0", "32", "-1", "x"])
      expect((await world.call("report/result", { days }, as("finance-1"))).status).toBe(400);
  });
});
