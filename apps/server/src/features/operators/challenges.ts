import type { Instant } from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";

/**
 * What a challenge for a session's browser is used for. Each challenge can be answered once, and only for a short time.
 */
export type ChallengePurpose = "login" | "register" | "totp";

/** How long a challenge is valid, in ms: long enough to find a key, or to type a secret into a phone. */
const GOOD_FOR_MS: Readonly<Record<ChallengePurpose, bigint>> = {
  login: 120_000n,
  register: 120_000n,
  totp: 600_000n,
};
/** How long a browser waits for its authenticator: as long as the challenge is valid. */
export const ASKED_MS = Number(GOOD_FOR_MS.login);

/** Stores a challenge in place of the previous one. */
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
 * Takes a session's challenge, which works once. Returns null if there is none or it has expired. Needs a connection
 * outside the call's transaction: a refused call is rolled back, but the challenge must be gone anyway.
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

/** Reads the challenge and leaves it in place, because a code may be mistyped. */
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
