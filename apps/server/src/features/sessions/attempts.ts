/**
 * Guessing is bounded by counting tries in PostgreSQL. A try is written down before it is judged, so that a thousand
 * guesses sent at once get no further than ten sent one by one; a right one takes its own mark back, and no other's.
 */
import { createHash } from "node:crypto";
import { type Instant, type Refusal, refuse, type Verdict } from "@fairtick/domain";
import { clientAddress } from "../../platform/client-address.ts";
import type { Queryable } from "../../platform/database.ts";
import { createLimiter } from "./limiter.ts";

export type AttemptKind = "login" | "code" | "tradePassword" | "send";

/** Whose tries are counted, and how many of them any 24 hours allow. */
export interface AttemptLimit {
  readonly subject: string;
  readonly max: number;
}

export interface Attempt {
  readonly kind: AttemptKind;
  readonly limits: readonly AttemptLimit[];
  readonly now: Instant;
}

const DAY_MS = 86_400_000n;
/** Wrong tries of one account, address or host in any 24 hours. */
export const TRIES_PER_DAY = 10;

/** One mailbox, number or account name, without writing it down a second time. */
export function accountSubject(account: string): string {
  return `account:${createHash("sha256").update(account).digest("base64url").slice(0, 32)}`;
}

/** The customer behind an address. */
export function ipSubject(ip: string): string {
  return `ip:${clientAddress(ip)}`;
}

/** How many tries are left after this one, or until when there are none. */
export type Reserved = { readonly ok: true; readonly left: number } | { readonly ok: false; readonly retryAt: bigint };

/** Writes a try down if the last 24 hours leave room for it. */
export async function reserveTry(
  pool: Queryable,
  kind: AttemptKind,
  limit: AttemptLimit,
  now: Instant,
): Promise<Reserved> {
  const rows = await pool.query<{ used: number }>(
    `INSERT INTO attempts AS a (kind, subject, tries, newest) VALUES ($1, $2, ARRAY[$3::bigint], $3)
     ON CONFLICT (kind, subject) DO UPDATE
       SET tries = ARRAY(SELECT t FROM unnest(a.tries) t WHERE t > $3::bigint - $5::bigint ORDER BY t) || $3::bigint, newest = $3
       WHERE (SELECT count(*) FROM unnest(a.tries) t WHERE t > $3::bigint - $5::bigint) < $4::int
     RETURNING cardinality(tries) AS used`,
    [kind, limit.subject, now, limit.max, DAY_MS],
  );
  const used = rows[0]?.used;
  if (used !== undefined) return { ok: true, left: limit.max - used };
  const oldest = await pool.query<{ at: bigint | null }>(
    "SELECT min(t) AS at FROM attempts a, unnest(a.tries) t WHERE kind = $1 AND subject = $2 AND t > $3::bigint - $4::bigint",
    [kind, limit.subject, now, DAY_MS],
  );
  return { ok: false, retryAt: (oldest[0]?.at ?? now) + DAY_MS };
}

/** Takes one mark of `now` back; marks of the same millisecond are alike. */
export async function giveBackTry(pool: Queryable, kind: AttemptKind, subject: string, now: Instant): Promise<void> {
  await pool.query(
    `UPDATE attempts SET tries = tries[:array_position(tries, $3::bigint) - 1] || tries[array_position(tries, $3::bigint) + 1:]
     WHERE kind = $1 AND subject = $2 AND $3::bigint = ANY (tries)`,
    [kind, subject, now],
  );
}

/** Few at once, so that people behind one address who log in together do not use up each other's tries while they wait. */
const judging = createLimiter(4);

/**
 * Judges a secret under limits: reserves a try of each subject, asks `judge`, and gives the tries back when it accepts.
 * Refuses with TOO_MANY_TRIES[retryAt] when a subject has none left, without asking.
 */
export function guess<Value>(
  pool: Queryable,
  attempt: Attempt,
  judge: () => Promise<Verdict<Value>>,
): Promise<Verdict<Value>> {
  return judging(() => guessAlone(pool, attempt, judge));
}

async function guessAlone<Value>(
  pool: Queryable,
  { kind, limits, now }: Attempt,
  judge: () => Promise<Verdict<Value>>,
): Promise<Verdict<Value>> {
  const reserved: string[] = [];
  const giveBack = () => Promise.all(reserved.map((subject) => giveBackTry(pool, kind, subject, now)));
  for (const limit of limits) {
    const mark = await reserveTry(pool, kind, limit, now);
    if (!mark.ok) {
      await giveBack();
      return refuse("TOO_MANY_TRIES", { retryAt: Number(mark.retryAt) });
    }
    reserved.push(limit.subject);
  }
  const verdict = await judge();
  if (verdict.ok || !isWrongGuess(verdict.refusal)) await giveBack();
  return verdict;
}

/** Only a wrong secret costs a try; a fault on the way does not. */
function isWrongGuess(refusal: Refusal): boolean {
  return refusal.error === "BAD_CREDENTIALS" || refusal.error === "BAD_CODE" || refusal.error === "WRONG_PASSWORD";
}

/** Drops tries and codes that no longer count. */
export async function sweepAttempts(pool: Queryable, now: Instant): Promise<void> {
  await pool.query("DELETE FROM attempts WHERE newest < $1::bigint - $2::bigint", [now, DAY_MS]);
  await pool.query("DELETE FROM verification_codes WHERE expires_at < $1::bigint - $2::bigint", [now, DAY_MS]);
}
