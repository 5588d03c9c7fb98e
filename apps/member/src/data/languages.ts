import { store } from "../shared/storage.ts";
import { askEnvelope } from "./transport.ts";

/**
 * Fetches the available languages on each app show and keeps the whole answer, envelope included,
 * under `languageData`. A failure changes nothing.
 */
export async function refreshAvailableLanguages(): Promise<void> {
  try {
    store("languageData", JSON.stringify(await askEnvelope("multiLang/findAvailableLang", {})));
  } catch {
    // As specified: failures of this call are ignored.
  }
}
