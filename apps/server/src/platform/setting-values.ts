/** The forms that single settings take, each with the sentence for a wrong one. */
import { parseSupportHours, type SupportHours } from "@fairtick/domain";
import * as v from "valibot";

/** Known to everyone who reads this file, so good for a sandbox only. */
export const SANDBOX_SECRET = "5a".repeat(32);
/** Members are told that withdrawals wait this long after a reset; a live house may not shorten it. */
export const REST_HOURS = 24;
/** The least that a live house lets a new withdrawal address wait. */
export const ADDRESS_HOURS = 24;

// Values are never repeated in a message: an address may hold a password.
export const number = (min: number, max: number) => {
  const rule = `is to be a whole number from ${min} to ${max}`;
  const digits = v.pipe(v.string(), v.regex(/^[0-9]{1,9}$/, rule), v.transform(Number));
  return v.pipe(digits, v.minValue(min, rule), v.maxValue(max, rule));
};
export const oneOf = <const Options extends readonly string[]>(options: Options) =>
  v.picklist(options, `is to be one of ${options.join(", ")}`);
export const port = number(0, 65_535);
export const supportHours = v.pipe(
  v.string(),
  v.transform(parseSupportHours),
  v.check((hours) => hours !== null, "is to be days and hours in UTC like Mon-Fri 08:00-20:00"),
  v.transform((hours) => hours as SupportHours),
);
export const text = v.pipe(v.string(), v.minLength(1));
export const url = v.pipe(
  v.string(),
  v.url("is to be an address with its scheme, as in postgresql://host/name or https://host"),
);

const SECRET_RULE = 'is to be 64 hexadecimal digits ("openssl rand -hex 32" makes them)';
export const secret = v.pipe(v.string(), v.regex(/^[0-9a-fA-F]{64}$/, SECRET_RULE));

const HOSTS = /^[A-Za-z0-9.-]{1,253}(?:,[A-Za-z0-9.-]{1,253})*$/;
export const hostNames = v.pipe(
  v.string(),
  v.regex(HOSTS, "is to be one or more host names with commas between them, without ports"),
);

export const contact = v.pipe(
  v.string(),
  v.regex(/^(mailto:|https:\/\/)\S{3,300}$/, "is to be mailto:somebody@host or https://host/page"),
);

const LOGINS = /^[a-z0-9][a-z0-9.-]{1,39}(?:,[a-z0-9][a-z0-9.-]{1,39})+$/;

export const logins = v.pipe(
  v.string(),
  v.regex(LOGINS, "is to be two or more logins with commas between them (small letters, digits, dots, hyphens)"),
);

export const xpub = v.pipe(v.string(), v.regex(/^xpub[1-9A-HJ-NP-Za-km-z]{100,112}$/, "is to be an xpub"));

/** Mails of the house come from somewhere: its postmaster's domain hears of weaknesses where nothing else is set. */
export function securityContactOf({
  SECURITY_CONTACT,
  MAIL_FROM,
}: {
  readonly SECURITY_CONTACT?: string | undefined;
  readonly MAIL_FROM: string;
}): string | null {
  if (SECURITY_CONTACT !== undefined) return SECURITY_CONTACT;
  const domain = /@([A-Za-z0-9.-]+)>?$/.exec(MAIL_FROM)?.[1];
  return domain === undefined ? null : `mailto:security@${domain}`;
}
