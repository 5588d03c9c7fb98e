import type { Benchmark, BenchmarkOptions, BenchmarkResult } from "./benchmark.ts";
import { type BenchChild, startChild } from "./children.ts";
import { measurePairs, median, quantile, spread } from "./pairs.ts";
import { residentMb } from "./processor-time.ts";
import type { LoadReport } from "./socket-load.ts";
import type { FeedDone, HostReady } from "./stream-host.ts";

const SLOT_MS = 100;
/**
 * Slots sent before each measurement, because prices never pause but one side's sockets do while the other side is
 * measured. After a pause nothing that a socket needs is cached, and Linux acknowledges the next 16 segments at once
 * (TCP_MAX_QUICKACKS), during the server's writes; later it leaves that to the reader.
 */
const LEAD_SLOTS = 20;

/** Sends price frames to many sockets: processor time compared with `ws.send` to each client, and the frames' delay. */
export const fanOut: Benchmark = { name: "fan-out", run };

async function run({ quick, pairs, say }: BenchmarkOptions): Promise<BenchmarkResult> {
  const sockets = quick ? 1_000 : 5_000;
  const slots = quick ? 20 : 40;
  const host = startChild("stream-host.ts");
  const clients: BenchChild[] = [];
  try {
    const { streamPort, plainPort } = (await host.first) as HostReady;
    const restMb = residentMb(host.pid);
    // Each side's sockets get their own process, since a process may open some thousands of files.
    const [streamClient, plainClient] = [startChild("socket-load.ts"), startChild("socket-load.ts")];
    clients.push(streamClient, plainClient);
    const opening = { kind: "open", sockets };
    await streamClient.ask({ ...opening, port: streamPort, path: "/client/stream", subscribe: true });
    await plainClient.ask({ ...opening, port: plainPort, path: "/", subscribe: false });
    say(`${sockets} sockets each, a frame of 12 instruments each ${SLOT_MS} ms`);

    const latencies: number[] = [];
    const p99s: number[] = [];
    const side = async (to: "stream" | "plain", client: BenchChild): Promise<number> => {
      await host.ask<FeedDone>({ kind: "feed", to, slots: LEAD_SLOTS, slotMs: SLOT_MS });
      await client.ask<LoadReport>({ kind: "report" });
      const fed = await host.ask<FeedDone>({ kind: "feed", to, slots, slotMs: SLOT_MS });
      await new Promise((resolve) => setTimeout(resolve, 300));
      const read = await client.ask<LoadReport>({ kind: "report" });
      if (fed.frames !== sockets * slots) throw new Error(`${fed.frames} frames of ${sockets * slots} were sent`);
      if (read.frames < fed.frames * 0.95) throw new Error(`${read.frames} frames of ${fed.frames} were read`);
      if (to === "stream") {
        latencies.push(...read.latenciesMs);
        p99s.push(quantile(read.latenciesMs, 0.99));
      }
      return fed.frames / (fed.cpuUs / 1_000_000);
    };
    await side("plain", plainClient);
    await side("stream", streamClient);
    latencies.length = 0;
    p99s.length = 0;
    const figures = await measurePairs(
      pairs,
      () => side("plain", plainClient),
      () => side("stream", streamClient),
    );
    const fullMb = residentMb(host.pid);
    return {
      settings: { sockets, slotMs: SLOT_MS, slots, leadSlots: LEAD_SLOTS, instruments: 12 },
      figures: [
        {
          name: "price frames to sockets per second and core / ws.send",
          value: median(figures.ratios),
          unit: "×",
          atLeast: 1.15,
          baseline: `${Math.round(median(figures.subject))}/s against ${Math.round(median(figures.baseline))}/s`,
          noise: spread(figures.ratios),
        },
        {
          name: `p99 from tick to socket, ${sockets.toLocaleString("en")} sockets × 10 frames/s`,
          value: median(p99s),
          unit: "ms",
          atMost: 60,
          baseline: `p50 ${quantile(latencies, 0.5).toFixed(1)} ms`,
          noise: spread(p99s),
        },
        {
          name: `memory of the stream's process with 2 × ${sockets.toLocaleString("en")} sockets`,
          value: fullMb,
          unit: "MB",
          baseline: `${restMb.toFixed(0)} MB without`,
        },
      ],
    };
  } finally {
    host.stop();
    for (const client of clients) client.stop();
  }
}
