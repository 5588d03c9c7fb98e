import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { formatId, type Instant, type MemberId, type OrderId, type Points } from "@fairtick/domain";
import { type Instrument, type Order, type StreamMessage, streamMessage, type Summary } from "@fairtick/protocol";
import { waitUntil } from "@fairtick/testkit";
import * as v from "valibot";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ClientOptions, WebSocket } from "ws";
import { createLocalBus } from "../../platform/bus.ts";
import { systemClock } from "../../platform/clock.ts";
import { limitConnections } from "../../platform/http/limit-connections.ts";
import { createLog } from "../../platform/log.ts";
import { attachStream, CONNECTIONS_PER_HOST, type StreamServer } from "./stream-server.ts";
import { SLOT_MS } from "./tick-fan-out.ts";

const MEMBER = 7n as MemberId;
const bus = createLocalBus((error) => {
  throw error;
});
const sessions = new Map([
  ["token-a", { sessionId: 1n, memberId: MEMBER }],
  ["token-b", { sessionId: 2n, memberId: MEMBER }],
  ["token-c", { sessionId: 3n, memberId: 8n as MemberId }],
]);
const orders = new Map<bigint, { memberId: bigint; orderId: bigint; order: Order }>();
let summaryReads = 0;
let runningReads = 0;
let logins = 0;
const notes: Record<string, unknown>[] = [];
/** How far the server's clock is ahead of the machine's, in ms. */
let skippedMs = 0;
/** The market's state of each instrument. A changed text means news. */
const states = new Map<string, string>();
let server: Server;
let stream: StreamServer;
const open: Client[] = [];

function summaryOf(wallet: "practice" | "real"): Summary {
  const zero = "0.00";
  return {
    wallet,
    totalAssets: zero,
    available: zero,
    locked: zero,
    todayProfit: zero,
    positionMargin: zero,
    openPositions: 0,
    creditScore: 100,
    creditParts: [],
    identityState: "unverified",
    username: "m",
    serverTime: 1,
  };
}

function orderOf(id: bigint, state: Order["state"], acceptedAt: number): Order {
  return {
    orderNo: formatId("order", id as OrderId),
    clientOrderId: `client-${id}`,
    wallet: "practice",
    symbol: "EURUSD",
    direction: "up",
    sealed: false,
    stake: "10.00",
    fee: "0.10",
    payoutRate: "0.85",
    limitPrice: null,
    duration: 60,
    state,
    outcome: null,
    acceptedAt,
    entryAt: null,
    entryPrice: null,
    expiresAt: null,
    exitAt: null,
    exitPrice: null,
    profit: null,
    voidReason: null,
    configVersion: 1,
    serverTime: acceptedAt,
    settledAt: null,
  };
}

function instrumentOf(symbol: string): Instrument {
  return {
    symbol,
    name: symbol,
    kind: "fx",
    decimals: 6,
    open: states.get(symbol) === "open",
    suspended: false,
    nextChange: null,
    minStake: "1.00",
    maxStake: "1000.00",
    feeRate: "0.01",
    durations: [{ seconds: 60, payoutRate: "0.85" }],
    price: null,
    priceAt: null,
    seq: null,
    dayOpen: null,
    changeToday: null,
    spark: [],
    source: "simulated",
  };
}

