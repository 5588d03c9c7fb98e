/** Warns a member on every channel at once about something that someone else may have done. */
import { languageOf } from "@fairtick/i18n";
import { translate } from "@fairtick/i18n/server";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database.ts";
import type { Messenger } from "../../platform/messenger.ts";
import { messageWords, type MessageKey, type MessageParams } from "../notices/index.ts";
import { freezeRoute, newFreezeToken } from "./freeze-token.ts";

/** Keys of the messages that are sent as warnings. */
export type WarningKey = Extract<
  MessageKey,
  | "loginPasswordReset"
  | "tradePasswordReset"
  | "tradePasswordSet"
  | "newDevice"
  | "orderDeviceAdded"
  | "withdrawalRequested"
  | "withdrawalAddressAdded"
  | "withdrawalsRestUnprotected"
  | "freezeLifted"
  | "authenticatorAdded"
  | "authenticatorRemoved"
  | "passkeyAdded"
  | "passkeyRemoved"
  | "secondFactorOpened"
>;

/** A warning whose message is written in the transaction. The rest is sent after its commit. */
export interface Warning {
  readonly memberId: bigint;
  readonly messageId: bigint;
  readonly key: WarningKey;
  readonly params: Readonly<Record<string, string>>;
  readonly phone: string | null;
  readonly email: string | null;
  readonly language: string;
  /** Until when withdrawals wait because of the event, in milliseconds; null if they don't. */
  readonly restsUntil: bigint | null;
  readonly link: string;
}

/**
 * Writes the warning's message in the app, in the transaction of the event, with a link that freezes withdrawals.
 * Returns what `sendWarning` sends after the commit.
 */
export async function warnMember<Key extends WarningKey>(
  db: Queryable,
  { config }: { readonly config: Pick<Context["config"], "publicUrl"> },
  memberId: bigint,
  {
    key,
    params,
    restsUntil = null,
  }: {
    readonly key: Key;
    readonly params: MessageParams[Key];
    readonly restsUntil?: bigint | null;
  },
): Promise<Warning> {
  const { token, hash } = newFreezeToken();
  const [told] = await db.query<{
    message_id: bigint;
    phone: string | null;
    email: string | null;
    language: string;
  }>("SELECT * FROM warn_member($1, $2, $3, $4)", [memberId, key, JSON.stringify(params), hash]);
  if (told === undefined) throw new Error("a member was not warned");
  const { message_id: messageId, phone, email, language } = told;
  const link = `${config.publicUrl}/#${freezeRoute(token)}`;
  return { memberId, messageId, key, params: { ...params }, phone, email, language, restsUntil, link };
}

/**
 * Sends a warning by mail and SMS to every address of the member, and to their browsers. All addresses are used,
 * because the one involved in the event may have been taken over. Call it after the commit.
 */
export function sendWarning(
  { messenger, bus }: { readonly messenger: Messenger } & Pick<Context, "bus">,
  warning: Warning,
): void {
  const { email, phone, link, restsUntil } = warning;
  const { code, locale } = languageOf(warning.language);
  const { title, body } = messageWords(warning.key, warning.params, code);
  const time =
    restsUntil === null
      ? null
      : new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "long", timeZone: "UTC" }).format(
          Number(restsUntil),
        );
  if (email !== null) {
    const parts = [body, time === null ? "" : translate(code, "mail.warning.rests", { time })];
    const text = [...parts, translate(code, "mail.warning.freeze", { link })].filter((part) => part !== "");
    const mail = { to: email, subject: `Fairtick: ${title}`, text: text.join("\n\n"), footerIn: code };
    messenger.post({ channel: "email", ...mail });
  }
  if (phone !== null) {
    const text =
      time === null
        ? translate(code, "mail.sms.warning", { what: title, link })
        : translate(code, "mail.sms.warningRests", { what: title, time, link });
    messenger.post({ channel: "phone", to: phone, subject: title, text });
  }
  bus.publish("warnings", { members: [warning.memberId], messageIds: [warning.messageId] });
}
