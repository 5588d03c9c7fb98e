import { accept, refuse, type Instant, type MemberId } from "@fairtick/domain";
import {
  appConfig,
  authLogin,
  authResetPassword,
  CALLS,
  marketCandles,
  marketFavourites,
  orderExport,
  orderPlace,
  orderQuote,
  type MemberCall,
} from "@fairtick/protocol";
import type { FastifyInstance } from "fastify";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../config.ts";
import { createLog } from "../log.ts";
import { createMetrics } from "../metrics.ts";
import { SECURITY_METRIC } from "../security-events.ts";
import { createHttpServer, FileAnswer, RATE_LIMITS, route, type HttpServerOptions, type Route } from "./index.ts";

const NOW = 1_763_700_000_000n as Instant;
const TOKEN = "a-good-token";
const ORDER = {
  wallet: "practice",
  symbol: "EURUSD",
  direction: "up",
  stake: "12.5",
  duration: "60",
  clientOrderId: "order-0001",
};

const lines: string[] = [];
function contextOf(env: Record<string, string> = {}): HttpServerOptions["context"] {
  const config = readConfig({
    DATABASE_URL: "postgres://127.0.0.1/none",
    PORT: "0",
    RATE_LIMIT_FACTOR: "1000",
    ...env,
  });
  const log = createLog("test", "silent");
  log.level = "error";
  Object.assign(log, { error: (entry: unknown) => void lines.push(JSON.stringify(entry)) });
  return { config, log, clock: { now: () => NOW, elapsedMs: () => 0 } };
}

/** Makes handlers for all calls. The given ones take precedence. */
function withHandlers(...routes: Route[]): Route[] {
  const given = new Set(routes.map(({ call }) => call.path));
  const others = CALLS.filter(({ path }) => !given.has(path));
  return [...routes, ...others.map((call) => route<MemberCall>(call, () => refuse("NOT_NOW")))];
}

const CANDLE = [1, "1.084772", "1.084772", "1.084772", "1.084772"] as [number, string, string, string, string];
const CANDLES = Array.from({ length: 60 }, () => CANDLE);
const seen: unknown[] = [];
const ROUTES = withHandlers(
  route(orderPlace, ({ input, session, lang, device }) => {
    seen.push({ stake: input.stake, member: session.memberId, lang, device });
    if (input.clientOrderId === "boom-boom") throw new Error("the reason stays in the house");
    if (input.clientOrderId === "database-away") throw Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
    return refuse("STAKE_BELOW_MINIMUM", { min: "1.00" });
  }),
  route(orderQuote, ({ session }) => refuse(session ? "CONFLICT" : "NOT_NOW")),
  route(marketCandles, ({ input }) => accept(CANDLES.slice(0, input.limit ?? CANDLES.length))),
  route(marketFavourites, () => accept(Array.from({ length: 500 }, () => "EURUSD"))),
  route(orderExport, () => accept(new FileAnswer("a,b\n", "text/csv; charset=utf-8", "orders.csv"))),
  route(appConfig, () => ({
    version: "1.0",
    versionCode: 10,
    deployment: "sandbox" as const,
    pricesSimulated: true,
    currency: "USD" as const,
    uploadLimitBytes: 1,
    minAge: 18,
    toastMs: 1500,
    figures: {},
    serverTime: 1,
  })),
);

function serve(options: Partial<HttpServerOptions> = {}): FastifyInstance {
  return createHttpServer({
    context: contextOf(),
    routes: ROUTES,
    authenticate: (token) => (token === TOKEN ? { sessionId: 1n, memberId: 7n as MemberId } : null),
    health: () => ({ ready: true, accepting: true, degraded: [] }),
    checkAnswers: true,
    ...options,
  });
}

async function listen(app: FastifyInstance): Promise<string> {
  return app.listen({ host: "127.0.0.1", port: 0 });
}

const folder = mkdtempSync(join(tmpdir(), "fairtick-app-"));
mkdirSync(join(folder, "assets"));
writeFileSync(
  join(folder, "index.html"),
  "<!doctype html><script>go()</script><script src=/assets/app-abcdefgh.js></script>",
);
writeFileSync(join(folder, "assets/app-abcdefgh.js"), "export const x = 1;\n".repeat(200));
writeFileSync(join(folder, "assets/app-abcdefgh.js.map"), JSON.stringify({ version: 3, sourcesContent: ["secret"] }));

