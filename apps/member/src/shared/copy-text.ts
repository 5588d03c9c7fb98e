import { showToast } from "@fairtick/ui";
import { text } from "./i18n.ts";

/** Copies a text and shows in the specification's words whether that worked. */
export async function copyText(what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(what);
    showToast(text("common.copySuccessful"));
  } catch {
    showToast(text("common.copyFailed"));
  }
}
