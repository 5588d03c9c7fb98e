import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Clock } from "@fairtick/domain";
import { CLIENT_FRAME_BYTES_MAX, clientMessage } from "@fairtick/protocol";
import * as v from "valibot";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import type { Bus } from "../../platform/bus.ts";
import { clientAddress } from "../../platform/client-address.ts";
import type { DeviceKey } from "../../platform/device-key.ts";
import type { Log } from "../../platform/log.ts";
import type { SecurityWatch } from "../../platform/security-events.ts";
import { type ConnectedFrom, Connection } from "./connection.ts";
import { createUpgradeJudge, decline } from "./judge-upgrade.ts";
import { createIdentityPush, type ReadIdentity } from "./identity-push.ts";
import { type InstrumentWatch, startInstrumentPush } from "./instrument-push.ts";
import {
  createAlertPush,
  createDepositPush,
  createWithdrawalPush,
  type ReadAlerts,
  type ReadDeposits,
  type ReadWithdrawals,
} from "./request-push.ts";
import { createHandler, type Handler } from "./handle-message.ts";
import { createMemberPush, type MemberPush, type MemberSources } from "./member-push.ts";
import { type NoticeSources, startNoticePush } from "./notice-push.ts";
import { createSupportPush, type ReadSupportMessage } from "./support-push.ts";
import { createTickFanOut, type TickFanOut } from "./tick-fan-out.ts";

export { STREAM_PATH } from "./judge-upgrade.ts";
/** The most sockets from one address. A carrier's or an office's address has many members. */
export const CONNECTIONS_PER_HOST = 500;
const CONNECTIONS_MAX = 50_000;
/** How often to look for silent sockets. */
const CHECK_ALIVE_MS = 500;
const CHECK_SESSION_MS = 60_000;

const WEB_SOCKETS = {
  noServer: true,
  perMessageDeflate: false,
  maxPayload: CLIENT_FRAME_BYTES_MAX,
  clientTracking: false,
  skipUTF8Validation: false,
} as const;

export interface StreamOptions {
  readonly clock: Clock;
  readonly bus: Bus;
  readonly log: Log;
  readonly security: Pick<SecurityWatch, "note">;
  /** The app's public address. Its origin may open sockets, in addition to the origin that serves them. */
  readonly publicUrl: string;
  /** More host names that this server answers to. */
  readonly allowedHosts?: readonly string[];
  /** Finds the running session of a token, or null. */
  readonly authenticate: (
    token: string,
    from: ConnectedFrom,
  ) => Promise<{ readonly sessionId: bigint; readonly memberId: bigint } | null>;
  /** Reads which browser opens a socket. Without it, browsers aren't told apart. */
  readonly deviceKeyOf?: (request: IncomingMessage) => DeviceKey | null;
  /** Returns the decimal places of an instrument's price; undefined for an unknown symbol. */
  readonly decimalsOf: (symbol: string) => number | undefined;
  readonly members: MemberSources;
  /** Checked each second and pushed to `instruments`. */
  readonly instruments?: InstrumentWatch;
  /** Reads deposits to push to `deposits` when they changed. */
  readonly readDeposits?: ReadDeposits;
  /** Reads withdrawals to push to `withdrawals` when they changed. */
  readonly readWithdrawals?: ReadWithdrawals;
  /** Reads a message to push to `support`. */
  readonly readSupportMessage?: ReadSupportMessage;
  /** Reads alerts to push to `alerts` when they fired. */
  readonly readAlerts?: ReadAlerts;
  /** Checked each second and pushed to `announcements` and `messages`. */
  readonly notices?: NoticeSources;
  /** Reads the state to push to `identity` when a case was submitted or decided. */
  readonly readIdentity?: ReadIdentity;
  /** How many proxies in front are ours, as in the settings. */
  readonly trustedProxies?: number;
  /** Multiplies the sockets that one host may hold, for benchmarks and tests. */
  readonly rateLimitFactor?: number;
}

export interface StreamServer {
  readonly figures: { readonly sockets: number; readonly tickFrames: number };
  close(): Promise<void>;
}

/** Adds `GET /client/stream` to a server, which may already be listening. */
export function attachStream(server: Server, options: StreamOptions): StreamServer {
  const { clock, log } = options;
  const now = () => clock.now();
  const webSockets = new WebSocketServer(WEB_SOCKETS);
  const judge = createUpgradeJudge(options);
  const connections = new Set<Connection>();
  const places = new HostPlaces();
  const perHostMax = CONNECTIONS_PER_HOST * (options.rateLimitFactor ?? 1);
  const fanOut = createTickFanOut({ decimalsOf: options.decimalsOf, now, elapsedMs: () => clock.elapsedMs() });
  const push = createMemberPush(options.members, now, log);
  const handler = createHandler({ ...options, fanOut, push });
  let closing = false;

  function leave(connection: Connection): void {
    if (!connections.delete(connection)) return;
    places.giveBack(connection.ip);
    fanOut.remove(connection);
    push.remove(connection);
    handler.forget(connection);
  }

  function upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    const from = hostOf(request, options.trustedProxies ?? 0);
    const ip = clientAddress(from);
    const isFull = () => places.held(ip) >= perHostMax || connections.size >= CONNECTIONS_MAX;
    const declined = judge(request, { isClosing: closing, isFull });
    if (declined !== null) {
      if (declined.event) options.security.note(declined.event, { ...declined.about, ip: from });
      return decline(stream, declined.status);
    }
    places.take(ip);
    // A failed handshake frees its place at once, a successful one when the socket closes.
    let connected: Connection | undefined;
    request.socket.once("close", () => {
      if (connected !== undefined) return leave(connected);
      places.giveBack(ip);
    });
    webSockets.handleUpgrade(request, stream, head, (webSocket) => {
      connected = new Connection(webSocket, request.socket, fromOf(request, ip, options), clock);
      connections.add(connected);
      listenTo(connected, webSocket, request.socket, { push, handler, leave });
    });
  }

  const stops = subscribeAll(options, { connections, fanOut, push, handler });

  const stopChecking = checkRegularly(connections, handler);
  server.on("upgrade", upgrade);

  return {
    get figures() {
      return { sockets: connections.size, tickFrames: fanOut.framesWritten };
    },
    async close() {
      closing = true;
      server.off("upgrade", upgrade);
      stopChecking();
      for (const stop of stops) stop();
      fanOut.close();
      push.close();
      for (const connection of connections) connection.close(1001, "the server stops");
      await new Promise<void>((resolve) => webSockets.close(() => resolve()));
    },
  };
}

