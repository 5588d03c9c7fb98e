/** A language of app, messages and mails. */
export interface Language {
  /** Code under which the app stores it as `lang`. */
  readonly code: LanguageCode;
  /** Value of the `Lang` header. */
  readonly lang: string;
  /** BCP 47 tag for `Intl`. */
  readonly locale: string;
  /** BCP 47 tag for the `lang` attribute, which selects the fonts. */
  readonly tag: string;
  /** Name in English. */
  readonly name: string;
  readonly nativeName: string;
}

export const LANGUAGE_CODES = ["en", "zh", "zhs", "ri", "han", "de", "xby", "ydl", "yue", "fr"] as const;
export type LanguageCode = (typeof LANGUAGE_CODES)[number];

const ENGLISH: Language = {
  code: "en",
  lang: "en_US",
  locale: "en-US",
  tag: "en",
  name: "English",
  nativeName: "English",
};

export const LANGUAGES: readonly Language[] = [
  ENGLISH,
  { code: "zh", lang: "zh_TW", locale: "zh-TW", tag: "zh-Hant", name: "Traditional Chinese", nativeName: "繁體中文" },
  { code: "zhs", lang: "zh_CN", locale: "zh-CN", tag: "zh-Hans", name: "Simplified Chinese", nativeName: "简体中文" },
  { code: "ri", lang: "ja_JP", locale: "ja-JP", tag: "ja", name: "Japanese", nativeName: "日本語" },
  { code: "han", lang: "ko_KR", locale: "ko-KR", tag: "ko", name: "Korean", nativeName: "한국어" },
  { code: "de", lang: "de_DE", locale: "de-DE", tag: "de", name: "German", nativeName: "Deutsch" },
  { code: "xby", lang: "es_ES", locale: "es-ES", tag: "es", name: "Spanish", nativeName: "Español" },
  { code: "ydl", lang: "it_IT", locale: "it-IT", tag: "it", name: "Italian", nativeName: "Italiano" },
  { code: "yue", lang: "vi_VN", locale: "vi-VN", tag: "vi", name: "Vietnamese", nativeName: "Tiếng Việt" },
  { code: "fr", lang: "fr_FR", locale: "fr-FR", tag: "fr", name: "French", nativeName: "Français" },
];

const BY_CODE: ReadonlyMap<string, Language> = new Map(LANGUAGES.map((language) => [language.code, language]));
const BY_HEADER: ReadonlyMap<string, LanguageCode> = new Map(LANGUAGES.map(({ lang, code }) => [lang, code]));

/** Returns the language with this code; English if it is unknown. */
export function languageOf(code: string | null | undefined): Language {
  return BY_CODE.get(code ?? "") ?? ENGLISH;
}

/** Returns the code for a `Lang` header: `de_DE` → `de`; English if it is unknown or missing. */
export function languageOfHeader(header: string | undefined): LanguageCode {
  return BY_HEADER.get(header ?? "") ?? "en";
}

export function isLanguageCode(code: string): code is LanguageCode {
  return BY_CODE.has(code);
}
