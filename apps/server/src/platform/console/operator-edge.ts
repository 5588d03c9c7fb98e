/** The operators' edge: JSON messages, a session in a cookie, and roles by the policy. Stations: `http/answer-call.ts`. */
import { accept, type Instant, refuse, type Verdict } from "@fairtick/domain";
import { type OperatorAccess, operatorAccess, type OperatorCall } from "@fairtick/protocol/operator";
import type { FastifyRequest } from "fastify";
import type { Context } from "../context.ts";
import type { Queryable } from "../database.ts";
import type { Edge, EdgeParts } from "../http/call-edge.ts";
import type { DeviceKeys } from "../http/device-keys.ts";
import { tokenOf } from "./console-cookie.ts";
import { ownOrigins } from "./console-origins.ts";
import { jsonCodec } from "./json-body.ts";
import type { OperatorSession } from "./operator-route.ts";

/** Finds the live session of a token; null if there is none. Runs in the call's own transaction, without a cache. */
export type AuthenticateOperator = (db: Queryable, token: string, now: Instant) => Promise<OperatorSession | null>;

/** What only the operators' edge needs. */
export interface OperatorParts extends EdgeParts {
  readonly databases: Context["databases"];
  readonly authenticate: AuthenticateOperator;
  readonly deviceKeys: DeviceKeys;
  /** Returns the console's address for browsers, which is known once it listens. */
  readonly consoleUrl: () => string;
}

export interface OperatorEdge extends Edge<OperatorCall, OperatorSession, Queryable> {
  readonly databases: Context["databases"];
  readonly consoleUrl: () => string;
}

/** A header that messages of this console have. Forms and links of other sites can't set it. */
export const CONSOLE_HEADER = "x-fairtick-console";

export function createOperatorEdge({ authenticate, ...parts }: OperatorParts): OperatorEdge {
  const { consoleUrl } = parts;
  return {
    ...parts,
    prefix: "operator",
    codec: jsonCodec,
    deadlines: null,
    checkAnswers: false,
    languageOf: () => "en",
    isOwn: (request) => isOwn(request, consoleUrl()),
    tokenOf: ({ headers }) => tokenOf(headers.cookie, consoleUrl()),
    openSession: (token, { now }, db) => authenticate(db, token, now),
    needsSession: ({ path }) => accessOf(path) !== "anyone",
    authorize: ({ path }, session) => authorize(accessOf(path), session),
    accountOf: ({ operatorId }) => String(operatorId),
  };
}

/** Returns who may make a call. Throws for a call without a row in the policy. */
export function accessOf(path: string): OperatorAccess {
  const access = operatorAccess(path);
  if (access === undefined) throw new Error(`The call operator/${path} has no row in the policy`);
  return access;
}

/** Whether a message is from the console's own page. Browsers set Origin themselves and don't let other sites set the header. */
function isOwn({ headers }: FastifyRequest, consoleUrl: string): boolean {
  return ownOrigins(consoleUrl).includes(headers.origin ?? "") && headers[CONSOLE_HEADER] === "1";
}

/** Refuses LOGIN_REQUIRED until both factors were given, CONFLICT for a second factor given twice, and FORBIDDEN. */
function authorize(access: OperatorAccess, session: OperatorSession): Verdict<null> {
  if (access === "anyone") return accept(null);
  if (access === "password") return session.verified ? refuse("CONFLICT") : accept(null);
  if (!session.verified) return refuse("LOGIN_REQUIRED");
  if (access === "operator") return accept(null);
  return access.some((role) => session.roles.includes(role)) ? accept(null) : refuse("FORBIDDEN");
}
