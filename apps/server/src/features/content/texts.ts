/**
 * The written texts: one file for each language and article, `texts/<lang>/<name>.md`, read once at the start. A file begins
 * with front matter between two lines `---` (`title: …`, `version: …`, `date: YYYY-MM-DD`, for help `topic: …`). Headings
 * `## …`, items `- …` and paragraphs follow, each on one line, with `**strong**` words in them. The app shows no other
 * markup.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LANGUAGE_CODES, type LanguageCode } from "@fairtick/i18n";

export const LEGAL_TEXTS = ["agreement", "privacy"] as const;

/** Help articles in the order of the help center. Articles of one topic follow each other. */
export const HELP_IDS = [
  "how-decided",
  "ties-voids",
  "fees-odds",
  "order-timeline",
  "verify-order",
  "limit-price",
  "wallets",
  "simulated-prices",
  "price-stale",
  "market-hours",
  "deposits",
  "withdrawals",
  "transaction-password",
  "lost-password",
  "devices",
  "identity",
] as const;

export type LegalText = (typeof LEGAL_TEXTS)[number];
export type HelpId = (typeof HELP_IDS)[number];
export type TextName = LegalText | `help/${HelpId}`;

export interface WrittenText {
  readonly title: string;
  readonly version: string;
  /** The day from which this version is in force, `YYYY-MM-DD`. */
  readonly date: string;
  /** Topic of a help article, in the text's language; empty for legal texts. */
  readonly topic: string;
  readonly body: string;
}

const FOLDER = join(import.meta.dirname, "texts");
export const TEXT_NAMES: readonly TextName[] = [...LEGAL_TEXTS, ...HELP_IDS.map((id) => `help/${id}` as const)];

/** Reads one file; null if that language doesn't have it. @throws Error that names the file and what it lacks. */
export function readText(code: LanguageCode, name: TextName, folder = FOLDER): WrittenText | null {
  const path = join(folder, code, `${name}.md`);
  let content: string;
  try {
    content = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
  const [, head, body] = /^---\n(.*?)\n---\n(.*)$/s.exec(content) ?? [];
  if (head === undefined || body === undefined) throw new Error(`${path}: expected front matter between two lines ---`);
  const facts = new Map(
    head.split("\n").map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const fact = (key: string): string => {
    const value = facts.get(key);
    if (value === undefined || value === "") throw new Error(`${path}: ${key} is missing`);
    return value;
  };
  return {
    title: fact("title"),
    version: fact("version"),
    date: fact("date"),
    topic: name.startsWith("help/") ? fact("topic") : "",
    body: body.trim(),
  };
}

/** Returns a text in a language, or in English if that language doesn't have it. */
export type Texts = (code: LanguageCode, name: TextName) => WrittenText;

/** Reads all files. @throws Error if an English one is missing. */
export function readTexts(folder = FOLDER): Texts {
  const texts = new Map<string, WrittenText>();
  for (const name of TEXT_NAMES) {
    const english = readText("en", name, folder);
    if (english === null) throw new Error(`${join(folder, "en", name)}.md is missing`);
    for (const code of LANGUAGE_CODES) texts.set(`${code}/${name}`, readText(code, name, folder) ?? english);
  }
  return (code, name) => {
    const text = texts.get(`${code}/${name}`);
    if (text === undefined) throw new Error(`no text ${code}/${name}`);
    return text;
  };
}

/** Returns the version of the user agreement that new members accept. It is the English text's, like all translations'. */
export function agreementVersion(): string {
  agreed ??= readText("en", "agreement")?.version;
  if (agreed === undefined) throw new Error("the user agreement is missing");
  return agreed;
}
let agreed: string | undefined;
