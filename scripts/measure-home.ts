import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { buildStaleApps } from "./build-app.ts";
import { inlineStyles } from "./inline-styles.ts";

/**
 * Measures what the home route loads, gzipped, and its font; fails above either budget: `node scripts/measure-home.ts`.
 */
const DIST = join(import.meta.dirname, "../apps/member/dist");
const BUDGET_BYTES = { js: 120_000, css: 8_000 };
/** The font loads after the first view, so it has its own budget. It is already compressed and counted as it is. */
const FONT_BYTES_MAX = 40_000;

await buildStaleApps(["member"]);
const assets = readdirSync(join(DIST, "assets"));
const page = readFileSync(join(DIST, "index.html"), "utf8");
const needed = new Set<string>();

function need(name: string): void {
  if (needed.has(name)) return;
  needed.add(name);
  if (!name.endsWith(".js")) return;
  const code = readFileSync(join(DIST, "assets", name), "utf8");
  for (const [, imported = ""] of code.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) need(imported);
}

// The page also names other first screens and the messages of every language, which a visit of home doesn't load.
const lists = [/const files = (\[[^\]]*\])/, /"home":\{"narrow":(\[[^\]]*\])/].map((list) => list.exec(page)?.[1]);
for (const list of lists) {
  if (list === undefined) throw new Error("index.html doesn't say what the home route needs");
  for (const [, name = ""] of list.matchAll(/"assets\/([^"]+)"/g)) need(name);
}
for (const name of assets) if (/^(?:HomeScreen|en_first)-[^.]+\.(?:js|css)$/.test(name)) need(name);

const sums = { js: 0, css: gzipSync(inlineStyles(page), { level: 9 }).length };
process.stdout.write(`${String(sums.css).padStart(7)}  index.html, its styles\n`);
for (const name of needed) {
  const size = gzipSync(readFileSync(join(DIST, "assets", name)), { level: 9 }).length;
  const kind = name.endsWith(".css") ? "css" : "js";
  sums[kind] += size;
  process.stdout.write(`${String(size).padStart(7)}  ${name}\n`);
}
for (const kind of ["js", "css"] as const) {
  const isOver = sums[kind] > BUDGET_BYTES[kind];
  process.stdout.write(`${kind} ${sums[kind]} of ${BUDGET_BYTES[kind]} bytes gzip${isOver ? ": over budget" : ""}\n`);
  if (isOver) process.exitCode = 1;
}
const fonts = assets.filter((name) => name.endsWith(".woff2"));
const fontBytes = fonts.reduce((sum, name) => sum + readFileSync(join(DIST, "assets", name)).length, 0);
const isFontOver = fonts.length !== 1 || fontBytes > FONT_BYTES_MAX;
process.stdout.write(`font ${fontBytes} of ${FONT_BYTES_MAX} bytes${isFontOver ? ": over budget" : ""}\n`);
if (isFontOver) process.exitCode = 1;
