import type { Clock } from "@fairtick/domain";
import { languageOfHeader } from "@fairtick/i18n";
import { type ClientMessage, isPublicTopic } from "@fairtick/protocol";
import type { Log } from "../../platform/log.ts";
import type { SecurityWatch } from "../../platform/security-events.ts";
import type { ConnectedFrom, Connection } from "./connection.ts";
import type { MemberPush } from "./member-push.ts";
import { SocketSessions } from "./socket-sessions.ts";
import type { TickFanOut } from "./tick-fan-out.ts";

const TOPICS_MAX = 100;
/** How many messages one socket may send in `MESSAGES_SPAN_MS`. */
const MESSAGES_MAX = 60;
const MESSAGES_SPAN_MS = 10_000;
/** How many messages of one socket may wait for an earlier one. */
const QUEUED_MAX = 20;
const POLICY_VIOLATION = 1008;

export interface HandlerParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly security: Pick<SecurityWatch, "note">;
  readonly authenticate: (
    token: string,
    from: ConnectedFrom,
  ) => Promise<{ readonly sessionId: bigint; readonly memberId: bigint } | null>;
  readonly decimalsOf: (symbol: string) => number | undefined;
  readonly fanOut: TickFanOut;
  readonly push: MemberPush;
}

export interface Handler {
  /** A message of a socket, or null for one that cannot be read. Messages of one socket are answered in order. */
  take(connection: Connection, message: ClientMessage | null): void;
  endSessions(sessionIds: readonly bigint[]): void;
  /** Checks whether the sessions of these sockets still run. */
  checkSessions(connections: Iterable<Connection>): Promise<void>;
  forget(connection: Connection): void;
}

interface Inbound {
  queue: Promise<unknown>;
  queued: number;
  spanStartMs: number;
  messages: number;
}

type Topics = Extract<ClientMessage, { op: "subscribe" }>["topics"];

/** Returns why a socket can't subscribe to these topics; null when it can. */
function refusalOf(connection: Connection, topics: Topics, decimalsOf: HandlerParts["decimalsOf"]) {
  for (const topic of topics) {
    const symbol = topic.startsWith("tick:") ? topic.slice(5) : "*";
    if (symbol !== "*" && decimalsOf(symbol) === undefined) return "INSTRUMENT_UNKNOWN";
    if (connection.member === null && !isPublicTopic(topic)) return "LOGIN_REQUIRED";
  }
  return new Set([...connection.topics, ...topics]).size > TOPICS_MAX ? "RATE_LIMITED" : null;
}

function newInbound(elapsedMs: number): Inbound {
  return { queue: Promise.resolve(), queued: 0, spanStartMs: elapsedMs, messages: 0 };
}

/** Counts a message of a socket. Returns false when it has sent too many, or too many wait. */
function countMessage(state: Inbound, elapsedMs: number): boolean {
  if (elapsedMs - state.spanStartMs >= MESSAGES_SPAN_MS) {
    state.spanStartMs = elapsedMs;
    state.messages = 0;
  }
  state.messages += 1;
  return state.messages <= MESSAGES_MAX && state.queued < QUEUED_MAX;
}

export function createHandler(parts: HandlerParts): Handler {
  const { clock, log, fanOut, push } = parts;
  const inbound = new WeakMap<Connection, Inbound>();
  const sessions = new SocketSessions(parts);

  async function authenticate(connection: Connection, token: string): Promise<boolean> {
    const session = await parts.authenticate(token, connection.from);
    if (connection.over) return false;
    // The session may have ended while it was being looked up.
    if (session === null || sessions.hasEnded(session.sessionId)) {
      if (session === null) parts.security.note("token_refused", { path: "stream", ip: connection.ip });
      connection.sendError("SESSION_EXPIRED");
      sessions.end(connection);
      return false;
    }
    sessions.join(connection, session, token);
    return true;
  }

  async function act(connection: Connection, message: ClientMessage): Promise<void> {
    if (connection.over) return;
    if (message.op === "auth" && !(await authenticate(connection, message.token))) return;
    if (message.op === "subscribe") {
      if (message.lang !== undefined) connection.lang = languageOfHeader(message.lang);
      const refusal = refusalOf(connection, message.topics, parts.decimalsOf);
      if (refusal !== null) return connection.sendError(refusal);
      for (const topic of message.topics) connection.topics.add(topic);
      fanOut.place(connection);
      push.place(connection);
    }
    if (message.op === "unsubscribe") {
      for (const topic of message.topics) connection.topics.delete(topic);
      fanOut.place(connection);
    }
    connection.send({ t: "ok", op: message.op, now: Number(clock.now()) });
  }

  return {
    take(connection, message) {
      if (connection.over) return;
      const state = inbound.get(connection) ?? newInbound(clock.elapsedMs());
      inbound.set(connection, state);
      if (!countMessage(state, clock.elapsedMs())) {
        parts.security.note("limit_hit", { path: "stream", ip: connection.ip });
        connection.sendError("RATE_LIMITED");
        connection.close(POLICY_VIOLATION, "too many messages");
        return;
      }
      if (message === null) return connection.sendError("FIELD_INVALID");
      state.queued += 1;
      state.queue = state.queue
        .then(() => act(connection, message))
        .catch((error: unknown) => {
          log.warn({ err: error, op: message.op }, "a stream message could not be answered");
          connection.sendError("NOT_NOW");
        })
        .finally(() => (state.queued -= 1));
    },
    endSessions: (sessionIds) => sessions.endAll(sessionIds),
    checkSessions: (connections) => sessions.check(connections),
    forget: (connection) => sessions.leave(connection),
  };
}
