import { accept, refuse, type MemberId } from "@fairtick/domain";
import { CALLS } from "@fairtick/protocol";
import { fuzzCall } from "@fairtick/testkit/fuzz-calls";
import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock } from "../clock.ts";
import { readConfig } from "../config.ts";
import { createLog } from "../log.ts";
import { createHttpServer, FileAnswer } from "./index.ts";

/** An edge with trivial handlers: these tests check only that whatever reaches a handler has passed its schema. */
const app = createHttpServer({
  context: {
    config: readConfig({ DATABASE_URL: "postgres://127.0.0.1/none", RATE_LIMIT_FACTOR: "100000" }),
    log: createLog("fuzz", "silent"),
    clock: systemClock,
  },
  routes: CALLS.map((call) => ({
    call,
    handler: () => (call.file === "download" ? accept(new FileAnswer("", "text/csv", "x.csv")) : refuse("NOT_NOW")),
  })),
  authenticate: (token) => (token === "good" ? { sessionId: 1n, memberId: 1n as MemberId } : null),
  health: () => ({ ready: true, accepting: true, degraded: [] }),
});

let baseUrl = "";
beforeAll(async () => {
  baseUrl = await app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => app.close());

it.each(CALLS.map((call) => [call.path, call] as const))(
  "answers whatever is sent to %s in words and without a fault",
  async (_, call) => {
    await expect(fuzzCall(call, { baseUrl, token: () => "good" })).resolves.toBeUndefined();
  },
);
