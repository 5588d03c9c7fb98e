import { accept, type Instant, refuse, type Verdict } from "@fairtick/domain";
import type { LanguageCode } from "@fairtick/i18n";
import { translate } from "@fairtick/i18n/server";
import { refuseRegion } from "../regions/index.ts";
import { accountSubject, ipSubject, reserveTry } from "./attempts.ts";
import { CODE_LIFE_MS, type CodePurpose, issueCode } from "./codes.ts";
import type { SessionContext } from "./session-context.ts";

export type Channel = "phone" | "email";

export interface CodeRequest {
  readonly channel: Channel;
  /** E.164, or a mail address in lower case. */
  readonly to: string;
  readonly region?: string | undefined;
  readonly purpose: CodePurpose;
}

/** Codes that an address, and all addresses from one host, may ask for in any 24 hours: SMS cost money. */
const CODES_PER_ADDRESS = 10;
const CODES_PER_HOST = 300;

/**
 * Sends a code by mail or SMS. For a new password or trade password a message leaves only where a member has the
 * address; the answer, what is stored and the time taken are the same for all. Refuses with REGION_BLOCKED,
 * FIELD_INVALID (no such number can exist), RATE_LIMITED[retryAt] (within a minute, or the day's codes used up).
 */
export async function sendCode(
  context: Pick<SessionContext, "databases" | "messenger">,
  request: CodeRequest,
  visitor: { readonly ip: string; readonly lang: LanguageCode; readonly now: Instant },
): Promise<Verdict<{ expiresAt: number; retryAt: number }>> {
  const { channel, to, purpose, region } = request;
  const { now } = visitor;
  const pool = context.databases.sessions;
  const closed = purpose === "register" && region !== undefined ? await refuseRegion(pool, region) : null;
  if (closed?.error === "REGION_BLOCKED") return { ok: false, refusal: closed };
  if (channel === "phone" && !(await canExist(to))) {
    return refuse("FIELD_INVALID", undefined, { to: "FIELD_INVALID" });
  }
  const fromHost = await reserveTry(pool, "send", { subject: ipSubject(visitor.ip), max: CODES_PER_HOST }, now);
  if (!fromHost.ok) return refuse("RATE_LIMITED", { retryAt: Number(fromHost.retryAt) });
  const issued = await issueCode(pool, { purpose, address: to, now });
  if (!issued.ok) return issued;
  const toAddress = await reserveTry(pool, "send", { subject: accountSubject(to), max: CODES_PER_ADDRESS }, now);
  if (!toAddress.ok) return refuse("RATE_LIMITED", { retryAt: Number(toAddress.retryAt) });

  const rows = await pool.query<{ language: LanguageCode }>(
    "SELECT language FROM members WHERE (phone = $1 OR email = $1) AND standing <> 'closed'",
    [to],
  );
  const lang = rows[0]?.language ?? visitor.lang;
  const params = { code: issued.value.code, minutes: Number(CODE_LIFE_MS / 60_000n) };
  const message = {
    channel,
    to,
    subject: translate(lang, `mail.${purpose}.subject`, params),
    text: translate(lang, channel === "email" ? `mail.${purpose}.text` : `mail.sms.${purpose}`, params),
  };
  if (purpose === "register" || rows.length > 0) context.messenger.post(message);
  return accept({ expiresAt: Number(issued.value.expiresAt), retryAt: Number(issued.value.retryAt) });
}

/** The numbers' metadata are loaded by the first who needs them: a start does not. */
async function canExist(phone: string): Promise<boolean> {
  const { parsePhoneNumberFromString } = await import("libphonenumber-js/min");
  return parsePhoneNumberFromString(phone)?.isPossible() === true;
}
