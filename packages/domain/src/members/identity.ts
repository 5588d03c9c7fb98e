/** What a person must be and hand in to be verified. */
import type { Instant } from "../base/time.ts";

export const DOCUMENT_TYPES = ["idCard", "passport", "driversLicense"] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];
export type IdentityState = "unverified" | "pending" | "verified" | "rejected";
/** Why a case takes two people. */
export const IDENTITY_FLAGS = ["number_seen", "birth_date", "payer_name"] as const;
export type IdentityFlag = (typeof IDENTITY_FLAGS)[number];

/** Nobody is known to have grown older. */
const AGE_MAX = 122;

/** The calendar day, `2026-11-21`, that an instant falls on in a time zone of the IANA's; null for a zone that is none. */
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

/** The latest birth date of somebody who is `years` old on a day. Born on 29 February, one is so on 1 March of other years. */
export function latestBirthDate(today: string, years: number): string {
  return `${String(Number(today.slice(0, 4)) - years).padStart(4, "0")}${today.slice(4)}`;
}

export type BirthDateFault = "FIELD_INVALID" | "UNDER_AGE";

/** Null for a birth date of somebody who is of age on a day; a day to come or one too long ago is no birth date. */
export function birthDateFault(birthDate: string, today: string, legalAge: number): BirthDateFault | null {
  if (birthDate > today || birthDate < latestBirthDate(today, AGE_MAX)) return "FIELD_INVALID";
  return birthDate > latestBirthDate(today, legalAge) ? "UNDER_AGE" : null;
}

/**
 * A text of one line as others are shown it: one form of each letter, single blanks, nothing that does not show but the
 * joiners that some scripts write with. A mark of direction would turn the line around it.
 */
export function shownLine(text: string): string {
  return text
    .normalize("NFC")
    .replaceAll(/(?![\u200c\u200d])[\p{Cf}\p{Cc}]/gu, (mark) => (/\s/u.test(mark) ? " " : ""))
    .replaceAll(/\s+/gu, " ")
    .trim();
}

/** A name as it is kept. Null where no letter is in it. */
export function cleanName(text: string): string | null {
  const name = shownLine(text);
  return /\p{L}/u.test(name) ? name : null;
}

/**
 * A document's number as it is compared: `l01x 00-t47` and `L01X00T47` are one. Null for what cannot be one: a document's
 * number has digits, and from 4 to 32 characters.
 */
export function cleanDocumentNumber(text: string): string | null {
  const number = text
    .normalize("NFKC")
    .toUpperCase()
    .replaceAll(/[\s./·\p{Pd}]/gu, "");
  return /^[\p{L}\p{Nd}]{4,32}$/u.test(number) && /\p{Nd}/u.test(number) ? number : null;
}
