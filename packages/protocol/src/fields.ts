/**
 * Fields of a form-encoded message. Each is a schema from the text that was sent to the value that rules take. Every field has a
 * maximum length and accepts only ASCII digits. Text refuses control characters, because PostgreSQL can't store NUL and no one sends
 * them on purpose.
 */
import {
  type ClientId,
  type Direction,
  fromHex,
  type Instant,
  type MicroUsd,
  type Outcome,
  type Rate,
  type Wallet,
} from "@fairtick/domain";
import * as v from "valibot";

/** Makes a schema for text of at most `max` UTF-16 units that matches the pattern. */
function shaped(pattern: RegExp, max: number) {
  return v.pipe(v.string(), v.maxLength(max), v.regex(pattern));
}

/** Casts a value whose form has been checked to its nominal type. */
function named<Kind extends bigint | string>(value: Kind extends bigint ? bigint : string): Kind {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a nominal type is nothing but this assertion
  return value as Kind;
}

/** Converts a decimal with at most `places` places to a count of its smallest unit: `"12.5"` with 6 places is 12_500_000n. */
export function unitsOfDecimal(text: string, places: number): bigint {
  const [whole = "0", part = ""] = text.split(".");
  return BigInt(whole + part.padEnd(places, "0"));
}

// oxlint-disable-next-line no-control-regex -- the control characters are what is refused
const ONE_LINE = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]+$/u;
// oxlint-disable-next-line no-control-regex -- the control characters are what is refused
const LINES = /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ud800-\udfff]+$/u;

/** Makes a schema for one line of text in any script. */
export const line = (max: number) => shaped(ONE_LINE, max);
/** A file's name as its sender gave it. It is made harmless before it is stored. */
export const fileName = shaped(/^[^\ud800-\udfff]+$/u, 255);
/** Makes a schema for text that may have line breaks. */
export const lines = (max: number) => shaped(LINES, max);

const MONEY = /^(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,2})?$/;
/** USD with at most two places → micro-USD. Zero is valid here; the rules refuse it. */
export const usd = v.pipe(
  shaped(MONEY, 15),
  v.transform((text) => named<MicroUsd>(unitsOfDecimal(text, 6))),
);
/** USDT with at most six places → millionths. */
export const usdt = v.pipe(
  shaped(/^(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,6})?$/, 19),
  v.transform((text) => named<MicroUsd>(unitsOfDecimal(text, 6))),
);
/** A rate with at most six places → millionths. */
export const rate = v.pipe(
  shaped(/^[0-9]{1,3}(?:\.[0-9]{1,6})?$/, 10),
  v.transform((text) => named<Rate>(unitsOfDecimal(text, 6))),
);
/** A price. It stays text because the number of places depends on the instrument (`parsePrice` of the domain). */
export const price = shaped(/^(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,10})?$/, 24);

const whole = (min: number, max: number) =>
  v.pipe(shaped(/^(?:0|[1-9][0-9]{0,15})$/, 16), v.transform(Number), v.minValue(min), v.maxValue(max));
/** Duration of an order in seconds. The instrument decides which ones are offered. */
export const duration = whole(1, 86_400);
/** Milliseconds since 1970 UTC, up to the year 9999. */
export const instant = v.pipe(
  shaped(/^(?:0|[1-9][0-9]{0,14})$/, 15),
  v.transform((text) => named<Instant>(BigInt(text))),
  v.maxValue(named<Instant>(253_402_300_799_999n)),
);
export const limit = whole(1, 100);
export const ticksLimit = whole(1, 10_000);
export const candlesLimit = whole(1, 1_000);
export const minutes = whole(1, 1_440);
export const flag = v.pipe(
  v.picklist(["true", "false", "1", "0"]),
  v.transform((text) => text === "true" || text === "1"),
);
/** A calendar day that exists, such as `2026-11-21`. */
export const day = v.pipe(
  shaped(/^(?:19|20)[0-9]{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])$/, 10),
  v.check((text) => {
    const date = new Date(`${text}T00:00:00Z`);
    return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
  }),
);

