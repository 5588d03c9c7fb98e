import { join } from "node:path";
import {
  batchCommitments,
  calculateQuote,
  type ClientId,
  firstTradingConfig,
  type Instant,
  type MemberId,
  merkleTreeOfHashes,
  type MicroUsd,
  ORDER_NONCES_BYTES,
  type OrderId,
} from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import { logVerifierKeys } from "@fairtick/server";
import { startLog } from "@fairtick/server/features/log";
import { createAcceptanceSwitch, openAcceptance } from "@fairtick/server/features/orders";
import { openRegionBook } from "@fairtick/server/features/regions";
import { openAcceptanceSigner } from "@fairtick/server/platform/acceptance-signer";
import type { Context } from "@fairtick/server/platform/context";
import { waitUntil } from "@fairtick/testkit";
import { startWitness } from "@fairtick/transparency/cli";
import type { Benchmark, BenchmarkOptions, BenchmarkResult } from "./benchmark.ts";
import { type BenchServer, startBenchServer } from "./bench-server.ts";
import { startMarketProcess } from "./market-process.ts";
import { openOrderWorld } from "./order-world.ts";
import { measurePairs, median, spread } from "./pairs.ts";
import { placeFor } from "./placement.ts";
import { ownCpuUs, postgresCpuUs } from "./processor-time.ts";

const CALLERS = 256;
/** Orders per batch under this load. */
const BATCH = 128;

/**
 * Measures what the public log costs the order path: orders placed with entries, writer, witness and signatures,
 * alternating with the same without them on one server. Writer and witness run in the measured process, although the
 * witness normally has its own. Both sides make commitments and roots, whose cost is measured separately.
 */
export const publicLog: Benchmark = { name: "public-log", run };

async function run({ quick }: BenchmarkOptions): Promise<BenchmarkResult> {
  // Use many short rounds, because the effect is smaller than the machine's noise.
  const [seconds, pairs] = quick ? [2, 3] : [3, 11];
  const server = await startBenchServer();
  try {
    const world = await openOrderWorld(server, CALLERS);
    const config = { ...world.context.config, dataDir: join(server.folder, "data"), logOrigin: "bench.example/log" };
    const [logKey = ""] = logVerifierKeys(config);
    const witness = await startWitness(["--folder", join(server.folder, "witness"), "--log", logKey]);
    if (witness === null) throw new Error("the witness did not start");
    const context: Context = { ...world.context, config: { ...config, witnesses: [witness] } };
    const signer = openAcceptanceSigner(join(server.folder, "acceptance.key"), "bench.example/log/acceptance");
    const market = await startMarketProcess(server);
    const shared = { configs: world.configs, regions: openRegionBook(context) };
    const plain = await openAcceptance(context, { ...shared, acceptance: createAcceptanceSwitch() });
    const signed = await openAcceptance(context, { ...shared, acceptance: createAcceptanceSwitch(), signer });
    const cpu = { plain: [] as number[], logged: [] as number[] };
    const measure = async (acceptance: typeof plain, kept: number[]) => {
      const before = postgresCpuUs(server.pid) + ownCpuUs();
      const placed = await placeFor(acceptance, world.members, seconds);
      kept.push((postgresCpuUs(server.pid) + ownCpuUs() - before) / placed.orders);
      return placed.orders / placed.seconds;
    };
    try {
      await makeSkip(server);
      await placeFor(signed, world.members, 1.5);
      await server.checkpoint();
      const figures = await measurePairs(
        pairs,
        async () => {
          await skipEntries(server, true);
          return measure(plain, cpu.plain);
        },
        async () => {
          await skipEntries(server, false);
          const log = await startLog(context);
          await waitUntil("the log to have caught up", () => isCaughtUp(server));
          const perSecond = await measure(signed, cpu.logged);
          await log.stop();
          return perSecond;
        },
      );
      const rest = await atRest(server, context, quick ? 3 : 10);
      const more = cpu.logged.map((each, pair) => each / (cpu.plain[pair] ?? Number.NaN) - 1);
      return {
        settings: { postgres: server.settings, callers: CALLERS, seconds, pairs },
        figures: [
          {
            name: "orders placed per second, with log and signatures / without",
            value: median(figures.ratios),
            unit: "×",
            atLeast: 0.9,
            baseline: `${Math.round(median(figures.subject))}/s against ${Math.round(median(figures.baseline))}/s`,
            noise: spread(figures.ratios),
          },
          {
            name: "processor time per order that log and signatures add",
            value: median(more) * 100,
            unit: "%",
            atMost: 10,
            baseline: `${median(cpu.logged).toFixed(1)} against ${median(cpu.plain).toFixed(1)} µs`,
            noise: spread(more.map((each) => each * 100)),
          },
          {
            name: "processor time of writer and witness at rest",
            value: rest,
            unit: "ms/s",
          },
          {
            name: "commitment and its part of the batch's root, of Node's processor time",
            value: commitmentUs(),
            unit: "µs",
          },
        ],
      };
    } finally {
      await plain.close();
      await signed.close();
      await market.stop();
      await witness.close();
      await world.close();
    }
  } finally {
    await server.stop();
  }
}

