import { store } from "../../shared/storage.ts";

/** Of the stylesheet's names; index.html puts it on the root where the font is known to be kept. */
const FAMILY = "Fairtick Sans";

/**
 * Fetches the app's own font once the first view stands, which is drawn without it, and draws with it from the next
 * screen on; later visits have it from the start. A browser that doesn't get it keeps the system's font.
 */
export async function keepFont(): Promise<void> {
  if ("font" in document.documentElement.dataset) return;
  const faces = await document.fonts.load(`1em "${FAMILY}"`);
  if (faces.length === 0) return;
  store("fairtickFont", "kept");
  // Text that is being read does not change its shape.
  addEventListener("hashchange", () => (document.documentElement.dataset["font"] = ""), { once: true });
}