let base = "";
const app = serve({ appFolder: folder });
beforeAll(async () => {
  base = await listen(app);
});
afterAll(() => app.close());

async function post(path: string, body: string | Record<string, string>, headers: Record<string, string> = {}) {
  const response = await fetch(`${base}/client/${path}`, {
    method: "POST",
    body: typeof body === "string" ? body : new URLSearchParams(body),
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  });
  const answer = (await response.json()) as { code: number; msg: string; data: Record<string, unknown> };
  return { status: response.status, headers: response.headers, ...answer };
}
const LOGGED_IN = { exchange2508Token: TOKEN };

describe("a call", () => {
  it("is answered in the envelope, with its message in the language of the Lang header", async () => {
    expect(await post("app/config", "")).toMatchObject({
      status: 200,
      code: 200,
      msg: "Success",
      data: { versionCode: 10 },
    });
    const refused = await post("order/place", ORDER, { ...LOGGED_IN, Lang: "en_US" });
    expect(refused).toMatchObject({
      status: 422,
      code: 422,
      msg: "The minimum order amount is $1.00",
      data: { error: "STAKE_BELOW_MINIMUM", params: { min: "1.00" } },
    });
    expect((await post("order/place", ORDER, { ...LOGGED_IN, Lang: "xx_XX" })).msg).toBe(refused.msg);
  });

  it("needs no body if it has no fields", async () => {
    const response = await fetch(`${base}/client/app/config`, { method: "POST" });
    expect(response.status).toBe(200);
  });

  it("hands the handler typed input, the member, the language and the device", async () => {
    await post("order/place", ORDER, { ...LOGGED_IN, Lang: "de_DE", "user-agent": "x".repeat(300) });
    expect(seen.at(-1)).toEqual({ stake: 12_500_000n, member: 7n, lang: "de", device: "x".repeat(200) });
  });

  it("names a repeated, a missing and an over-long field", async () => {
    const repeated = await post("order/place", `${new URLSearchParams(ORDER).toString()}&stake=99`, LOGGED_IN);
    expect(repeated).toMatchObject({
      status: 400,
      msg: "Amount was sent more than once",
      data: { error: "FIELD_REPEATED", fields: { stake: "Amount was sent more than once" } },
    });
    expect(await post("auth/login", { account: "a@example.com" })).toMatchObject({
      status: 400,
      data: { error: "FIELD_MISSING", fields: { password: "Enter login password" } },
    });
    expect(await post("order/place", { ...ORDER, symbol: "X".repeat(10_000) }, LOGGED_IN)).toMatchObject({
      status: 400,
      data: { error: "FIELD_TOO_LONG", fields: { symbol: "Product is too long" } },
    });
  });

  it.each([
    ["a name", 32, "user/setName", "username", {}],
    ["a message", 4_000, "support/send", "text", { clientId: "0d9c1b1e-6a0f-4a5e-9a53-2f1f1b8a7c11" }],
  ])("accepts %s of %i characters, and refuses one more instead of cutting it", async (_, max, path, field, others) => {
    const send = (length: number) => post(path, { ...others, [field]: "m".repeat(length) }, LOGGED_IN);
    // This server has no database, so a call with valid fields fails only there.
    expect(await send(max)).toMatchObject({ status: 503 });
    const refused = await send(max + 1);
    expect(refused).toMatchObject({ status: 400, data: { error: "FIELD_TOO_LONG" } });
    expect(Object.keys(refused.data["fields"] as object)).toEqual([field]);
  });

  it.each(["20.005", "-20", "+20", "1e2", "12,50", "9".repeat(13), `20.${"0".repeat(20)}`])(
    "explains the form of an amount if it gets %s",
    async (stake) => {
      const refused = await post("order/place", { ...ORDER, stake }, LOGGED_IN);
      expect(refused).toMatchObject({ status: 400 });
      expect(refused.data["fields"]).toEqual({
        stake: "Amount: use digits only, at most 12 and 2 decimal places, for example 1250.50",
      });
      expect(refused.msg).toBe("Amount: use digits only, at most 12 and 2 decimal places, for example 1250.50");
    },
  );

  it("refuses escapes that aren't valid UTF-8, and accepts those that are", async () => {
    expect(await post("user/setName", "username=%FF%FE", LOGGED_IN)).toMatchObject({
      status: 400,
      data: { error: "FIELD_INVALID", fields: { username: "Username isn’t valid" } },
    });
    expect(await post("user/setName", "username=%E8%8C%B6+x", LOGGED_IN)).toMatchObject({ status: 503 });
  });

  it("ignores unknown fields, repeated ones too", async () => {
    const body = `${new URLSearchParams(ORDER).toString()}&profit=9&profit=10&__proto__=x`;
    expect(await post("order/place", body, LOGGED_IN)).toMatchObject({ status: 422 });
  });

  it("answers 413 to a form that is too large, and 400 to another kind of body", async () => {
    expect(await post("order/place", `stake=${"1".repeat(300_000)}`, LOGGED_IN)).toMatchObject({
      status: 413,
      code: 413,
    });
    expect(await post("order/place", "{}", { ...LOGGED_IN, "content-type": "application/json" })).toMatchObject({
      status: 400,
      data: { error: "FIELD_INVALID" },
    });
  });

  it("is compressed only if it is long, the same for everyone, and the client accepts it", async () => {
    const ask = async (path: string, fields: Record<string, string>, accepted: string) => {
      const response = await fetch(`${base}/client/${path}`, {
        method: "POST",
        body: new URLSearchParams(fields),
        headers: { ...LOGGED_IN, "accept-encoding": accepted },
      });
      const { data } = (await response.json()) as { data: readonly unknown[] };
      return [response.headers.get("content-encoding"), data.length];
    };
    const days = { symbol: "EURUSD", interval: "1d" };
    expect(await ask("market/candles", days, "gzip, deflate, br")).toEqual(["br", 60]);
    expect(await ask("market/candles", days, "gzip")).toEqual(["gzip", 60]);
    expect(await ask("market/candles", days, "identity")).toEqual([null, 60]);
    expect(await ask("market/candles", { ...days, limit: "2" }, "br")).toEqual([null, 2]);
    expect(await ask("market/favourites", {}, "br")).toEqual([null, 500]);
  });

  it("answers bytes if the call is a download", async () => {
    const response = await fetch(`${base}/client/order/export`, {
      method: "POST",
      body: new URLSearchParams({ wallet: "practice" }),
      headers: LOGGED_IN,
    });
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="orders.csv"');
    expect(await response.text()).toBe("a,b\n");
  });
});

