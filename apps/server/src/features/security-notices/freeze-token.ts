import { createHash, randomBytes } from "node:crypto";
import type { Instant } from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";

/** A token of a freeze link, and what is stored of it. */
export interface FreezeToken {
  readonly token: string;
  readonly hash: Buffer;
}

/** Makes a token with 256 random bits. Six digits in a row are left out: who reads their codes in mails by eye or by program would take them for one. */
export function newFreezeToken(): FreezeToken {
  let token: string;
  do token = randomBytes(32).toString("base64url");
  while (/\d{6}/.test(token));
  return { token, hash: hashFreezeToken(token) };
}

export function hashFreezeToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** Where the app asks whether withdrawals shall be frozen. */
export function freezeRoute(token: string): string {
  return `/pages/auth/freeze?token=${token}`;
}

/** Stores a token for a member who is warned by other ways than mail and SMS. Answers its text. */
export async function issueFreezeToken(db: Queryable, memberId: bigint): Promise<string> {
  const { token, hash } = newFreezeToken();
  await db.query("SELECT issue_freeze_link($1, $2)", [memberId, hash]);
  return token;
}

/** Drops the links that are too old to be used. */
export async function sweepFreezeTokens(db: Queryable, now: Instant): Promise<void> {
  await db.query("DELETE FROM freeze_links WHERE expires_at < $1", [now]);
}
