import { request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { OPERATOR_CALLS } from "@fairtick/protocol/operator";
import { afterEach, describe, expect, it } from "vitest";
import { createTestContext, type TestContext } from "../test-context.ts";
import { createMetrics } from "../metrics.ts";
import { SECURITY_METRIC } from "../security-events.ts";
import { createConsoleServer, type ConsoleServerOptions } from "./console-server.ts";

let context: TestContext;
let app: ReturnType<typeof createConsoleServer>;
const metrics = createMetrics("test");

async function open(options: Partial<ConsoleServerOptions>): Promise<number> {
  context = await createTestContext({ allowedHosts: [] });
  app = createConsoleServer({
    context,
    metrics,
    routes: OPERATOR_CALLS.map((call) => ({ call, handler: () => null })),
    authenticate: async () => null,
    consoleUrl: () => "https://console.fairtick.example",
    ...options,
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  return (app.server.address() as AddressInfo).port;
}

afterEach(async () => {
  await app.close();
  await context.close();
});

function ask(port: number, method: string, path: string, host = "127.0.0.1"): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, path, method, headers: { host }, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.on("error", reject).end();
  });
}

describe("the console's port", () => {
  it("answers only health checks once its sockets are used up, and counts the sockets it closes", async () => {
    const port = await open({ socketsMax: 0 });
    expect(await ask(port, "GET", "/health/live")).toBe(200);
    expect(await ask(port, "POST", "/operator/session/login")).toBe(503);
    const silent = Array.from({ length: 60 }, () => connect(port, "127.0.0.1").on("error", () => undefined));
    const counted = async () => {
      const text = await metrics.getSingleMetricAsString(SECURITY_METRIC);
      return Number(/side="operator",event="socket_refused",process="test"} (\d+)/.exec(text)?.[1]);
    };
    await expect.poll(counted, { timeout: 10_000 }).toBeGreaterThanOrEqual(28);
    for (const socket of silent) socket.destroy();
  });

  it("answers under no other name", async () => {
    const port = await open({});
    expect(await ask(port, "GET", "/health/live", "console.fairtick.example")).toBe(200);
    expect(await ask(port, "GET", "/health/live", `rebound.example:${port}`)).toBe(421);
  });

  it.each([
    ["headers", "POST /operator/session/login HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "],
    [
      "a body",
      "POST /operator/session/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n{",
    ],
  ])("ends the socket of a client that sends %s byte by byte", async (_what, head) => {
    const port = await open({ timeoutMs: 300 });
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    socket.write(head);
    const dripping = setInterval(() => socket.write("a"), 100);
    const closed = new Promise<boolean>((resolve) => {
      socket.resume().once("close", () => resolve(true));
      setTimeout(() => resolve(false), 15_000).unref();
    });
    expect(await closed).toBe(true);
    clearInterval(dripping);
  });
});
