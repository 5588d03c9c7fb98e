import type { Refusal } from "@fairtick/domain";
import type { OperatorCall } from "@fairtick/protocol/operator";
import type { Context } from "../context.ts";
import type { Queryable } from "../database.ts";
import { listDecisions, writeAudit } from "./audit.ts";
import { accessOf } from "./operator-edge.ts";
import type { OperatorSession } from "./operator-route.ts";

/** What the audit trail records about a call, collected while it passes the stations. */
export interface Trace {
  readonly call: OperatorCall;
  readonly ip: string;
  readonly device: string;
  /** The message's fields, as far as they could be read. */
  sent: Readonly<Record<string, unknown>>;
  /** What the call turned out to be about, if the handler said so. */
  subject: string | null;
}

const DETAIL_MAX = 4_000;

/** Writes the row of a call that succeeded, as the last statement of its transaction. */
export async function auditDone(db: Queryable, trace: Trace, session: OperatorSession | null): Promise<void> {
  if (trace.call.unrecorded !== true) await writeAudit(db, rowOf(trace, session, "done"));
}

/** Writes the row of a refusal in a separate transaction, since the call's was rolled back. Requests without a session leave no row. */
export async function auditRefusal(
  { console: database }: Context["databases"],
  trace: Trace,
  session: OperatorSession | null,
  { error }: Refusal,
): Promise<void> {
  if (session === null && accessOf(trace.call.path) !== "anyone") return;
  await database.transaction((db) => writeAudit(db, rowOf(trace, session, error)));
}

/** Adds to a CONFLICT who last decided about the same subject, so that the second person learns who was first. */
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

/** Removes what PostgreSQL can't store: NUL characters and lone surrogates. */
function plain(text: string): string {
  return text.replaceAll("\u0000", "").toWellFormed();
}
