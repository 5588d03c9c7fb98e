import type { userSetLanguage } from "@fairtick/protocol";
import type { LanguageCode } from "@fairtick/i18n";
import { store } from "../shared/storage.ts";
import { queryClient } from "./queries.ts";
import { sessionToken } from "./session.ts";
import { ask, askLanguages } from "./transport.ts";

/**
 * Fetches the available languages on each app show and keeps the whole answer, envelope included,
 * under `languageData`. A failure changes nothing.
 */
export async function refreshAvailableLanguages(): Promise<void> {
  try {
    store("languageData", JSON.stringify(await askLanguages()));
  } catch {
    // As specified: failures of this call are ignored.
  }
}

/** Tells the server in which language to write to the member, and reads anew what it had put into words. */
export async function tellLanguage(lang: LanguageCode): Promise<void> {
  void queryClient.invalidateQueries();
  if (sessionToken() === null) return;
  try {
    await ask<typeof userSetLanguage>("user/setLanguage", { lang });
  } catch {
    // The choice holds on this device; every call bears it in its Lang header anyway.
  }
}
