import { type ClientId, formatId, type MemberId } from "@fairtick/domain";
import type { Output, overviewRead, reportFairness, WalletReport } from "@fairtick/protocol/operator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openIncident } from "../chain/index.ts";
import { openDeviceKeys } from "../order-devices/index.ts";
import { type Acceptance, createAcceptanceSwitch, openAcceptance, placeOrder } from "../orders/index.ts";
import { TEST_REGIONS, usd } from "../orders/test-world.ts";
import { type Settlement, startSettlement } from "../settlement/index.ts";
import { systemClock } from "../../platform/clock.ts";
import { type ConsoleWorld, createConsoleWorld } from "../../testing/console-world.ts";

type Overview = Output<typeof overviewRead>;

let world: ConsoleWorld;
let open: Acceptance;
let settlement: Settlement;
const cookies = new Map<string, string>();
const as = (login: string) => cookies.get(login) ?? "";
const overview = async (login: string) => (await world.call("overview/read", {}, as(login))).body.data as Overview;
const queueOf = ({ queues }: Overview, name: string) => queues.find(({ queue }) => queue === name);

beforeAll(async () => {
  world = await createConsoleWorld();
  for (const login of ["finance-1", "finance-2", "support-1", "compliance-1", "auditor-1"])
    cookies.set(login, await world.logIn(login));
  const context = { ...world.context, clock: systemClock };
  const acceptance = createAcceptanceSwitch();
  open = await openAcceptance(context, { configs: world.configs, acceptance, regions: TEST_REGIONS });
  settlement = startSettlement({
    database: world.context.databases.settlement,
    bus: world.context.bus,
    log: world.context.log,
    configs: world.configs,
    firstStripe: open.settlementStripe,
  });
  await settleOneWon();
});
afterAll(async () => {
  await settlement.close();
  await open.close();
  await world.close();
});

async function place(memberId: bigint, direction: "up" | "down", stake: bigint) {
  const { databases, bus } = world.context;
  const { configs } = world;
  const devices = openDeviceKeys(databases.reader);
  const placed = await placeOrder(
    { databases, bus, configs, collector: open.collector, devices },
    memberId as MemberId,
    {
      wallet: "real",
      symbol: "EURUSD",
      direction,
      duration: 30,
      stake: usd(Number(stake)),
      clientOrderId: `overview-${direction}-${stake}` as ClientId,
    },
  );
  if (!placed.ok) throw new Error(JSON.stringify(placed.refusal));
}

/** Settles one order of a real wallet that a member has won. */
async function settleOneWon() {
  const { builder } = world;
  await builder.feedTicks("EURUSD", [{ time: await builder.now(), price: 1_085_000n }]);
  await place(await builder.createMember({ real: 1_000_000_000n, region: "BR" }), "up", 50n);
  const at = (await builder.now()) + 1n;
  await builder.feedTicks("EURUSD", [
    { time: at, price: 1_085_000n },
    { time: at + 30_000n, price: 1_085_010n },
    { time: at + 30_500n, price: 1_085_010n },
  ]);
  await settlement.settleNow();
}

