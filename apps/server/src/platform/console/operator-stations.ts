/** The stations of an operator's call, in the order they are passed. */
import { accept, type Instant, refuse, type Refusal, type Verdict } from "@fairtick/domain";
import { validateInput } from "@fairtick/protocol";
import {
  type OperatorAccess,
  type OperatorCall,
  type OperatorInput,
  operatorAccess,
} from "@fairtick/protocol/operator";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../context.ts";
import { type Queryable, sqlState } from "../database.ts";
import { type JsonBody, readJsonBody } from "./json-body.ts";
import type { DeviceKeys } from "../http/device-keys.ts";
import { refusalOfFault } from "../http/faults.ts";
import { presentRefusal, presentValue } from "../http/present.ts";
import type { RateLimits } from "../http/rate-limits.ts";
import { accountIn, type SecurityWatch } from "../security-events.ts";
import type { UploadRules } from "../http/receive-upload.ts";
import { listDecisions, writeAudit } from "./audit.ts";
import { cookieOf, tokenOf } from "./console-cookie.ts";
import { ownOrigins } from "./console-origins.ts";
import { receiveFile } from "./receive-file.ts";
import {
  Afterwards,
  type OperatorRequest,
  type OperatorRoute,
  type OperatorSession,
  Refused,
} from "./operator-route.ts";

/** The live session of a token; null where there is none. Asked in the call's own transaction: nothing is remembered. */
export type AuthenticateOperator = (db: Queryable, token: string, now: Instant) => Promise<OperatorSession | null>;

export interface OperatorStations {
  readonly context: Pick<Context, "databases" | "clock" | "log">;
  readonly authenticate: AuthenticateOperator;
  readonly limits: RateLimits;
  readonly security: SecurityWatch;
  readonly deviceKeys: DeviceKeys;
  /** Where browsers reach the console; known once it listens. */
  readonly consoleUrl: () => string;
  readonly uploads: UploadRules;
}

/** What a message of this console bears, and no form or link of another site can. */
export const CONSOLE_HEADER = "x-fairtick-console";

interface Passed {
  readonly value: unknown;
  readonly cookies: readonly (string | null)[];
  readonly effects: readonly (() => void)[];
}

