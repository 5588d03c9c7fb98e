/**
 * Limits the guessing of secrets by counting tries in PostgreSQL. A try is recorded before the secret is checked, so that a
 * thousand guesses sent at once get no further than ten sent one by one. A correct secret removes its own mark and no other.
 * Tries from devices that the account knows are counted by device, all others together by account.
 */
import { createHash } from "node:crypto";
import { type ErrorName, type Instant, type Refusal, refuse, type Verdict } from "@fairtick/domain";
import { clientAddress } from "./client-address.ts";
import type { Queryable } from "./database.ts";
import type { DeviceKey } from "./device-key.ts";
import { createTurns } from "./limiter.ts";

export type AttemptKind = "login" | "code" | "tradePassword" | "send" | "factor";

const SECOND_MS = 1_000n;
const MINUTE_MS = 60n * SECOND_MS;
const HOUR_MS = 60n * MINUTE_MS;
const DAY_MS = 24n * HOUR_MS;

/** How long to wait before the next try after zero, one, two, … tries in the last 24 hours. As many tries as entries. */
export type Waits = readonly bigint[];

/**
 * Waits for devices that the account doesn't know: ten guesses or ten sent codes a day. No wait is longer than five and a half
 * hours, and a reset by code ends it. See docs/decisions/0021.
 */
export const STRANGERS: Waits = [
  0n,
  0n,
  0n,
  5n * MINUTE_MS,
  30n * MINUTE_MS,
  2n * HOUR_MS,
  4n * HOUR_MS,
  4n * HOUR_MS,
  4n * HOUR_MS,
  4n * HOUR_MS,
];

/** Makes waits a quarter longer, for an address that was wrong at this account before, so that others get their turn first. */
function afterOthers(waits: Waits): Waits {
  return waits.map((wait) => (wait * 5n) / 4n);
}

/** Waits for devices that the account knows and for sessions: a person who mistypes waits minutes. */
export const OWN: Waits = [
  ...Array.from({ length: 5 }, () => 0n),
  30n * SECOND_MS,
  MINUTE_MS,
  2n * MINUTE_MS,
  5n * MINUTE_MS,
  ...Array.from({ length: 11 }, () => 15n * MINUTE_MS),
];

/** Waits for codes and for the password of a person who is logged in: ten tries a day, the first five without a wait. */
export const CAREFUL: Waits = [
  ...Array.from({ length: 5 }, () => 0n),
  5n * MINUTE_MS,
  30n * MINUTE_MS,
  2n * HOUR_MS,
  4n * HOUR_MS,
  8n * HOUR_MS,
];

/** Allows a number of tries in any 24 hours, without waits between them. */
export function triesPerDay(count: number): Waits {
  return Array.from({ length: count }, () => 0n);
}

/** Whose tries are counted, and how long each waits. */
export interface AttemptLimit {
  readonly subject: string;
  readonly waits: Waits;
}

export interface Attempt extends AttemptLimit {
  readonly kind: AttemptKind;
  /** Who asks, as a subject. If they were wrong here within 24 hours, they wait a quarter longer than others. */
  readonly newcomer?: string;
  readonly now: Instant;
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 32);
}

/** Returns the subject of a mailbox, phone number or account name: a hash, so that it isn't stored a second time. */
export function accountSubject(account: string): string {
  return `account:${shortHash(account)}`;
}

/** Returns the subject of one device's tries at one account. */
export function deviceSubject(device: DeviceKey, account: string): string {
  return `device:${device.hash.toString("base64url")}:${shortHash(account)}`;
}

/** Returns the subject of one network address's wrong tries at one account. */
export function ipAtAccountSubject(ip: string, account: string): string {
  return `${ipSubject(ip)}:${shortHash(account)}`;
}

/** Returns the subject of the customer behind a network address. */
export function ipSubject(ip: string): string {
  return `ip:${clientAddress(ip)}`;
}

/** How many tries are left after this one and when the next is allowed, or when there will be one again. */
export type Reserved =
  | { readonly ok: true; readonly left: number; readonly nextAt: bigint }
  | { readonly ok: false; readonly retryAt: bigint };

/** Records a try if the last 24 hours have room for it and the last try is long enough ago. */
export async function reserveTry(
  pool: Queryable,
  kind: AttemptKind,
  { subject, waits }: AttemptLimit,
  now: Instant,
): Promise<Reserved> {
  const rows = await pool.query<{ used: number }>(
    `INSERT INTO attempts AS a (kind, subject, tries, newest) VALUES ($1, $2, ARRAY[$3::bigint], $3)
     ON CONFLICT (kind, subject) DO UPDATE
       SET tries = ARRAY(SELECT t FROM unnest(a.tries) t WHERE t > $3::bigint - $5::bigint ORDER BY t) || $3::bigint, newest = $3
       WHERE (SELECT count(*) < cardinality($4::bigint[]) AND (count(*) = 0 OR max(t) + ($4::bigint[])[count(*)::int + 1] <= $3::bigint)
         FROM unnest(a.tries) t WHERE t > $3::bigint - $5::bigint)
     RETURNING cardinality(tries) AS used`,
    [kind, subject, now, waits, DAY_MS],
  );
  const used = rows[0]?.used;
  if (used !== undefined) return { ok: true, left: waits.length - used, nextAt: now + (waits[used] ?? HOUR_MS) };
  const [kept] = await pool.query<{ oldest: bigint | null; newest: bigint | null; used: bigint }>(
    `SELECT min(t) AS oldest, max(t) AS newest, count(*) AS used
     FROM attempts a, unnest(a.tries) t WHERE kind = $1 AND subject = $2 AND t > $3::bigint - $4::bigint`,
    [kind, subject, now, DAY_MS],
  );
  return { ok: false, retryAt: whenNext(waits, kept, now) };
}

