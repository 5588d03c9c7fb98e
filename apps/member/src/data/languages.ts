import type { userSetLanguage } from "@fairtick/protocol";
import { isLanguageCode, languageOf, LANGUAGES, type Language, type LanguageCode } from "@fairtick/i18n";
import { useMemo, useSyncExternalStore } from "react";
import { readStored, store } from "../shared/storage.ts";
import { queryClient } from "./queries.ts";
import { sessionToken } from "./session.ts";
import { ask, askLanguages } from "./transport.ts";

/**
 * Fetches the available languages each time the app is shown and stores the whole answer, envelope included, under
 * `languageData`. A failure changes nothing.
 */
export async function refreshAvailableLanguages(): Promise<void> {
  try {
    store("languageData", JSON.stringify(await askLanguages()));
    for (const watcher of watchers) watcher();
  } catch {
    // As specified: failures of this call are ignored.
  }
}

const watchers = new Set<() => void>();

function watchLanguages(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** The languages that the server offers, in its order and with its names; all ten until an answer has been read. */
export function useOfferedLanguages(): readonly Language[] {
  const stored = useSyncExternalStore(watchLanguages, () => readStored("languageData"));
  return useMemo(() => offeredLanguages(stored), [stored]);
}

/** Parses a stored answer. Languages without a catalogue in this version are left out. */
export function offeredLanguages(stored: string | null): readonly Language[] {
  const offered = entriesOf(stored).flatMap((entry): Language[] => {
    if (typeof entry !== "object" || entry === null) return [];
    const code: unknown = Reflect.get(entry, "code");
    const nativeName: unknown = Reflect.get(entry, "nativeName");
    if (typeof code !== "string" || !isLanguageCode(code)) return [];
    return [{ ...languageOf(code), ...(typeof nativeName === "string" && nativeName !== "" && { nativeName }) }];
  });
  const each = [...new Map(offered.map((language) => [language.code, language])).values()];
  return each.length === 0 ? LANGUAGES : each;
}

function entriesOf(stored: string | null): readonly unknown[] {
  try {
    const envelope: unknown = JSON.parse(stored ?? "null");
    const data: unknown = typeof envelope === "object" && envelope !== null ? Reflect.get(envelope, "data") : null;
    return Array.isArray(data) ? (data as readonly unknown[]) : [];
  } catch {
    return [];
  }
}

/** Tells the server which language to write to the member in, and reloads everything that the server had worded. */
export async function tellLanguage(lang: LanguageCode): Promise<void> {
  void queryClient.invalidateQueries();
  if (sessionToken() === null) return;
  try {
    await ask<typeof userSetLanguage>("user/setLanguage", { lang });
  } catch {
    // The choice still holds on this device, and every call sends it in its Lang header.
  }
}
