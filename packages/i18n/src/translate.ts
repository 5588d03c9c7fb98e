import { setupI18n, type I18n } from "@lingui/core";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import { readMessagesOf } from "./catalogues.ts";
import { languageOf, type LanguageCode } from "./languages.ts";
import type { MessageId } from "./message-ids.ts";

export type MessageParams = Readonly<Record<string, string | number>>;

const loaded = new Map<LanguageCode, I18n>();

function load(code: LanguageCode): I18n {
  const known = loaded.get(code);
  if (known) return known;
  const { locale } = languageOf(code);
  const i18n = setupI18n({ locale, messages: { [locale]: { ...readMessagesOf(code) } } });
  i18n.setMessagesCompiler(compileMessage);
  loaded.set(code, i18n);
  return i18n;
}

/** Returns a message for the server's answers and mails, in the given language or else in English. */
export function translate(code: LanguageCode, id: MessageId, params: MessageParams = {}): string {
  return load(code)._(id, { ...params });
}

/** Returns whether a message exists. For ids that are composed. */
export function hasMessage(id: string): id is MessageId {
  return Object.hasOwn(load("en").messages, id);
}
