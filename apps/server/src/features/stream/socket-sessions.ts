import type { MemberId } from "@fairtick/domain";
import type { Connection } from "./connection.ts";
import type { HandlerParts } from "./handle-message.ts";

/** Longer than looking up a session takes. */
const ENDED_KEPT_MS = 60_000;
const SESSIONS_AT_ONCE = 50;

/** Knows which sockets belong to which session, and closes them when the session ends. */
export class SocketSessions {
  readonly #parts: Pick<HandlerParts, "clock" | "authenticate" | "fanOut" | "push">;
  readonly #bySession = new Map<bigint, Set<Connection>>();
  /** When each session ended, so that a lookup that was under way can't bring it back. */
  readonly #ended = new Map<bigint, number>();

  constructor(parts: Pick<HandlerParts, "clock" | "authenticate" | "fanOut" | "push">) {
    this.#parts = parts;
  }

  hasEnded(sessionId: bigint): boolean {
    return this.#ended.has(sessionId);
  }

  join(
    connection: Connection,
    session: { readonly sessionId: bigint; readonly memberId: bigint },
    token: string,
  ): void {
    this.leave(connection);
    connection.sessionId = session.sessionId;
    connection.member = session.memberId as MemberId;
    connection.token = token;
    const those = this.#bySession.get(session.sessionId) ?? new Set();
    this.#bySession.set(session.sessionId, those.add(connection));
    this.#parts.push.place(connection);
  }

  leave(connection: Connection): void {
    if (connection.sessionId === null) return;
    const those = this.#bySession.get(connection.sessionId);
    those?.delete(connection);
    if (those?.size === 0) this.#bySession.delete(connection.sessionId);
    this.#parts.push.remove(connection);
    connection.sessionId = null;
    connection.member = null;
    connection.token = null;
  }

  end(connection: Connection): void {
    this.#parts.fanOut.remove(connection);
    this.leave(connection);
    connection.endSession();
  }

  endAll(sessionIds: readonly bigint[]): void {
    const elapsed = this.#parts.clock.elapsedMs();
    for (const sessionId of sessionIds) {
      this.#ended.set(sessionId, elapsed);
      for (const connection of this.#bySession.get(sessionId) ?? []) this.end(connection);
    }
    for (const [sessionId, at] of this.#ended) if (elapsed - at > ENDED_KEPT_MS) this.#ended.delete(sessionId);
  }

  /** Checks whether the sessions of these sockets still run. */
  async check(connections: Iterable<Connection>): Promise<void> {
    const those = [...connections].filter(({ token }) => token !== null);
    for (let start = 0; start < those.length; start += SESSIONS_AT_ONCE)
      await Promise.all(those.slice(start, start + SESSIONS_AT_ONCE).map((connection) => this.#checkOne(connection)));
  }

  async #checkOne(connection: Connection): Promise<void> {
    const { token, sessionId } = connection;
    if (token === null) return;
    // If the database can't be reached, no session is ended.
    const session = await this.#parts.authenticate(token, connection.from).catch(() => undefined);
    if (session === null && connection.sessionId === sessionId) this.end(connection);
  }
}
