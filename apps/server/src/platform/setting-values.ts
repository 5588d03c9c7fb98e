/** Parsers for single settings, each with the sentence for a wrong value. */
import { parseSupportHours, type SupportHours } from "@fairtick/domain";
import * as v from "valibot";

/** The secret of sandboxes. Everyone who reads this file knows it, so live refuses it. */
export const SANDBOX_SECRET = "5a".repeat(32);
/** How many hours withdrawals wait after a reset at least in live, as members are told. */
export const REST_HOURS = 24;
/** How many hours a new withdrawal address waits at least in live. */
export const ADDRESS_HOURS = 24;

// Messages never repeat a value, since an address may contain a password.
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

/** Returns where to report vulnerabilities. Without a setting, it is an address in the domain that the house's mails come from. */
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