function whenNext(
  waits: Waits,
  kept: { oldest: bigint | null; newest: bigint | null; used: bigint } | undefined,
  now: Instant,
): bigint {
  const used = Number(kept?.used ?? 0n);
  const waited = (kept?.newest ?? now) + (waits[Math.min(used, waits.length - 1)] ?? 0n);
  if (used < waits.length) return waited;
  const leaves = (kept?.oldest ?? now) + DAY_MS;
  return leaves > waited ? leaves : waited;
}

/** Whether a subject has tried within the last 24 hours. */
async function hasTried(pool: Queryable, kind: AttemptKind, subject: string, now: Instant): Promise<boolean> {
  const found = await pool.query(
    "SELECT 1 FROM attempts WHERE kind = $1 AND subject = $2 AND newest > $3::bigint - $4::bigint",
    [kind, subject, now, DAY_MS],
  );
  return found.length > 0;
}

/** Removes one mark made at `now`. Marks of the same millisecond are interchangeable. */
export async function giveBackTry(pool: Queryable, kind: AttemptKind, subject: string, now: Instant): Promise<void> {
  await pool.query(
    `UPDATE attempts SET tries = tries[:array_position(tries, $3::bigint) - 1] || tries[array_position(tries, $3::bigint) + 1:]
     WHERE kind = $1 AND subject = $2 AND $3::bigint = ANY (tries)`,
    [kind, subject, now],
  );
}

/** Removes all tries of these subjects. */
export async function forgetTries(pool: Queryable, kind: AttemptKind, subjects: readonly string[]): Promise<void> {
  await pool.query("DELETE FROM attempts WHERE kind = $1 AND subject = ANY($2)", [kind, subjects]);
}

/** Removes the tries of unknown devices at an account. */
export function forgetStrangersTries(pool: Queryable, kind: AttemptKind, account: string): Promise<void> {
  return forgetTries(pool, kind, [accountSubject(account)]);
}

/** Checks one subject's tries one after the other, so that correct ones that come together don't use up each other's tries. */
const turns = createTurns();
/** Marks that could not be removed in time because the database was unreachable. */
const owed: { readonly pool: Queryable; readonly take: () => Promise<void> }[] = [];

/**
 * Checks a secret under a limit: reserves a try, calls `judge`, and gives the try back if `judge` accepts or couldn't decide.
 * Without a try left, refuses TOO_MANY_TRIES[retryAt] and doesn't call `judge`. `lane` limits how many secrets are checked at
 * once.
 */
export function guess<Value>(
  pool: Queryable,
  attempt: Attempt,
  judge: () => Promise<Verdict<Value>>,
  lane: <Result>(task: () => Promise<Result>) => Promise<Result> = (task) => task(),
): Promise<Verdict<Value>> {
  // Wait for the turn first, so that one account's guesses take only one place of the lane.
  return turns(`${attempt.kind} ${attempt.subject}`, () => lane(() => guessAlone(pool, attempt, judge)));
}

async function guessAlone<Value>(
  pool: Queryable,
  { kind, subject, waits: usual, newcomer, now }: Attempt,
  judge: () => Promise<Verdict<Value>>,
): Promise<Verdict<Value>> {
  await payBack(pool);
  const wasWrong = newcomer !== undefined && (await hasTried(pool, kind, newcomer, now));
  const waits = wasWrong ? afterOthers(usual) : usual;
  const mark = await reserveTry(pool, kind, { subject, waits }, now);
  if (!mark.ok) return refuse("TOO_MANY_TRIES", { retryAt: Number(mark.retryAt) });
  const giveBack = () => giveBackTry(pool, kind, subject, now);
  try {
    const verdict = await judge();
    if (verdict.ok || !isWrongGuess(verdict.refusal)) await giveBack();
    else if (newcomer !== undefined)
      await reserveTry(pool, kind, { subject: newcomer, waits: triesPerDay(usual.length) }, now);
    return verdict;
  } catch (fault) {
    await giveBack().catch(() => owed.push({ pool, take: giveBack }));
    throw fault;
  }
}

/** Removes the marks that are left from when the database was unreachable. */
async function payBack(pool: Queryable): Promise<void> {
  const mine = owed.filter((debt) => debt.pool === pool);
  for (const debt of mine) {
    owed.splice(owed.indexOf(debt), 1);
    await debt.take().catch(() => owed.push(debt));
  }
}

/** Whether a refusal means that the secret was wrong. Only that costs a try; a fault does not. */
export function isWrongGuess({ error }: Refusal): boolean {
  return WRONG_GUESSES.has(error);
}
const WRONG_GUESSES: ReadonlySet<ErrorName> = new Set([
  "BAD_CREDENTIALS",
  "BAD_CODE",
  "WRONG_PASSWORD",
  "SECOND_FACTOR_WRONG",
]);

/** Deletes tries and codes that no longer count. */
export async function sweepAttempts(pool: Queryable, now: Instant): Promise<void> {
  await pool.query("DELETE FROM attempts WHERE newest < $1::bigint - $2::bigint", [now, DAY_MS]);
  await pool.query("DELETE FROM verification_codes WHERE expires_at < $1::bigint - $2::bigint", [now, DAY_MS]);
}
