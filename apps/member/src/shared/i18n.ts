import { languageOf, type Language, type LanguageCode, type MessageId } from "@fairtick/i18n";
import { setupI18n, type Messages } from "@lingui/core";
import { useLingui } from "@lingui/react";
import { readStored, store } from "./storage.ts";

/** The one catalogue in use. Screens read it by `useText`, everything else by `text`. */
export const i18n = setupI18n();

const loaders: Record<LanguageCode, () => Promise<{ messages: Messages }>> = {
  en: () => import("virtual:fairtick-messages/en"),
  zh: () => import("virtual:fairtick-messages/zh"),
  zhs: () => import("virtual:fairtick-messages/zhs"),
  ri: () => import("virtual:fairtick-messages/ri"),
  han: () => import("virtual:fairtick-messages/han"),
  de: () => import("virtual:fairtick-messages/de"),
  xby: () => import("virtual:fairtick-messages/xby"),
  ydl: () => import("virtual:fairtick-messages/ydl"),
  yue: () => import("virtual:fairtick-messages/yue"),
  fr: () => import("virtual:fairtick-messages/fr"),
};

/** The language in use, as stored under `lang`; English before any choice. */
export function currentLanguage(): Language {
  return languageOf(readStored("lang"));
}

/** Up is red by custom where these are spoken. */
export function risesInRed(code: LanguageCode): boolean {
  return code === "zh" || code === "zhs" || code === "ri" || code === "han";
}

/** Fetches the language's chunk, then switches the whole interface to it. */
export async function activateLanguage(code: LanguageCode): Promise<void> {
  const language = languageOf(code);
  const { messages } = await loaders[language.code]();
  i18n.loadAndActivate({ locale: language.locale, messages });
  document.documentElement.lang = language.tag;
}

/** Stores the choice under `lang` and switches. */
export async function chooseLanguage(code: LanguageCode): Promise<void> {
  await activateLanguage(code);
  store("lang", code);
}

export type Values = Record<string, unknown>;
export type Text = (id: MessageId, values?: Values) => string;

/** The message of that id in the current language. */
export const text: Text = (id, values) => i18n._(id, values);

/** `const t = useText(); t("home.totalAssets")`: redraws when the language changes. */
export function useText(): Text {
  const { _ } = useLingui();
  return (id, values) => _(id, values);
}
