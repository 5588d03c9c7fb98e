import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { readMessagesOf } from "@fairtick/i18n/catalogues";
import { placeholdersOf } from "@fairtick/i18n/check";
import { hasMessage, translate } from "@fairtick/i18n/server";
import type { BrowserContext, Page } from "@playwright/test";

/**
 * Shows which message appears where on a screen. On its way to the browser, each message gets its number as a prefix of
 * two invisible characters, which Playwright ignores when it matches text. The app itself isn't aware of them.
 */
const ZERO = "\u200b";
const ONE = "\u00ad";
const DIGITS = 12;
const ENGLISH = readMessagesOf("en");
const IDS = Object.keys(ENGLISH).toSorted();
const MARKS = Object.fromEntries(IDS.map((id, place) => [id, markOf(place)]));

const WALK_FOLDER = resolve(import.meta.dirname, "../../../artifacts/walk");

/** One message in one screenshot. */
export interface Seen {
  readonly id: string;
  /** Its place in the screenshot; null if only screen readers or the title show it. */
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number } | null;
}

export interface SeenPicture {
  /** Path inside the walk's folder. */
  readonly file: string;
  readonly seen: readonly Seen[];
}

/** Whether this run marks messages; `npm run walk` sets it. */
export const MARKING = process.env["WALK_MARKS"] === "yes";

function markOf(place: number): string {
  return place.toString(2).padStart(DIGITS, "0").replaceAll("0", ZERO).replaceAll("1", ONE);
}

/** Marks the messages in every page of the context, from its next load on. */
export async function markMessages(context: BrowserContext): Promise<void> {
  await context.route(/\/assets\/[^/]+\.js$/, async (route) => {
    const response = await route.fetch();
    const script = await response.text();
    const isWords = /JSON\.parse\(.\{"[a-z]+\.[A-Za-z.]+":\[/.test(script);
    await route.fulfill({ response, body: isWords ? markingParser() + script : script });
  });
}

/** Returns the source of a `JSON` replacement for a script, whose parser adds the marks. */
function markingParser(): string {
  return (
    `const marks=${JSON.stringify(MARKS)};` +
    "const JSON={parse(text){const all=globalThis.JSON.parse(text);" +
    "for(const id of Object.keys(all))if(marks[id])all[id]=[marks[id]].concat(all[id]);return all}};"
  );
}

/** Saves a screenshot of the page and the list of messages in it. */
export async function keepSeen(page: Page, name: string): Promise<void> {
  const pieces = await page.evaluate(readPieces);
  const seen = pieces.flatMap(({ words, box }) => idsIn(words).map((id): Seen => ({ id, box })));
  if (seen.length === 0) return;
  const file = join("pictures", "messages", `${name}.jpg`);
  await page.screenshot({ path: join(WALK_FOLDER, file), type: "jpeg", quality: 70 });
  const folder = join(WALK_FOLDER, "seen");
  await mkdir(folder, { recursive: true });
  const picture: SeenPicture = { file, seen };
  await writeFile(join(folder, `${name}.json`), JSON.stringify(picture));
}

/** Returns the ids of the messages in a text by their marks, or else of the server's own messages by their words. */
function idsIn(words: string): readonly string[] {
  const marked = words.match(/[\u200b\u00ad]{12,}/g) ?? [];
  if (marked.length > 0)
    return marked.flatMap((run) =>
      Array.from({ length: Math.floor(run.length / DIGITS) }, (_, place) => {
        const digits = run.slice(place * DIGITS, (place + 1) * DIGITS);
        return IDS[Number.parseInt(digits.replaceAll(ZERO, "0").replaceAll(ONE, "1"), 2)] ?? "";
      }).filter((id) => id !== ""),
    );
  return SERVER_WORDS.filter(([, pattern]) => pattern.test(words.trim())).map(([id]) => id);
}

/** The server's own messages as patterns in which each placeholder matches any value. */
const SERVER_WORDS = IDS.filter((id) => /^(?:message|errors)\./.test(id)).flatMap((id): [string, RegExp][] => {
  if (!hasMessage(id)) return [];
  const names = placeholdersOf(ENGLISH[id] ?? "").split(", ");
  const said = translate("en", id, Object.fromEntries(names.map((name) => [name, ZERO])));
  const fixed = said.split(ZERO).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return [[id, new RegExp(`^${fixed.join(".+")}$`)]];
});

/** Collects every visible text with its place, and text for screen readers and titles only. Runs in the page. */
function readPieces(): { words: string; box: Seen["box"] }[] {
  const pieces: { words: string; box: Seen["box"] }[] = [{ words: document.title, box: null }];
  // Text under an open sheet belongs to another screenshot.
  const sheet = document.querySelector("[role=dialog]");
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const owner = node.parentElement;
    if (
      !owner ||
      owner.closest("script, style") ||
      (sheet && !sheet.contains(owner)) ||
      (node.textContent ?? "").trim() === ""
    )
      continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const { x, y, width, height } = range.getBoundingClientRect();
    const shows = owner.checkVisibility() && width > 1 && !owner.closest(".unseen") && y < window.innerHeight;
    pieces.push({ words: node.textContent ?? "", box: shows ? { x, y, width, height } : null });
  }
  for (const element of document.querySelectorAll("[aria-label], [placeholder], [alt], [title]"))
    for (const name of ["aria-label", "placeholder", "alt", "title"]) {
      const words = element.getAttribute(name);
      if (words === null || (sheet && !sheet.contains(element))) continue;
      const { x, y, width, height } = element.getBoundingClientRect();
      const shows = name === "placeholder" && width > 1;
      pieces.push({ words, box: shows ? { x, y, width, height } : null });
    }
  return pieces;
}
