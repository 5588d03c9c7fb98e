import type { SystemTool } from "./system-tool.ts";

/**
 * The browser of the journeys: Chromium without windows, as Debian packages it. The full program draws the tabs and
 * buttons of a window that nobody sees, which takes three times as long.
 */
export const BROWSER: SystemTool = {
  name: "Chromium",
  path: "/usr/bin/chromium-headless-shell",
  packages: ["chromium-headless-shell"],
};
