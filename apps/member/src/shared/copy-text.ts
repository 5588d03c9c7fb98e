import { showToast } from "@fairtick/ui";
import { text } from "./i18n.ts";

/** Copies, and says in the specification's words whether it went. */
export async function copyText(what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(what);
    showToast(text("common.copySuccessful"));
  } catch {
    showToast(text("common.copyFailed"));
  }
}
