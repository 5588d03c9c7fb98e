import { createHash, randomInt, timingSafeEqual } from "node:crypto";
import { accept, type Instant, refuse, type Verdict } from "@fairtick/domain";
import type { Queryable } from "../../platform/database.ts";
import type { DeviceKey } from "../../platform/device-key.ts";
import { CAREFUL } from "../../platform/attempts.ts";
import { guessAtDoor, MEMBERS_DOOR } from "./door.ts";

export type CodePurpose = "register" | "reset" | "tradePassword";

export const CODE_LIFE_MS = 600_000n;
export const RESEND_AFTER_MS = 60_000n;
/** Wrong entries of the device that asked for a code after which the code is dead, whatever is left of the day's tries. */
const TRIES_PER_CODE = 5;

function hashCode(purpose: CodePurpose, address: string, code: string): Buffer {
  return createHash("sha256").update(`${purpose}\0${address}\0${code}`).digest();
}

/** What codes of clients without a device key are kept under. */
const NO_DEVICE = Buffer.alloc(0);

/**
 * Makes a code the newest of its purpose, address and device; the one before it is dead, those that other devices asked
 * for are not. Refuses with RATE_LIMITED[retryAt].
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
  /** The device that asked for the code; null for clients without one. */
  readonly deviceKey: DeviceKey | null;
  readonly now: Instant;
}

/** One answer for every code that opens nothing, so that none of them tells why. */
export function wrongCode(): Verdict<never> {
  return refuse("BAD_CODE", {}, { code: "BAD_CODE" });
}

/**
 * Judges a code without using it up (`useCode` does, in the transaction of what it allows). The device that asked for
 * the code has tries of its own; all others, and clients without a device key, share the address's. Refuses with
 * BAD_CODE (wrong, never sent, used, or tried too often), CODE_EXPIRED (right, but too late), TOO_MANY_TRIES[retryAt]
 * and RATE_LIMITED[retryAt].
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

/** The code that this device asked for; each look is a try at it. */
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

/** Any code of the address that is this one: a browser without cookies types it, or another device than the one that asked. */
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

/** Uses a checked code up. False when another request was first: of two that carry one code only one goes on. */
export async function useCode(db: Queryable, entry: Pick<CodeEntry, "purpose" | "address" | "code">): Promise<boolean> {
  const { purpose, address, code } = entry;
  const used = await db.query(
    "DELETE FROM verification_codes WHERE purpose = $1 AND address = $2 AND code_hash = $3 RETURNING purpose",
    [purpose, address, hashCode(purpose, address, code)],
  );
  return used.length === 1;
}
