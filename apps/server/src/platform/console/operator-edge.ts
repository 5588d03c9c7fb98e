/** The operators' edge: JSON, a session in a cookie, roles by the policy. Stations: `http/answer-call.ts`. */
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

/** The live session of a token; null where there is none. Asked in the call's own transaction: nothing is remembered. */
export type AuthenticateOperator = (db: Queryable, token: string, now: Instant) => Promise<OperatorSession | null>;

/** What only the operators' edge has. */
export interface OperatorParts extends EdgeParts {
  readonly databases: Context["databases"];
  readonly authenticate: AuthenticateOperator;
  readonly deviceKeys: DeviceKeys;
  /** Where browsers reach the console; known once it listens. */
  readonly consoleUrl: () => string;
}

export interface OperatorEdge extends Edge<OperatorCall, OperatorSession, Queryable> {
  readonly databases: Context["databases"];
  readonly consoleUrl: () => string;
}

/** What a message of this console bears, and no form or link of another site can. */
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

/** Who may make a call. Throws for one without a row in the policy. */
export function accessOf(path: string): OperatorAccess {
  const access = operatorAccess(path);
  if (access === undefined) throw new Error(`The call operator/${path} has no row in the policy`);
  return access;
}

/** A message of the console's own page: browsers set Origin themselves, and ask before they let a foreign page set a header. */
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
