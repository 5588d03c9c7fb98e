import { languageOf } from "@fairtick/i18n";
import { translate } from "@fairtick/i18n/server";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database.ts";
import type { Messenger } from "../../platform/messenger.ts";
import { tellMember } from "../notices/index.ts";

interface Resting {
  readonly member_id: bigint;
  readonly phone: string | null;
  readonly email: string | null;
  readonly language: string;
}

/** What was reset or removed. */
export type RestCause = "login" | "transaction" | "factor";

/**
 * Makes a member's withdrawals wait, in the transaction that resets one of their passwords with a code, or removes their
 * last second factor: whoever reads their mail, or took over a session, could have done it. Answers when they may be paid again, in milliseconds; null where the house lets none wait.
 */
export async function restWithdrawals(
  db: Queryable,
  { config }: Pick<Context, "config">,
  memberId: bigint,
  cause: RestCause,
): Promise<bigint | null> {
  if (config.withdrawalRestHours === 0) return null;
  const [rest] = await db.query<{ until: bigint }>("SELECT begin_withdrawal_rest($1, $2, $3) AS until", [
    memberId,
    cause,
    config.withdrawalRestHours,
  ]);
  if (rest === undefined) throw new Error("no rest was begun");
  await tellMember(db, memberId, cause === "factor" ? "withdrawalsRestUnprotected" : "withdrawalsRest", {
    until: new Date(Number(rest.until)).toISOString(),
  });
  return rest.until;
}

/** Writes to every address of the member, after the commit: the one that was used may be the one that was taken over. */
export function writeOfRest(
  { messenger }: { readonly messenger: Messenger },
  account: Resting,
  until: bigint,
  cause: RestCause = "login",
): void {
  const words = cause === "factor" ? "withdrawalsRestUnprotected" : "withdrawalsRest";
  const { code, locale } = languageOf(account.language);
  const time = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "long", timeZone: "UTC" }).format(
    Number(until),
  );
  const subject = translate(code, `mail.${words}.subject`);
  if (account.email !== null)
    messenger.post({
      channel: "email",
      to: account.email,
      subject,
      text: translate(code, `mail.${words}.text`, { time }),
    });
  if (account.phone !== null)
    messenger.post({
      channel: "phone",
      to: account.phone,
      subject,
      text: translate(code, `mail.sms.${words}`, { time }),
    });
}