describe("security events", () => {
  it("are counted for ended calls, unknown paths and logins on new devices", async () => {
    const metrics = createMetrics("test");
    const watched = serve({
      metrics,
      routes: withHandlers(
        route(authLogin, ({ input, noteNewDevice }) => {
          if (input.password === "wrong") return refuse("BAD_CREDENTIALS");
          noteNewDevice();
          return refuse("NOT_NOW");
        }),
        route(authResetPassword, ({ noteNewDevice }) => {
          noteNewDevice();
          return null;
        }),
        ...ROUTES.filter(({ call }) => call !== authLogin && call !== authResetPassword),
      ),
    });
    const url = await listen(watched);
    const send = (path: string, body: Record<string, string>, headers: Record<string, string> = {}) =>
      fetch(`${url}/${path}`, { method: "POST", body: new URLSearchParams(body), headers });
    await send("client/auth/login", { account: "a@example.com", password: "wrong" });
    await send("client/order/place", ORDER, { exchange2508Token: "bad" });
    await send("client/order/nothing", {});
    await send("client/app/config", {}, { origin: "https://evil.example" });
    const reset = { channel: "email", to: "a@example.com", code: "123456", password: "a-new-pass-1" };
    expect((await send("client/auth/resetPassword", { ...reset, confirmPassword: reset.password })).status).toBe(200);
    const text = await metrics.getSingleMetricAsString(SECURITY_METRIC);
    for (const event of ["login_failed", "token_refused", "path_unknown", "request_turned_away", "password_reset"])
      expect(text).toContain(`{side="member",event="${event}",process="test"} 1`);
    await watched.close();
  });
});

describe("a session", () => {
  it("is needed for member calls: LOGIN_REQUIRED without a token, SESSION_EXPIRED with a bad one", async () => {
    expect(await post("order/place", ORDER)).toMatchObject({ status: 401, data: { error: "LOGIN_REQUIRED" } });
    for (const token of ["bad", "x".repeat(5_000)])
      expect(await post("order/place", ORDER, { exchange2508Token: token })).toMatchObject({
        status: 401,
        msg: "Login expired, please log in again",
        data: { error: "SESSION_EXPIRED" },
      });
  });

  it("is used by public calls too, which ignore a bad token", async () => {
    const { clientOrderId: _, ...terms } = ORDER;
    expect(await post("order/quote", terms, { exchange2508Token: "bad" })).toMatchObject({ status: 503 });
    expect(await post("order/quote", terms, LOGGED_IN)).toMatchObject({ status: 409 });
  });
});

