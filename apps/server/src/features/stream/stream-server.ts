import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Clock } from "@fairtick/domain";
import { CLIENT_FRAME_BYTES_MAX, clientMessage } from "@fairtick/protocol";
import * as v from "valibot";
import { type RawData, WebSocketServer } from "ws";
import { isReserved } from "../../platform/http/limit-connections.ts";
import { ownHosts } from "../../platform/http/own-hosts.ts";
import { shownHost, shownOrigin, shownPath } from "../../platform/http/shown-names.ts";
import type { Bus } from "../../platform/bus.ts";
import { clientAddress } from "../../platform/client-address.ts";
import type { DeviceKey } from "../../platform/device-key.ts";
import type { Log } from "../../platform/log.ts";
import type { About, SecurityEvent, SecurityWatch } from "../../platform/security-events.ts";
import { type ConnectedFrom, Connection } from "./connection.ts";
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
import { createHandler } from "./handle-message.ts";
import { createMemberPush, type MemberSources } from "./member-push.ts";
import { type NoticeSources, startNoticePush } from "./notice-push.ts";
import { createSupportPush, type ReadSupportMessage } from "./support-push.ts";
import { createTickFanOut } from "./tick-fan-out.ts";

export const STREAM_PATH = "/client/stream";
/** Behind one address of a carrier or an office are many members. */
export const CONNECTIONS_PER_HOST = 500;
const CONNECTIONS_MAX = 50_000;
/** How late a silent socket may be noticed. */
const CHECK_ALIVE_MS = 500;
const CHECK_SESSION_MS = 60_000;

