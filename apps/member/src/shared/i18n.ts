import { languageOf, type Language, type LanguageCode, type MessageId } from "@fairtick/i18n";
import { setupI18n, type Messages } from "@lingui/core";
import { useLingui } from "@lingui/react";
import { startTransition } from "react";
import { readStored, store } from "./storage.ts";

/** The one catalogue in use. Screens read it with `useText`, everything else with `text`. */
export const i18n = setupI18n();

type Loaders = Record<LanguageCode, () => Promise<{ messages: Messages }>>;

/**
 * A part of the messages: `first` is enough for home and the shell, `trade` for the trade tab and the order form as they
 * come, `all` for every screen.
 */
export type Words = "first" | "trade" | "all";

const loaders: Readonly<Record<Words, Loaders>> = {
  first: {
    en: () => import("virtual:fairtick-messages/en/first"),
    zh: () => import("virtual:fairtick-messages/zh/first"),
    zhs: () => import("virtual:fairtick-messages/zhs/first"),
    ri: () => import("virtual:fairtick-messages/ri/first"),
    han: () => import("virtual:fairtick-messages/han/first"),
    de: () => import("virtual:fairtick-messages/de/first"),
    xby: () => import("virtual:fairtick-messages/xby/first"),
    ydl: () => import("virtual:fairtick-messages/ydl/first"),
    yue: () => import("virtual:fairtick-messages/yue/first"),
    fr: () => import("virtual:fairtick-messages/fr/first"),
  },
  trade: {
    en: () => import("virtual:fairtick-messages/en/trade"),
    zh: () => import("virtual:fairtick-messages/zh/trade"),
    zhs: () => import("virtual:fairtick-messages/zhs/trade"),
    ri: () => import("virtual:fairtick-messages/ri/trade"),
    han: () => import("virtual:fairtick-messages/han/trade"),
    de: () => import("virtual:fairtick-messages/de/trade"),
    xby: () => import("virtual:fairtick-messages/xby/trade"),
    ydl: () => import("virtual:fairtick-messages/ydl/trade"),
    yue: () => import("virtual:fairtick-messages/yue/trade"),
    fr: () => import("virtual:fairtick-messages/fr/trade"),
  },
  all: {
    en: () => import("virtual:fairtick-messages/en/all"),
    zh: () => import("virtual:fairtick-messages/zh/all"),
    zhs: () => import("virtual:fairtick-messages/zhs/all"),
    ri: () => import("virtual:fairtick-messages/ri/all"),
    han: () => import("virtual:fairtick-messages/han/all"),
    de: () => import("virtual:fairtick-messages/de/all"),
    xby: () => import("virtual:fairtick-messages/xby/all"),
    ydl: () => import("virtual:fairtick-messages/ydl/all"),
    yue: () => import("virtual:fairtick-messages/yue/all"),
    fr: () => import("virtual:fairtick-messages/fr/all"),
  },
};

/** Returns the current language, as stored under `lang`; English before any choice. */
export function currentLanguage(): Language {
  return languageOf(readStored("lang"));
}

/** Returns whether rising prices are red by custom where this language is spoken. */
export function risesInRed(code: LanguageCode): boolean {
  return code === "zh" || code === "zhs" || code === "ri" || code === "han";
}

/** The part that is loaded, of which language. */
let loaded: { readonly code: LanguageCode; readonly words: Words } | null = null;

/**
 * Loads a part of a language's messages, by default of the stored one, and switches to it if it is still wanted then.
 * Every screen waits for the part that it needs. Resolves at once if that part or all messages are loaded already.
 */
export async function activateWords(
  words: Words,
  code: LanguageCode = currentLanguage().code,
  isWanted: () => boolean = () => true,
): Promise<void> {
  if (loaded?.code === code && (loaded.words === words || loaded.words === "all")) return;
  const language = languageOf(code);
  // Without a network a device may have kept all messages of its language, but not the part.
  const { messages } = await loaders[words][code]().catch(() => loaders.all[code]());
  if (!isWanted()) return;
  // A smaller part may arrive after a larger one, which includes it.
  const known = i18n.locale === language.locale ? i18n.messages : {};
  // A transition renders in slices, because everything on the screen has text.
  startTransition(() => i18n.loadAndActivate({ locale: language.locale, messages: { ...known, ...messages } }));
  document.documentElement.lang = language.tag;
  if (loaded?.code !== code || loaded.words !== "all") loaded = { code, words };
}

/** Loads all messages of a language, by default of the stored one. */
export async function activateAllWords(code?: LanguageCode): Promise<void> {
  await activateWords("all", code);
}

/** Numbers the choices of a language, because the messages of an earlier choice may arrive after those of the last. */
let choices = 0;

/**
 * Stores the choice under `lang` and switches to it. Resolves to false if there was another choice in the meantime,
 * which wins. Throws if the messages can't be loaded.
 */
export async function chooseLanguage(code: LanguageCode): Promise<boolean> {
  choices += 1;
  const own = choices;
  const isLast = () => own === choices;
  try {
    await activateWords("all", code, isLast);
  } catch (error) {
    if (isLast()) throw error;
  }
  if (isLast()) store("lang", code);
  return isLast();
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