/** Closes sockets that fell silent or whose session has ended. Returns a function that stops it. */
function checkRegularly(connections: ReadonlySet<Connection>, handler: Handler): () => void {
  const aliveTimer = setInterval(() => {
    for (const connection of connections) connection.checkAlive();
  }, CHECK_ALIVE_MS);
  // An event may be lost between machines, and sessions also end by time.
  const sessionTimer = setInterval(() => void handler.checkSessions(connections), CHECK_SESSION_MS);
  aliveTimer.unref();
  sessionTimer.unref();
  return () => {
    clearInterval(aliveTimer);
    clearInterval(sessionTimer);
  };
}

function fromOf(request: IncomingMessage, ip: string, { deviceKeyOf }: StreamOptions): ConnectedFrom {
  const device = (request.headers["user-agent"] ?? "").slice(0, 200);
  return { ip, device, deviceKey: deviceKeyOf?.(request) ?? null };
}

/** Counts the sockets that each host holds. */
class HostPlaces {
  readonly #held = new Map<string, number>();

  held(ip: string): number {
    return this.#held.get(ip) ?? 0;
  }

  take(ip: string): void {
    this.#held.set(ip, this.held(ip) + 1);
  }

  giveBack(ip: string): void {
    const left = (this.#held.get(ip) ?? 1) - 1;
    if (left === 0) this.#held.delete(ip);
    else this.#held.set(ip, left);
  }
}

interface Listeners {
  readonly push: MemberPush;
  readonly handler: Handler;
  readonly leave: (connection: Connection) => void;
}

function listenTo(connection: Connection, webSocket: WebSocket, socket: Socket, { push, handler, leave }: Listeners) {
  socket.setNoDelay(true);
  socket.on("drain", () => {
    connection.caughtUp();
    push.caughtUp(connection);
  });
  webSocket.on("pong", () => connection.heard());
  // Broken frames and lost networks end in "close", which handles them.
  webSocket.on("error", () => undefined);
  webSocket.on("close", () => leave(connection));
  webSocket.on("message", (data, isBinary) => {
    connection.heard();
    handler.take(connection, isBinary ? null : parseMessage(data));
  });
}

interface Takers {
  readonly connections: ReadonlySet<Connection>;
  readonly fanOut: TickFanOut;
  readonly push: MemberPush;
  readonly handler: Handler;
}

/** Connects every event of the bus with the part that pushes it. Returns the functions that unsubscribe. */
function subscribeAll(options: StreamOptions, { connections, fanOut, push, handler }: Takers): (() => void)[] {
  const { bus, log, readIdentity, readDeposits, readWithdrawals, readAlerts, readSupportMessage } = options;
  const stops = [
    bus.subscribe("ticks", (event) => {
      fanOut.take(event);
      push.takeTicks(event);
    }),
    bus.subscribe("orders", (event) => push.takeOrders(event)),
    bus.subscribe("accounts", (event) => push.takeAccounts(event)),
    bus.subscribe("sessionsEnded", ({ sessionIds }) => handler.endSessions(sessionIds)),
  ];
  if (readIdentity) stops.push(bus.subscribe("identities", createIdentityPush(connections, readIdentity, log)));
  if (readDeposits) stops.push(bus.subscribe("deposits", createDepositPush(connections, readDeposits, log)));
  if (readWithdrawals)
    stops.push(bus.subscribe("withdrawals", createWithdrawalPush(connections, readWithdrawals, log)));
  if (readAlerts) stops.push(bus.subscribe("alerts", createAlertPush(connections, readAlerts, log)));
  if (options.notices) stops.push(startNoticePush(connections, options.notices, log));
  if (readSupportMessage) stops.push(bus.subscribe("support", createSupportPush(connections, readSupportMessage, log)));
  if (options.instruments)
    stops.push(startInstrumentPush(connections, options.instruments, { clock: options.clock, log }));
  return stops;
}

function parseMessage(data: RawData): v.InferOutput<typeof clientMessage> | null {
  try {
    const parsed = v.safeParse(clientMessage, JSON.parse(Buffer.isBuffer(data) ? data.toString() : ""));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}

/** Returns the client's address. Each of our proxies has added the one before it to the end of X-Forwarded-For. */
function hostOf({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const forwarded = String(headers["x-forwarded-for"] ?? "").split(",");
  const path = [...forwarded.map((host) => host.trim()).filter((host) => host !== ""), socket.remoteAddress ?? ""];
  return path[Math.max(0, path.length - 1 - trustedProxies)] ?? "";
}
