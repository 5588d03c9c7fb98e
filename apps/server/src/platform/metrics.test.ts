import { request } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMetrics, serveMetrics } from "./metrics.ts";

let served: Awaited<ReturnType<typeof serveMetrics>>;
beforeAll(async () => {
  served = await serveMetrics(createMetrics("test"), 0);
});
afterAll(() => served.close());

function ask(headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request(
      { host: "127.0.0.1", port: served.port, path: "/metrics", headers, agent: false },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      },
    );
    asked.on("error", reject).end();
  });
}

describe("the metrics of a process", () => {
  it("are served to this machine, but to no web page whose name was pointed at it", async () => {
    expect(await ask({})).toBe(200);
    expect(await ask({ host: "localhost" })).toBe(200);
    expect(await ask({ host: "rebound.example" })).toBe(421);
  });

  it("are served over at most 64 sockets", async () => {
    let closed = 0;
    const silent = Array.from({ length: 100 }, () =>
      connect(served.port, "127.0.0.1")
        .on("error", () => undefined)
        .on("close", () => (closed += 1)),
    );
    await expect.poll(() => closed, { timeout: 5_000 }).toBeGreaterThanOrEqual(36);
    for (const socket of silent) socket.destroy();
    await expect.poll(() => closed, { timeout: 5_000 }).toBe(100);
    await expect.poll(() => ask({}).catch(() => 0), { timeout: 5_000 }).toBe(200);
  });
});