/** Creates a trigger that keeps acceptances out of the outbox, for the side without a log. */
async function makeSkip(server: BenchServer): Promise<void> {
  await server.admin.query(`
    CREATE FUNCTION bench_skip() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
    CREATE TRIGGER bench_skip BEFORE INSERT ON outbox FOR EACH ROW WHEN (NEW.kind = 'orders.accept') EXECUTE FUNCTION bench_skip();
    ALTER TABLE outbox DISABLE TRIGGER bench_skip`);
}

async function skipEntries(server: BenchServer, skip: boolean): Promise<void> {
  await server.admin.query(`ALTER TABLE outbox ${skip ? "ENABLE" : "DISABLE"} TRIGGER bench_skip`);
}

async function isCaughtUp(server: BenchServer): Promise<true | null> {
  const { rows } = await server.admin.query(
    "SELECT FROM log_published WHERE size > 0 AND covers_at > extract(epoch FROM clock_timestamp()) * 1000 - 1500",
  );
  return rows.length > 0 ? true : null;
}

/** Returns the milliseconds per second, including PostgreSQL's, that an idle log adds to the same processes. */
async function atRest(server: BenchServer, context: Context, seconds: number): Promise<number> {
  const used = async () => {
    const before = postgresCpuUs(server.pid) + ownCpuUs();
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    return (postgresCpuUs(server.pid) + ownCpuUs() - before) / seconds / 1_000;
  };
  const without = await used();
  const log = await startLog(context);
  await waitUntil("the log to have caught up", () => isCaughtUp(server));
  const withLog = await used();
  await log.stop();
  return withLog - without;
}

/** Returns the microseconds per order for its JSON, its commitment and the batch's tree. */
function commitmentUs(): number {
  const [terms] = firstTradingConfig(0n as Instant).instruments;
  const [offer] = terms?.durations ?? [];
  if (terms === undefined || offer === undefined) throw new Error("nothing is offered");
  const { stake, fee, payoutRate, profitIfWon } = calculateQuote(terms, offer, 10_000_000n as MicroUsd);
  const orders = Array.from({ length: BATCH }, (_, number) => ({
    orderId: (8_000_000_000_000_000_000n + BigInt(number)) as OrderId,
    memberId: (7_000_000_000_000_000n + BigInt(number)) as MemberId,
    clientOrderId: `bench-client-id-${number}` as ClientId,
    wallet: "practice" as const,
    symbol: terms.symbol,
    direction: "up" as const,
    sealed: null,
    stake,
    fee,
    payoutRate,
    profitIfWon,
    limitPrice: null,
    durationSeconds: offer.seconds,
    configVersion: 1,
  }));
  const nonces = new Uint8Array(ORDER_NONCES_BYTES * orders.length);
  const rounds = 400;
  let made = 0;
  const batch = () => {
    made += merkleTreeOfHashes(nodeHashes, batchCommitments(nodeHashes, nonces, orders)).root.length;
  };
  for (let round = 0; round < 50; round += 1) batch();
  const before = ownCpuUs();
  for (let round = 0; round < rounds; round += 1) batch();
  return made > 0 ? (ownCpuUs() - before) / (rounds * BATCH) : Number.NaN;
}
