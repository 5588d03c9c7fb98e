import { accept, type Instant, refuse, type Verdict } from "@fairtick/domain";
import type { CaseQueueName, CaseTaken } from "@fairtick/protocol/operator";
import type { OperatorSession } from "../../platform/console/index.ts";
import type { Queryable } from "../../platform/database.ts";
import { formatOperatorId } from "../operators/index.ts";

/** How long a take lasts. Long enough to read a case, short enough that a forgotten one hardly matters. */
export const TAKE_MS = 600_000n;

interface TakeRow {
  readonly case_no: string;
  readonly operator_id: bigint;
  readonly login: string;
  readonly name: string;
  readonly held_until: bigint;
}

/** A case and the queue that lists it. */
export interface CaseName {
  readonly queue: CaseQueueName;
  readonly caseNo: string;
}

/**
 * Takes a case for the session's operator from `now` on, for ten minutes. If they have it already, the ten minutes start
 * again. Refuses CONFLICT[by, until] while someone else has it.
 */
export async function takeCase(
  db: Queryable,
  session: OperatorSession,
  { queue, caseNo }: CaseName,
  now: Instant,
): Promise<Verdict<CaseTaken>> {
  await db.query("SELECT take_case($1, $2, $3, $4, $5)", [session.sessionId, queue, caseNo, now, now + TAKE_MS]);
  const taken = (await readTakes(db, queue, now)).find((row) => row.case_no === caseNo);
  // The holder may have given it back between the two statements.
  if (taken === undefined) return refuse("CONFLICT");
  if (taken.operator_id === session.operatorId) return accept(presentTake(taken));
  return refuse("CONFLICT", { by: taken.login, until: Number(taken.held_until) });
}

/** Lists the cases of a queue that are taken at `now`. */
export async function listTakes(db: Queryable, queue: CaseQueueName, now: Instant): Promise<CaseTaken[]> {
  return (await readTakes(db, queue, now)).map(presentTake);
}

/**
 * Ends the operator's own take of a case, if there is one. Verbs that decide a case call it in their transaction, so that the
 * case is free for the next person as soon as the decision counts.
 */
export async function releaseTake(
  db: Queryable,
  { sessionId }: Pick<OperatorSession, "sessionId">,
  { queue, caseNo }: CaseName,
): Promise<void> {
  await db.query("SELECT give_back_case($1, $2, $3)", [sessionId, queue, caseNo]);
}

function readTakes(db: Queryable, queue: CaseQueueName, now: Instant): Promise<TakeRow[]> {
  return db.query(
    `SELECT t.case_no, t.operator_id, o.login, o.name, t.held_until
     FROM case_takes t JOIN operators o USING (operator_id)
     WHERE t.queue = $1 AND t.held_until > $2 ORDER BY t.taken_at, t.case_no`,
    [queue, now],
  );
}

function presentTake({ case_no: caseNo, operator_id, login, name, held_until: until }: TakeRow): CaseTaken {
  return { caseNo, by: { operatorId: formatOperatorId(operator_id), login, name }, until: Number(until) };
}
