import type { Database, Queryable } from "../../platform/database.ts";
import { asWriter } from "./sm1-rows.ts";

/** Decided rounds by number: the signature, or null if the round did not come in time. */
export type DecidedRounds = ReadonlyMap<bigint, Uint8Array | null>;

/** Reads the decided rounds of these epochs, by epoch. */
export async function readRounds(
  database: Queryable,
  epochs: readonly bigint[],
): Promise<ReadonlyMap<bigint, DecidedRounds>> {
  const rows = await database.query<{ epoch: bigint; round: bigint; signature: Uint8Array | null }>(
    "SELECT epoch, round, signature FROM sm2_rounds WHERE epoch = ANY($1) ORDER BY epoch, round",
    [epochs],
  );
  const grouped = Map.groupBy(rows, ({ epoch }) => epoch);
  return new Map(
    epochs.map((epoch) => [
      epoch,
      new Map((grouped.get(epoch) ?? []).map(({ round, signature }) => [round, signature])),
    ]),
  );
}

/** Stores decisions, which are final. Throws if one of the rounds is already decided, and `StaleWriterError` after a takeover. */
export async function storeRounds(
  database: Database,
  writerEpoch: bigint,
  epoch: bigint,
  rounds: DecidedRounds,
): Promise<void> {
  await asWriter(database, writerEpoch, async (transaction) => {
    await transaction.query(
      "INSERT INTO sm2_rounds (epoch, round, signature) SELECT $1, u.* FROM unnest($2::bigint[], $3::bytea[]) u",
      [epoch, [...rounds.keys()], [...rounds.values()].map((signature) => signature && Buffer.from(signature))],
    );
  });
}
