import { accept, type Refusal, type Verdict } from "@fairtick/domain";
import type { OperatorCall } from "@fairtick/protocol/operator";
import { type Queryable, sqlState } from "../database.ts";
import { answerCall, type Passage, verdictOf } from "../http/answer-call.ts";
import { auditDone, auditRefusal, nameWinner, type Trace } from "./call-trail.ts";
import { cookieOf } from "./console-cookie.ts";
import { accessOf, type OperatorEdge } from "./operator-edge.ts";
import {
  Afterwards,
  type JudgedRequest,
  type OperatorRequest,
  type OperatorRoute,
  type OperatorSession,
  Refused,
} from "./operator-route.ts";

/** An operator's call while it is being answered. */
interface Course {
  readonly route: OperatorRoute;
  readonly edge: OperatorEdge;
  readonly passage: Passage<OperatorCall, OperatorSession, Queryable>;
  readonly trace: Trace;
}

/** What a call's transaction produced, to be used once it is committed. */
interface Acted {
  readonly value: unknown;
  readonly cookies: readonly (string | null)[];
  readonly effects: readonly (() => void)[];
}

/**
 * Takes an operator's call through its stations. First come checks before the transaction; then session, policy, message,
 * fields, handler and the audit row in one transaction; then cookies and events. Throws for a call without a row in the policy.
 */
export function answerOperator(route: OperatorRoute, edge: OperatorEdge) {
  const { call } = route;
  accessOf(call.path);
  return answerCall(call, edge, async (passage) => {
    const { ip, device } = passage.from;
    // An upload is read only once its sender is known.
    const sent = call.file === "upload" ? {} : (await passage.message()).fields;
    const course: Course = { route, edge, passage, trace: { call, ip, device, sent, subject: null } };
    const acted = await act(course).catch((fault: unknown) => refusalOf(fault));
    if (acted instanceof Refused) {
      await auditRefusal(edge.databases, course.trace, passage.session, acted.refusal);
      return refused(await nameWinner(edge.databases, course.trace, passage.session, acted.refusal));
    }
    const cookie = acted.cookies.at(-1);
    if (cookie !== undefined) void passage.reply.header("set-cookie", cookieOf(edge.consoleUrl(), cookie));
    for (const effect of acted.effects) effect();
    const answered = await finish(acted.value);
    if (!(answered instanceof Refused)) return accept(answered);
    await auditRefusal(edge.databases, course.trace, passage.session, answered.refusal);
    return refused(answered.refusal);
  });
}

/** Carries out the call. Throws `Refused` to roll back its transaction. */
async function act(course: Course): Promise<Acted> {
  const { route, edge, passage, trace } = course;
  const ahead = route.receive === undefined ? await judge(course) : await receive(course);
  return edge.databases.console.transaction(async (db) => {
    const cookies: (string | null)[] = [];
    const effects: (() => void)[] = [];
    const asked: OperatorRequest<OperatorCall> = {
      ...(await ask(course, db)),
      db,
      afterCommit: (effect) => effects.push(effect),
      setToken: (value) => cookies.push(value),
      keepDeviceKey: (key) => effects.push(() => passage.keepDeviceKey(key)),
      noteNewDevice: () => passage.noteNewDevice(),
    };
    const answer: unknown = route.receive === undefined ? await handle(course, asked, ahead) : ahead;
    const value = orThrow(verdictOf(answer));
    await auditDone(db, trace, passage.session);
    return { value, cookies, effects };
  });
}

/** Runs the call's checks that come before its transaction. */
async function judge(course: Course): Promise<unknown> {
  const { route, edge, passage } = course;
  if (route.judge === undefined) return null;
  return orThrow(await route.judge(await ask(course, edge.databases.console), passage.session));
}

/** Receives the file of a call, but reads nothing before its sender is known. Returns the call's answer. */
async function receive({ route, edge, passage, trace }: Course): Promise<unknown> {
  orThrow(await edge.databases.console.transaction((db) => passage.admit(db)));
  trace.sent = (await passage.message()).fields;
  const { input, file } = orThrow(await passage.fields());
  const { session } = passage;
  if (session === null || file === null || route.receive === undefined) throw wantsSession(route);
  return orThrow(await route.receive({ input, session, file }));
}

/** Checks session, policy, message and fields. Refuses calls that the session may not make and invalid messages. */
async function ask({ passage, trace }: Course, db: Queryable): Promise<JudgedRequest<OperatorCall>> {
  orThrow(await passage.admit(db));
  const { input } = orThrow(await passage.fields());
  const about = (subject: string) => {
    trace.subject = subject;
  };
  return { ...passage.from, input, about };
}

function handle({ route, passage }: Course, asked: OperatorRequest<OperatorCall>, ahead: unknown): unknown {
  if (route.open !== undefined) return route.open(asked, ahead);
  const { session } = passage;
  if (session === null || route.handler === undefined) throw wantsSession(route);
  return route.handler({ ...asked, session }, ahead);
}

function wantsSession({ call }: OperatorRoute): Error {
  return new Error(`operator/${call.path} wants a session`);
}

/** Returns the call's answer. Some calls have work after their transaction, which is done first. */
async function finish(value: unknown): Promise<unknown> {
  return value instanceof Afterwards ? value.finish().catch((fault: unknown) => refusalOf(fault)) : value;
}

function orThrow<Value>(verdict: Verdict<Value>): Value {
  if (!verdict.ok) throw new Refused(verdict.refusal);
  return verdict.value;
}

function refused(refusal: Refusal): Verdict<never> {
  return { ok: false, refusal };
}

/** Turns errors of the database's own checks (grants, two people) into refusals. Rethrows every other error as a fault. */
function refusalOf(fault: unknown): Refused {
  if (fault instanceof Refused) return fault;
  const state = sqlState(fault);
  if (state === "42501") return new Refused({ error: "FORBIDDEN" });
  if (state === "23514" || state === "23505") return new Refused({ error: "CONFLICT" });
  if (state === "P0002") return new Refused({ error: "NOT_FOUND" });
  throw fault;
}
