/** `npm run pictures`: takes screenshots of the main screens into docs/pictures/now. See docs/pictures/README.md. */
import { join, resolve } from "node:path";
import { findChromium } from "./chromium.ts";
import { showTool } from "./run-tool.ts";

const chromium = findChromium();
if (!chromium.ok) {
  console.error(chromium.sentence);
  process.exit(1);
}
const playwright = join(resolve(import.meta.dirname, ".."), "node_modules/@playwright/test/cli.js");
const { code } = await showTool(playwright, ["test", "--config", "e2e/pictures.config.ts", "--reporter=list"]);
process.exitCode = code ?? 1;