describe("a handler", () => {
  it("is reached only after session and input were checked", async () => {
    expect(await post("user/liabilityPath", {})).toMatchObject({ status: 401 });
    expect(await post("user/liabilityPath", {}, LOGGED_IN)).toMatchObject({
      status: 400,
      data: { error: "FIELD_MISSING" },
    });
    expect(await post("user/liabilityPath", { day: "2026-11-20" }, LOGGED_IN)).toMatchObject({
      status: 503,
      code: 503,
      data: { error: "NOT_NOW" },
    });
  });

  it("is reached only after an upload was checked too", async () => {
    const form = new FormData();
    form.set("purpose", "receipt");
    const upload = () => fetch(`${base}/client/file/upload`, { method: "POST", body: form, headers: LOGGED_IN });
    const without = await upload();
    expect([without.status, await without.json()]).toMatchObject([
      400,
      { data: { fields: { file: "File is missing" } } },
    ]);
    form.set("file", new File(["x"], "receipt.png"));
    expect((await upload()).status).toBe(503);
  });

  it("is reported at the start if it is missing", () => {
    expect(() => serve({ routes: ROUTES.slice(1) })).toThrow("These calls have no handler: order/place");
    expect(() => serve({ routes: [...ROUTES, ...ROUTES] })).toThrow("order/place has two handlers");
  });
});

describe("a fault", () => {
  it("answers SERVER_ERROR with an id that is in the log, and reveals nothing else", async () => {
    const answer = await post("order/place", { ...ORDER, clientOrderId: "boom-boom" }, LOGGED_IN);
    expect(answer).toMatchObject({ status: 500, code: 500, data: { error: "SERVER_ERROR" } });
    const { id } = answer.data["params"] as { id: string };
    expect(answer.msg).toBe(`Server Error (${id})`);
    expect(JSON.stringify(answer)).not.toContain("the reason");
    expect(lines.filter((line) => line.includes(id))).toHaveLength(1);
  });

  it("answers NOT_NOW while the database is unreachable", async () => {
    const answer = await post("order/place", { ...ORDER, clientOrderId: "database-away" }, LOGGED_IN);
    expect(answer).toMatchObject({ status: 503, data: { error: "NOT_NOW" } });
  });

  it("answers NOT_NOW to a call that takes too long, and discards its late answer", async () => {
    const slow = serve({
      timeoutMs: 100,
      context: { ...contextOf(), clock: { now: () => NOW, elapsedMs: () => performance.now() } },
      routes: withHandlers(
        route(orderPlace, async () => {
          await new Promise((resolve) => setTimeout(resolve, 400));
          return refuse("CONFLICT");
        }),
      ),
    });
    const response = await fetch(`${await listen(slow)}/client/order/place`, {
      method: "POST",
      body: new URLSearchParams(ORDER),
      headers: LOGGED_IN,
    });
    expect([response.status, await response.json()]).toMatchObject([503, { data: { error: "NOT_NOW" } }]);
    await new Promise((resolve) => setTimeout(resolve, 500));
    await slow.close();
  });

  it("is found where answers are checked, if an answer differs from its schema", async () => {
    const broken = serve({
      routes: withHandlers(route<MemberCall>(appConfig, () => ({ version: 1 }))),
      context: contextOf(),
    });
    const response = await fetch(`${await listen(broken)}/client/app/config`, { method: "POST" });
    expect(response.status).toBe(500);
    expect(lines.at(-1)).toContain("app/config");
    await broken.close();
  });
});

