import { formatPrefixedId, type Instant, parsePrefixedId } from "@fairtick/domain";
import type { OwnPasskey } from "@fairtick/protocol/operator";
import type { Queryable } from "../../platform/database.ts";

export const formatPasskeyId = (id: bigint): string => formatPrefixedId("psk", id);
export const parsePasskeyId = (text: string): bigint | null => parsePrefixedId("psk", text);

export interface PasskeyRow {
  readonly passkey_id: bigint;
  readonly credential_id: Buffer;
  readonly public_key: Buffer;
  readonly name: string;
  readonly counter: bigint;
  readonly transports: string[];
  readonly synced: boolean;
  readonly made_at: bigint;
  readonly used_at: bigint | null;
}

/** Reads an operator's passkeys that weren't removed, oldest first. */
export async function readPasskeys(db: Queryable, operatorId: bigint): Promise<PasskeyRow[]> {
  return db.query<PasskeyRow>(
    `SELECT passkey_id, credential_id, public_key, name, counter, transports, synced, made_at, used_at
     FROM operator_passkeys WHERE operator_id = $1 AND removed_at IS NULL ORDER BY passkey_id`,
    [operatorId],
  );
}

export async function insertPasskey(db: Queryable, operatorId: bigint, row: PasskeyRow): Promise<void> {
  await db.query(
    `INSERT INTO operator_passkeys (passkey_id, operator_id, credential_id, public_key, name, counter, transports, synced, made_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      row.passkey_id,
      operatorId,
      row.credential_id,
      row.public_key,
      row.name,
      row.counter,
      row.transports,
      row.synced,
      row.made_at,
    ],
  );
}

/** Records a use. Returns false if another use with this counter, or a later one, came first. */
export async function markPasskeyUsed(
  db: Queryable,
  passkeyId: bigint,
  use: { readonly counter: bigint; readonly synced: boolean; readonly now: Instant },
): Promise<boolean> {
  const used = await db.query(
    `UPDATE operator_passkeys SET counter = $2, synced = $3, used_at = $4
     WHERE passkey_id = $1 AND removed_at IS NULL AND (counter < $2 OR (counter = 0 AND $2 = 0)) RETURNING 1`,
    [passkeyId, use.counter, use.synced, use.now],
  );
  return used.length === 1;
}

export function presentPasskey(row: PasskeyRow): OwnPasskey {
  return {
    passkeyId: formatPasskeyId(row.passkey_id),
    name: row.name,
    synced: row.synced,
    madeAt: Number(row.made_at),
    usedAt: row.used_at === null ? null : Number(row.used_at),
  };
}
