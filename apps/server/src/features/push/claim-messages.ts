import type { Queryable } from "../../platform/database.ts";

/** What a message to a browser is about. */
export type PushKind = "alert" | "order" | "security";

/** Events are told once or twice within seconds; a claim that is older than this is of no use to anybody. */
const KEPT = "1 day";

/**
 * Claims messages for this server, each by the id of what it is about. Answers the ids that nobody had claimed before: those
 * are to be sent here, and by no other server. What was claimed by a server that died then is not sent at all.
 */
export async function claimMessages(
  database: Queryable,
  kind: PushKind,
  ids: readonly bigint[],
): Promise<ReadonlySet<bigint>> {
  if (ids.length === 0) return new Set();
  const rows = await database.query<{ id: bigint }>(
    "INSERT INTO push_claims (kind, id) SELECT $1, unnest($2::bigint[]) ON CONFLICT DO NOTHING RETURNING id",
    [kind, ids],
  );
  return new Set(rows.map(({ id }) => id));
}

export async function forgetOldClaims(database: Queryable): Promise<void> {
  await database.query("DELETE FROM push_claims WHERE claimed_at < now() - $1::interval", [KEPT]);
}
