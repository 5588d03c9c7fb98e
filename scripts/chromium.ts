import { BROWSER } from "@fairtick/testkit/browser";
import { findTool } from "@fairtick/testkit/system-tool";

/** Finds the journeys' browser, and installs it first if possible. */
export function findChromium(): ReturnType<typeof findTool> {
  const found = findTool(BROWSER);
  return found.ok
    ? found
    : { ok: false, sentence: `The journeys need a browser. ${found.sentence} Or run "npm test -- --only unit".` };
}
