/** Checks the catalogues. `scripts/check.ts` calls it; `node packages/i18n/src/check.ts` runs it alone. */
import { compileMessageOrThrow, type CompiledMessage } from "@lingui/message-utils/compileMessage";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readAreas, type Catalogue } from "./catalogues.ts";
import { LANGUAGES, type LanguageCode } from "./languages.ts";
import { mayReadAsEnglish } from "./same-as-english.ts";

export interface CatalogueReport {
  /** Faults that must be fixed. */
  readonly problems: readonly string[];
  /** Messages that no code refers to. */
  readonly unused: readonly string[];
  /** How complete each language is, one line per language. */
  readonly completeness: readonly string[];
}

/** Areas whose ids are composed from names of errors, fields and purposes. */
const COMPOSED_AREAS = ["errors", "fields", "mail", "message"];
/**
 * English words that have slipped into other languages before. `mayReadAsEnglish` can't find them, because the rest of
 * the sentence is translated.
 */
const ENGLISH_WORDS = /\bticks?\b|test chain/i;
const SOURCES = ["apps/*/src/**/*.{ts,tsx}", "packages/*/src/**/*.{ts,tsx}"];

/** Compares the catalogues with each other and with the ids used by the code under `root`. */
export function checkCatalogues(root: string, folder?: string): CatalogueReport {
  const english = merge("en", folder);
  const use = checkUse(english.messages, english.areas, root);
  const problems = [...english.problems, ...use.problems];
  const completeness: string[] = [];
  const total = Object.keys(english.messages).length;
  for (const { code, locale } of LANGUAGES) {
    const other = code === "en" ? english : merge(code, folder);
    problems.push(...checkPlurals(other.messages, code, locale));
    if (code === "en") continue;
    problems.push(...other.problems, ...checkAgainst(english.messages, other.messages, code));
    const there = Object.keys(other.messages).filter((id) => Object.hasOwn(english.messages, id)).length;
    completeness.push(`${code.padEnd(3)} ${there} of ${total} messages`);
  }
  return { problems, unused: use.unused, completeness };
}

function merge(code: LanguageCode, folder?: string) {
  const problems: string[] = [];
  const messages: Record<string, string> = {};
  const areas = readAreas(code, folder);
  for (const area of areas)
    for (const [id, message] of Object.entries(area.messages)) {
      const where = `${code}/${area.name}.json: ${id}`;
      if (!id.startsWith(`${area.name}.`)) problems.push(`${where} must start with "${area.name}."`);
      if (message.trim() === "") problems.push(`${where} is empty`);
      try {
        compileMessageOrThrow(message);
      } catch (error) {
        problems.push(`${where} is no ICU message: ${error instanceof Error ? error.message : String(error)}`);
        continue;
      }
      messages[id] = message;
    }
  return { messages, problems, areas: areas.map(({ name }) => name) };
}

function checkAgainst(english: Catalogue, other: Catalogue, code: LanguageCode): string[] {
  const problems = Object.keys(english)
    .filter((id) => !Object.hasOwn(other, id))
    .map((id) => `${code}: ${id} is missing`);
  for (const [id, message] of Object.entries(other)) {
    const original = english[id];
    if (original === undefined) {
      problems.push(`${code}: ${id} does not stand in English`);
      continue;
    }
    const expected = placeholdersOf(original);
    const found = placeholdersOf(message);
    if (expected !== found) problems.push(`${code}: ${id} uses {${found}}, English {${expected}}`);
    if (message === original && !mayReadAsEnglish(message, code)) problems.push(`${code}: ${id} is not translated`);
    const word = ENGLISH_WORDS.exec(message)?.[0];
    if (word !== undefined) problems.push(`${code}: ${id} says "${word}" in English`);
  }
  return problems;
}

/** Checks that plurals use exactly the categories of their language that whole numbers need. */
function checkPlurals(messages: Catalogue, code: LanguageCode, locale: string): string[] {
  const known = new Intl.PluralRules(locale).resolvedOptions().pluralCategories;
  const problems: string[] = [];
  for (const [id, message] of Object.entries(messages))
    for (const named of pluralsOf(compileMessageOrThrow(message))) {
      for (const name of named)
        if (!known.some((category) => category === name)) problems.push(`${code}: ${id} has no use for "${name}"`);
      for (const name of known)
        // In the Romance languages "many" is only for millions, for which "other" reads the same.
        if (name !== "many" && !named.includes(name)) problems.push(`${code}: ${id} lacks "${name}"`);
    }
  return problems;
}

/** Returns the categories of each plural in a message, without exact numbers. */
function pluralsOf(tokens: CompiledMessage): string[][] {
  return tokens.flatMap((token) => {
    if (typeof token === "string") return [];
    const [, kind, choices] = token;
    if (typeof choices !== "object" || choices === null) return [];
    const inner = Object.values(choices).flatMap((choice) => (Array.isArray(choice) ? pluralsOf(choice) : []));
    const names = Object.keys(choices).filter((name) => name !== "offset" && !/^\d/.test(name));
    return kind === "plural" ? [names, ...inner] : inner;
  });
}

/** Returns the names of the values in a message, sorted. */
export function placeholdersOf(message: string): string {
  const names = new Set<string>();
  const visit = (tokens: CompiledMessage): void => {
    for (const token of tokens) {
      if (typeof token === "string") continue;
      const [name, , choices] = token;
      if (name !== "#") names.add(name);
      if (typeof choices === "object" && choices !== null)
        for (const choice of Object.values(choices)) if (Array.isArray(choice)) visit(choice);
    }
  };
  visit(compileMessageOrThrow(message));
  return [...names].toSorted().join(", ");
}

/** Checks ids in quotes, `"home.totalAssets"`, and the fixed start of composed ones, `` `common.wallet.${…}` ``. */
function checkUse(english: Catalogue, areas: readonly string[], root: string) {
  const quoted = new RegExp(`["'\`]((?:${areas.join("|")})\\.[A-Za-z0-9_.]+)["'\`]`, "g");
  const composed = new RegExp(`\`((?:${areas.join("|")})\\.[A-Za-z0-9_.]*)\\$\\{`, "g");
  const used = new Set<string>();
  const prefixes: string[] = COMPOSED_AREAS.map((area) => `${area}.`);
  const problems: string[] = [];
  for (const file of globSync(SOURCES, { cwd: root, exclude: (path) => path.includes("node_modules") })) {
    // The server's ids are checked by the compiler, and its names of log entries look similar.
    const isApp = /^(?:apps\/(?!server\/)|packages\/ui\/)/.test(file) && !file.includes(".test.");
    const source = readFileSync(join(root, file), "utf8");
    for (const [, id = ""] of source.matchAll(quoted)) {
      used.add(id);
      if (isApp && !Object.hasOwn(english, id) && !looksLikeFile(id))
        problems.push(`${file}: ${id} does not stand in English`);
    }
    for (const [, prefix = ""] of source.matchAll(composed)) prefixes.push(prefix);
  }
  const unused = Object.keys(english).filter(
    (id) => !used.has(id) && !prefixes.some((prefix) => id.startsWith(prefix)),
  );
  return { problems, unused };
}

/** Returns whether an id looks like a file name, such as `mail.ts`. */
function looksLikeFile(id: string): boolean {
  return /\.(?:ts|tsx|json|css|svg|png|html|js)$/.test(id);
}

if (import.meta.main) {
  const { problems, unused, completeness } = checkCatalogues(join(import.meta.dirname, "../../.."));
  for (const line of completeness) console.log(line);
  for (const id of unused) console.log(`en: ${id} is not used`);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
