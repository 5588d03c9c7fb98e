/**
 * Both edges answer calls by one chain of stations (`answer-call.ts`). This file defines where they differ: the codec of their
 * messages and the policy of who may call.
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

/** A message as it was read. */
export interface Message {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly file: ReceivedFile | null;
  /** Why the message is invalid; null if it is valid. `fields` then has those that could still be read. */
  readonly refusal: Refusal | null;
}

/** The format of an edge's messages: members send forms, operators JSON. */
export interface Codec {
  /** The only accepted type of body, apart from a form with a file. */
  readonly contentType: string;
  /** Reads a body without a file. `known` are the call's fields. */
  read(request: FastifyRequest, call: Call, known: ReadonlySet<string>): Message;
}

/** What all stations of a server need. */
export interface EdgeParts {
  readonly security: SecurityWatch;
  readonly limits: RateLimits;
  readonly uploads: UploadRules;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * An edge of the server. `Session` is the session of its users. `Scope` is where a session is looked up: the transaction of an
 * operator's call, nothing for a member's.
 */
export interface Edge<C extends Call, Session, Scope> extends EdgeParts {
  /** Calls have the address `/<prefix>/<path>`. */
  readonly prefix: "client" | "operator";
  readonly codec: Codec;
  readonly deviceKeys: DeviceKeys;
  /** Time limits of calls; null if they may take any time. */
  readonly deadlines: Deadlines | null;
  /** Whether to check every answer against its schema. For tests only, since it takes time. */
  readonly checkAnswers: boolean;
  languageOf(request: FastifyRequest): LanguageCode;
  /** Whether the request can be from a page of this edge. */
  isOwn(request: FastifyRequest): boolean;
  /** Returns the request's token; undefined if it has none. */
  tokenOf(request: FastifyRequest): string | undefined;
  /** Finds the session of a token; null if there is none or it has ended. */
  openSession(token: string, from: SeenFrom, scope: Scope): Promise<Session | null> | Session | null;
  /** Whether a call is refused without a session. */
  needsSession(call: C): boolean;
  /** Checks whether this session may make the call now, by its roles and rate limit. */
  authorize(call: C, session: Session): Promise<Verdict<null>> | Verdict<null>;
  /** Returns what identifies the account in security events. */
  accountOf(session: Session): string;
}
