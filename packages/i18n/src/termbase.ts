/** The words that each language uses for the product's concepts: `termbase/<language>.json`, held against the catalogues. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readMessagesOf, type Catalogue } from "./catalogues.ts";
import type { LanguageCode } from "./languages.ts";

const FOLDER = join(import.meta.dirname, "../termbase");

/** One language's words. */
export interface Termbase {
  /** Concept → its words. English ones are whole words; of other languages any part of a word will do, since words inflect. */
  readonly terms: Readonly<Record<string, readonly string[]>>;
  /** Words that no message may use → the right one. */
  readonly never: Readonly<Record<string, string>>;
  /** Ids that go by other words → why. */
  readonly exceptions: Readonly<Record<string, string>>;
}

/** Throws where the file is missing or no termbase. */
export function readTermbase(code: LanguageCode, folder = FOLDER): Termbase {
  const content: unknown = JSON.parse(readFileSync(join(folder, `${code}.json`), "utf8"));
  if (!isTermbase(content)) throw new Error(`${code}.json: expected terms, never and exceptions`);
  return content;
}

/** Every breach of one language's words, a sentence each. */
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

/** Messages that use a word which this language never does. */
export function findForbidden(code: LanguageCode, messages: Catalogue, { never, exceptions }: Termbase): string[] {
  return Object.entries(messages).flatMap(([id, message]) =>
    Object.entries(never)
      .filter(([word]) => !(id in exceptions) && message.toLowerCase().includes(word.toLowerCase()))
      .map(([word, right]) => `${code}: ${id} says "${word}", use "${right}"`),
  );
}

/** Messages whose English names a concept and that do not use this language's word for it. */
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
      const said = other.messages[id]?.toLowerCase() ?? "";
      if (!own.some((word) => said.includes(word)))
        problems.push(`${code}: ${id} does not say "${own.join('" or "')}"`);
    }
  }
  return problems;
}

/** Without the names of values, which are English in every language. */
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
