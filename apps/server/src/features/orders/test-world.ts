import { randomUUID } from "node:crypto";
import type { ClientId, Instant, MemberId, MicroUsd, TradingConfig, Verdict } from "@fairtick/domain";
import type { PlacedOrder } from "@fairtick/protocol";
import { type Builder, createBuilder } from "@fairtick/testkit";
import { ED25519_TYPE, signerKey } from "@fairtick/transparency";
import { type AcceptanceSigner, acceptanceSigner } from "../../platform/acceptance-signer.ts";
import { systemClock } from "../../platform/clock.ts";
import { createTestContext, type TestContext } from "../../platform/test-context.ts";
import { openDeviceKeys } from "../order-devices/index.ts";
import type { RegionBook, RegionRules } from "../regions/index.ts";
import { type Settlement, startSettlement } from "../settlement/index.ts";
import { configToJson, openTradingConfigs, seedTradingConfig, type TradingConfigs } from "../trading-config/index.ts";
import { type AcceptanceSwitch, createAcceptanceSwitch } from "./acceptance-switch.ts";
import { type Acceptance, openAcceptance } from "./open-acceptance.ts";
import { placeOrder, type PlaceOrderInput, type Placing } from "./place-order.ts";
import { openRevealDesk } from "./reveal-desk.ts";
import type { Revealing } from "./reveal-order.ts";

/** Everything about orders on a real database: members, prices fed by hand, acceptance and settlement. */
export interface OrderWorld {
  readonly context: TestContext;
  readonly build: Builder;
  readonly configs: TradingConfigs;
  readonly acceptance: AcceptanceSwitch;
  readonly open: Acceptance;
  readonly settlement: Settlement;
  readonly placing: Placing & Revealing;
  /** Stores a tick of this moment, so that the price is fresh. Returns its time. */
  tick(symbol?: string, price?: bigint): Promise<bigint>;
  /** Puts a configuration in force from now on: version 1 with changes. */
  configure(change: (config: TradingConfig) => Partial<TradingConfig>): Promise<void>;
  /** Places a wish and returns the whole answer. Defaults: 10.00 up on EURUSD for 30 s, with a new client id. */
  ask(memberId: bigint, wish?: Partial<PlaceOrderInput>): Promise<Verdict<PlacedOrder>>;
  /** Does the same, but leaves the proof out of a refusal. */
  place(memberId: bigint, wish?: Partial<PlaceOrderInput>): Promise<Verdict<PlacedOrder>>;
  /** Does the same, but throws for a refusal. */
  accepted(memberId: bigint, wish?: Partial<PlaceOrderInput>): Promise<PlacedOrder>;
  /** Counts a member's orders. */
  orderCount(memberId: bigint): Promise<number>;
  close(): Promise<void>;
}

/** Signs batches in tests. */
export const TEST_SIGNER: AcceptanceSigner = acceptanceSigner(
  signerKey("test.example/acceptance", ED25519_TYPE, new Uint8Array(32).fill(5)),
);

export const usd = (dollars: number) => BigInt(Math.round(dollars * 1_000_000)) as MicroUsd;

function testRules(region: string): RegionRules {
  const products = region === "FX" ? (["fx"] as const) : (["fx", "crypto"] as const);
  if (region === "BL") return { policy: "blocked", products };
  return { policy: region === "PR" ? "practice" : "full", products };
}

/** Regions for tests: `PR` practice only, `BL` blocked, `FX` without digital assets. */
export const TEST_REGIONS: RegionBook = {
  bindingAt: () => Promise.resolve({ rulesOf: testRules, nextAt: null }),
};

let clientIds = 0;
/** Makes a client id: in turn a UUID, as our app makes them, and another text. */
export function newClientId(): ClientId {
  clientIds += 1;
  return (clientIds % 2 === 0 ? randomUUID() : `client-${process.pid}-${clientIds}`) as ClientId;
}

/**
 * Creates the world. EURUSD starts with a tick of this moment.
 *
 * @param pool each wallet's capital, in micro-USD
 */
export async function createOrderWorld(
  pool = 10_000_000_000_000n,
  openRegions: (context: TestContext) => RegionBook = () => TEST_REGIONS,
): Promise<OrderWorld> {
  const base = await createTestContext();
  const context = { ...base, clock: { ...base.clock, ...systemClock } };
  const build = await createBuilder(base.database.url);
  await build.fundPool("practice", pool);
  await build.fundPool("real", pool);
  await seedTradingConfig(context);
  const configs = await openTradingConfigs(context);
  const acceptance = createAcceptanceSwitch();
  const regions = openRegions(context);
  const open = await openAcceptance(context, { configs, acceptance, signer: TEST_SIGNER, regions });
  const settlement = startSettlement({
    database: context.databases.settlement,
    bus: context.bus,
    log: context.log,
    configs,
    firstStripe: open.settlementStripe,
  });
  const placing: Placing & Revealing = {
    databases: context.databases,
    configs,
    collector: open.collector,
    reveals: openRevealDesk({ databases: context.databases, configs, bus: context.bus }),
    bus: context.bus,
    devices: openDeviceKeys(context.databases.reader),
    signer: TEST_SIGNER,
  };
  await build.feedTicks("EURUSD", [{ time: await build.now(), price: 1_085_000n }]);
  const ask: OrderWorld["ask"] = (memberId, wish = {}) =>
    placeOrder(placing, memberId as MemberId, {
      wallet: "practice",
      symbol: "EURUSD",
      ...(wish.seal === undefined && { direction: "up" as const }),
      stake: usd(10),
      duration: 30,
      clientOrderId: newClientId(),
      ...wish,
    });
  const place: OrderWorld["place"] = async (memberId, wish) => {
    const verdict = await ask(memberId, wish);
    if (verdict.ok) return verdict;
    const { proof: _proof, ...refusal } = verdict.refusal;
    return { ok: false, refusal };
  };
  return {
    context,
    build,
    configs,
    acceptance,
    open,
    settlement,
    placing,
    tick: (symbol = "EURUSD", price = 1_085_000n) => build.tick(symbol, price),
    async configure(change) {
      const { rows } = await build.client.query<{ version: number; time: string | null }>(
        "SELECT max(version) AS version, (SELECT max(time) FROM instrument_clock) AS time FROM trading_configs",
      );
      const now = await build.now();
      const newest = BigInt(rows[0]?.time ?? 0);
      const effectiveAt = (newest > now ? newest : now) as Instant;
      const first = configs.current(0n as Instant);
      const version = (rows[0]?.version ?? 0) + 1;
      const body = configToJson({ ...first, ...change(first), version, effectiveAt });
      await build.client.query("INSERT INTO trading_configs VALUES ($1, $2, $3, '')", [version, effectiveAt, body]);
    },
    ask,
    place,
    async accepted(memberId, wish) {
      const verdict = await place(memberId, wish);
      if (!verdict.ok) throw new Error(`refused: ${JSON.stringify(verdict.refusal)}`);
      return verdict.value;
    },
    async orderCount(memberId) {
      const { rows } = await build.client.query<{ n: number }>(
        "SELECT count(*)::integer AS n FROM orders WHERE member_id = $1",
        [memberId],
      );
      return rows[0]?.n ?? 0;
    },
    async close() {
      await settlement.close();
      await placing.reveals.close();
      await open.close();
      configs.close();
      await build.end();
      await base.close();
    },
  };
}

export const instant = (value: number | bigint) => BigInt(value) as Instant;
