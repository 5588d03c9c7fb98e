import {
  birthDateFault,
  cleanName,
  dayIn,
  type ErrorName,
  type Instant,
  type MemberId,
  refuse,
  type Refusal,
  type Verdict,
  accept,
} from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import { legalAgeOf } from "../regions/index.ts";

export interface BasicWish {
  readonly familyName: string;
  readonly givenName: string;
  readonly gender: "male" | "female";
  readonly birthDate: string;
  readonly timeZone?: string | undefined;
}

/**
 * Stores a member's name, gender and birth date. Refuses FIELD_INVALID for a name without a letter, or for an invalid birth
 * date or time zone; UNDER_AGE[min] by the law of their region; IDENTITY_PENDING while a case is open; CONFLICT once they are
 * verified.
 */
export async function submitBasic(
  { databases }: Pick<Context, "databases">,
  memberId: MemberId,
  wish: BasicWish,
  now: Instant,
): Promise<Verdict<null>> {
  const [member] = await databases.sessions.query<{ region: string }>(
    "SELECT region FROM members WHERE member_id = $1",
    [memberId],
  );
  const familyName = cleanName(wish.familyName);
  const givenName = cleanName(wish.givenName);
  const legalAge = await legalAgeOf(databases.sessions, member?.region ?? "");
  const refusal = refusalOf(wish, { familyName, givenName }, legalAge, now);
  if (refusal !== null) return { ok: false, refusal };
  const [row] = await databases.sessions.query<{ refusal: ErrorName | null }>(
    "SELECT submit_identity_basics($1, $2, $3, $4, $5) AS refusal",
    [memberId, familyName, givenName, wish.gender, wish.birthDate],
  );
  return row?.refusal ? refuse(row.refusal) : accept(null);
}

function refusalOf(
  { birthDate, timeZone = "UTC" }: BasicWish,
  names: Readonly<Record<"familyName" | "givenName", string | null>>,
  legalAge: number,
  now: Instant,
): Refusal | null {
  const fields: Record<string, ErrorName> = {};
  if (names.familyName === null) fields["familyName"] = "FIELD_INVALID";
  if (names.givenName === null) fields["givenName"] = "FIELD_INVALID";
  const today = dayIn(timeZone, now);
  if (today === null) fields["timeZone"] = "FIELD_INVALID";
  const fault = today === null ? null : birthDateFault(birthDate, today, legalAge);
  if (fault === "FIELD_INVALID") fields["birthDate"] = fault;
  if (Object.keys(fields).length > 0) return { error: "FIELD_INVALID", fields };
  return fault === "UNDER_AGE" ? { error: "UNDER_AGE", params: { min: legalAge } } : null;
}
