import { createHash, randomInt, timingSafeEqual } from "node:crypto";
import { accept, type Instant, refuse, type Verdict } from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";
import { accountSubject, guess, ipSubject, TRIES_PER_DAY } from "./attempts.ts";

export type CodePurpose = "register" | "reset" | "tradePassword";

export const CODE_LIFE_MS = 600_000n;
export const RESEND_AFTER_MS = 60_000n;
/** Wrong entries after which a code is dead, whatever is left of the day's tries. */
const TRIES_PER_CODE = 5;

function hashCode(purpose: CodePurpose, address: string, code: string): Buffer {
  return createHash("sha256").update(`${purpose}\0${address}\0${code}`).digest();
}

/** Makes a code the newest of its purpose and address; the one before it is dead. Refuses with RATE_LIMITED[retryAt]. */
export async function issueCode(
  pool: Queryable,
  wanted: { readonly purpose: CodePurpose; readonly address: string; readonly now: Instant },
): Promise<Verdict<{ code: string; expiresAt: bigint; retryAt: bigint }>> {
  const { purpose, address, now } = wanted;
  const code = String(randomInt(1_000_000)).padStart(6, "0");
  const stored = await pool.query(
    `INSERT INTO verification_codes AS c (purpose, address, code_hash, sent_at, expires_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (purpose, address) DO UPDATE SET code_hash = $3, sent_at = $4, expires_at = $5, tries = 0
       WHERE c.sent_at <= $4::bigint - $6::bigint
     RETURNING purpose`,
    [purpose, address, hashCode(purpose, address, code), now, now + CODE_LIFE_MS, RESEND_AFTER_MS],
  );
  if (stored.length === 0) {
    const rows = await pool.query<{ sent_at: bigint }>(
      "SELECT sent_at FROM verification_codes WHERE purpose = $1 AND address = $2",
      [purpose, address],
    );
    return refuse("RATE_LIMITED", { retryAt: Number((rows[0]?.sent_at ?? now) + RESEND_AFTER_MS) });
  }
  return accept({ code, expiresAt: now + CODE_LIFE_MS, retryAt: now + RESEND_AFTER_MS });
}

export interface CodeEntry {
  readonly purpose: CodePurpose;
  readonly address: string;
  readonly code: string;
  readonly ip: string;
  readonly now: Instant;
}

/** One answer for every code that opens nothing, so that none of them tells why. */
export function wrongCode(): Verdict<never> {
  return refuse("BAD_CODE", {}, { code: "BAD_CODE" });
}

/**
 * Judges a code without using it up (`useCode` does, in the transaction of what it allows). Refuses with BAD_CODE
 * (wrong, never sent, used, or tried too often), CODE_EXPIRED (right, but too late) and TOO_MANY_TRIES[retryAt].
 */
export function checkCode(pool: Queryable, entry: CodeEntry): Promise<Verdict<null>> {
  const { purpose, address, code, ip, now } = entry;
  const limits = [
    { subject: accountSubject(address), max: TRIES_PER_DAY },
    { subject: ipSubject(ip), max: TRIES_PER_DAY },
  ];
  return guess(pool, { kind: "code", limits, now }, async () => {
    const rows = await pool.query<{ code_hash: Buffer; expires_at: bigint }>(
      "UPDATE verification_codes SET tries = tries + 1 WHERE purpose = $1 AND address = $2 AND tries < $3 RETURNING code_hash, expires_at",
      [purpose, address, TRIES_PER_CODE],
    );
    const sent = rows[0];
    if (sent === undefined || !timingSafeEqual(sent.code_hash, hashCode(purpose, address, code))) return wrongCode();
    return sent.expires_at <= now ? refuse("CODE_EXPIRED", {}, { code: "CODE_EXPIRED" }) : accept(null);
  });
}

/** Uses a checked code up. False when another request was first: of two that carry one code only one goes on. */
export async function useCode(db: Queryable, entry: Pick<CodeEntry, "purpose" | "address" | "code">): Promise<boolean> {
  const { purpose, address, code } = entry;
  const used = await db.query(
    "DELETE FROM verification_codes WHERE purpose = $1 AND address = $2 AND code_hash = $3 RETURNING purpose",
    [purpose, address, hashCode(purpose, address, code)],
  );
  return used.length === 1;
}
