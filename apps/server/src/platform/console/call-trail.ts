import type { Refusal } from "@fairtick/domain";
import type { OperatorCall } from "@fairtick/protocol/operator";
import type { Context } from "../context.ts";
import type { Queryable } from "../database.ts";
import { listDecisions, writeAudit } from "./audit.ts";
import { accessOf } from "./operator-edge.ts";
import type { OperatorSession } from "./operator-route.ts";

/** What the audit trail keeps of one call, gathered while it passes the stations. */
export interface Trace {
  readonly call: OperatorCall;
  readonly ip: string;
  readonly device: string;
  /** The fields of the message, as far as they could be read. */
  sent: Readonly<Record<string, unknown>>;
  /** What the call turned out to be about, where the handler said so. */
  subject: string | null;
}

const DETAIL_MAX = 4_000;

/** Writes the row of a call that was carried out, in its own transaction; the last thing in it. */
export async function auditDone(db: Queryable, trace: Trace, session: OperatorSession | null): Promise<void> {
  if (trace.call.unrecorded !== true) await writeAudit(db, rowOf(trace, session, "done"));
}

/** Writes the row of a refusal, in a transaction of its own, since the call's was rolled back. Strangers without a session leave none. */
export async function auditRefusal(
  { console: database }: Context["databases"],
  trace: Trace,
  session: OperatorSession | null,
  { error }: Refusal,
): Promise<void> {
  if (session === null && accessOf(trace.call.path) !== "anyone") return;
  await database.transaction((db) => writeAudit(db, rowOf(trace, session, error)));
}

/** Adds to a CONFLICT who decided last about the same thing, so that the one who came second can be told. */
export async function nameWinner(
  { console: database }: Context["databases"],
  { call, sent }: Trace,
  session: OperatorSession | null,
  refusal: Refusal,
): Promise<Refusal> {
  const subject = call.subject === undefined ? undefined : sent[call.subject];
  if (refusal.error !== "CONFLICT" || session === null || typeof subject !== "string") return refusal;
  const last = (await listDecisions(database, plain(subject).slice(0, 80))).at(-1);
  if (last === undefined) return refusal;
  return { ...refusal, params: { ...refusal.params, by: last.login, at: Number(last.at), action: last.action } };
}

function rowOf({ call, ip, device, sent, subject }: Trace, session: OperatorSession | null, outcome: string) {
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
