import { store } from "../../shared/storage.ts";

/** The font's name in the stylesheet. index.html enables it on the root element if the font is known to be cached. */
const FAMILY = "Fairtick Sans";

/**
 * Loads the app's font after the first view, which is rendered without it, and uses it from the next screen on. Later
 * visits have it from the start. If it doesn't load, the system font stays.
 */
export async function keepFont(): Promise<void> {
  if ("font" in document.documentElement.dataset) return;
  const faces = await document.fonts.load(`1em "${FAMILY}"`);
  if (faces.length === 0) return;
  store("fairtickFont", "kept");
  // Wait for the next screen, so that text doesn't change while someone is reading it.
  addEventListener("hashchange", () => (document.documentElement.dataset["font"] = ""), { once: true });
}
