/**
 * A call's way through the server is one chain of stations (`answer-call.ts`) for both edges. What members' and
 * operators' edges do differently is handed to it: the codec of their messages, and the policy of who may call.
 */
import type { Clock, Refusal, Verdict } from "@fairtick/domain";
import type { LanguageCode } from "@fairtick/i18n";
import type { Call } from "@fairtick/protocol";
import type { FastifyRequest } from "fastify";
import type { Log } from "../log.ts";
import type { SecurityWatch } from "../security-events.ts";
import type { Deadlines } from "./deadlines.ts";
import type { DeviceKeys } from "./device-keys.ts";
import type { RateLimits } from "./rate-limits.ts";
import type { ReceivedFile, UploadRules } from "./receive-upload.ts";
import type { SeenFrom } from "./session.ts";

/** What a message brought. */
export interface Message {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly file: ReceivedFile | null;
  /** Why it is no message of its call; `fields` are those that could be read all the same. */
  readonly refusal: Refusal | null;
}

/** How the messages of an edge are written: members send forms, operators JSON. */
export interface Codec {
  /** The only type of body that is taken, beside a form with a file. */
  readonly contentType: string;
  /** Reads a body that brings no file. `known` are the call's fields. */
  read(request: FastifyRequest, call: Call, known: ReadonlySet<string>): Message;
}

/** What all stations of a server work with. */
export interface EdgeParts {
  readonly security: SecurityWatch;
  readonly limits: RateLimits;
  readonly uploads: UploadRules;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * One edge. `Session` is who is logged in there; `Scope` is what a session is looked up in: the transaction of an
 * operator's call, nothing for a member's.
 */
export interface Edge<C extends Call, Session, Scope> extends EdgeParts {
  /** Calls are at `/<prefix>/<path>`. */
  readonly prefix: "client" | "operator";
  readonly codec: Codec;
  readonly deviceKeys: DeviceKeys;
  /** Null where a call may take as long as it takes. */
  readonly deadlines: Deadlines | null;
  /** Holds every answer against its schema: for tests, since it costs time. */
  readonly checkAnswers: boolean;
  languageOf(request: FastifyRequest): LanguageCode;
  /** Whether a page of this edge can have sent it. */
  isOwn(request: FastifyRequest): boolean;
  /** Undefined where none was sent. */
  tokenOf(request: FastifyRequest): string | undefined;
  /** The session that a token opens; null where it opens none, or no longer. */
  openSession(token: string, from: SeenFrom, scope: Scope): Promise<Session | null> | Session | null;
  /** Whether a call is refused without a session. */
  needsSession(call: C): boolean;
  /** Says whether this session may make the call now: roles, and its own rate limit. */
  authorize(call: C, session: Session): Promise<Verdict<null>> | Verdict<null>;
  /** What security events know the account by. */
  accountOf(session: Session): string;
}
