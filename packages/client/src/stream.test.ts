import type { ClientMessage, StreamMessage } from "@fairtick/protocol";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { WebSocketServer, type WebSocket as ServerSocket } from "ws";
import { createServerClock, createStream, type Gap, type Stream, type StreamOptions } from "./index.ts";

let server: WebSocketServer | undefined;
let stream: Stream | undefined;
afterEach(() => {
  stream?.close();
  for (const socket of server?.clients ?? []) socket.terminate();
  server?.close();
});

interface Accepted {
  readonly socket: ServerSocket;
  readonly said: ClientMessage[];
  tell(message: unknown): void;
}

/** Starts a server that records what each connection sends and answers every message with `ok`, unless it is mute. */
async function serve({ isMute = false } = {}) {
  const accepted: Accepted[] = [];
  server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await new Promise((resolve) => server?.on("listening", resolve));
  server.on("connection", (socket) => {
    const said: ClientMessage[] = [];
    accepted.push({ socket, said, tell: (message) => socket.send(JSON.stringify(message)) });
    socket.on("message", (data: Buffer) => {
      const message = JSON.parse(data.toString()) as ClientMessage;
      said.push(message);
      if (!isMute) socket.send(JSON.stringify({ t: "ok", op: message.op, now: 7_000_000 }));
    });
  });
  const log = { messages: [] as StreamMessage[], gaps: [] as Gap[], connected: [] as boolean[], ends: 0 };
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const open = (options: Partial<StreamOptions> = {}) => {
    stream = createStream({
      url,
      token: () => "the-token",
      onMessage: (message) => void log.messages.push(message),
      onGap: (gap) => void log.gaps.push(gap),
      onConnected: (isConnected) => void log.connected.push(isConnected),
      onSessionEnd: () => void log.ends++,
      random: () => 0,
      ...options,
    });
    return stream;
  };
  return { accepted, log, open };
}

const tick = (symbol: string, seq: number) => [symbol, seq, 1_000 + seq, "1.084120"];

describe("a stream", () => {
  it("logs in, subscribes, and learns the server's clock", async () => {
    const clock = createServerClock();
    const { accepted, open } = await serve();
    open({ clock }).subscribe(["tick:*", "orders"]);
    await vi.waitFor(() =>
      expect(accepted[0]?.said).toEqual([
        { op: "auth", token: "the-token" },
        { op: "subscribe", topics: ["tick:*", "orders"] },
      ]),
    );
    // Until the server has sent its time, the clock shows this machine's, which is far later.
    await vi.waitFor(() => expect(clock.now()).toBeLessThan(8_000_000));
    expect(clock.now()).toBeGreaterThanOrEqual(7_000_000);
  });

  it("without a token, subscribes only to topics that need no login", async () => {
    const { accepted, open } = await serve();
    const opened = open({ token: () => null });
    opened.subscribe(["tick:EURUSD", "orders"]);
    await vi.waitFor(() => expect(accepted[0]?.said).toEqual([{ op: "subscribe", topics: ["tick:EURUSD"] }]));
    opened.subscribe(["account", "instruments"]);
    opened.unsubscribe(["tick:EURUSD", "tick:GBPUSD"]);
    await vi.waitFor(() =>
      expect(accepted[0]?.said.slice(1)).toEqual([
        { op: "subscribe", topics: ["instruments"] },
        { op: "unsubscribe", topics: ["tick:EURUSD"] },
      ]),
    );
  });

  it("drops ticks that it already has, and reports missing ones", async () => {
    const { accepted, log, open } = await serve();
    open().subscribe(["tick:*"]);
    await vi.waitFor(() => expect(accepted[0]?.said).toHaveLength(2));
    const frame = (...d: unknown[]) => accepted[0]?.tell({ t: "ticks", now: 1, d });
    frame(tick("EURUSD", 10), tick("EURUSD", 11), tick("GBPUSD", 3));
    frame(tick("EURUSD", 11), tick("EURUSD", 12), tick("GBPUSD", 6));
    await vi.waitFor(() => expect(log.messages.filter(({ t }) => t === "ticks")).toHaveLength(2));
    expect(log.messages.at(-1)).toMatchObject({ d: [tick("EURUSD", 12), tick("GBPUSD", 6)] });
    expect(log.gaps).toEqual([{ reason: "ticks", symbol: "GBPUSD", after: 3, before: 6 }]);
  });

  it("reconnects and resubscribes after a lost connection, and reports a possible gap", async () => {
    const { accepted, log, open } = await serve();
    open().subscribe(["orders"]);
    await vi.waitFor(() => expect(accepted[0]?.said).toHaveLength(2));
    accepted[0]?.socket.terminate();
    await vi.waitFor(() => expect(accepted[1]?.said).toEqual(accepted[0]?.said), { timeout: 3_000 });
    expect(log.gaps).toEqual([{ reason: "reconnected" }]);
    expect(log.connected).toEqual([true, false, true]);
    expect(log.ends).toBe(0);
  });

  it("ends the session once on 4401, and continues as a visitor", async () => {
    const { accepted, log, open } = await serve();
    open().subscribe(["tick:*", "orders"]);
    await vi.waitFor(() => expect(accepted[0]?.said).toHaveLength(2));
    accepted[0]?.socket.close(4401);
    await vi.waitFor(() => expect(accepted[1]?.said).toEqual([{ op: "subscribe", topics: ["tick:*"] }]));
    expect(log.ends).toBe(1);
  });

  it("ends the session if the token is refused", async () => {
    const { accepted, log, open } = await serve();
    open();
    await vi.waitFor(() => expect(accepted).toHaveLength(1));
    accepted[0]?.tell({ t: "error", error: "SESSION_EXPIRED" });
    await vi.waitFor(() => expect(log.ends).toBe(1));
  });

  it("logs in again when the token has changed", async () => {
    let token: string | null = null;
    const { accepted, log, open } = await serve();
    const opened = open({ token: () => token });
    opened.subscribe(["account"]);
    await vi.waitFor(() => expect(log.connected).toEqual([true]));
    token = "a-new-one";
    opened.tokenChanged();
    await vi.waitFor(() =>
      expect(accepted[1]?.said).toEqual([
        { op: "auth", token: "a-new-one" },
        { op: "subscribe", topics: ["account"] },
      ]),
    );
  });

  it("pings, and disconnects from a silent server", async () => {
    const { accepted, log, open } = await serve({ isMute: true });
    open({ timeoutMs: 800, token: () => null });
    await vi.waitFor(() => expect(accepted[0]?.said).toContainEqual({ op: "ping" }), { timeout: 10_000 });
    await vi.waitFor(() => expect(accepted.length).toBeGreaterThan(1), { timeout: 10_000 });
    expect(log.connected.slice(0, 2)).toEqual([true, false]);
  });

  it("does not report answers to pings, and ignores invalid messages", async () => {
    const { accepted, log, open } = await serve();
    open({ timeoutMs: 400, token: () => null });
    await vi.waitFor(() => expect(accepted[0]?.said).toContainEqual({ op: "ping" }));
    accepted[0]?.socket.send("not json");
    accepted[0]?.socket.send("[1]");
    accepted[0]?.tell({ t: "error", error: "NOT_FOUND" });
    await vi.waitFor(() => expect(log.messages).toEqual([{ t: "error", error: "NOT_FOUND" }]));
  });

  it("does not reconnect after it was closed", async () => {
    const { accepted, open } = await serve();
    const opened = open();
    await vi.waitFor(() => expect(accepted[0]?.said).toHaveLength(1));
    opened.close();
    await vi.waitFor(() => expect(server?.clients.size).toBe(0));
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(accepted).toHaveLength(1);
  });
});

