import type { Clock, MemberId } from "@fairtick/domain";
import { languageOfHeader } from "@fairtick/i18n";
import { type ClientMessage, isPublicTopic } from "@fairtick/protocol";
import type { Log } from "../../platform/log.ts";
import type { SecurityWatch } from "../../platform/security-events.ts";
import type { ConnectedFrom, Connection } from "./connection.ts";
import type { MemberPush } from "./member-push.ts";
import type { TickFanOut } from "./tick-fan-out.ts";

const TOPICS_MAX = 100;
/** Messages that one socket may send in `MESSAGES_SPAN_MS`. */
const MESSAGES_MAX = 60;
const MESSAGES_SPAN_MS = 10_000;
/** Messages that may wait for the one before them. */
const QUEUED_MAX = 20;
const POLICY_VIOLATION = 1008;
/** Longer than any question about a session takes. */
const ENDED_KEPT_MS = 60_000;
const SESSIONS_AT_ONCE = 50;

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
  /** Asks again whether the sessions of these sockets still run. */
  checkSessions(connections: Iterable<Connection>): Promise<void>;
  forget(connection: Connection): void;
}

interface Inbound {
  queue: Promise<void>;
  queued: number;
  spanStartMs: number;
  messages: number;
}

export function createHandler(parts: HandlerParts): Handler {
  const { clock, log, fanOut, push } = parts;
  const inbound = new WeakMap<Connection, Inbound>();
  const bySession = new Map<bigint, Set<Connection>>();
  const ended = new Map<bigint, number>();

  function leaveSession(connection: Connection): void {
    if (connection.sessionId === null) return;
    const those = bySession.get(connection.sessionId);
    those?.delete(connection);
    if (those?.size === 0) bySession.delete(connection.sessionId);
    push.remove(connection);
    connection.sessionId = null;
    connection.member = null;
    connection.token = null;
  }

  function end(connection: Connection): void {
    fanOut.remove(connection);
    leaveSession(connection);
    connection.endSession();
  }

  async function authenticate(connection: Connection, token: string): Promise<boolean> {
    const session = await parts.authenticate(token, connection.from);
    if (connection.over) return false;
    // The session may have ended while it was being looked up.
    if (session === null || ended.has(session.sessionId)) {
      if (session === null) parts.security.note("token_refused", { path: "stream", ip: connection.ip });
      connection.sendError("SESSION_EXPIRED");
      end(connection);
      return false;
    }
    leaveSession(connection);
    connection.sessionId = session.sessionId;
    connection.member = session.memberId as MemberId;
    connection.token = token;
    const those = bySession.get(session.sessionId) ?? new Set();
    bySession.set(session.sessionId, those.add(connection));
    push.place(connection);
    return true;
  }

  function subscribe(connection: Connection, topics: Extract<ClientMessage, { op: "subscribe" }>["topics"]): boolean {
    for (const topic of topics) {
      const symbol = topic.startsWith("tick:") ? topic.slice(5) : "*";
      if (symbol !== "*" && parts.decimalsOf(symbol) === undefined) {
        connection.sendError("INSTRUMENT_UNKNOWN");
        return false;
      }
      if (connection.member === null && !isPublicTopic(topic)) {
        connection.sendError("LOGIN_REQUIRED");
        return false;
      }
    }
    if (new Set([...connection.topics, ...topics]).size > TOPICS_MAX) {
      connection.sendError("RATE_LIMITED");
      return false;
    }
    for (const topic of topics) connection.topics.add(topic);
    fanOut.place(connection);
    push.place(connection);
    return true;
  }

  async function act(connection: Connection, message: ClientMessage): Promise<void> {
    if (connection.over) return;
    if (message.op === "auth" && !(await authenticate(connection, message.token))) return;
    if (message.op === "subscribe") {
      if (message.lang !== undefined) connection.lang = languageOfHeader(message.lang);
      if (!subscribe(connection, message.topics)) return;
    }
    if (message.op === "unsubscribe") {
      for (const topic of message.topics) connection.topics.delete(topic);
      fanOut.place(connection);
    }
    connection.send({ t: "ok", op: message.op, now: Number(clock.now()) });
  }

  function countMessage(state: Inbound): boolean {
    const elapsed = clock.elapsedMs();
    if (elapsed - state.spanStartMs >= MESSAGES_SPAN_MS) {
      state.spanStartMs = elapsed;
      state.messages = 0;
    }
    state.messages += 1;
    return state.messages <= MESSAGES_MAX && state.queued < QUEUED_MAX;
  }

  return {
    take(connection, message) {
      if (connection.over) return;
      const state = inbound.get(connection) ?? {
        queue: Promise.resolve(),
        queued: 0,
        spanStartMs: clock.elapsedMs(),
        messages: 0,
      };
      inbound.set(connection, state);
      if (!countMessage(state)) {
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
        .finally(() => {
          state.queued -= 1;
        });
    },
    endSessions(sessionIds) {
      const elapsed = clock.elapsedMs();
      for (const sessionId of sessionIds) {
        ended.set(sessionId, elapsed);
        for (const connection of bySession.get(sessionId) ?? []) end(connection);
      }
      for (const [sessionId, at] of ended) if (elapsed - at > ENDED_KEPT_MS) ended.delete(sessionId);
    },
    async checkSessions(connections) {
      const those = [...connections].filter(({ token }) => token !== null);
      for (let start = 0; start < those.length; start += SESSIONS_AT_ONCE) {
        const some = those.slice(start, start + SESSIONS_AT_ONCE);
        await Promise.all(
          some.map(async (connection) => {
            const { token, sessionId } = connection;
            if (token === null) return;
            // If the database cannot be asked, no session is ended.
            const session = await parts.authenticate(token, connection.from).catch(() => undefined);
            if (session === null && connection.sessionId === sessionId) end(connection);
          }),
        );
      }
    },
    forget: leaveSession,
  };
}
