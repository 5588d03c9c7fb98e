import { askHealthy, startIdlers } from "../../scripts/attack/idle-sockets.ts";
import { startProduct } from "../../scripts/own-product.ts";
import type { Benchmark, BenchmarkOptions, BenchmarkResult } from "./benchmark.ts";
import { measurePairs, median, quantile, spread } from "./pairs.ts";

/** Measures healthy clients' response times with and without 30,000 silent sockets opened from three addresses. */
export const idleSockets: Benchmark = { name: "idle-sockets", run };

/** Opened by separate processes, each with its own file descriptors (`ulimit -Hn` of at least 10,100). */
const SOCKETS = 30_000;
const SLOWER_MAX = 1.5;

async function run({ quick, pairs, say }: BenchmarkOptions): Promise<BenchmarkResult> {
  const sockets = quick ? 3_000 : SOCKETS;
  const requests = quick ? 200 : 1_000;
  const product = await startProduct();
  const idlers = startIdlers(Number(new URL(product.base).port), sockets);
  try {
    await askHealthy(product.base, requests);
    let held = 0;
    const healthy = async () => quantile(await askHealthy(product.base, requests), 0.99);
    const { subject, baseline, ratios } = await measurePairs(pairs, healthy, async () => {
      held = await idlers.open();
      const waited = await healthy();
      await idlers.close();
      say(`${held} of ${sockets} sockets held, p99 ${waited.toFixed(1)} ms`);
      return waited;
    });
    return {
      settings: { sockets, held, requests, addresses: 3 },
      figures: [
        {
          name: `healthy p99 beside ${sockets.toLocaleString("en")} idle sockets / without`,
          value: median(ratios),
          unit: "×",
          atMost: SLOWER_MAX,
          baseline: `${median(subject).toFixed(1)} ms against ${median(baseline).toFixed(1)} ms; ${held} sockets held`,
          noise: spread(ratios),
        },
      ],
    };
  } finally {
    idlers.stop();
    await product.stop();
  }
}
