import type { MemberId } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database.ts";

/** Lists a member's favorite symbols in the order in which they were marked. */
export async function listFavourites(database: Queryable, memberId: MemberId): Promise<string[]> {
  const rows = await database.query<{ symbol: string }>(
    "SELECT symbol FROM favourites WHERE member_id = $1 ORDER BY marked_at, symbol",
    [memberId],
  );
  return rows.map((row) => row.symbol);
}

/** Lists a member's favorite symbols, for other features. */
export function listFavouritesOf({ databases }: Pick<Context, "databases">, memberId: MemberId): Promise<string[]> {
  return listFavourites(databases.reader, memberId);
}

/** Marks or unmarks a favorite. Doing it twice changes nothing more. Returns all favorites. */
export async function setFavourite(
  database: Queryable,
  memberId: MemberId,
  symbol: string,
  on: boolean,
): Promise<string[]> {
  await database.query(
    on
      ? "INSERT INTO favourites (member_id, symbol) VALUES ($1, $2) ON CONFLICT DO NOTHING"
      : "DELETE FROM favourites WHERE member_id = $1 AND symbol = $2",
    [memberId, symbol],
  );
  return listFavourites(database, memberId);
}
