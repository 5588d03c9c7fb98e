/** Reads the catalogue files, for the server, the build and the checks. Apps never include it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { LanguageCode } from "./languages.ts";

const FOLDER = join(import.meta.dirname, "../catalogues");

/** Message id → ICU message of one area's file, as written. */
export type Catalogue = Readonly<Record<string, string>>;

export interface Area {
  readonly name: string;
  readonly messages: Catalogue;
}

/**
 * Reads the areas of a language, one per file `catalogues/<lang>/<area>.json`. Every id starts with its area's name.
 */
export function readAreas(code: LanguageCode, folder = FOLDER): Area[] {
  let files: string[];
  try {
    files = readdirSync(join(folder, code)).filter((file) => file.endsWith(".json"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
  return files.toSorted().map((file) => ({
    name: file.slice(0, -".json".length),
    messages: readMessages(join(folder, code, file)),
  }));
}

function readMessages(path: string): Catalogue {
  const content: unknown = JSON.parse(readFileSync(path, "utf8"));
  if (typeof content !== "object" || content === null) throw new Error(`${path}: expected an object of messages`);
  for (const [id, message] of Object.entries(content))
    if (typeof message !== "string") throw new Error(`${path}: ${id} is not text`);
  return Object.fromEntries(Object.entries(content));
}

/** Reads one language's messages, with English for missing ones. */
export function readMessagesOf(
  code: LanguageCode,
  {
    without = [],
    only,
    folder = FOLDER,
  }: { without?: readonly string[]; only?: readonly string[]; folder?: string } = {},
): Catalogue {
  const areas = [...readAreas("en", folder), ...(code === "en" ? [] : readAreas(code, folder))];
  return Object.assign(
    {},
    ...areas
      .filter(({ name }) => !without.includes(name) && (only?.includes(name) ?? true))
      .map(({ messages }) => messages),
  );
}