beforeEach(async () => {
  notes.splice(0);
  states.set("EURUSD", "open").set("BTCUSD", "open");
  server = createServer();
  stream = attachStream(server, {
    clock: { now: () => systemClock.now(), elapsedMs: () => systemClock.elapsedMs() + skippedMs },
    bus,
    log: createLog("test", "silent"),
    security: { note: (event, about = {}) => void notes.push({ event, ...about }) },
    publicUrl: "https://fairtick.example",
    authenticate: async (token) => {
      logins += 1;
      return sessions.get(token) ?? null;
    },
    instruments: {
      states: () => new Map(states),
      read: async () => [...states.keys()].map((symbol) => instrumentOf(symbol)),
    },
    decimalsOf: (symbol) => ({ EURUSD: 6, BTCUSD: 2 })[symbol],
    members: {
      readOrders: async (_, ids) => ids.flatMap((orderId) => orders.get(orderId) ?? []),
      readRunningOrderIds: async (member) => {
        runningReads += 1;
        return [...orders].filter(([, { memberId }]) => memberId === member).map(([id]) => id);
      },
      readSummaries: async () => {
        summaryReads += 1;
        return [summaryOf("practice"), summaryOf("real")];
      },
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  for (const client of open.splice(0)) client.webSocket.terminate();
  await stream.close();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  orders.clear();
  summaryReads = 0;
  runningReads = 0;
  logins = 0;
});

interface Client {
  webSocket: WebSocket;
  say(message: unknown): void;
  next(filter?: (message: StreamMessage) => boolean): Promise<StreamMessage>;
  heard: StreamMessage[];
}

const port = () => (server.address() as AddressInfo).port;

async function client(headers: Record<string, string> = {}, options: ClientOptions = {}): Promise<Client> {
  const webSocket = new WebSocket(`ws://127.0.0.1:${port()}/client/stream`, { ...options, headers });
  const heard: StreamMessage[] = [];
  const waiting: { filter: (message: StreamMessage) => boolean; resolve: (message: StreamMessage) => void }[] = [];
  let seen = 0;
  webSocket.on("message", (data: Buffer) => {
    // Every message must match the protocol.
    const message = v.parse(streamMessage, JSON.parse(data.toString()));
    heard.push(message);
    const index = waiting.findIndex(({ filter }) => filter(message));
    if (index !== -1) waiting.splice(index, 1)[0]!.resolve(message);
  });
  await once(webSocket, "open");
  const self: Client = {
    webSocket,
    heard,
    say: (message) => webSocket.send(typeof message === "string" ? message : JSON.stringify(message)),
    next: (filter = () => true) => {
      const index = heard.findIndex((message, at) => at >= seen && filter(message));
      if (index !== -1) {
        seen = index + 1;
        return Promise.resolve(heard[index]!);
      }
      return new Promise((resolve) =>
        waiting.push({
          filter,
          resolve: (message) => {
            seen = heard.length;
            resolve(message);
          },
        }),
      );
    },
  };
  open.push(self);
  return self;
}

const tick = (symbol: string, seq: number, price: bigint, time = 1_000 + seq) => ({
  symbol,
  seq: BigInt(seq),
  time: BigInt(time) as Instant,
  price: price as Points,
});
const publish = (...ticks: ReturnType<typeof tick>[]) => bus.publish("ticks", { ticks, sealedThrough: [] });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const subscribed = async (topics: string[], token?: string): Promise<Client> => {
  const one = await client();
  if (token !== undefined) {
    one.say({ op: "auth", token });
    await one.next((message) => message.t === "ok");
  }
  one.say({ op: "subscribe", topics });
  await one.next((message) => message.t === "ok" && message.op === "subscribe");
  return one;
};

describe("prices", () => {
  it("reach subscribers without a login, with the instrument's decimals and a slot in one frame", async () => {
    const one = await subscribed(["tick:EURUSD"]);
    const all = await subscribed(["tick:*"]);
    publish(tick("EURUSD", 1, 1_084_120n), tick("BTCUSD", 1, 9_512_345n), tick("EURUSD", 2, 1_084_130n));
    expect(await one.next()).toMatchObject({
      t: "ticks",
      d: [
        ["EURUSD", 1, 1001, "1.084120"],
        ["EURUSD", 2, 1002, "1.084130"],
      ],
    });
    expect(await all.next()).toMatchObject({
      d: [
        ["EURUSD", 1, 1001, "1.084120"],
        ["BTCUSD", 1, 1001, "95123.45"],
        ["EURUSD", 2, 1002, "1.084130"],
      ],
    });
  });

  it("carry their slot's signed head, whichever instruments are watched", async () => {
    const one = await subscribed(["tick:BTCUSD"]);
    const head = { k: 7n, hash: "ab".repeat(32), signature: "c2lnbmVk", key: "01020304" };
    bus.publish("ticks", { ticks: [tick("EURUSD", 1, 1n), tick("BTCUSD", 1, 2n)], sealedThrough: [], head });
    expect(await one.next()).toMatchObject({ d: [["BTCUSD", 1, 1001, "0.02"]], head: { ...head, k: 7 } });
  });

  it("are gathered into frames of a slot if they come in quick succession, and none is lost", async () => {
    const one = await subscribed(["tick:*"]);
    const begun = performance.now();
    for (let seq = 1; seq <= 50; seq += 1) {
      publish(tick("EURUSD", seq, 1_000_000n));
      await pause(4);
    }
    const slots = (performance.now() - begun) / SLOT_MS;
    await waitUntil("the last one", () => one.heard.some((each) => each.t === "ticks" && each.d.at(-1)?.[1] === 50));
    const frames = one.heard.filter((message) => message.t === "ticks");
    expect(frames.length).toBeLessThanOrEqual(Math.ceil(slots) + 2);
    expect(frames.flatMap(({ d }) => d.map(([, seq]) => seq))).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
  });

  it("stop after unsubscribing", async () => {
    const one = await subscribed(["tick:EURUSD", "tick:BTCUSD"]);
    one.say({ op: "unsubscribe", topics: ["tick:EURUSD"] });
    await one.next((message) => message.t === "ok" && message.op === "unsubscribe");
    publish(tick("EURUSD", 1, 1n), tick("BTCUSD", 1, 100n));
    expect(await one.next((message) => message.t === "ticks")).toMatchObject({ d: [["BTCUSD", 1, 1001, "1.00"]] });
  });

  it("reach a slow reader as the newest one of each instrument in bounded memory, together with all its orders", async () => {
    const one = await subscribed(["tick:*", "orders"], "token-a");
    one.webSocket.pause();
    const slots = 40;
    const perSlot = 8_000;
    let seq = 0;
    for (let slot = 0; slot < slots; slot += 1) {
      publish(...Array.from({ length: perSlot }, () => tick("BTCUSD", (seq += 1), 123_456n)), tick("EURUSD", seq, 1n));
      await pause(82);
    }
    orders.set(99n, { memberId: MEMBER, orderId: 99n, order: orderOf(99n, "settled", 1) });
    bus.publish("orders", { members: [MEMBER], orderIds: [99n] });
    await pause(50);
    expect(one.webSocket.readyState).toBe(WebSocket.OPEN);
    one.webSocket.resume();
    await one.next((message) => message.t === "ticks" && message.d.some(([, at]) => at === seq));
    const entries = one.heard.flatMap((message) => (message.t === "ticks" ? message.d : []));
    // The kernel buffers some megabytes. What didn't fit came as one tick of each instrument.
    expect(entries.length).toBeLessThan(seq);
    expect(entries.map(([, at]) => at)).toEqual(entries.map(([, at]) => at).toSorted((a, b) => a - b));
    expect(entries.findLast(([symbol]) => symbol === "EURUSD")?.[1]).toBe(seq);
    expect(one.heard.filter((message) => message.t === "order")).toHaveLength(1);
  });
});

describe("a member's own topics", () => {
  it("need a login", async () => {
    const one = await client();
    one.say({ op: "subscribe", topics: ["orders"] });
    expect(await one.next()).toEqual({ t: "error", error: "LOGIN_REQUIRED" });
  });

  it("are answered in order when sent at once after the login", async () => {
    const one = await client();
    one.say({ op: "auth", token: "token-a" });
    one.say({ op: "subscribe", topics: ["orders", "account"] });
    one.say({ op: "ping" });
    await one.next((message) => message.t === "ok" && message.op === "ping");
    expect(one.heard.map((message) => (message.t === "ok" ? message.op : message.t))).toEqual([
      "auth",
      "subscribe",
      "ping",
    ]);
  });

  it("bring an order when it is accepted, when its entry tick is published and when it is settled, only to its member", async () => {
    const one = await subscribed(["orders"], "token-a");
    const stranger = await subscribed(["orders"], "token-c");
    const id = 42n;
    const tell = () => bus.publish("orders", { members: [MEMBER], orderIds: [id] });
    orders.set(id, { memberId: MEMBER, orderId: id, order: orderOf(id, "accepted", 5_000) });
    tell();
    expect(await one.next()).toMatchObject({ t: "order", d: { state: "accepted" } });
    // A tick at exactly the time of acceptance isn't an entry.
    publish(tick("EURUSD", 1, 1n, 5_000), tick("BTCUSD", 1, 1n, 6_000));
    await pause(60);
    expect(one.heard.filter((message) => message.t === "order")).toHaveLength(1);
    orders.set(id, { memberId: MEMBER, orderId: id, order: orderOf(id, "open", 5_000) });
    publish(tick("EURUSD", 2, 1n, 5_001));
    expect(await one.next()).toMatchObject({ t: "order", d: { state: "open" } });
    publish(tick("EURUSD", 3, 1n, 5_101));
    orders.set(id, { memberId: MEMBER, orderId: id, order: orderOf(id, "settled", 5_000) });
    tell();
    expect(await one.next()).toMatchObject({ t: "order", d: { state: "settled" } });
    expect(stranger.heard.some((message) => message.t === "order")).toBe(false);
  });

  it("bring the entry of an order that was accepted before the socket was opened", async () => {
    const id = 43n;
    orders.set(id, { memberId: MEMBER, orderId: id, order: orderOf(id, "accepted", 5_000) });
    const one = await subscribed(["orders"], "token-a");
    await waitUntil("their orders are known", () => runningReads > 0);
    await new Promise(setImmediate);
    orders.set(id, { memberId: MEMBER, orderId: id, order: orderOf(id, "open", 5_000) });
    publish(tick("EURUSD", 9, 1n, 5_500));
    expect(await one.next()).toMatchObject({ t: "order", d: { state: "open" } });
  });

  it("bring both wallets after a change, and many changes at once as one", async () => {
    const one = await subscribed(["account"], "token-a");
    for (let change = 0; change < 30; change += 1) bus.publish("accounts", { members: [MEMBER, 8n] });
    expect(await one.next()).toMatchObject({ t: "account", d: { wallet: "practice" } });
    expect(await one.next()).toMatchObject({ t: "account", d: { wallet: "real" } });
    await pause(250);
    expect(summaryReads).toBe(1);
  });
});

describe("a session that ends", () => {
  it("closes its sockets at once with 4401, and no others", async () => {
    const first = await subscribed(["tick:*", "orders"], "token-a");
    const second = await subscribed(["orders"], "token-a");
    const other = await subscribed(["orders"], "token-b");
    const codes = [first, second].map(async ({ webSocket }) => (await once(webSocket, "close"))[0] as number);
    bus.publish("sessionsEnded", { sessionIds: [1n] });
    publish(tick("EURUSD", 1, 1n));
    expect(await Promise.all(codes)).toEqual([4401, 4401]);
    expect(first.heard.some((message) => message.t === "ticks")).toBe(false);
    other.say({ op: "ping" });
    expect(await other.next((message) => message.t === "ok" && message.op === "ping")).toBeTruthy();
  });

  it("can't be used by a login that was in progress", async () => {
    let answer: (session: { sessionId: bigint; memberId: MemberId }) => void = () => undefined;
    sessions.set("token-slow", new Promise((resolve) => (answer = resolve)) as never);
    const one = await client();
    one.say({ op: "auth", token: "token-slow" });
    await waitUntil("the login is under way", () => logins > 0);
    bus.publish("sessionsEnded", { sessionIds: [5n] });
    answer({ sessionId: 5n, memberId: MEMBER });
    expect((await once(one.webSocket, "close"))[0]).toBe(4401);
    sessions.delete("token-slow");
  });

  it("is not the only reason to close: an unknown token gets an error, and its socket is closed", async () => {
    const one = await client();
    one.say({ op: "auth", token: "nobody" });
    const [[code]] = (await Promise.all([once(one.webSocket, "close"), one.next()])) as unknown as [[number], unknown];
    expect(one.heard).toEqual([{ t: "error", error: "SESSION_EXPIRED" }]);
    expect(code).toBe(4401);
    expect(notes).toEqual([{ event: "token_refused", path: "stream", ip: "127.0.0.1" }]);
  });
});

describe("bad input", () => {
  it.each([
    ["no JSON", "{"],
    ["null", "null"],
    ["an unknown op", { op: "shout" }],
    ["no op", {}],
    ["an unknown topic", { op: "subscribe", topics: ["gossip"] }],
    ["no topics", { op: "subscribe", topics: [] }],
    ["too many topics", { op: "subscribe", topics: Array.from({ length: 65 }, () => "tick:*") }],
    ["a token that isn't text", { op: "auth", token: 5 }],
    ["__proto__", '{"__proto__":{"op":"ping"}}'],
  ])("%s is answered with an error and changes nothing", async (_, message) => {
    const one = await client();
    one.say(message);
    expect(await one.next()).toEqual({ t: "error", error: "FIELD_INVALID" });
    one.say({ op: "ping" });
    expect(await one.next()).toMatchObject({ t: "ok", op: "ping" });
  });

  it("is refused if it is binary", async () => {
    const one = await client();
    one.webSocket.send(Buffer.from('{"op":"ping"}'), { binary: true });
    expect(await one.next()).toEqual({ t: "error", error: "FIELD_INVALID" });
  });

  it("is refused by name if it asks for an unknown instrument", async () => {
    const one = await client();
    one.say({ op: "subscribe", topics: ["tick:NOSUCH"] });
    expect(await one.next()).toEqual({ t: "error", error: "INSTRUMENT_UNKNOWN" });
  });

  it("ends its socket and no other if it is too large or not a frame", async () => {
    const good = await client();
    const large = await client();
    large.say("x".repeat(9_000));
    expect((await once(large.webSocket, "close"))[0]).toBe(1009);
    const raw = connect(port(), "127.0.0.1");
    raw.write(
      "GET /client/stream HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
    );
    await once(raw, "data");
    raw.write(Buffer.from([0xff, 0xff, 0x00, 0x01, 0x02]));
    await once(raw, "close");
    good.say({ op: "ping" });
    expect(await good.next()).toMatchObject({ op: "ping" });
  });

  it("ends its socket if it is a flood", async () => {
    const one = await client();
    for (let count = 0; count < 100; count += 1) one.say({ op: "ping" });
    expect((await once(one.webSocket, "close"))[0]).toBe(1008);
    expect(notes).toEqual([{ event: "limit_hit", path: "stream", ip: "127.0.0.1" }]);
  });
});

describe("instruments", () => {
  it("are pushed once to subscribers when one opens or closes", async () => {
    const [one, two] = [await subscribed(["instruments"]), await subscribed(["instruments"])];
    const other = await subscribed(["tick:*"]);
    states.set("EURUSD", "closed");
    for (const client of [one, two])
      expect(await client.next()).toMatchObject({ t: "instrument", d: { symbol: "EURUSD", open: false } });
    await pause(2_200);
    states.set("EURUSD", "open").set("BTCUSD", "closed");
    const told = [await one.next(), await one.next()];
    expect(told).toMatchObject([
      { t: "instrument", d: { symbol: "EURUSD", open: true } },
      { t: "instrument", d: { symbol: "BTCUSD", open: false } },
    ]);
    expect(one.heard.filter(({ t }) => t === "instrument")).toHaveLength(3);
    expect(other.heard.filter(({ t }) => t === "instrument")).toEqual([]);
  });

  it("are pushed to a socket that subscribes after they changed, because its page may have asked for them before", async () => {
    const early = await subscribed(["instruments"]);
    states.set("EURUSD", "closed");
    await early.next();
    const late = await subscribed(["instruments"]);
    expect(await late.next()).toMatchObject({ t: "instrument", d: { symbol: "EURUSD", open: false } });
    await pause(2_200);
    expect(late.heard.filter(({ t }) => t === "instrument")).toHaveLength(1);
    expect(early.heard.filter(({ t }) => t === "instrument")).toHaveLength(1);
    // Pages ask for the list each minute, so later subscribers have read it.
    skippedMs += 61_000;
    const later = await subscribed(["instruments"]);
    await pause(2_200);
    expect(later.heard.filter(({ t }) => t === "instrument")).toEqual([]);
  });
});

describe("opening a socket", () => {
  const refusal = async (headers: Record<string, string>, path = "/client/stream") => {
    const webSocket = new WebSocket(`ws://127.0.0.1:${port()}${path}`, { headers });
    const [error] = (await once(webSocket, "error")) as [Error];
    return error.message;
  };

  it("is allowed to our own pages and to clients that aren't browsers", async () => {
    await client({ origin: "https://fairtick.example" });
    await client({ origin: `http://127.0.0.1:${port()}` });
    await client();
    expect(stream.figures.sockets).toBe(3);
  });

  it("is refused to pages of others, and elsewhere than at its path", async () => {
    expect(await refusal({ origin: "https://evil.example" })).toContain("403");
    expect(await refusal({ origin: "null" })).toContain("403");
    expect(await refusal({}, "/client/other")).toContain("404");
    expect(await refusal({ host: "rebound.example" })).toContain("421");
    expect(notes).toEqual([
      { event: "request_turned_away", reason: "origin", what: "evil.example", ip: "127.0.0.1" },
      { event: "request_turned_away", reason: "origin", what: "null", ip: "127.0.0.1" },
      { event: "path_unknown", path: "/client/other", ip: "127.0.0.1" },
      { event: "request_turned_away", reason: "host", what: "rebound.example", ip: "127.0.0.1" },
    ]);
  });

  it("is refused on a socket that was accepted only for health checks", async () => {
    limitConnections(server, { total: 0, perClient: null });
    expect(await refusal({})).toContain("503");
  });

  it("is limited for each host, and a closed socket gives its place back", async () => {
    const all = await Promise.all(Array.from({ length: CONNECTIONS_PER_HOST }, () => client()));
    expect(await refusal({})).toContain("429");
    expect(notes).toEqual([{ event: "limit_hit", path: "stream", ip: "127.0.0.1" }]);
    all[0]!.webSocket.close();
    await waitUntil("its place is free", () => stream.figures.sockets < CONNECTIONS_PER_HOST);
    await client();
  });
});

describe("a silent socket", () => {
  const settle = () => new Promise((resolve) => setTimeout(resolve, 1_200));
  const isOpen = ({ webSocket }: Client) => webSocket.readyState === WebSocket.OPEN;

  it("is cut off after 60,000 ms, and one that answers is not", async () => {
    const [silent, answering] = [await client({}, { autoPong: false }), await client()];
    skippedMs += 55_000;
    await settle();
    expect([isOpen(silent), isOpen(answering)]).toEqual([true, true]);
    // The real time since the two connected adds to this.
    skippedMs += 5_000;
    await waitUntil("the silent one is cut off", () => !isOpen(silent), 5_000);
    await settle();
    expect(isOpen(answering)).toBe(true);
  });

  it("stays open as long as it sends something", async () => {
    const talking = await client({}, { autoPong: false });
    for (let minute = 0; minute < 3; minute += 1) {
      skippedMs += 50_000;
      await settle();
      talking.say({ op: "ping" });
      await talking.next();
    }
    expect(isOpen(talking)).toBe(true);
  });

  it("is pinged first if the server itself was suspended for minutes", async () => {
    const answering = await client();
    skippedMs += 300_000;
    await settle();
    expect(isOpen(answering)).toBe(true);
  });
});
