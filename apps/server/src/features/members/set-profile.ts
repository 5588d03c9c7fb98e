import { accept, type MemberId, namesTheHouse, refuse, shownLine, type Verdict, type Wallet } from "@fairtick/domain";
import type { LanguageCode } from "@fairtick/i18n";
import type { Context } from "../../platform/context.ts";
import { refuseRegion } from "../regions/index.ts";

type Databases = Pick<Context, "databases">;

/**
 * Sets the wallet that the app shows. Refuses REGION_PRACTICE_ONLY or REGION_BLOCKED for the real one if the region's
 * rule closes it.
 */
export async function setWallet({ databases }: Databases, memberId: MemberId, wallet: Wallet): Promise<Verdict<null>> {
  if (wallet === "real") {
    const rows = await databases.sessions.query<{ region: string }>("SELECT region FROM members WHERE member_id = $1", [
      memberId,
    ]);
    const refusal = await refuseRegion(databases.sessions, rows[0]?.region ?? "");
    if (refusal !== null) return { ok: false, refusal };
  }
  await databases.sessions.query("UPDATE members SET wallet = $2 WHERE member_id = $1", [memberId, wallet]);
  return accept(null);
}

/** Sets the language of mails and messages. */
export async function setLanguage(
  { databases }: Databases,
  memberId: MemberId,
  lang: LanguageCode,
): Promise<Verdict<null>> {
  await databases.sessions.query("UPDATE members SET language = $2 WHERE member_id = $1", [memberId, lang]);
  return accept(null);
}

/**
 * Sets the name shown instead of the masked account. Refuses FIELD_INVALID for a blank name, NAME_RESERVED for one that
 * others would take for the house or its customer service.
 */
export async function setName({ databases }: Databases, memberId: MemberId, username: string): Promise<Verdict<null>> {
  const name = shownLine(username);
  if (name === "") return refuse("FIELD_INVALID", undefined, { username: "FIELD_INVALID" });
  if (namesTheHouse(name)) return refuse("NAME_RESERVED", undefined, { username: "NAME_RESERVED" });
  await databases.sessions.query("UPDATE members SET username = $2 WHERE member_id = $1", [memberId, name]);
  return accept(null);
}