describe("paths and methods", () => {
  it("answers under no other name", async () => {
    const { hostname, port } = new URL(base);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const asked = request(
        { hostname, port, path: "/health/live", headers: { host: "rebound.example" } },
        (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        },
      );
      asked.on("error", reject).end();
    });
    expect(status).toBe(421);
  });

  it("answers unknown ones in the envelope", async () => {
    expect(await post("order/unheardOf", {})).toMatchObject({ status: 404, code: 404, data: { error: "NOT_FOUND" } });
    const wrong = await fetch(`${base}/client/order/place`);
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "POST"]);
    expect(await wrong.json()).toMatchObject({ code: 405 });
  });

  it("survives paths and headers that no browser sends", async () => {
    for (const path of ["/client/%", "/client/%00", "/..%2f..%2fetc/passwd", `/${"a".repeat(5_000)}`, "//"])
      expect((await fetch(base + path)).status).toBeLessThan(500);
    const raw = await new Promise<string>((resolve) => {
      const socket = connect(Number(new URL(base).port), "127.0.0.1", () =>
        socket.end("POST / HTTP/1.1\r\nbad\r\n\r\n"),
      );
      let text = "";
      socket.on("data", (chunk) => (text += chunk.toString())).on("close", () => resolve(text));
    });
    expect(raw).toMatch(/^HTTP\/1.1 400/);
  });
});

describe("rate limits", () => {
  it("answer 429 with Retry-After, per member and per address", async () => {
    const strict = serve({ context: contextOf({ RATE_LIMIT_FACTOR: "1" }) });
    const url = `${await listen(strict)}/client/auth/sendCode`;
    const allowed = RATE_LIMITS.code.perAddress;
    const ask = (headers: Record<string, string> = {}) => fetch(url, { method: "POST", headers });
    for (let call = 0; call < allowed; call++) expect((await ask()).status).toBe(400);
    const refused = await ask({ Lang: "en_US" });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    const { data } = (await refused.json()) as { data: { error: string; params: { retryAt: number } } };
    expect(data.error).toBe("RATE_LIMITED");
    expect(data.params.retryAt).toBeGreaterThan(Number(NOW));

    const place = () => fetch(url.replace("auth/sendCode", "order/place"), { method: "POST", headers: LOGGED_IN });
    const statuses = await Promise.all(Array.from({ length: RATE_LIMITS.order.perMember + 1 }, place));
    expect(statuses.filter(({ status }) => status === 429)).toHaveLength(1);
    await strict.close();
  });
});

describe("pages", () => {
  it("say where to report a vulnerability, and that no page uses camera, microphone or location", async () => {
    const app = serve();
    const answer = await app.inject("/.well-known/security.txt");
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toMatch(/^Contact: mailto:security@fairtick\.example\nExpires: 2026-\d\d-\d\dT/);
    expect(answer.headers["permissions-policy"]).toContain("camera=(), ");
    await app.close();
  });

  it("serve the app: hashed files cached for good, and the page with a policy that allows its script each time", async () => {
    const page = await fetch(`${base}/`);
    expect(page.headers.get("cache-control")).toBe("no-cache");
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).toMatch(/script-src 'self' 'sha256-[^']+';/);
    expect(policy).not.toContain("script-src 'self' 'unsafe-inline'");
    expect(page.headers.get("x-content-type-options")).toBe("nosniff");

    const asset = await fetch(`${base}/assets/app-abcdefgh.js`, { headers: { "accept-encoding": "br" } });
    expect(asset.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(asset.headers.get("content-encoding")).toBe("br");
    expect(await asset.text()).toContain("export const x = 1;");
    const again = await fetch(`${base}/assets/app-abcdefgh.js`, {
      headers: { "accept-encoding": "br", "if-none-match": asset.headers.get("etag") ?? "" },
    });
    expect(again.status).toBe(304);
  });

  it("never include source maps, however their path is written", async () => {
    for (const path of [
      "/assets/app-abcdefgh.js.map",
      "/assets/app-abcdefgh.js%2Emap",
      "/assets/app-abcdefgh.js.MAP",
    ]) {
      const response = await fetch(`${base}${path}`);
      expect([path, response.status]).toEqual([path, 404]);
      expect(await response.text()).not.toContain("secret");
    }
  });

  it("include the reference without a script, and the document", async () => {
    const docs = await fetch(`${base}/docs`);
    const html = await docs.text();
    expect(html).toContain("/client/order/place");
    expect(html).not.toMatch(/<script|https?:\/\/(?!127)/);
    expect(await (await fetch(`${base}/openapi.json`)).json()).toMatchObject({ openapi: "3.1.0" });
  });

  it("say whether the server is alive and ready", async () => {
    expect((await fetch(`${base}/health/live`)).status).toBe(200);
    const trouble = { part: "invariant", since: 0n as Instant, cause: "I2 fails" };
    for (const [ready, status] of [
      [true, 200],
      [false, 503],
    ] as const) {
      const ailing = serve({ health: () => ({ ready, accepting: false, degraded: [trouble] }) });
      const response = await fetch(`${await listen(ailing)}/health/ready`);
      const degraded = [{ part: "invariant", since: "1970-01-01T00:00:00.000Z", cause: "I2 fails" }];
      expect([response.status, await response.json()]).toEqual([status, { ready, accepting: false, degraded }]);
      await ailing.close();
    }
  });

  it("require TLS only in live", async () => {
    const live = serve({ context: contextOf({ DEPLOYMENT: "live" }) });
    const headers = (await fetch(`${await listen(live)}/health/live`)).headers;
    expect(headers.get("strict-transport-security")).toContain("max-age=");
    expect((await fetch(`${base}/health/live`)).headers.get("strict-transport-security")).toBeNull();
    await live.close();
  });
});

