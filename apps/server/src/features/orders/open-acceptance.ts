import { type Clock, createIdSource, type Instant } from "@fairtick/domain";
import type { AcceptanceSigner } from "../../platform/acceptance-signer.ts";
import type { Context } from "../../platform/context.ts";
import type { Database, Queryable } from "../../platform/database.ts";
import type { Row } from "../../platform/lane.ts";
import { READ_EXPOSURE } from "../ledger/index.ts";
import type { RegionBook } from "../regions/index.ts";
import type { TradingConfigs } from "../trading-config/index.ts";
import type { AcceptanceSwitch } from "./acceptance-switch.ts";
import { createCollector, type Collector } from "./collector.ts";
import { createExposureView, type ExposureView } from "./exposure.ts";
import { createTermsCache } from "./member-terms.ts";

const READ_MS = 250;
const UNREAD = "the house's exposure could not be read";
const SKEW_MS_MAX = 250;
const PARTITION_CHECK_MS = 3_600_000;
/**
 * How far ahead partitions are created, in ms, so that orders continue even if the database owner is away for weeks.
 */
const PARTITIONS_AHEAD_MS = 5n * 7n * 86_400_000n;
/** How many stripes of exposure each process owns: two for lanes of acceptance, two for workers of settlement. */
const STRIPES = 4;
const PROCESSES = 8;
/** How many members' terms are cached, at a few hundred bytes each. */
const TERMS_MAX = 50_000;

/** The exposure stripes that a process writes, and the node number that keeps its order ids unique. */
export interface OrderNode {
  readonly number: number;
  readonly acceptanceStripe: number;
  readonly settlementStripe: number;
}

/** Reserves a node for a process that accepts or settles orders. */
export async function takeOrderNode({ databases }: Pick<Context, "databases">): Promise<OrderNode> {
  const [row] = await databases.orders.query<{ node: bigint }>("SELECT nextval('order_id_nodes') AS node");
  const number = Number(row?.node ?? 0n);
  const acceptanceStripe = (number % PROCESSES) * STRIPES;
  return { number, acceptanceStripe, settlementStripe: acceptanceStripe + STRIPES / 2 };
}

export interface Acceptance {
  readonly collector: Collector;
  /** The first stripe of this process's settlement workers. */
  readonly settlementStripe: number;
  close(): Promise<void>;
}

export interface AcceptanceOptions {
  readonly configs: TradingConfigs;
  readonly acceptance: AcceptanceSwitch;
  /** Signs batches. Without it, only the log binds orders. */
  readonly signer?: AcceptanceSigner;
  readonly regions: RegionBook;
  /** The node to use. Without it, one is reserved. */
  readonly node?: OrderNode;
}

/**
 * Starts everything that accepting orders needs in this process: partitions, order ids, exposure and pool (read every 250 ms),
 * the clock check and the collector. Acceptance stops with `pool` while the pool is negative, with `clock` while Node's clock and
 * the database's differ by more than 250 ms, and with `exposure` while neither can be read.
 */
export async function openAcceptance(
  context: Pick<Context, "databases" | "log" | "clock">,
  options: AcceptanceOptions,
): Promise<Acceptance> {
  const { databases, log, clock } = context;
  const { acceptance } = options;
  const exposure = createExposureView();

  async function readHouse(): Promise<void> {
    await Promise.all([
      readExposure(databases.orders, exposure, acceptance),
      compareClocks(databases.orders, clock, acceptance),
    ]);
  }

  async function read(): Promise<void> {
    try {
      await readHouse();
      acceptance.clear("exposure");
    } catch (error) {
      acceptance.stop("exposure", UNREAD);
      log.warn({ err: error }, UNREAD);
    }
  }

  await ensurePartitions(databases.jobs);
  await readHouse();
  const node = options.node ?? (await takeOrderNode({ databases }));
  const collector = createCollector({
    database: databases.orders,
    log,
    ids: createIdSource({ node: node.number, clock }),
    configs: options.configs,
    exposure,
    acceptance,
    signer: options.signer,
    regions: options.regions,
    terms: createTermsCache(TERMS_MAX),
    firstStripe: node.acceptanceStripe,
    elapsedMs: () => clock.elapsedMs(),
  });
  let reading: Promise<unknown> | null = null;
  const timers = [
    setInterval(() => {
      reading ??= read().finally(() => (reading = null));
    }, READ_MS),
    setInterval(() => {
      ensurePartitions(databases.jobs).catch((error: unknown) =>
        log.error({ err: error }, "partitions of orders could not be made ahead"),
      );
    }, PARTITION_CHECK_MS),
  ];
  return {
    collector,
    settlementStripe: node.settlementStripe,
    async close() {
      for (const timer of timers) clearInterval(timer);
      await collector.close();
      await reading;
    },
  };
}

async function ensurePartitions(database: Queryable): Promise<void> {
  await database.query(
    `SELECT ensure_settlement_partitions(t.now - 86400000, t.now + $1::bigint)
     FROM (SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now) t`,
    [PARTITIONS_AHEAD_MS],
  );
}

async function readExposure(database: Database, exposure: ExposureView, acceptance: AcceptanceSwitch): Promise<void> {
  const end = exposure.beginReading();
  const { rows } = await database.pool.query<Row[]>({ ...READ_EXPOSURE, values: [], rowMode: "array" });
  end(rows as unknown as Row[]);
  const below = Object.entries(exposure.pools).filter(([, balance]) => balance < 0n);
  if (below.length === 0) acceptance.clear("pool");
  else acceptance.stop("pool", `the ${below.map(([wallet]) => wallet).join(" and ")} pool is below zero`);
}

async function compareClocks(database: Queryable, clock: Clock, acceptance: AcceptanceSwitch): Promise<void> {
  const before = clock.now();
  const [row] = await database.query<{ now: bigint }>(
    "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now",
    [],
    "orders_database_now",
  );
  const skew = skewMs(before, clock.now(), row?.now as Instant);
  if (skew <= SKEW_MS_MAX) acceptance.clear("clock");
  else acceptance.stop("clock", `this machine's clock and the database's are ${skew} ms apart`);
}

/**
 * Returns a lower bound on the difference of two clocks in ms, given that `other` was read between `before` and
 * `after`.
 */
export function skewMs(before: Instant, after: Instant, other: Instant): number {
  if (other < before) return Number(before - other);
  return other > after ? Number(other - after) : 0;
}
