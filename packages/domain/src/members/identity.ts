/** Rules for who can be verified and what they submit. */
import type { Instant } from "../base/time.ts";

export const DOCUMENT_TYPES = ["idCard", "passport", "driversLicense"] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];
export type IdentityState = "unverified" | "pending" | "verified" | "rejected";
/** Why an identity case needs the decision of two people. */
export const IDENTITY_FLAGS = ["number_seen", "birth_date", "payer_name"] as const;
export type IdentityFlag = (typeof IDENTITY_FLAGS)[number];

/** The greatest age that anyone is known to have reached. */
const AGE_MAX = 122;

/** Returns the calendar day (`2026-11-21`) of an instant in an IANA time zone; null for an unknown zone. */
export function dayIn(timeZone: string, now: Instant): string | null {
  try {
    const parts = new Intl.DateTimeFormat("en", {
      timeZone,
      calendar: "gregory",
      numberingSystem: "latn",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
    }).formatToParts(Number(now));
    const part = (type: string) => parts.find((one) => one.type === type)?.value ?? "";
    return `${part("year")}-${part("month")}-${part("day")}`;
  } catch {
    return null;
  }
}

/**
 * Returns the latest birth date of someone who is `years` old on a day. People born on 29 February turn a year older on
 * 1 March if the year has no such day.
 */
export function latestBirthDate(today: string, years: number): string {
  return `${String(Number(today.slice(0, 4)) - years).padStart(4, "0")}${today.slice(4)}`;
}

export type BirthDateFault = "FIELD_INVALID" | "UNDER_AGE";

/**
 * Returns what is wrong with a birth date: it is in the future, too long ago, or the person is not of age yet. Null if
 * it is valid.
 */
export function birthDateFault(birthDate: string, today: string, legalAge: number): BirthDateFault | null {
  if (birthDate > today || birthDate < latestBirthDate(today, AGE_MAX)) return "FIELD_INVALID";
  return birthDate > latestBirthDate(today, legalAge) ? "UNDER_AGE" : null;
}

/**
 * Cleans a line of text that other people will see: one form per letter, single spaces, and no invisible signs other
 * than the joiners that some scripts need. A direction mark, for example, would reverse the line around it.
 */
export function shownLine(text: string): string {
  return text
    .normalize("NFC")
    .replaceAll(/(?![\u200c\u200d])[\p{Cf}\p{Cc}]/gu, (mark) => (/\s/u.test(mark) ? " " : ""))
    .replaceAll(/\s+/gu, " ")
    .trim();
}

/** Cleans a name for storage. Null if it has no letters. */
export function cleanName(text: string): string | null {
  const name = shownLine(text);
  return /\p{L}/u.test(name) ? name : null;
}

/**
 * Normalises a document number so that numbers can be compared: `l01x 00-t47` and `L01X00T47` are the same. Null if it
 * can't be a document number, which has at least one digit and 4 to 32 characters.
 */
export function cleanDocumentNumber(text: string): string | null {
  const number = text
    .normalize("NFKC")
    .toUpperCase()
    .replaceAll(/[\s./·\p{Pd}]/gu, "");
  return /^[\p{L}\p{Nd}]{4,32}$/u.test(number) && /\p{Nd}/u.test(number) ? number : null;
}