/** A socket without a network. It opens at once and closes when the server does. */
class QuietSocket extends EventTarget {
  static readonly OPEN = 1;
  static opened: { readonly socket: QuietSocket; readonly at: number }[] = [];
  readyState = 1;
  constructor() {
    super();
    QuietSocket.opened.push({ socket: this, at: performance.now() });
    queueMicrotask(() => this.dispatchEvent(new Event("open")));
  }
  send() {}
  close() {}
  end() {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event("close"), { code: 1006 }));
  }
}

describe("the specification's 60,000 ms", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("end a socket after that much silence, and not a moment earlier", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] });
    QuietSocket.opened = [];
    const connected: boolean[] = [];
    const quiet = createStream({
      url: "ws://server.example",
      token: () => null,
      onMessage: () => {},
      onGap: () => {},
      onConnected: (isConnected) => void connected.push(isConnected),
      onSessionEnd: () => {},
      WebSocket: QuietSocket as unknown as typeof WebSocket,
    });
    // The server's last message comes between two pings.
    await vi.advanceTimersByTimeAsync(7_000);
    QuietSocket.opened[0]?.socket.dispatchEvent(new MessageEvent("message", { data: '{"t":"ok","op":"ping"}' }));
    await vi.advanceTimersByTimeAsync(59_999);
    expect(connected).toEqual([true]);
    await vi.advanceTimersByTimeAsync(1);
    expect(connected).toEqual([true, false]);
    quiet.close();
  });
});

describe("many streams", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("reconnect spread over seconds when their server ends, not all at once", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] });
    QuietSocket.opened = [];
    // Fake time starts at 0, which the stream would take to mean never.
    vi.advanceTimersByTime(1_000);
    const streams = Array.from({ length: 400 }, () =>
      createStream({
        url: "ws://server.example",
        token: () => null,
        onMessage: () => {},
        onGap: () => {},
        onConnected: () => {},
        onSessionEnd: () => {},
        WebSocket: QuietSocket as unknown as typeof WebSocket,
        timeoutMs: 60_000,
      }),
    );
    await vi.advanceTimersByTimeAsync(20_000);
    const before = QuietSocket.opened.splice(0);
    const endedAt = performance.now();
    for (const { socket } of before) socket.end();
    await vi.advanceTimersByTimeAsync(6_000);
    const back = QuietSocket.opened.map(({ at }) => at - endedAt);
    for (const each of streams) each.close();
    expect(back).toHaveLength(400);
    const perSecondTenth = new Map<number, number>();
    for (const ms of back)
      perSecondTenth.set(Math.floor(ms / 100), (perSecondTenth.get(Math.floor(ms / 100)) ?? 0) + 1);
    expect(Math.max(...perSecondTenth.values())).toBeLessThan(60);
    expect(Math.max(...back) - Math.min(...back)).toBeGreaterThan(2_000);
  });
});
