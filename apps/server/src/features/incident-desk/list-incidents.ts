import {
  formatId,
  formatPrefixedId,
  type MemberId,
  parsePrefixedId,
  refuse,
  type Verdict,
  accept,
} from "@fairtick/domain";
import type { Incident, incidentList, Output } from "@fairtick/protocol/operator";
import type { ChainSettings } from "../../platform/chain-settings.ts";
import { wordsOn } from "../../platform/chain-text.ts";
import type { Present, Queryable } from "../../platform/database.ts";
import type { HealthReport } from "../../platform/health.ts";
import { personOf, presentProposal, PROPOSAL_COLUMNS, PROPOSAL_JOINS, type ProposalRow } from "../operators/index.ts";

export const formatIncidentId = (id: bigint): string => formatPrefixedId("inc", id);
export const parseIncidentId = (text: string): bigint | null => parsePrefixedId("inc", text);

interface IncidentRow {
  readonly incident_id: bigint;
  readonly kind: string;
  readonly subject: string;
  readonly member_id: bigint | null;
  readonly detail: Record<string, string>;
  readonly opened_at: bigint;
  readonly closed_at: bigint | null;
  readonly close_reason: string | null;
  readonly holds: readonly ("withdrawals" | "wallet")[];
}

const SELECT = `SELECT i.incident_id, i.kind, i.subject, i.member_id, i.detail, i.opened_at, i.closed_at, i.close_reason,
    i.closed_by AS closed_by_id, o.login AS closed_by_login, o.name AS closed_by_name, incident_holds(i) AS holds
  FROM incidents i LEFT JOIN operators o ON o.operator_id = i.closed_by`;

/**
 * Lists the server's health, the chains that are read, open or recently closed incidents, and coins that aren't part of a
 * deposit. Addresses and hashes are in the usual notation of their chain.
 */
export async function listIncidents(
  db: Queryable,
  settings: readonly ChainSettings[],
  health: HealthReport,
  state: "open" | "closed" = "open",
): Promise<Output<typeof incidentList>> {
  const chains = await db.query<{ chain: string; cursor_height: bigint; head_height: bigint; read_at: bigint }>(
    "SELECT chain, cursor_height, head_height, read_at FROM chain_instances WHERE ended_at IS NULL ORDER BY chain",
  );
  const wanted =
    state === "open"
      ? "i.closed_at IS NULL ORDER BY i.opened_at DESC, i.incident_id DESC"
      : "i.closed_at IS NOT NULL ORDER BY i.closed_at DESC, i.incident_id DESC";
  const incidents = await db.query<IncidentRow>(`${SELECT} WHERE ${wanted} LIMIT 200`);
  const coins = await db.query<{ chain: string; address: string; member_id: bigint; balance: string; seen_at: bigint }>(
    `SELECT i.chain, c.address, c.member_id, c.balance::text AS balance, c.seen_at
     FROM chain_coins c JOIN chain_instances i USING (instance_id) WHERE c.balance > 0 AND i.ended_at IS NULL
       AND c.balance > (SELECT coalesce(sum(g.amount), 0) FROM sweep_steps g JOIN sweeps w USING (sweep_id)
         WHERE g.step = 'gas' AND w.instance_id = c.instance_id AND w.address = c.address)
     ORDER BY c.seen_at DESC LIMIT 200`,
  );
  return {
    health: {
      ready: health.ready,
      accepting: health.accepting,
      degraded: health.degraded.map(({ part, since, cause }) => ({ part, since: Number(since), cause })),
    },
    chains: chains.map(({ chain, cursor_height: cursor, head_height: head, read_at: readAt }) => ({
      chain,
      height: Number(cursor),
      behind: Number(head > cursor ? head - cursor : 0n),
      readAt: Number(readAt),
      trouble: health.degraded.find(({ part }) => part === `chain ${chain}`)?.cause ?? null,
    })),
    incidents: await present(db, settings, incidents),
    coins: coins.map((row) => ({
      chain: row.chain,
      address: wordsOn(settings, row.chain, row.address),
      memberId: formatId("member", row.member_id as MemberId),
      balance: row.balance,
      seenAt: Number(row.seen_at),
    })),
  };
}

const NEWEST_SHOWN = 5;

/** Reads how many incidents are open, and the newest of them without their details. */
export async function readOpenIncidents(db: Queryable) {
  const rows = await db.query<Pick<IncidentRow, "incident_id" | "kind" | "opened_at" | "holds"> & { open: bigint }>(
    `SELECT i.incident_id, i.kind, i.opened_at, incident_holds(i) AS holds, count(*) OVER () AS open FROM incidents i
     WHERE i.closed_at IS NULL ORDER BY i.opened_at DESC, i.incident_id DESC LIMIT $1`,
    [NEWEST_SHOWN],
  );
  return {
    open: Number(rows[0]?.open ?? 0n),
    incidents: rows.map(({ incident_id: id, kind, opened_at: openedAt, holds }) => ({
      incidentId: formatIncidentId(id),
      kind,
      openedAt: Number(openedAt),
      holds: [...holds],
    })),
  };
}

/** Reads an incident in its current state. Refuses NOT_FOUND. */
export async function readIncident(
  db: Queryable,
  settings: readonly ChainSettings[],
  incidentId: bigint | null,
): Promise<Verdict<Incident>> {
  const rows = await db.query<IncidentRow>(`${SELECT} WHERE i.incident_id = $1`, [incidentId]);
  const [found] = await present(db, settings, rows);
  return found === undefined ? refuse("NOT_FOUND") : accept(found);
}

async function present(
  db: Queryable,
  settings: readonly ChainSettings[],
  rows: readonly IncidentRow[],
): Promise<Incident[]> {
  // The column is never null here: only proposals that name an incident are selected.
  const proposals = await db.query<ProposalRow & { readonly incident_id: Present<bigint> }>(
    `SELECT DISTINCT ON (incident_id) ${PROPOSAL_COLUMNS}, (p.body::jsonb ->> 'incidentId')::bigint AS incident_id FROM ${PROPOSAL_JOINS}
     WHERE p.kind = 'incident' AND (p.body::jsonb ->> 'incidentId')::bigint = ANY ($1::bigint[]) ORDER BY incident_id, p.proposal_id DESC`,
    [rows.map((row) => row.incident_id)],
  );
  return rows.map((row) => {
    const proposal = proposals.find(({ incident_id: id }) => id === row.incident_id);
    const written = (words: string) => wordsOn(settings, row.detail["chain"] ?? null, words);
    return {
      incidentId: formatIncidentId(row.incident_id),
      kind: row.kind,
      subject: written(row.subject),
      memberId: row.member_id === null ? null : formatId("member", row.member_id as MemberId),
      detail: Object.fromEntries(Object.entries(row.detail).map(([name, words]) => [name, written(words)])),
      openedAt: Number(row.opened_at),
      holds: [...row.holds],
      proposal: proposal === undefined ? null : presentProposal(proposal),
      closed:
        row.closed_at === null
          ? null
          : { at: Number(row.closed_at), by: personOf({ ...row }, "closed_by"), reason: row.close_reason },
    };
  });
}
