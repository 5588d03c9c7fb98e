import {
  CANNED_TEXT_MAX,
  CANNED_TITLE_MAX,
  type CannedAnswer,
  supportDeleteCanned,
  supportSaveCanned,
} from "@fairtick/protocol/operator";
import { Button, Field, Notice } from "@fairtick/ui";
import { useState } from "react";
import { useAct, useMay } from "../data/queries.ts";
import { titleOf, wordsFor } from "../shared/canned.ts";
import { CaseHead } from "../shared/Case.tsx";
import { Decide } from "../shared/Decide.tsx";
import { instant } from "../shared/format.ts";
import { type Code, CODES, LanguageChoice } from "../shared/LanguageChoice.tsx";
import { choose } from "../shared/route.ts";
import { fits, lengthNote } from "../shared/text-length.ts";
import { TextField } from "../shared/TextBox.tsx";
import { WORDS } from "../shared/words.ts";

/** One canned answer. Custom ones can be edited and deleted; built-in ones are read-only. */
export function CannedCase({ answer }: { readonly answer: CannedAnswer }) {
  const may = useMay();
  const remove = useAct(supportDeleteCanned);
  const { name, own } = answer;
  return (
    <>
      <CaseHead title={titleOf(answer)} state={own === null ? "Built in" : "Custom"} />
      {own !== null && (
        <p className="label">
          Saved by {own.savedBy.login}, {instant(own.savedAt)} UTC
        </p>
      )}
      {own !== null && may("support/saveCanned") ? (
        <>
          <CannedEditor answer={answer} />
          <Decide
            decisions={[
              {
                label: "Delete",
                key: "r",
                act: async (reason) => {
                  await remove.mutateAsync({ name, reason });
                  choose("canned", null);
                },
              },
            ]}
            note="Messages already sent stay in the chats."
          />
        </>
      ) : (
        <Read answer={answer} />
      )}
    </>
  );
}

function Read({ answer }: { readonly answer: CannedAnswer }) {
  const [code, setCode] = useState<Code>("en");
  const { words, isFallback } = wordsFor(answer, code);
  return (
    <>
      <LanguageChoice code={code} onChange={setCode} />
      <article className="preview" aria-label="Preview">
        {isFallback && <p className="note soft">No {WORDS.languages[code]} version. The English text is used.</p>}
        <p className="said-words">{words}</p>
      </article>
    </>
  );
}

type Words = Readonly<Record<Code, string>>;

function wordsOf(answer: CannedAnswer | null): Words {
  return Object.fromEntries(
    CODES.map((code) => [code, answer?.texts.find(({ language }) => language === code)?.text ?? ""]),
  ) as unknown as Words;
}

const isIn = (code: Code, words: Words) => words[code].trim() !== "";

/** Returns the note beside a language in the language choice. */
function stateOf(code: Code, words: Words): string {
  if (isIn(code, words)) return "written";
  return code === "en" ? "missing" : "uses English";
}

/** Edits an answer, one language at a time. Shows the English text that is used when a translation is missing. */
export function CannedEditor({
  answer,
  onSaved,
}: {
  readonly answer: CannedAnswer | null;
  readonly onSaved?: (saved: CannedAnswer) => void;
}) {
  const [title, setTitle] = useState(answer?.own?.title ?? "");
  const [words, setWords] = useState<Words>(() => wordsOf(answer));
  const [code, setCode] = useState<Code>("en");
  const save = useAct(supportSaveCanned);
  const isWritten = (one: Code) => isIn(one, words);
  const tooLong = CODES.filter((one) => !fits(words[one], CANNED_TEXT_MAX));
  const isComplete = title.trim() !== "" && isWritten("en");
  const canSave = isComplete && fits(title.trim(), CANNED_TITLE_MAX) && tooLong.length === 0;

  async function keep() {
    const saved = await save
      .mutateAsync({
        ...(answer !== null && { name: answer.name }),
        title: title.trim(),
        texts: CODES.filter(isWritten).map((language) => ({ language, text: words[language] })),
      })
      .catch(() => null);
    if (saved !== null) onSaved?.(saved);
  }

  return (
    <div className="form">
      <Field
        label="Title (operators only)"
        {...lengthNote(title.trim(), CANNED_TITLE_MAX)}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <LanguageChoice code={code} onChange={setCode} stateOf={(one) => stateOf(one, words)} />
      <TextField
        label={`Text, ${WORDS.languages[code]}`}
        rows={6}
        max={CANNED_TEXT_MAX}
        value={words[code]}
        onChange={(event) => setWords({ ...words, [code]: event.currentTarget.value })}
      />
      {!isWritten(code) && isWritten("en") && <EnglishInstead code={code} words={words.en} />}
      {save.error && <Notice wrong>{save.error.message}</Notice>}
      <Button lowkey look="main" off={save.isPending || !canSave} onClick={() => void keep()}>
        Save answer
      </Button>
      {tooLong.length > 0 && (
        <p className="note soft">Too long: {tooLong.map((one) => WORDS.languages[one]).join(", ")}.</p>
      )}
      {!isComplete && (
        <p className="note soft">Enter a title and an English text. You can add other languages later.</p>
      )}
    </div>
  );
}

/** Shows what members get in a language that has no translation. */
function EnglishInstead({ code, words }: { readonly code: Code; readonly words: string }) {
  return (
    <article className="preview" aria-label="English text used instead">
      <p className="note soft">Members who use {WORDS.languages[code]} get the English text:</p>
      <p className="said-words">{words}</p>
    </article>
  );
}