describe("a port whose sockets are used up", () => {
  it("answers health checks and nothing else, and counts the sockets that it closes", async () => {
    const metrics = createMetrics("test");
    const full = serve({ socketsMax: 0, metrics });
    const url = await listen(full);
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    expect((await fetch(`${url}/client/app/config`, { method: "POST" })).status).toBe(503);
    const { hostname, port } = new URL(url);
    const silent = Array.from({ length: 60 }, () => connect(Number(port), hostname).on("error", () => undefined));
    const counted = async () => {
      const text = await metrics.getSingleMetricAsString(SECURITY_METRIC);
      return Number(/event="socket_refused",process="test"} (\d+)/.exec(text)?.[1]);
    };
    await expect.poll(counted, { timeout: 10_000 }).toBeGreaterThanOrEqual(28);
    for (const socket of silent) socket.destroy();
    await full.close();
  });
});

describe("slow clients", () => {
  /** A context with the machine's own clock, since these tests really wait. */
  const timed = () => ({ ...contextOf(), clock: { now: () => NOW, elapsedMs: () => performance.now() } });

  /** Whether a socket that sends this and then a byte now and then is ended within this time. */
  async function isEnded(url: string, sent: string, withinMs: number): Promise<boolean> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.on("error", () => undefined);
    socket.write(sent);
    const dripping = setInterval(() => socket.write("a"), 100);
    const ended = await Promise.race([
      new Promise<boolean>((resolve) => {
        socket.once("close", () => resolve(true));
        socket.resume();
      }),
      new Promise<boolean>((resolve) => {
        setTimeout(() => resolve(false), withinMs);
      }),
    ]);
    clearInterval(dripping);
    socket.destroy();
    return ended;
  }

  it.each(["/client/order/place", "/client/no/such", "/no-such-path", "/index.html"])(
    "that never finish the body of a POST to %s lose their socket",
    async (path) => {
      const app = serve({ context: timed(), timeoutMs: 300 });
      const url = await listen(app);
      const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\na=`;
      expect(await isEnded(url, head, 20_000)).toBe(true);
      await app.close();
    },
  );

  it("that never finish their headers lose their socket", async () => {
    const app = serve({ context: timed(), timeoutMs: 300 });
    expect(await isEnded(await listen(app), "GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ", 20_000)).toBe(
      true,
    );
    await app.close();
  });

  it("that send a file byte by byte lose their socket", async () => {
    const app = serve({ context: timed(), timeoutMs: 1_000 });
    const head = [
      "POST /client/file/upload HTTP/1.1",
      "Host: 127.0.0.1",
      `exchange2508Token: ${TOKEN}`,
      "Content-Type: multipart/form-data; boundary=b",
      "Content-Length: 90000",
    ].join("\r\n");
    const begun = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n';
    expect(await isEnded(await listen(app), `${head}\r\n\r\n${begun}`, 20_000)).toBe(true);
    await app.close();
  });

  it("that read nothing of a long answer lose their socket", async () => {
    const long = "x".repeat(64 * 1024 * 1024);
    const app = serve({
      context: timed(),
      timeoutMs: 300,
      pages: (pages) => pages.get("/long", (_request, reply) => reply.send(long)),
    });
    const url = await listen(app);
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.write("GET /long HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    await expect
      .poll(
        () =>
          new Promise<number>((resolve, reject) =>
            app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
          ),
        {
          timeout: 30_000,
        },
      )
      .toBe(1);
    await expect
      .poll(
        () =>
          new Promise<number>((resolve, reject) =>
            app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
          ),
        {
          timeout: 30_000,
        },
      )
      .toBe(0);
    socket.destroy();
    await app.close();
  });
});
