import { findTool } from "@fairtick/testkit/system-tool";

/** The system's browser, installed first where that can be. */
export function findChromium(): ReturnType<typeof findTool> {
  const found = findTool({ name: "Chromium", path: "/usr/bin/chromium", packages: ["chromium"] });
  return found.ok
    ? found
    : { ok: false, sentence: `The journeys need a browser. ${found.sentence} Or run "npm test -- --only unit".` };
}
