import type { Instant, MemberId } from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";

/** What a second factor is asked for. A passkey's answer for one purpose isn't accepted for another. */
export type FactorPurpose = "login" | "reset" | "tradePassword" | "export" | "withdrawal" | "settings";

/** How long a question is valid, in ms: long enough to find a key. */
const QUESTION_MS = 300_000n;
/** How long setting up a factor may take, in ms: long enough to type a secret into another device. */
const SET_UP_MS = 600_000n;
/** How long a browser waits for its authenticator: as long as the question is valid. */
export const ASKED_MS = Number(QUESTION_MS);
/**
 * The most questions to keep for a member, the newest ones. Someone with the right password could ask for any number.
 */
const QUESTIONS_MAX = 20;

/** Stores a question to a member's passkeys. */
export async function keepQuestion(
  db: Queryable,
  memberId: MemberId,
  { purpose, challenge, now }: { readonly purpose: FactorPurpose; readonly challenge: Buffer; readonly now: Instant },
): Promise<void> {
  await db.query(
    `DELETE FROM member_challenges WHERE member_id = $1 AND (expires_at <= $2 OR challenge IN
       (SELECT challenge FROM member_challenges WHERE member_id = $1 AND session_id IS NULL ORDER BY expires_at DESC OFFSET $3))`,
    [memberId, now, QUESTIONS_MAX - 1],
  );
  await db.query("INSERT INTO member_challenges (member_id, purpose, challenge, expires_at) VALUES ($1, $2, $3, $4)", [
    memberId,
    purpose,
    challenge,
    now + QUESTION_MS,
  ]);
}

/**
 * Takes a question that was asked for this purpose, once. Returns false if there is none or it has expired. Must be
 * called outside of the transaction that it allows: a wrongly answered question must be gone even though that
 * transaction is rolled back.
 */
export async function takeQuestion(
  pool: Queryable,
  memberId: MemberId,
  { purpose, challenge, now }: { readonly purpose: FactorPurpose; readonly challenge: Buffer; readonly now: Instant },
): Promise<boolean> {
  const taken = await pool.query<{ expires_at: bigint }>(
    "DELETE FROM member_challenges WHERE member_id = $1 AND purpose = $2 AND challenge = $3 RETURNING expires_at",
    [memberId, purpose, challenge],
  );
  return taken.some(({ expires_at }) => expires_at > now);
}

/** A factor that a session is setting up: a challenge for a new passkey, or a new app's encrypted secret. */
export interface SetUp {
  readonly purpose: "newPasskey" | "newTotp";
  readonly memberId: MemberId;
  readonly sessionId: bigint;
  readonly now: Instant;
}

/** Stores what a session is setting up, in place of what it began before. */
export async function keepSetUp(
  db: Queryable,
  { purpose, memberId, sessionId, now }: SetUp,
  challenge: Buffer,
): Promise<void> {
  await db.query(
    "DELETE FROM member_challenges WHERE member_id = $1 AND (expires_at <= $2 OR (session_id = $3 AND purpose = $4))",
    [memberId, now, sessionId, purpose],
  );
  await db.query(
    "INSERT INTO member_challenges (member_id, purpose, challenge, session_id, expires_at) VALUES ($1, $2, $3, $4, $5)",
    [memberId, purpose, challenge, sessionId, now + (purpose === "newTotp" ? SET_UP_MS : QUESTION_MS)],
  );
}

/**
 * Reads what a session is setting up and leaves it in place, since a code may be mistyped. Null if nothing was begun or
 * it has expired.
 */
export async function readSetUp(db: Queryable, { purpose, memberId, sessionId, now }: SetUp): Promise<Buffer | null> {
  const [kept] = await db.query<{ challenge: Buffer }>(
    "SELECT challenge FROM member_challenges WHERE member_id = $1 AND purpose = $2 AND session_id = $3 AND expires_at > $4",
    [memberId, purpose, sessionId, now],
  );
  return kept?.challenge ?? null;
}

/** Takes what a session is setting up, once. */
export async function takeSetUp(db: Queryable, { purpose, memberId, sessionId, now }: SetUp): Promise<Buffer | null> {
  const [taken] = await db.query<{ challenge: Buffer; expires_at: bigint }>(
    "DELETE FROM member_challenges WHERE member_id = $1 AND purpose = $2 AND session_id = $3 RETURNING challenge, expires_at",
    [memberId, purpose, sessionId],
  );
  return taken === undefined || taken.expires_at <= now ? null : taken.challenge;
}

/** Deletes a member's questions and unfinished factors once they have no factor left. */
export async function forgetChallenges(db: Queryable, memberId: MemberId): Promise<void> {
  await db.query("DELETE FROM member_challenges WHERE member_id = $1", [memberId]);
}
