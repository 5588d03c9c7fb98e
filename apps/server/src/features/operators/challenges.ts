import type { Instant } from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";

/** What was asked of a session's browser: an answer counts once, and not for long. */
export type ChallengePurpose = "login" | "register" | "totp";

/** For whoever has to find their key, or to type a secret into a telephone. */
const GOOD_FOR_MS: Readonly<Record<ChallengePurpose, bigint>> = {
  login: 120_000n,
  register: 120_000n,
  totp: 600_000n,
};
/** How long a browser waits for its authenticator: as long as the challenge is good. */
export const ASKED_MS = Number(GOOD_FOR_MS.login);

/** Keeps what is asked, in the place of what was asked before. */
export async function keepChallenge(
  db: Queryable,
  sessionId: bigint,
  purpose: ChallengePurpose,
  challenge: Buffer,
  now: Instant,
): Promise<void> {
  await db.query("DELETE FROM operator_challenges WHERE expires_at < $1", [now]);
  await db.query(
    `INSERT INTO operator_challenges (session_id, purpose, challenge, expires_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (session_id, purpose) DO UPDATE SET challenge = $3, expires_at = $4`,
    [sessionId, purpose, challenge, now + GOOD_FOR_MS[purpose]],
  );
}

/**
 * Takes what was asked, once; null where there is nothing or it is over. To be called with a connection of its own: a
 * refused call is rolled back, and what was answered wrongly must be gone all the same.
 */
export async function takeChallenge(
  pool: Queryable,
  sessionId: bigint,
  purpose: ChallengePurpose,
  now: Instant,
): Promise<Buffer | null> {
  const [taken] = await pool.query<{ challenge: Buffer; expires_at: bigint }>(
    "DELETE FROM operator_challenges WHERE session_id = $1 AND purpose = $2 RETURNING challenge, expires_at",
    [sessionId, purpose],
  );
  return taken === undefined || taken.expires_at <= now ? null : taken.challenge;
}

/** What was asked, which stays: a code may be mistyped. */
export async function readChallenge(
  db: Queryable,
  sessionId: bigint,
  purpose: ChallengePurpose,
  now: Instant,
): Promise<Buffer | null> {
  const [kept] = await db.query<{ challenge: Buffer }>(
    "SELECT challenge FROM operator_challenges WHERE session_id = $1 AND purpose = $2 AND expires_at > $3",
    [sessionId, purpose, now],
  );
  return kept?.challenge ?? null;
}
