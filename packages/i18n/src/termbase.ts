/**
 * The words that each language uses for the product's concepts (`termbase/<language>.json`), checked against the
 * catalogues.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readMessagesOf, type Catalogue } from "./catalogues.ts";
import type { LanguageCode } from "./languages.ts";

const FOLDER = join(import.meta.dirname, "../termbase");

/** The words of one language. */
export interface Termbase {
  /**
   * Concept → its words. In English they are whole words; in other languages any part of a word counts, because words
   * inflect.
   */
  readonly terms: Readonly<Record<string, readonly string[]>>;
  /** Forbidden words → the right ones. */
  readonly never: Readonly<Record<string, string>>;
  /** Ids of messages that may use other words → the reason. */
  readonly exceptions: Readonly<Record<string, string>>;
}

/** Reads a language's termbase. Throws if the file is missing or invalid. */
export function readTermbase(code: LanguageCode, folder = FOLDER): Termbase {
  const content: unknown = JSON.parse(readFileSync(join(folder, `${code}.json`), "utf8"));
  if (!isTermbase(content)) throw new Error(`${code}.json: expected terms, never and exceptions`);
  return content;
}

/** Returns every violation of one language's words, as a sentence each. */
export function checkTermsOf(code: LanguageCode): string[] {
  const english = { messages: readMessagesOf("en"), termbase: readTermbase("en") };
  if (code === "en") return findForbidden("en", english.messages, english.termbase);
  const messages = readMessagesOf(code);
  const termbase = readTermbase(code);
  return [...findForbidden(code, messages, termbase), ...findMissing(code, english, { messages, termbase })];
}

interface Words {
  readonly messages: Catalogue;
  readonly termbase: Termbase;
}

/** Finds messages that use a word which is forbidden in this language. */
export function findForbidden(code: LanguageCode, messages: Catalogue, { never, exceptions }: Termbase): string[] {
  return Object.entries(messages).flatMap(([id, message]) =>
    Object.entries(never)
      .filter(([word]) => !(id in exceptions) && lettersOf(message).includes(word.toLowerCase()))
      .map(([word, right]) => `${code}: ${id} says "${word}", use "${right}"`),
  );
}

/** Finds messages whose English text has a concept but that don't use this language's word for it. */
export function findMissing(code: LanguageCode, english: Words, other: Words): string[] {
  const problems: string[] = [];
  for (const [concept, words] of Object.entries(english.termbase.terms)) {
    const own = other.termbase.terms[concept]?.map((word) => word.toLowerCase());
    if (own === undefined) {
      problems.push(`${code}: there is no word for "${concept}"`);
      continue;
    }
    const named = new RegExp(`\\b(?:${words.join("|")})\\b`, "i");
    for (const [id, message] of Object.entries(english.messages)) {
      if (id in other.termbase.exceptions || !named.test(readable(message))) continue;
      const said = lettersOf(other.messages[id] ?? "");
      if (!own.some((word) => said.includes(word)))
        problems.push(`${code}: ${id} does not say "${own.join('" or "')}"`);
    }
  }
  return problems;
}

/** Returns a message in lower case and without the soft hyphens at which a long word may break. */
function lettersOf(message: string): string {
  return message.replaceAll("\u00AD", "").toLowerCase();
}

/** Returns a message without the names of its values, which are English in every language. */
function readable(message: string): string {
  return message.replaceAll(/\{\w+(?:,\s*(?:plural|select),)?/g, " ");
}

function isTermbase(content: unknown): content is Termbase {
  if (typeof content !== "object" || content === null) return false;
  return ["terms", "never", "exceptions"].every((part) => {
    const entry: unknown = Reflect.get(content, part);
    return typeof entry === "object" && entry !== null;
  });
}
