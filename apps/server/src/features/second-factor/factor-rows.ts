import { createHmac, hkdfSync } from "node:crypto";
import { formatPrefixedId, type Instant, type MemberId, parsePrefixedId } from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";
import type { VerifiedPasskey } from "../../platform/second-factor/passkeys.ts";
import { newRecoveryCodes } from "../../platform/second-factor/recovery-codes.ts";

export const formatPasskeyId = (id: bigint): string => formatPrefixedId("psk", id);
export const parsePasskeyId = (text: string): bigint | null => parsePrefixedId("psk", text);

export interface TotpRow {
  readonly sealed_secret: Buffer;
  readonly used_step: bigint;
  readonly made_at: bigint;
  readonly used_at: bigint | null;
}

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

/** What a member has set up. */
export interface Factors {
  readonly totp: TotpRow | null;
  /** The member's passkeys, oldest first. */
  readonly passkeys: readonly PasskeyRow[];
  readonly recoveryCodesLeft: number;
}

/** Returns whether anything besides passwords and codes protects the member. Recovery codes alone don't count. */
export function hasFactor({ totp, passkeys }: Factors): boolean {
  return totp !== null || passkeys.length > 0;
}

export async function readFactors(db: Queryable, memberId: MemberId): Promise<Factors> {
  const [totp] = await db.query<TotpRow>(
    "SELECT sealed_secret, used_step, made_at, used_at FROM member_totp WHERE member_id = $1",
    [memberId],
  );
  const passkeys = await db.query<PasskeyRow>(
    `SELECT passkey_id, credential_id, public_key, name, counter, transports, synced, made_at, used_at
     FROM member_passkeys WHERE member_id = $1 ORDER BY passkey_id`,
    [memberId],
  );
  const [codes] = await db.query<{ left: bigint }>(
    "SELECT count(*) AS left FROM member_recovery_codes WHERE member_id = $1",
    [memberId],
  );
  return { totp: totp ?? null, passkeys, recoveryCodesLeft: Number(codes?.left ?? 0n) };
}

/** Locks the member, so that changes of their factors are made one after another. */
export async function lockMember(db: Queryable, memberId: MemberId): Promise<void> {
  await db.query("SELECT 1 FROM members WHERE member_id = $1 FOR NO KEY UPDATE", [memberId]);
}

/** Stores an authenticator app in place of the previous one. `step` is that of its first code. */
export async function putTotp(
  db: Queryable,
  memberId: MemberId,
  app: { readonly sealed: Buffer; readonly step: bigint },
  now: Instant,
): Promise<void> {
  await db.query(
    `INSERT INTO member_totp (member_id, sealed_secret, used_step, made_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (member_id) DO UPDATE SET sealed_secret = $2, used_step = $3, made_at = $4, used_at = NULL`,
    [memberId, app.sealed, app.step, now],
  );
}

/** Stores a passkey. Returns false if someone already has it. */
export async function insertPasskey(
  db: Queryable,
  memberId: MemberId,
  passkey: VerifiedPasskey & { readonly passkeyId: bigint; readonly name: string },
  now: Instant,
): Promise<boolean> {
  const inserted = await db.query(
    `INSERT INTO member_passkeys (passkey_id, member_id, credential_id, public_key, name, counter, transports, synced, made_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (credential_id) DO NOTHING RETURNING 1`,
    [
      passkey.passkeyId,
      memberId,
      passkey.credentialId,
      passkey.publicKey,
      passkey.name,
      passkey.counter,
      passkey.transports,
      passkey.synced,
      now,
    ],
  );
  return inserted.length === 1;
}

/** Deletes the app (`totp`) or a passkey. Returns false if the member doesn't have it. */
export async function deleteFactor(db: Queryable, memberId: MemberId, factor: string): Promise<boolean> {
  const deleted =
    factor === "totp"
      ? await db.query("DELETE FROM member_totp WHERE member_id = $1 RETURNING 1", [memberId])
      : await db.query("DELETE FROM member_passkeys WHERE member_id = $1 AND passkey_id = $2 RETURNING 1", [
          memberId,
          parsePasskeyId(factor),
        ]);
  return deleted.length === 1;
}

export async function deleteRecoveryCodes(db: Queryable, memberId: MemberId): Promise<void> {
  await db.query("DELETE FROM member_recovery_codes WHERE member_id = $1", [memberId]);
}

/** Replaces a member's recovery codes and returns the new ones. Only their hashes are stored. */
export async function replaceRecoveryCodes(
  db: Queryable,
  memberId: MemberId,
  secret: Buffer,
  now: Instant,
): Promise<string[]> {
  await deleteRecoveryCodes(db, memberId);
  const codes = newRecoveryCodes();
  await db.query(
    "INSERT INTO member_recovery_codes (member_id, code_hash, made_at) SELECT $1, unnest($2::bytea[]), $3",
    [memberId, codes.map((code) => hashRecoveryCode(code, secret, memberId)), now],
  );
  return codes;
}

/** Hashes a recovery code. Hyphens, capitals and spaces make no difference. */
export function hashRecoveryCode(code: string, secret: Buffer, memberId: MemberId): Buffer {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "fairtick member recovery code", 32));
  const letters = code.toLowerCase().replaceAll(/[\s-]/g, "");
  return createHmac("sha256", key).update(`${memberId}\0${letters}`).digest();
}