export const symbol = shaped(/^[A-Z0-9]{3,16}$/, 16);
export const wallet = v.picklist(["practice", "real"]) satisfies v.GenericSchema<unknown, Wallet>;
export const direction = v.picklist(["up", "down"]) satisfies v.GenericSchema<unknown, Direction>;
export const outcome = v.picklist(["won", "lost", "tied", "voided"]) satisfies v.GenericSchema<unknown, Outcome>;
export const interval = v.picklist(["1s", "5s", "15s", "1m", "5m", "15m", "1h", "1d"]);
export type Interval = v.InferOutput<typeof interval>;

/** A random id that the client makes before the first send and keeps for retries. */
export const clientId = v.pipe(
  shaped(/^[A-Za-z0-9_-]{8,64}$/, 64),
  v.transform((text) => named<ClientId>(text)),
);
/** 32 bytes as 64 lower-case hexadecimal digits. */
export const hash = v.pipe(shaped(/^[0-9a-f]{64}$/, 64), v.transform(bytesOfHex));
/** Number of a tick slot. */
export const slot = whole(1, Number.MAX_SAFE_INTEGER);
/** An ECDSA signature on P-256: r and s, 64 bytes in base64url. */
export const deviceSignature = shaped(/^[A-Za-z0-9_-]{86}$/, 86);

function bytesOfHex(text: string): Uint8Array {
  return fromHex(text) ?? new Uint8Array();
}

/** An id that the server issued, such as an order number, file id or session id. */
export const opaqueId = shaped(/^[A-Za-z0-9_-]{1,64}$/, 64);
export const cursor = shaped(/^[A-Za-z0-9_.=-]{1,200}$/, 200);

/** A password as typed. Only its maximum length is checked here, since its rules have refusals of their own. */
export const password = v.pipe(v.string(), v.maxLength(128), v.regex(ONE_LINE));
/** The transaction password, six digits. The specification also calls it trade or payment password. */
export const tradePassword = shaped(/^[0-9]{6}$/, 6);
/** A six-digit code sent by mail or SMS. */
export const code = shaped(/^[0-9]{6}$/, 6);
/**
 * A member's second factor: six digits of an authenticator app, a recovery code, or a passkey's response as WebAuthn
 * JSON.
 */
export const secondFactor = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(6),
  v.maxLength(16_000),
  v.regex(/^[\x20-\x7e]+$/),
);
/** An authenticator's response as WebAuthn JSON. */
export const webauthnJson = shaped(/^[\x20-\x7e]+$/, 16_000);
export const channel = v.picklist(["phone", "email"]);
export type Channel = v.InferOutput<typeof channel>;

export const PHONE = /^\+[1-9][0-9]{6,14}$/;
export const EMAIL =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/;
/** E.164: `+` and 7 to 15 digits. */
export const phone = shaped(PHONE, 16);
/** An e-mail address, converted to lower case so that one mailbox is one account. */
export const email = v.pipe(shaped(EMAIL, 254), v.toLowerCase());
/** A phone number in E.164 or an e-mail address. */
export const account = v.pipe(
  v.string(),
  v.maxLength(254),
  v.check((text) => PHONE.test(text) || EMAIL.test(text)),
  v.toLowerCase(),
);
/** ISO 3166-1 alpha-2. */
export const region = shaped(/^[A-Z]{2}$/, 2);
/** ISO 4217. */
export const currency = shaped(/^[A-Z]{3}$/, 3);
export const chain = shaped(/^[a-z0-9-]{1,32}$/, 32);
export const inviteCode = shaped(/^[A-Za-z0-9]{4,16}$/, 16);

/** IANA name of a time zone, such as `America/Sao_Paulo`. */
export const timeZone = shaped(/^[A-Za-z0-9_+/-]{1,64}$/, 64);

/** Language codes as the app stores them. */
export const LANGUAGE_CODES = ["en", "zh", "zhs", "ri", "han", "de", "xby", "ydl", "yue", "fr"] as const;
export const language = v.picklist(LANGUAGE_CODES);

/** A limit that members set for themselves: an amount, or `none` to remove it. */
export const limitAmount = v.union([
  v.pipe(
    v.literal("none"),
    v.transform(() => null),
  ),
  usd,
]);
export const limitMinutes = v.union([
  v.pipe(
    v.literal("none"),
    v.transform(() => null),
  ),
  minutes,
]);
