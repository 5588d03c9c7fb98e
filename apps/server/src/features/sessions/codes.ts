import { createHash, randomInt, timingSafeEqual } from "node:crypto";
import { accept, type Instant, refuse, type Verdict } from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";
import type { DeviceKey } from "../../platform/device-key.ts";
import { CAREFUL } from "../../platform/attempts.ts";
import { guessAtDoor, MEMBERS_DOOR } from "./door.ts";

export type CodePurpose = "register" | "reset" | "tradePassword";

export const CODE_LIFE_MS = 600_000n;
export const RESEND_AFTER_MS = 60_000n;
/**
 * The number of wrong entries on the device that asked for a code after which the code stops working, even if the
 * device has tries left for the day.
 */
const TRIES_PER_CODE = 5;

function hashCode(purpose: CodePurpose, address: string, code: string): Buffer {
  return createHash("sha256").update(`${purpose}\0${address}\0${code}`).digest();
}

/** Device id for clients without a device key. */
const NO_DEVICE = Buffer.alloc(0);

/**
 * Makes a code the newest one for its purpose, address and device. The one before it is dead; codes of other devices
 * aren't. Refuses RATE_LIMITED[retryAt].
 */
export async function issueCode(
  pool: Queryable,
  wanted: Pick<CodeEntry, "purpose" | "address" | "deviceKey" | "now">,
): Promise<Verdict<{ code: string; expiresAt: bigint; retryAt: bigint }>> {
  const { purpose, address, now } = wanted;
  const device = wanted.deviceKey?.hash ?? NO_DEVICE;
  const code = String(randomInt(1_000_000)).padStart(6, "0");
  const stored = await pool.query(
    `INSERT INTO verification_codes AS c (purpose, address, code_hash, sent_at, expires_at, device) VALUES ($1, $2, $3, $4, $5, $7)
     ON CONFLICT (purpose, address, device) DO UPDATE SET code_hash = $3, sent_at = $4, expires_at = $5, tries = 0
       WHERE c.sent_at <= $4::bigint - $6::bigint
     RETURNING purpose`,
    [purpose, address, hashCode(purpose, address, code), now, now + CODE_LIFE_MS, RESEND_AFTER_MS, device],
  );
  if (stored.length === 0) {
    const rows = await pool.query<{ sent_at: bigint }>(
      "SELECT sent_at FROM verification_codes WHERE purpose = $1 AND address = $2 AND device = $3",
      [purpose, address, device],
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
  /** The device that asked for the code; null for clients without a device key. */
  readonly deviceKey: DeviceKey | null;
  readonly now: Instant;
}

/** Refuses a code that doesn't work. The answer is the same for every reason, so that it doesn't reveal which one. */
export function wrongCode(): Verdict<never> {
  return refuse("BAD_CODE", {}, { code: "BAD_CODE" });
}

/**
 * Judges a code without using it up; `useCode` does that, in the transaction of whatever the code allows. The device
 * that asked for the code has tries of its own. All others, and clients without a device key, share those of the
 * address. Refuses BAD_CODE (wrong, never sent, used, or tried too often), CODE_EXPIRED (right, but too late),
 * TOO_MANY_TRIES[retryAt] and RATE_LIMITED[retryAt].
 */
export async function checkCode(pool: Queryable, entry: CodeEntry): Promise<Verdict<null>> {
  const { purpose, address, deviceKey, ip, now } = entry;
  const device = deviceKey?.hash ?? NO_DEVICE;
  const asked = await pool.query(
    "SELECT 1 FROM verification_codes WHERE purpose = $1 AND address = $2 AND device = $3 AND length(device) > 0",
    [purpose, address, device],
  );
  const account = asked.length > 0 ? `${device.toString("base64url")} ${address}` : address;
  const guess = { kind: "code", account, known: null, ip, now, waits: CAREFUL } as const;
  return guessAtDoor(MEMBERS_DOOR, pool, guess, async () => {
    const sent = await (asked.length > 0 ? readOwnCode(pool, entry, device) : findCode(pool, entry));
    if (sent === undefined || !timingSafeEqual(sent.code_hash, hashCode(purpose, address, entry.code)))
      return wrongCode();
    return sent.expires_at <= now ? refuse("CODE_EXPIRED", {}, { code: "CODE_EXPIRED" }) : accept(null);
  });
}

/** Finds the code that this device asked for. Each look counts as a try. */
async function readOwnCode(
  pool: Queryable,
  { purpose, address }: CodeEntry,
  device: Buffer,
): Promise<SentCode | undefined> {
  const [sent] = await pool.query<SentCode>(
    `UPDATE verification_codes SET tries = tries + 1 WHERE purpose = $1 AND address = $2 AND device = $3 AND tries < $4
     RETURNING code_hash, expires_at`,
    [purpose, address, device, TRIES_PER_CODE],
  );
  return sent;
}

/**
 * Finds any code of the address that matches: it may be typed in a browser without cookies, or on another device than
 * the one that asked.
 */
async function findCode(pool: Queryable, { purpose, address, code }: CodeEntry): Promise<SentCode | undefined> {
  const [sent] = await pool.query<SentCode>(
    "SELECT code_hash, expires_at FROM verification_codes WHERE purpose = $1 AND address = $2 AND code_hash = $3 AND tries < $4",
    [purpose, address, hashCode(purpose, address, code), TRIES_PER_CODE],
  );
  return sent;
}

interface SentCode {
  readonly code_hash: Buffer;
  readonly expires_at: bigint;
}

/** Uses up a code that was judged. Returns false if another request was first, so that a code works only once. */
export async function useCode(db: Queryable, entry: Pick<CodeEntry, "purpose" | "address" | "code">): Promise<boolean> {
  const { purpose, address, code } = entry;
  const used = await db.query(
    "DELETE FROM verification_codes WHERE purpose = $1 AND address = $2 AND code_hash = $3 RETURNING purpose",
    [purpose, address, hashCode(purpose, address, code)],
  );
  return used.length === 1;
}
