import { freePort } from "@fairtick/postgres";
import { seedTradingConfig } from "@fairtick/server/features/trading-config";
import { readConfig } from "@fairtick/server/platform/config";
import { closeDatabases, openDatabases } from "@fairtick/server/platform/context";
import { createLog } from "@fairtick/server/platform/log";
import { createBuilder } from "@fairtick/testkit";
import type { Benchmark, BenchmarkOptions, BenchmarkResult } from "./benchmark.ts";
import { type BenchServer, startBenchServer } from "./bench-server.ts";
import { startChild } from "./children.ts";
import type { HttpLoadReport } from "./http-load.ts";
import { startBenchFamily, waitForFreshPrices } from "./market-process.ts";
import { BENCH_TERMS } from "./order-world.ts";
import { measurePairs, median, quantile, spread } from "./pairs.ts";
import { preparePgbench } from "./pgbench.ts";
import { postgresCpuUs, processCpuUs } from "./processor-time.ts";

const CALLERS = 256;
const MEMBER_MONEY = 10_000_000_000_000n;

/**
 * Measures orders placed over HTTP at the running product: market and server in their own processes, and 256
 * connections with as many sessions from one more process on the same machine.
 */
export const httpPlacement: Benchmark = { name: "http-placement", run };

async function run({ quick, pairs, say }: BenchmarkOptions): Promise<BenchmarkResult> {
  const seconds = quick ? 2 : 5;
  const server = await startBenchServer();
  const port = await freePort();
  await seedTerms(server);
  const family = await startBenchFamily(server, ["market", "server"], {
    PORT: String(port),
    CONSOLE_PORT: "0",
    RATE_LIMIT_FACTOR: "100000",
  });
  const load = startChild("http-load.ts");
  try {
    say(JSON.stringify(server.settings));
    await load.first;
    const pgbench = await preparePgbench(server.baselineUrl, quick ? 10 : 50);
    await family.started;
    await waitForFreshPrices(server);
    const tokens = await createSessions(server, CALLERS);
    const serverPid = family.pids().get("server") ?? 0;
    const latencies: number[] = [];
    const postgresCpu: number[] = [];
    const serverCpu: number[] = [];
    const loadCpu: number[] = [];
    let round = 0;
    const place = async (length: number): Promise<HttpLoadReport> => {
      round += 1;
      const order = { kind: "place", port, tokens, seconds: length, round: String(round) };
      const report = await load.ask<HttpLoadReport>(order);
      if (report.refusals.length > 0) throw new Error(`orders were refused: ${report.refusals.join(" ")}`);
      return report;
    };
    await place(2);
    await server.checkpoint();
    const figures = await measurePairs(
      pairs,
      () => pgbench.measure(seconds),
      async () => {
        const postgresBefore = postgresCpuUs(server.pid);
        const serverBefore = processCpuUs(serverPid);
        const report = await place(seconds);
        postgresCpu.push((postgresCpuUs(server.pid) - postgresBefore) / report.orders);
        serverCpu.push((processCpuUs(serverPid) - serverBefore) / report.orders);
        loadCpu.push(report.cpuUs / report.orders);
        latencies.push(...report.latenciesMs);
        return report.orders / report.seconds;
      },
    );
    return {
      settings: { postgres: server.settings, callers: CALLERS, pgbenchClients: pgbench.clients, seconds },
      figures: [
        {
          name: "orders placed per second, over HTTP / pgbench -N",
          value: median(figures.ratios),
          unit: "×",
          atLeast: 1.3,
          baseline: `${Math.round(median(figures.subject))}/s against ${Math.round(median(figures.baseline))}/s (${pgbench.clients} clients)`,
          noise: `${spread(figures.ratios)}; pgbench ${spread(figures.baseline)}`,
        },
        {
          name: "processor time per order over HTTP, server",
          value: median(serverCpu),
          unit: "µs",
          baseline: `the load's own: ${median(loadCpu).toFixed(1)} µs`,
          noise: spread(serverCpu),
        },
        {
          name: "processor time per order over HTTP, PostgreSQL",
          value: median(postgresCpu),
          unit: "µs",
          noise: spread(postgresCpu),
        },
        {
          name: "p99 of an order over HTTP at full load",
          value: quantile(latencies, 0.99),
          unit: "ms",
          baseline: `p50 ${quantile(latencies, 0.5).toFixed(1)} ms`,
        },
      ],
    };
  } finally {
    load.stop();
    await family.stop();
    await server.stop();
  }
}

/** Writes the product's first configuration, but with a limit on running orders that so few members never reach. */
async function seedTerms(server: BenchServer): Promise<void> {
  const config = readConfig({ DATABASE_URL: server.url, LOG_LEVEL: "error" });
  const databases = openDatabases(server.url, createLog("bench", config.logLevel));
  await seedTradingConfig({ config, databases }, BENCH_TERMS);
  await closeDatabases(databases);
}

/** Creates members with money and a session each, as logging in does; returns the tokens. */
async function createSessions(server: BenchServer, count: number): Promise<string[]> {
  const build = await createBuilder(server.url);
  const members = await build.createMembers(count, { practice: MEMBER_MONEY, region: "BR" });
  const tokens = await build.logIn(members);
  await build.client.query("ANALYZE");
  await build.end();
  return tokens;
}
