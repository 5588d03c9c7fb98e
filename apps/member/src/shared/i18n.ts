import { languageOf, type Language, type LanguageCode, type MessageId } from "@fairtick/i18n";
import { setupI18n, type Messages } from "@lingui/core";
import { useLingui } from "@lingui/react";
import { startTransition } from "react";
import { readStored, store } from "./storage.ts";

/** The one catalogue in use. Screens read it with `useText`, everything else with `text`. */
export const i18n = setupI18n();

type Loaders = Record<LanguageCode, () => Promise<{ messages: Messages }>>;

/** The messages of the home screen and the shell, which are enough for the first view. */
const firstLoaders: Loaders = {
  en: () => import("virtual:fairtick-messages/en/common+home+shell"),
  zh: () => import("virtual:fairtick-messages/zh/common+home+shell"),
  zhs: () => import("virtual:fairtick-messages/zhs/common+home+shell"),
  ri: () => import("virtual:fairtick-messages/ri/common+home+shell"),
  han: () => import("virtual:fairtick-messages/han/common+home+shell"),
  de: () => import("virtual:fairtick-messages/de/common+home+shell"),
  xby: () => import("virtual:fairtick-messages/xby/common+home+shell"),
  ydl: () => import("virtual:fairtick-messages/ydl/common+home+shell"),
  yue: () => import("virtual:fairtick-messages/yue/common+home+shell"),
  fr: () => import("virtual:fairtick-messages/fr/common+home+shell"),
};
const wholeLoaders: Loaders = {
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

/** Returns the current language, as stored under `lang`; English before any choice. */
export function currentLanguage(): Language {
  return languageOf(readStored("lang"));
}

/** Returns whether rising prices are red by custom where this language is spoken. */
export function risesInRed(code: LanguageCode): boolean {
  return code === "zh" || code === "zhs" || code === "ri" || code === "han";
}

async function activate(language: Language, loaders: Loaders): Promise<void> {
  const { messages } = await loaders[language.code]();
  // The first view's messages may arrive after the full catalogue, which includes them.
  const known = i18n.locale === language.locale ? i18n.messages : {};
  // A transition renders in slices, because everything on the screen has text.
  startTransition(() => i18n.loadAndActivate({ locale: language.locale, messages: { ...known, ...messages } }));
  document.documentElement.lang = language.tag;
}

/** Loads the messages of the first view in the stored language. */
export async function activateFirstWords(): Promise<void> {
  await activate(currentLanguage(), firstLoaders);
}

/**
 * Loads the full catalogue of a language. Every screen but home waits for it. Resolves at once if it is loaded
 * already.
 */
export async function activateAllWords(code: LanguageCode = currentLanguage().code): Promise<void> {
  if (complete === code) return;
  await activate(languageOf(code), wholeLoaders);
  complete = code;
}
let complete: LanguageCode | null = null;

/** Stores the choice under `lang` and switches to it. */
export async function chooseLanguage(code: LanguageCode): Promise<void> {
  await activateAllWords(code);
  store("lang", code);
}

export type Values = Record<string, unknown>;
export type Text = (id: MessageId, values?: Values) => string;

/** Returns a message in the current language. */
export const text: Text = (id, values) => i18n._(id, values);

/** `const t = useText(); t("home.totalAssets")`. Rerenders when the language changes. */
export function useText(): Text {
  const { _ } = useLingui();
  return (id, values) => _(id, values);
}
