import { type OperatorPath, mayCall, type Output, type overviewRead } from "@fairtick/protocol/operator";
import type { OperatorSession } from "../../platform/console/index.ts";
import type { Queryable } from "../../platform/database.ts";

type Queue = Output<typeof overviewRead>["queues"][number];

/** One waiting case, with the total number of waiting cases. */
interface WaitingRow {
  readonly at: bigint;
  readonly open: bigint;
}

/** A queue of another desk, as its own screen shows it. */
export interface QueueReader {
  readonly queue: Queue["queue"];
  /** The call that its screen lists it with. */
  readonly needs: OperatorPath;
  /** Reads since when cases wait, oldest first, at most `most`. */
  readonly read: (db: Queryable, most: number) => Promise<readonly WaitingRow[]>;
}

const SHOWN = 30;

/** Reads how many cases wait in each queue that the operator may list, and which proposals they may decide. */
export async function readQueues(
  db: Queryable,
  readers: readonly QueueReader[],
  session: OperatorSession,
): Promise<Queue[]> {
  const queues: Queue[] = [];
  for (const { queue, needs, read } of readers) {
    if (mayCall(needs, session.roles)) queues.push(presentQueue(queue, await read(db, SHOWN)));
  }
  return [...queues, ...presentApprovals(await readApprovals(db, session))];
}

function presentQueue(queue: Queue["queue"], rows: readonly WaitingRow[], kind: string | null = null): Queue {
  return { queue, open: Number(rows[0]?.open ?? 0n), since: rows.map(({ at }) => Number(at)), kind };
}

/**
 * Converts proposals to queues, one for each kind, since each kind is decided on a separate screen. If none waits,
 * returns one queue without a kind.
 */
function presentApprovals(rows: readonly (WaitingRow & { readonly kind: string })[]): Queue[] {
  const kinds = [...Map.groupBy(rows, ({ kind }) => kind)];
  if (kinds.length === 0) return [presentQueue("approvals", [])];
  return kinds.map(([kind, ofKind]) => presentQueue("approvals", ofKind, kind));
}

/** Reads the proposals that wait for a second person and that this operator may decide: the oldest of each kind. */
function readApprovals(
  db: Queryable,
  { operatorId, roles }: OperatorSession,
): Promise<readonly (WaitingRow & { readonly kind: string })[]> {
  return db.query(
    `SELECT at, kind, open FROM (
       SELECT p.proposal_id, p.made_at AS at, p.kind, count(*) OVER (PARTITION BY p.kind) AS open,
              row_number() OVER (PARTITION BY p.kind ORDER BY p.proposal_id) AS place
       FROM proposals p JOIN proposal_kinds k USING (kind) LEFT JOIN decisions d USING (proposal_id)
       WHERE d.proposal_id IS NULL AND p.made_by <> $1 AND k.checker_roles && $2::text[]
     ) waiting WHERE place <= $3 ORDER BY proposal_id`,
    [operatorId, roles, SHOWN],
  );
}
