/** What a person must be and hand in to be verified. */
import type { Instant } from "../base/time.ts";

export const DOCUMENT_TYPES = ["idCard", "passport", "driversLicense"] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];
export type IdentityState = "unverified" | "pending" | "verified" | "rejected";
/** Why an identity case needs the decision of two people. */
export const IDENTITY_FLAGS = ["number_seen", "birth_date", "payer_name"] as const;
export type IdentityFlag = (typeof IDENTITY_FLAGS)[number];

/** The greatest age that anybody is known to have reached. */
const AGE_MAX = 122;

/** Answers the calendar day, `2026-11-21`, that an instant falls on in an IANA time zone; null for an unknown zone. */
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
 * Answers the latest birth date of somebody who is `years` old on a day. Whoever was born on 29 February turns a year older
 * on 1 March where there is no such day.
 */
export function latestBirthDate(today: string, years: number): string {
  return `${String(Number(today.slice(0, 4)) - years).padStart(4, "0")}${today.slice(4)}`;
}

export type BirthDateFault = "FIELD_INVALID" | "UNDER_AGE";

/** Says what is wrong with a birth date: it lies ahead, too long ago, or its owner is not of age yet. Null where nothing is. */
export function birthDateFault(birthDate: string, today: string, legalAge: number): BirthDateFault | null {
  if (birthDate > today || birthDate < latestBirthDate(today, AGE_MAX)) return "FIELD_INVALID";
  return birthDate > latestBirthDate(today, legalAge) ? "UNDER_AGE" : null;
}

/**
 * Cleans a text of one line that others are shown: one form of each letter, single blanks, no invisible signs except the
 * joiners that some scripts need. A direction mark, for example, would turn the line around it.
 */
export function shownLine(text: string): string {
  return text
    .normalize("NFC")
    .replaceAll(/(?![\u200c\u200d])[\p{Cf}\p{Cc}]/gu, (mark) => (/\s/u.test(mark) ? " " : ""))
    .replaceAll(/\s+/gu, " ")
    .trim();
}

/** Cleans a name for storage. Null where it has no letter. */
export function cleanName(text: string): string | null {
  const name = shownLine(text);
  return /\p{L}/u.test(name) ? name : null;
}

/**
 * Cleans a document's number so that numbers can be compared: `l01x 00-t47` and `L01X00T47` are the same. Null for what
 * cannot be one: a document's number has digits, and from 4 to 32 characters.
 */
export function cleanDocumentNumber(text: string): string | null {
  const number = text
    .normalize("NFKC")
    .toUpperCase()
    .replaceAll(/[\s./·\p{Pd}]/gu, "");
  return /^[\p{L}\p{Nd}]{4,32}$/u.test(number) && /\p{Nd}/u.test(number) ? number : null;
}
