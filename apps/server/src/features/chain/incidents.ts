import type { Queryable } from "../../platform/database.ts";

export interface NewIncident {
  readonly kind:
    | "chain_alarm"
    | "credited_reorg"
    | "nodes_disagree"
    | "missed_transfer"
    | "address_altered"
    | "payout_stopped"
    | "payout_failed"
    | "payout_refused"
    | "sweep_failed"
    | "sweep_refused"
    | "sweep_slow";
  /** What the incident is about. At most one is open per kind and subject. */
  readonly subject: string;
  readonly memberId: bigint | null;
  readonly detail: Readonly<Record<string, string>>;
}

/** Opens an incident; null if it is open already. If a closed one happens again, it is a new incident. */
export async function openIncident(database: Queryable, incident: NewIncident, now: bigint): Promise<bigint | null> {
  const [row] = await database.query<{ incident_id: bigint }>(
    `INSERT INTO incidents (kind, subject, member_id, detail, opened_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (kind, subject) WHERE closed_at IS NULL DO NOTHING RETURNING incident_id`,
    [incident.kind, incident.subject, incident.memberId, JSON.stringify(incident.detail), now],
  );
  return row?.incident_id ?? null;
}

/** Freezes a member's withdrawals: none is approved or paid until somebody lifts the freeze. */
export async function freezeWithdrawals(
  database: Queryable,
  memberId: bigint,
  incidentId: bigint,
  now: bigint,
): Promise<void> {
  await database.query("INSERT INTO withdrawal_freezes (member_id, incident_id, frozen_at) VALUES ($1, $2, $3)", [
    memberId,
    incidentId,
    now,
  ]);
}
