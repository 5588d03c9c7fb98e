/**
 * `npm run walk`: takes screenshots of every screen in every language, size and theme, and lists faults. See
 * docs/walk.md.
 */
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { findChromium } from "./chromium.ts";
import { showTool } from "./run-tool.ts";

const PROJECT = resolve(import.meta.dirname, "..");
const FOLDER = join(PROJECT, "artifacts/walk");
const PARTS = ["member", "console", "keyboard", "messages"];

const { values } = parseArgs({
  options: {
    parts: { type: "string", default: PARTS.join(",") },
    languages: { type: "string" },
    sizes: { type: "string" },
    themes: { type: "string" },
    text: { type: "string" },
    screens: { type: "string" },
    "no-axe": { type: "boolean" },
    journeys: { type: "boolean" },
  },
});
const list = (given: string | undefined) => given?.split(",").map((each) => each.trim());
const numbers = (given: string | undefined) => list(given)?.map(Number);

const parts = list(values.parts) ?? PARTS;
const unknown = parts.find((part) => !PARTS.includes(part));
if (unknown !== undefined) {
  console.error(`There is no part ${unknown}. Parts: ${PARTS.join(", ")}`);
  process.exit(2);
}
const chromium = findChromium();
if (!chromium.ok) {
  console.error(chromium.sentence);
  process.exit(1);
}

await rm(FOLDER, { recursive: true, force: true });
const WALK = JSON.stringify({
  languages: list(values.languages),
  widths: numbers(values.sizes),
  themes: list(values.themes),
  texts: numbers(values.text),
  only: values.screens,
  axe: values["no-axe"] ? false : undefined,
});
const playwright = join(PROJECT, "node_modules/@playwright/test/cli.js");
const shown = [
  await showTool(playwright, ["test", "--config", "e2e/walk.config.ts", "--reporter=list", ...parts], { WALK }),
];
// Whether journeys pass is the tests' concern. Here they only produce screenshots that a walk doesn't reach.
if (values.journeys)
  await showTool(playwright, ["test", "--config", "e2e/playwright.config.ts", "--reporter=list"], {
    WALK_MARKS: "yes",
  });
shown.push(await showTool(join(PROJECT, "e2e/src/walk/write.ts"), []));
process.exitCode = shown.every(({ code }) => code === 0) ? 0 : 1;
