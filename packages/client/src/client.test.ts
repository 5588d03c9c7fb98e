import {
  appConfig,
  authRevokeSession,
  fileUpload,
  orderExport,
  orderPlace,
  authLogin,
  orderDetail,
  type Fields,
} from "@fairtick/protocol";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, expectTypeOf, it, vi } from "vitest";
import { type CallResult, type Client, createClient, createServerClock, type ClientOptions } from "./index.ts";

const ORDER: Fields<typeof orderPlace> = {
  wallet: "practice",
  symbol: "EURUSD",
  direction: "up",
  stake: "12.50",
  duration: 60,
  clientOrderId: "order-0001",
};

let server: Server | undefined;
afterEach(() => server?.closeAllConnections());

interface Received {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Starts a server that gives these answers one after another and records the calls it received. */
async function serve(...answers: ((response: ServerResponse, request: IncomingMessage) => void)[]) {
  const received: Received[] = [];
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      received.push({ path: request.url ?? "", headers: request.headers, body });
      const answer = answers[Math.min(received.length, answers.length) - 1];
      answer?.(response, request);
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clientOf = (options: Partial<ClientOptions> = {}) =>
    createClient({ baseUrl, token: () => "the-token", lang: () => "de_DE", ...options });
  return { received, clientOf };
}

const json =
  (code: number, data: unknown, msg = "m") =>
  (response: ServerResponse) =>
    void response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify({ code, msg, data }));
const hangUp = (_response: ServerResponse, request: IncomingMessage) => void request.socket.destroy();

describe("call", () => {
  it("sends form, token and language, and returns data and envelope", async () => {
    const { received, clientOf } = await serve(json(200, { orderNo: "ord_1" }, "ok"));
    const result = await clientOf().call(orderPlace, { ...ORDER, limitPrice: undefined });
    expect(result).toEqual({
      ok: true,
      value: { orderNo: "ord_1" },
      envelope: { code: 200, msg: "ok", data: { orderNo: "ord_1" } },
    });
    expect(received[0]).toMatchObject({
      path: "/client/order/place",
      body: "wallet=practice&symbol=EURUSD&direction=up&stake=12.50&duration=60&clientOrderId=order-0001",
      headers: {
        "content-type": "application/x-www-form-urlencoded;charset=UTF-8",
        exchange2508token: "the-token",
        lang: "de_DE",
      },
    });
  });

  it("leaves the token out for a visitor", async () => {
    const { received, clientOf } = await serve(json(200, null));
    await clientOf({ token: () => null }).call<typeof appConfig>("app/config", {});
    expect(received[0]?.headers).not.toHaveProperty("exchange2508token");
  });

  it("returns a refusal with name, fields and params", async () => {
    const data = { error: "STAKE_BELOW_MINIMUM", fields: { stake: "zu klein" }, params: { min: "1.00" } };
    const { received, clientOf } = await serve(json(422, data, "Mindestbetrag"));
    expect(await clientOf().call(orderPlace, ORDER)).toEqual({
      ok: false,
      failure: { kind: "refused", code: 422, msg: "Mindestbetrag", ...data },
    });
    expect(received).toHaveLength(1);
  });

  it("returns the signed refusal of an order unchanged", async () => {
    const refusal = { reason: "LATE", at: 5, batchNo: "7", place: 0, path: ["ab"] };
    const { clientOf } = await serve(json(422, { error: "LATE", refusal }, "Too late"));
    expect(await clientOf().call(orderPlace, ORDER)).toMatchObject({ ok: false, failure: { error: "LATE", refusal } });
  });

  it("reports a 401 before it returns to the caller", async () => {
    const { clientOf } = await serve(json(401, { error: "SESSION_EXPIRED" }));
    const told: (string | null)[] = [];
    const result = await clientOf({ onUnauthorized: (token) => void told.push(token) }).call(orderDetail, {
      orderNo: "ord_1",
    });
    expect(result).toMatchObject({ ok: false, failure: { kind: "unauthorized", error: "SESSION_EXPIRED" } });
    expect(told).toEqual(["the-token"]);
  });

  it("repeats a call as the member who made it, even if someone else has logged in", async () => {
    const { received, clientOf } = await serve(hangUp, json(401, { error: "SESSION_EXPIRED" }));
    const tokens = ["first", "second"];
    const told: (string | null)[] = [];
    const client = clientOf({ token: () => tokens.shift() ?? null, onUnauthorized: (token) => void told.push(token) });
    await client.call(orderPlace, ORDER);
    expect(received.map(({ headers }) => headers["exchange2508token"])).toEqual(["first", "first"]);
    expect(told).toEqual(["first"]);
  });

  it("resends the same message if the answer was lost and a client id makes that safe", async () => {
    const { received, clientOf } = await serve(hangUp, json(200, { orderNo: "ord_1" }));
    expect(await clientOf().call<typeof orderPlace>("order/place", ORDER)).toMatchObject({ ok: true });
    expect(received.map(({ body }) => body)).toEqual([received[0]?.body, received[0]?.body]);
  });

  it("gives up after the third attempt, and never repeats calls that are not safe to repeat", async () => {
    const first = await serve(hangUp);
    expect(await first.clientOf().call(authRevokeSession, { sessionId: "s" })).toMatchObject({
      failure: { kind: "network", code: 0 },
    });
    expect(first.received).toHaveLength(3);
    const second = await serve(hangUp);
    const login = { account: "a@example.com", password: "secret" };
    expect(await second.clientOf().call(authLogin, login)).toMatchObject({ failure: { kind: "network" } });
    expect(second.received).toHaveLength(1);
  });

  it("treats an answer that is not an envelope as no answer", async () => {
    const { clientOf } = await serve((response) => void response.writeHead(502).end("<html>bad gateway</html>"));
    const login = { account: "a@example.com", password: "secret" };
    expect(await clientOf().call(authLogin, login)).toMatchObject({ failure: { kind: "network", code: 502 } });
  });

  it("times out if no answer comes, without a second attempt", async () => {
    const { received, clientOf } = await serve(() => {});
    expect(await clientOf({ timeoutMs: 100 }).call(orderPlace, ORDER)).toMatchObject({ failure: { kind: "timeout" } });
    expect(received).toHaveLength(1);
  });

  it("learns the server's time from answers that contain it", async () => {
    const clock = createServerClock();
    const { clientOf } = await serve(json(200, { serverTime: 5_000_000 }));
    await clientOf({ clock }).call(appConfig, {});
    expect(clock.now()).toBeGreaterThanOrEqual(5_000_000);
    expect(clock.now()).toBeLessThan(5_010_000);
  });

  it("does not compile if a field is missing or has the wrong type", () => {
    expectTypeOf<{ account: string }>().not.toExtend<Fields<typeof authLogin>>();
    expectTypeOf<"sideways">().not.toExtend<Fields<typeof orderPlace>["direction"]>();
  });
});

