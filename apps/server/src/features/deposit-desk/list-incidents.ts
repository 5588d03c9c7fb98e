import { formatId, formatPrefixedId, type MemberId } from "@fairtick/domain";
import type { incidentList, OperatorOutput } from "@fairtick/protocol/operator";
import type { Queryable } from "../../platform/database.ts";

/** Each chain that is read, what stands open of it, and coins that no deposit is made of. */
export async function listIncidents(db: Queryable): Promise<OperatorOutput<typeof incidentList>> {
  const chains = await db.query<{ chain: string; cursor_height: bigint; head_height: bigint; read_at: bigint }>(
    "SELECT chain, cursor_height, head_height, read_at FROM chain_instances WHERE ended_at IS NULL ORDER BY chain",
  );
  const incidents = await db.query<{
    incident_id: bigint;
    kind: string;
    subject: string;
    member_id: bigint | null;
    detail: Record<string, string>;
    opened_at: bigint;
    frozen: boolean;
  }>(
    `SELECT i.incident_id, i.kind, i.subject, i.member_id, i.detail, i.opened_at,
       EXISTS (SELECT FROM withdrawal_freezes f WHERE f.incident_id = i.incident_id AND f.lifted_at IS NULL) AS frozen
     FROM incidents i WHERE i.closed_at IS NULL ORDER BY i.opened_at DESC LIMIT 200`,
  );
  const coins = await db.query<{ chain: string; address: string; member_id: bigint; balance: string; seen_at: bigint }>(
    `SELECT i.chain, c.address, c.member_id, c.balance::text AS balance, c.seen_at
     FROM chain_coins c JOIN chain_instances i USING (instance_id) WHERE c.balance > 0 AND i.ended_at IS NULL
     ORDER BY c.seen_at DESC LIMIT 200`,
  );
  return {
    chains: chains.map(({ chain, cursor_height: cursor, head_height: head, read_at: readAt }) => ({
      chain,
      height: Number(cursor),
      behind: Number(head > cursor ? head - cursor : 0n),
      readAt: Number(readAt),
    })),
    incidents: incidents.map((row) => ({
      incidentId: formatPrefixedId("inc", row.incident_id),
      kind: row.kind,
      subject: row.subject,
      memberId: row.member_id === null ? null : formatId("member", row.member_id as MemberId),
      detail: row.detail,
      openedAt: Number(row.opened_at),
      frozen: row.frozen,
    })),
    coins: coins.map((row) => ({
      chain: row.chain,
      address: row.address,
      memberId: formatId("member", row.member_id as MemberId),
      balance: row.balance,
      seenAt: Number(row.seen_at),
    })),
  };
}
