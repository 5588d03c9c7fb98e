import type { Queryable } from "../../platform/database.ts";

/** What a message to a browser is about. */
export type PushKind = "alert" | "order" | "security";

/** How long claims are kept. Events are announced once or twice within seconds, so older claims aren't needed. */
const KEPT = "1 day";

/**
 * Claims messages for this server, each by the id of what it is about. Returns the ids that were not claimed before:
 * only this server sends these. If the server dies before sending, the message isn't sent at all.
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
