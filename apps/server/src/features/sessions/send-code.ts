import { accept, type Instant, refuse, type Verdict } from "@fairtick/domain";
import type { LanguageCode } from "@fairtick/i18n";
import { translate } from "@fairtick/i18n/server";
import type { Queryable } from "../../platform/database.ts";
import { refuseRegion } from "../regions/index.ts";
import { newVisitorKey } from "../../platform/device-key.ts";
import { type Brake, createBrake } from "./address-brake.ts";
import {
  accountSubject,
  deviceSubject,
  giveBackTry,
  ipSubject,
  reserveTry,
  STRANGERS,
} from "../../platform/attempts.ts";
import { CODE_LIFE_MS, type CodePurpose, issueCode } from "./codes.ts";
import { isKnownDevice } from "./known-devices.ts";
import type { SessionContext } from "./session-context.ts";
import type { OnDevice } from "./session-rows.ts";

export type Channel = "phone" | "email";

export interface CodeRequest {
  readonly channel: Channel;
  /** An E.164 number, or a mail address in lower case. */
  readonly to: string;
  readonly region?: string | undefined;
  readonly purpose: CodePurpose;
}

/**
 * How many codes strangers at one address may have sent at once. After these, one a minute. The limit exists because
 * SMS cost money.
 */
const CODES_AT_ONCE = 100;
const hosts = new Map<number, Brake>();

/** Creates the limit of this process. Tests multiply it by their setting, like every limit. */
function hostsBrake(factor: number): Brake {
  const known = hosts.get(factor);
  if (known !== undefined) return known;
  const made = createBrake({ burst: CODES_AT_ONCE * factor, everyMs: 60_000n, waitMsMax: 0n });
  hosts.set(factor, made);
  return made;
}

/**
 * Sends a code by mail or SMS. For a new login or transaction password, a message is sent only if a member has the
 * address; the answer, what is stored and the time taken are always the same. A device that the member has logged in on
 * has codes of its own, so that strangers can't use them up. Refuses REGION_BLOCKED, FIELD_INVALID (no such number can
 * exist), RATE_LIMITED[retryAt] (within a minute of the last one, later within longer, or if the day's codes are used
 * up).
 */
export async function sendCode(
  context: Pick<SessionContext, "config" | "databases" | "messenger">,
  request: CodeRequest,
  visitor: OnDevice & { readonly ip: string; readonly lang: LanguageCode; readonly now: Instant },
): Promise<Verdict<{ expiresAt: number; retryAt: number }>> {
  const { channel, to, purpose, region } = request;
  const pool = context.databases.sessions;
  const closed = purpose === "register" && region !== undefined ? await refuseRegion(pool, region) : null;
  if (closed?.error === "REGION_BLOCKED") return { ok: false, refusal: closed };
  if (channel === "phone" && !(await canExist(to))) {
    return refuse("FIELD_INVALID", undefined, { to: "FIELD_INVALID" });
  }
  const brake = hostsBrake(context.config.rateLimitFactor);
  const issued = await issueWithinLimits(pool, brake, { purpose, address: to }, visitor);
  if (!issued.ok) return issued;

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

type Issued = Verdict<{ code: string; expiresAt: bigint; retryAt: bigint }>;

async function issueWithinLimits(
  pool: Queryable,
  brake: Brake,
  wanted: { readonly purpose: CodePurpose; readonly address: string },
  { ip, now, deviceKey = null, keepDeviceKey }: OnDevice & { readonly ip: string; readonly now: Instant },
): Promise<Issued> {
  const isKnown = await isKnownDevice(pool, wanted.address, deviceKey);
  if (deviceKey !== null && isKnown) {
    return issueFor(pool, { ...wanted, deviceKey, now }, deviceSubject(deviceKey, wanted.address));
  }
  const made = deviceKey === null && keepDeviceKey !== undefined ? newVisitorKey() : null;
  if (made !== null) keepDeviceKey?.(made.text);
  return brake.pass(ipSubject(ip), now, async () => {
    const verdict = await issueFor(
      pool,
      { ...wanted, deviceKey: deviceKey ?? made, now },
      accountSubject(wanted.address),
    );
    return { verdict, counts: verdict.ok };
  });
}

async function issueFor(pool: Queryable, wanted: Parameters<typeof issueCode>[1], subject: string): Promise<Issued> {
  const mark = await reserveTry(pool, "send", { subject, waits: STRANGERS }, wanted.now);
  if (!mark.ok) return refuse("RATE_LIMITED", { retryAt: Number(mark.retryAt) });
  const issued = await issueCode(pool, wanted);
  if (!issued.ok) {
    await giveBackTry(pool, "send", subject, wanted.now);
    return issued;
  }
  // Whichever is later applies: the wait between codes of one device, or that of the address.
  const { retryAt } = issued.value;
  return accept({ ...issued.value, retryAt: mark.nextAt > retryAt ? mark.nextAt : retryAt });
}

/** Returns whether a phone number can exist. The metadata is loaded when first needed rather than at the start. */
async function canExist(phone: string): Promise<boolean> {
  const { parsePhoneNumberFromString } = await import("libphonenumber-js/min");
  return parsePhoneNumberFromString(phone)?.isPossible() === true;
}
