import { accept, formatPrefixedId, maskCards, parsePrefixedId, refuse, type Verdict } from "@fairtick/domain";
import { type LanguageCode, LANGUAGE_CODES } from "@fairtick/i18n";
import { type MessageId, translate } from "@fairtick/i18n/server";
import type { CannedAnswer } from "@fairtick/protocol/operator";
import type { OperatorSession } from "../../platform/console/index.ts";
import type { Present, Queryable } from "../../platform/database.ts";
import { personOf } from "../operators/index.ts";

const BUILT_IN = [
  "hello",
  "moment",
  "depositNumber",
  "depositSlow",
  "identityPhotos",
  "orderDecided",
  "noAdvice",
  "goodbye",
] as const;

const PREFIX = "cnd";

interface Row {
  readonly answer_id: bigint;
  readonly title: string;
  readonly saved_at: bigint;
  /** The texts by language, at least in English. */
  readonly texts: Present<Readonly<Partial<Record<LanguageCode, string>>>>;
  readonly [person: string]: unknown;
}

const SELECT = `SELECT a.answer_id, a.title, a.saved_at, o.operator_id AS saved_by_id, o.login AS saved_by_login, o.name AS saved_by_name,
    (SELECT jsonb_object_agg(language, body) FROM canned_answer_texts t WHERE t.answer_id = a.answer_id) AS texts
  FROM canned_answers a JOIN operators o ON o.operator_id = a.saved_by WHERE a.deleted_at IS NULL`;

function present(row: Row): CannedAnswer {
  const savedBy = personOf(row, "saved_by");
  if (savedBy === null) throw new Error("a canned answer has no author");
  return {
    name: formatPrefixedId(PREFIX, row.answer_id),
    own: { title: row.title, savedBy, savedAt: Number(row.saved_at) },
    texts: LANGUAGE_CODES.flatMap((language) => {
      const text = row.texts[language];
      return text === undefined ? [] : [{ language, text }];
    }),
  };
}

/** Lists operators' own answers by title, then the built-in ones, in every language that a member may have. */
export async function listCanned(db: Queryable): Promise<CannedAnswer[]> {
  const own = await db.query<Row>(`${SELECT} ORDER BY lower(a.title), a.answer_id`);
  return [
    ...own.map(present),
    ...BUILT_IN.map((name) => ({
      name,
      own: null,
      texts: LANGUAGE_CODES.map((language) => ({
        language,
        text: translate(language, `message.canned.${name}` satisfies MessageId),
      })),
    })),
  ];
}

/** Saves an operator's own answer and hides card numbers in it. Refuses NOT_FOUND for an unknown or built-in one. */
export async function saveCanned(
  db: Queryable,
  session: OperatorSession,
  input: {
    readonly name?: string | undefined;
    readonly title: string;
    readonly texts: readonly { readonly language: LanguageCode; readonly text: string }[];
  },
): Promise<Verdict<CannedAnswer>> {
  const id = input.name === undefined ? null : parsePrefixedId(PREFIX, input.name);
  if (input.name !== undefined && id === null) return refuse("NOT_FOUND");
  const written = input.texts.filter(({ text }) => text.trim() !== "");
  const texts = Object.fromEntries(written.map(({ language, text }) => [language, maskCards(text.trim())]));
  const [saved] = await db.query<{ id: bigint }>("SELECT save_canned_answer($1, $2, $3, $4) AS id", [
    session.sessionId,
    id,
    input.title.trim(),
    JSON.stringify(texts),
  ]);
  const [row] = await db.query<Row>(`${SELECT} AND a.answer_id = $1`, [saved?.id]);
  if (row === undefined) throw new Error("a saved canned answer was not found");
  return accept(present(row));
}

/** Deletes an operator's own answer. Refuses NOT_FOUND for an unknown or built-in one. */
export async function deleteCanned(db: Queryable, session: OperatorSession, name: string): Promise<Verdict<null>> {
  const id = parsePrefixedId(PREFIX, name);
  if (id === null) return refuse("NOT_FOUND");
  await db.query("SELECT delete_canned_answer($1, $2)", [session.sessionId, id]);
  return accept(null);
}