describe("download", () => {
  it("returns the bytes, or the refusal", async () => {
    const { clientOf } = await serve(
      (response) => void response.writeHead(200, { "content-type": "text/csv" }).end("a,b\n"),
      json(429, { error: "RATE_LIMITED", params: { retryAt: 1 } }),
    );
    const client = clientOf();
    const result = await client.download(orderExport, { wallet: "practice" });
    expect(result.ok && (await result.value.text())).toBe("a,b\n");
    expect(await client.download(orderExport, { wallet: "practice" })).toMatchObject({
      failure: { kind: "refused", error: "RATE_LIMITED" },
    });
  });

  it("gives up only when no byte has arrived for the timeout", async () => {
    const { clientOf } = await serve((response) => {
      response.writeHead(200, { "content-type": "text/csv" });
      let sent = 0;
      const timer = setInterval(() => {
        response.write("row\n");
        if (++sent === 6) {
          clearInterval(timer);
          response.end();
        }
      }, 300);
    });
    const result = await clientOf({ timeoutMs: 1_500 }).download(orderExport, { wallet: "practice" });
    expect(result.ok && result.value.size).toBe(24);
  });
});

describe("the specification's 60,000 ms", () => {
  afterEach(() => void vi.useRealTimers());

  it.each<[string, (client: Client) => Promise<CallResult<unknown>>]>([
    ["a call", (client) => client.call(orderDetail, { orderNo: "ord_1" })],
    ["an upload", (client) => client.upload(fileUpload, { purpose: "receipt" }, new Blob(["1"]))],
    ["a download", (client) => client.download(orderExport, { wallet: "practice" })],
  ])("end %s without an answer, and not a moment earlier", async (_, make) => {
    vi.useFakeTimers();
    let failure: unknown = null;
    const silence: typeof fetch = (_input, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener("abort", () => reject(new Error("aborted")));
      });
    const client = createClient({ baseUrl: "", token: () => null, lang: () => "en_US", fetch: silence });
    const made = make(client).then((result) => {
      if (!result.ok) ({ failure } = result);
    });
    await vi.advanceTimersByTimeAsync(59_999);
    expect(failure).toBeNull();
    await vi.advanceTimersByTimeAsync(1);
    await made;
    expect(failure).toMatchObject({ kind: "timeout" });
  });
});

describe("the server's clock", () => {
  it("runs on elapsed time, prefers the fastest message and corrects a wrong one", () => {
    let elapsed = 0;
    const clock = createServerClock(() => elapsed);
    clock.learn(1_000_000);
    elapsed = 500;
    expect(clock.now()).toBe(1_000_500);
    clock.learn(1_000_400);
    expect(clock.now()).toBe(1_000_500);
    clock.learn(1_000_650);
    expect(clock.now()).toBe(1_000_650);
    clock.learn(900_000);
    expect(clock.now()).toBe(900_000);
  });
});