/** Origin, limit, judge what is secret; authenticate, validate, authorize, act and audit in one transaction; present. */
export function answerOperator(route: OperatorRoute, stations: OperatorStations) {
  const { call } = route;
  const { clock, log, databases } = stations.context;
  const access = operatorAccess(call.path);
  if (access === undefined) throw new Error(`The call operator/${call.path} has no row in the policy`);

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const to = { lang: "en", path: call.path, clock } as const;
    const seen = { path: call.path, ip: request.ip, account: null as string | null, isNewDevice: false };
    const decline = (refusal: Refusal) => {
      stations.security.sawCall({ ...seen, error: refusal.error });
      return presentRefusal(reply, refusal, to);
    };
    /** Who may send a file, before it is taken in. */
    const admit = (token: string | undefined) => () =>
      databases.console.transaction(async (db): Promise<Verdict<OperatorSession>> => {
        const session = token === undefined ? null : await stations.authenticate(db, token, clock.now());
        const allowed = authorize(access, session, token !== undefined);
        if (!allowed.ok) return allowed;
        return session === null ? refuse("LOGIN_REQUIRED") : accept(session);
      });
    try {
      if (!isOwn(request, stations.consoleUrl())) return decline({ error: "FORBIDDEN" });
      const deviceKey = stations.deviceKeys.read(request);
      const counted = await stations.limits.countVisitor(call.limit, request.ip, deviceKey);
      if (!counted.ok) return decline(counted.refusal);

      const token = tokenOf(request.headers.cookie, stations.consoleUrl());
      const received =
        route.receive === undefined ? null : await receiveFile(route, request, admit(token), stations.uploads);
      const sent = received === null ? readBody(request) : { fields: received.fields, repeated: [] };
      const trace: Trace = { call, ip: request.ip, device: deviceOf(request), sent: sent?.fields ?? {}, subject: null };
      let session: OperatorSession | null = null;
      const now = clock.now();
      const about = (subject: string) => {
        trace.subject = subject;
      };
      /** Refuses what this session may not call, and what is no message of this call. */
      const admitCall = async (db: Queryable) => {
        session = token === undefined ? null : await stations.authenticate(db, token, now);
        const allowed = authorize(access, session, token !== undefined);
        seen.account = session === null ? accountIn(sent?.fields) : String(session.operatorId);
        if (!allowed.ok) throw new Refused(allowed.refusal);
        return { input: readInput(call, sent), ip: trace.ip, device: trace.device, deviceKey, now, about };
      };
      const judgeFirst = async (): Promise<unknown> => {
        if (route.judge === undefined) return null;
        const verdict = await route.judge(await admitCall(databases.console), session);
        if (!verdict.ok) throw new Refused(verdict.refusal);
        return verdict.value;
      };
      const acted = await judgeFirst()
        .then((judged) =>
          databases.console.transaction(async (db): Promise<Passed> => {
            const admitted = await admitCall(db);
            const cookies: (string | null)[] = [];
            const effects: (() => void)[] = [];
            const asked: OperatorRequest<OperatorCall> = {
              ...admitted,
              db,
              afterCommit: (effect) => effects.push(effect),
              setToken: (value) => cookies.push(value),
              keepDeviceKey: (key) => effects.push(() => stations.deviceKeys.keep(request, reply, key)),
              noteNewDevice: () => {
                seen.isNewDevice = true;
              },
            };
            const answer: unknown = received?.answer ?? (await act(route, asked, session, judged));
            const verdict = isVerdict(answer) ? answer : accept(answer);
            if (!verdict.ok) throw new Refused(verdict.refusal);
            if (call.unrecorded !== true) await writeAudit(db, auditOf(trace, session, "done"));
            return { value: verdict.value, cookies, effects };
          }),
        )
        .catch((fault: unknown) => refusalOf(fault));
      if (acted instanceof Refused) {
        await auditRefusal(stations, trace, session, acted.refusal);
        return decline(await nameWinner(stations, trace, session, acted.refusal));
      }
      const cookie = acted.cookies.at(-1);
      if (cookie !== undefined) void reply.header("set-cookie", cookieOf(stations.consoleUrl(), cookie));
      for (const effect of acted.effects) effect();
      const answered = await finish(acted.value);
      if (answered instanceof Refused) {
        await auditRefusal(stations, trace, session, answered.refusal);
        return decline(answered.refusal);
      }
      stations.security.sawCall({ ...seen, error: null });
      return presentValue(reply, answered, "en");
    } catch (fault) {
      return decline(refusalOfFault(fault, `operator/${call.path}`, log));
    }
  };
}

/** A message of the console's own page: browsers set Origin themselves, and ask before they let a foreign page set a header. */
function isOwn(request: FastifyRequest, consoleUrl: string): boolean {
  const { origin = "" } = request.headers;
  return ownOrigins(consoleUrl).includes(origin) && request.headers[CONSOLE_HEADER] === "1";
}

function deviceOf(request: FastifyRequest): string {
  return (request.headers["user-agent"] ?? "").slice(0, 200);
}

const NOTHING: JsonBody = { fields: {}, repeated: [] };

function readBody({ body }: FastifyRequest): JsonBody | null {
  return body instanceof Buffer ? readJsonBody(body.toString()) : NOTHING;
}

/** Throws FIELD_INVALID, FIELD_REPEATED and what the call's schema refuses with. */
function readInput(call: OperatorCall, sent: JsonBody | null): OperatorInput<OperatorCall> {
  if (sent === null) throw new Refused({ error: "FIELD_INVALID", params: { field: "" } });
  const twice = sent.repeated.find((name) => Object.hasOwn(call.input.entries, name));
  if (twice !== undefined)
    throw new Refused({ error: "FIELD_REPEATED", params: { field: twice }, fields: { [twice]: "FIELD_REPEATED" } });
  const input = validateInput(call, sent.fields);
  if (!input.ok) throw new Refused(input.refusal);
  return input.value;
}