export interface StreamOptions {
  readonly clock: Clock;
  readonly bus: Bus;
  readonly log: Log;
  readonly security: Pick<SecurityWatch, "note">;
  /** Where members reach the app: its origin may open sockets, besides the one that serves them. */
  readonly publicUrl: string;
  /** Further names that this server answers to. */
  readonly allowedHosts?: readonly string[];
  /** The running session of a token, or null. */
  readonly authenticate: (
    token: string,
    from: ConnectedFrom,
  ) => Promise<{ readonly sessionId: bigint; readonly memberId: bigint } | null>;
  /** Reads which browser opens a socket; left out: none is told apart. */
  readonly deviceKeyOf?: (request: IncomingMessage) => DeviceKey | null;
  /** Places of an instrument's price; undefined for a symbol that is none. */
  readonly decimalsOf: (symbol: string) => number | undefined;
  readonly members: MemberSources;
  /** Looked at each second and pushed to `instruments`. */
  readonly instruments?: InstrumentWatch;
  /** Pushed to `deposits` when something of them changed. */
  readonly readDeposits?: ReadDeposits;
  /** Pushed to `withdrawals` when something of them changed. */
  readonly readWithdrawals?: ReadWithdrawals;
  /** Pushed to `support` when something was said. */
  readonly readSupportMessage?: ReadSupportMessage;
  /** Pushed to `alerts` when one fired. */
  readonly readAlerts?: ReadAlerts;
  /** Looked at each second and pushed to `announcements` and `messages`. */
  readonly notices?: NoticeSources;
  /** Pushed to `identity` when a case was handed in or decided. */
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

/** `GET /client/stream` on a server that may be listening already. */
export function attachStream(server: Server, options: StreamOptions): StreamServer {
  const { clock, bus, log } = options;
  const now = () => clock.now();
  const webSockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: CLIENT_FRAME_BYTES_MAX,
    clientTracking: false,
    skipUTF8Validation: false,
  });
  const hosts = ownHosts([options.publicUrl], options.allowedHosts ?? []);
  const connections = new Set<Connection>();
  const perHost = new Map<string, number>();
  const perHostMax = CONNECTIONS_PER_HOST * (options.rateLimitFactor ?? 1);
  const fanOut = createTickFanOut({ decimalsOf: options.decimalsOf, now, elapsedMs: () => clock.elapsedMs() });
  const push = createMemberPush(options.members, now, log);
  const handler = createHandler({ ...options, fanOut, push });
  const fromOf = (request: IncomingMessage, ip: string): ConnectedFrom => ({
    ip,
    device: (request.headers["user-agent"] ?? "").slice(0, 200),
    deviceKey: options.deviceKeyOf?.(request) ?? null,
  });
  let closing = false;

  function leave(connection: Connection): void {
    if (!connections.delete(connection)) return;
    const left = (perHost.get(connection.ip) ?? 1) - 1;
    if (left === 0) perHost.delete(connection.ip);
    else perHost.set(connection.ip, left);
    fanOut.remove(connection);
    push.remove(connection);
    handler.forget(connection);
  }

  function upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    if (isReserved(request.socket)) return decline(stream, "503 Service Unavailable");
    const from = hostOf(request, options.trustedProxies ?? 0);
    const ip = clientAddress(from);
    const { host, origin } = request.headers;
    const turnAway = (status: string, event: SecurityEvent, about: About) => {
      options.security.note(event, { ...about, ip: from });
      decline(stream, status);
    };
    if (!hosts(host, request.socket.localAddress))
      return turnAway("421 Misdirected Request", "request_turned_away", { reason: "host", what: shownHost(host) });
    if (request.url?.split("?")[0] !== STREAM_PATH)
      return turnAway("404 Not Found", "path_unknown", { path: shownPath(request.url ?? "") });
    if (!isOwnOrigin(request, options.publicUrl))
      return turnAway("403 Forbidden", "request_turned_away", { reason: "origin", what: shownOrigin(origin) });
    const held = perHost.get(ip) ?? 0;
    if (closing) return decline(stream, "503 Service Unavailable");
    if (held >= perHostMax || connections.size >= CONNECTIONS_MAX)
      return turnAway("429 Too Many Requests", "limit_hit", { path: "stream" });
    perHost.set(ip, held + 1);
    // A handshake that fails gives its place back; one that succeeds does so when the socket closes.
    let connected: Connection | undefined;
    request.socket.once("close", () => {
      if (connected !== undefined) return leave(connected);
      const left = (perHost.get(ip) ?? 1) - 1;
      if (left === 0) perHost.delete(ip);
      else perHost.set(ip, left);
    });
    webSockets.handleUpgrade(request, stream, head, (webSocket) => {
      const { socket } = request;
      const connection = new Connection(webSocket, socket, fromOf(request, ip), clock);
      connected = connection;
      connections.add(connection);
      socket.setNoDelay(true);
      socket.on("drain", () => {
        connection.caughtUp();
        push.caughtUp(connection);
      });
      webSocket.on("pong", () => connection.heard());
      // Broken frames and lost networks end in "close"; there is nothing to do about them before.
      webSocket.on("error", () => undefined);
      webSocket.on("close", () => leave(connection));
      webSocket.on("message", (data, isBinary) => {
        connection.heard();
        handler.take(connection, isBinary ? null : parseMessage(data));
      });
    });
  }

  const stops = [
    bus.subscribe("ticks", (event) => {
      fanOut.take(event);
      push.takeTicks(event);
    }),
    bus.subscribe("orders", (event) => push.takeOrders(event)),
    bus.subscribe("accounts", (event) => push.takeAccounts(event)),
    bus.subscribe("sessionsEnded", ({ sessionIds }) => handler.endSessions(sessionIds)),
    ...(options.readIdentity === undefined
      ? []
      : [bus.subscribe("identities", createIdentityPush(connections, options.readIdentity, log))]),
    ...(options.readDeposits === undefined
      ? []
      : [bus.subscribe("deposits", createDepositPush(connections, options.readDeposits, log))]),
    ...(options.readWithdrawals === undefined
      ? []
      : [bus.subscribe("withdrawals", createWithdrawalPush(connections, options.readWithdrawals, log))]),
    ...(options.readAlerts === undefined
      ? []
      : [bus.subscribe("alerts", createAlertPush(connections, options.readAlerts, log))]),
    ...(options.notices === undefined ? [] : [startNoticePush(connections, options.notices, log)]),
    ...(options.readSupportMessage === undefined
      ? []
      : [bus.subscribe("support", createSupportPush(connections, options.readSupportMessage, log))]),
    ...(options.instruments === undefined ? [] : [startInstrumentPush(connections, options.instruments, log)]),
  ];

  const aliveTimer = setInterval(() => {
    for (const connection of connections) connection.checkAlive();
  }, CHECK_ALIVE_MS);
  // An event may be lost between machines, and sessions also end by time.
  const sessionTimer = setInterval(() => void handler.checkSessions(connections), CHECK_SESSION_MS);
  aliveTimer.unref();
  sessionTimer.unref();
  server.on("upgrade", upgrade);

  return {
    get figures() {
      return { sockets: connections.size, tickFrames: fanOut.framesWritten };
    },
    async close() {
      closing = true;
      server.off("upgrade", upgrade);
      clearInterval(aliveTimer);
      clearInterval(sessionTimer);
      for (const stop of stops) stop();
      fanOut.close();
      push.close();
      for (const connection of connections) connection.close(1001, "the server stops");
      await new Promise<void>((resolve) => webSockets.close(() => resolve()));
    },
  };
}

function parseMessage(data: RawData): v.InferOutput<typeof clientMessage> | null {
  try {
    const parsed = v.safeParse(clientMessage, JSON.parse(Buffer.isBuffer(data) ? data.toString() : ""));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}

/**
 * Browsers name the page that opens a socket; other clients name none. Only our own pages may: the one served under
 * this very host, or under the public address where a proxy stands before us.
 */
function isOwnOrigin({ headers }: IncomingMessage, publicUrl: string): boolean {
  if (headers.origin === undefined) return true;
  if (!URL.canParse(headers.origin)) return false;
  const origin = new URL(headers.origin);
  return origin.origin === new URL(publicUrl).origin || origin.host === headers.host;
}

/** Who connects: each of our proxies has added the one before it to the end of X-Forwarded-For. */
function hostOf({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const forwarded = String(headers["x-forwarded-for"] ?? "").split(",");
  const path = [...forwarded.map((host) => host.trim()).filter((host) => host !== ""), socket.remoteAddress ?? ""];
  return path[Math.max(0, path.length - 1 - trustedProxies)] ?? "";
}

function decline(stream: Duplex, status: string): void {
  stream.on("error", () => undefined);
  stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  if (stream instanceof Object && "setTimeout" in stream) (stream as Socket).setTimeout(1_000, () => stream.destroy());
}