describe("the overview", () => {
  it("shows each operator the blocks whose screens they may open", async () => {
    const names = async (login: string) => (await overview(login)).queues.map(({ queue }) => queue);
    expect(await names("finance-1")).toEqual(["withdrawals", "deposits", "approvals"]);
    expect(await names("support-1")).toEqual(["deposits", "inbox", "approvals"]);
    expect(await names("compliance-1")).toEqual(["identities", "approvals"]);
    const support = await overview("support-1");
    expect(support).toMatchObject({ alarms: null, withdrawals: null });
    expect(support.exposure).not.toBeNull();
    expect((await overview("finance-1")).withdrawals).toEqual([]);
  });

  it("counts the proposals that wait for this person, but not those they made", async () => {
    const made = { wallet: "real", amount: "1000.00", reason: "For the weekend" };
    expect((await world.call("capital/propose", made, as("finance-1"))).status).toBe(200);
    expect(queueOf(await overview("finance-1"), "approvals")).toMatchObject({ open: 0, since: [], kind: null });
    const mine = queueOf(await overview("finance-2"), "approvals");
    expect(mine).toMatchObject({ open: 1, kind: "capital" });
    expect(mine!.since).toHaveLength(1);
    expect(queueOf(await overview("support-1"), "approvals")).toMatchObject({ open: 0 });

    const memberId = formatId("member", (await world.builder.createMember()) as MemberId);
    const correction = { memberId, wallet: "practice", amount: "1.00", reason: "Fee charged twice" };
    expect((await world.call("correction/propose", correction, as("finance-1"))).status).toBe(200);
    expect((await world.call("capital/propose", made, as("finance-1"))).status).toBe(200);
    const kinds = (await overview("finance-2")).queues.filter(({ queue }) => queue === "approvals");
    expect(kinds.map(({ kind, open, since }) => [kind, open, since.length])).toEqual([
      ["capital", 2, 2],
      ["correction", 1, 1],
    ]);
  });

  it("adds up what running orders would win by direction, without netting", async () => {
    const member = await world.builder.createMember({ real: 1_000_000_000n, region: "BR" });
    await place(member, "up", 10n);
    await place(member, "up", 20n);
    await place(member, "down", 30n);
    const { exposure } = await overview("finance-1");
    const euro = exposure!.instruments.find(({ symbol }) => symbol === "EURUSD")!;
    expect([Number(euro.up) > 0, euro.up === euro.down, euro.sealed]).toEqual([true, true, "0.00"]);
    const reports = (await world.call("report/exposure", {}, as("finance-1"))).body.data as WalletReport[];
    const real = reports.find(({ wallet }) => wallet === "real")!;
    expect(exposure).toMatchObject({ total: real.exposure, totalMax: real.exposureMax });
    expect(Number(euro.up) + Number(euro.down)).toBe(Number(real.exposure));
  });

  it("shows the house's result as the members' result with the opposite sign, inside the public band", async () => {
    const { result } = await overview("finance-1");
    const fairness = (await world.call("report/fairness", {}, as("finance-1"))).body.data as Output<
      typeof reportFairness
    >;
    const today = fairness.byDay.findLast(({ wallet }) => wallet === "real")!;
    expect(result!.orders).toBe(1);
    expect(Number(result!.actual)).toBeLessThan(0);
    expect(Number(result!.actual) + Number(today.result)).toBe(0);
    expect(Number(result!.from) + Number(today.fairTo)).toBe(0);
    expect(Number(result!.to) + Number(today.fairFrom)).toBe(0);
  });

  it("names what is out of order and the open incidents, but not their subjects", async () => {
    world.setHealth({
      ready: true,
      accepting: false,
      degraded: [{ part: "signer", since: world.context.clock.now(), cause: "the signer does not answer" }],
    });
    const incident = { kind: "payout_failed", subject: "WD-1", memberId: null, detail: {} } as const;
    await openIncident(world.context.databases.chain, incident, systemClock.now());
    const { alarms } = await overview("finance-1");
    expect(alarms).toMatchObject({
      accepting: false,
      degraded: [{ part: "signer", cause: "the signer does not answer" }],
      open: 1,
      incidents: [{ kind: "payout_failed" }],
    });
    expect(JSON.stringify(alarms)).not.toContain("WD-1");
  });

  it("shows how old the newest price of each product is", async () => {
    const { at, prices } = await overview("support-1");
    const euro = prices.find(({ symbol }) => symbol === "EURUSD")!;
    expect(Math.abs(at - euro.lastAt!)).toBeLessThan(600_000);
    expect(prices.find(({ symbol }) => symbol === "BTCUSD")).toMatchObject({ isOpen: true, lastAt: null });
  });

  it("leaves no row in the audit trail, and refuses anyone who isn't logged in", async () => {
    const { rows } = await world.builder.client.query("SELECT 1 FROM audit_trail WHERE action = 'overview/read'");
    expect(rows).toEqual([]);
    expect((await world.call("overview/read", {})).status).toBe(401);
  });
});
