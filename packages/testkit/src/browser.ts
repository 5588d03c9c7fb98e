import type { SystemTool } from "./system-tool.ts";

/**
 * The browser of the journeys: headless Chromium as packaged by Debian. The full program would also draw the tabs and
 * buttons of an invisible window, which takes three times as long.
 */
export const BROWSER: SystemTool = {
  name: "Chromium",
  path: "/usr/bin/chromium-headless-shell",
  packages: ["chromium-headless-shell"],
};