/** Refuses LOGIN_REQUIRED, SESSION_EXPIRED and FORBIDDEN. */
function authorize(access: OperatorAccess, session: OperatorSession | null, hasToken: boolean): Verdict<null> {
  if (access === "anyone") return accept(null);
  if (session === null) return refuse(hasToken ? "SESSION_EXPIRED" : "LOGIN_REQUIRED");
  if (access === "password") return session.verified ? refuse("CONFLICT") : accept(null);
  if (!session.verified) return refuse("LOGIN_REQUIRED");
  if (access === "operator") return accept(null);
  return access.some((role) => session.roles.includes(role)) ? accept(null) : refuse("FORBIDDEN");
}

function act(
  route: OperatorRoute,
  asked: OperatorRequest<OperatorCall>,
  session: OperatorSession | null,
  judged: unknown,
): unknown {
  if (route.open !== undefined) return route.open(asked, judged);
  if (session === null || route.handler === undefined) throw new Error(`operator/${route.call.path} wants a session`);
  return route.handler({ ...asked, session }, judged);
}

function isVerdict(answer: unknown): answer is Verdict<unknown> {
  return typeof answer === "object" && answer !== null && "ok" in answer && typeof answer.ok === "boolean";
}

/** What the call answers: at once, or once what follows its transaction is done too. */
async function finish(value: unknown): Promise<unknown> {
  return value instanceof Afterwards ? value.finish().catch((fault: unknown) => refusalOf(fault)) : value;
}

/** What the database itself refuses is a refusal too: grants and its checks of two people; everything else is a fault. */
function refusalOf(fault: unknown): Refused {
  if (fault instanceof Refused) return fault;
  const state = sqlState(fault);
  if (state === "42501") return new Refused({ error: "FORBIDDEN" });
  if (state === "23514" || state === "23505") return new Refused({ error: "CONFLICT" });
  if (state === "P0002") return new Refused({ error: "NOT_FOUND" });
  throw fault;
}

interface Trace {
  readonly call: OperatorCall;
  readonly ip: string;
  readonly device: string;
  readonly sent: Readonly<Record<string, unknown>>;
  subject: string | null;
}

/** A refusal is kept in a transaction of its own, since the call's was rolled back. Strangers without a session leave none. */
async function auditRefusal(
  { context }: OperatorStations,
  trace: Trace,
  session: OperatorSession | null,
  refusal: Refusal,
): Promise<void> {
  if (session === null && operatorAccess(trace.call.path) !== "anyone") return;
  await context.databases.console.transaction((db) => writeAudit(db, auditOf(trace, session, refusal.error)));
}

/** Adds to a CONFLICT who decided last about the same thing, so that the one who came second can be told. */
async function nameWinner(
  { context }: OperatorStations,
  { call, sent }: Trace,
  session: OperatorSession | null,
  refusal: Refusal,
): Promise<Refusal> {
  const subject = call.subject === undefined ? undefined : sent[call.subject];
  if (refusal.error !== "CONFLICT" || session === null || typeof subject !== "string") return refusal;
  const last = (await listDecisions(context.databases.console, plain(subject).slice(0, 80))).at(-1);
  if (last === undefined) return refusal;
  return { ...refusal, params: { ...refusal.params, by: last.login, at: Number(last.at), action: last.action } };
}

const DETAIL_MAX = 4_000;

function auditOf({ call, ip, device, sent, subject }: Trace, session: OperatorSession | null, outcome: string) {
  const kept = Object.keys(call.input.entries).filter((name) => name !== "reason" && !call.secrets?.includes(name));
  const detail = JSON.stringify(Object.fromEntries(kept.flatMap((name) => (name in sent ? [[name, sent[name]]] : []))));
  const named = call.subject === undefined ? undefined : sent[call.subject];
  const { reason } = sent;
  return {
    session,
    ip,
    device,
    action: call.path,
    subject: subject ?? (typeof named === "string" ? plain(named).slice(0, 80) : null),
    reason: typeof reason === "string" && reason !== "" ? plain(reason).slice(0, 500) : null,
    detail: plain(detail).slice(0, DETAIL_MAX),
    outcome,
  };
}

/** PostgreSQL holds no NUL, and half a pair of surrogates is no UTF-8. */
function plain(text: string): string {
  return text.replaceAll("\u0000", "").toWellFormed();
}
