import { createHash, randomBytes } from "node:crypto";
import type { Instant } from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";

/** The token of a freeze link, and what is stored of it. */
export interface FreezeToken {
  readonly token: string;
  readonly hash: Buffer;
}

/**
 * Makes a token of 256 random bits. It never has six digits in a row, because people and programs that look for codes
 * in mails would mistake these for one.
 */
export function newFreezeToken(): FreezeToken {
  let token: string;
  do token = randomBytes(32).toString("base64url");
  while (/\d{6}/.test(token));
  return { token, hash: hashFreezeToken(token) };
}

export function hashFreezeToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** Returns the app's route that asks whether to freeze withdrawals. */
export function freezeRoute(token: string): string {
  return `/pages/auth/freeze?token=${token}`;
}

/** Stores a token for a member who is warned by other ways than mail and SMS. Returns the token. */
export async function issueFreezeToken(db: Queryable, memberId: bigint): Promise<string> {
  const { token, hash } = newFreezeToken();
  await db.query("SELECT issue_freeze_link($1, $2)", [memberId, hash]);
  return token;
}

/** Deletes links that have expired. */
export async function sweepFreezeTokens(db: Queryable, now: Instant): Promise<void> {
  await db.query("DELETE FROM freeze_links WHERE expires_at < $1", [now]);
}
