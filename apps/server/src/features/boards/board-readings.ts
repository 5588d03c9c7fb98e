import type { Database } from "../../platform/database.ts";

/** If a board wasn't asked for this long, the house was down, and that is no silence of the board. */
const UNASKED_MS_MAX = 60_000n;

/** Returns the database's time, which decides until when an order can be revealed; ms. */
export async function readNow(database: Database): Promise<bigint> {
  const [row] = await database.query<{ now: bigint }>(
    "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now",
    [],
    "boards_now",
  );
  if (row === undefined) throw new Error("the database has no time");
  return row.now;
}

/** Stores that all lines were taken that a board had at `askedAt` (ms). */
export async function storeRead(database: Database, board: string, askedAt: bigint): Promise<void> {
  await database.query(
    `INSERT INTO board_readings AS b (board, asked_at, read_through) VALUES ($1, $2, $2)
     ON CONFLICT (board) DO UPDATE SET asked_at = greatest(b.asked_at, excluded.asked_at),
       read_through = greatest(b.read_through, excluded.read_through), failing_since = NULL`,
    [board, askedAt],
    "boards_store_read",
  );
}

/** Stores that a board was asked at `askedAt` (ms) and didn't answer. */
export async function storeSilent(database: Database, board: string, askedAt: bigint): Promise<void> {
  await database.query(
    `INSERT INTO board_readings AS b (board, asked_at, read_through, failing_since) VALUES ($1, $2, 0, $2)
     ON CONFLICT (board) DO UPDATE SET asked_at = greatest(b.asked_at, excluded.asked_at),
       failing_since = CASE WHEN excluded.asked_at - b.asked_at > $3::bigint THEN excluded.asked_at
         ELSE coalesce(b.failing_since, excluded.asked_at) END`,
    [board, askedAt, UNASKED_MS_MAX],
    "boards_store_silent",
  );
}
