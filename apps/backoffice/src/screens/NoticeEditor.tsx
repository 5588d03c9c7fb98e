import { type Announcement, announcementPreview, announcementSave, noticeMessage } from "@fairtick/protocol/operator";
import { Button, FailedState, Field, Notice, Segments } from "@fairtick/ui";
import { Written } from "@fairtick/ui/written.tsx";
import { useState } from "react";
import { useAct, useRead } from "../data/queries.ts";
import { Decide } from "../shared/Decide.tsx";
import { instant } from "../shared/format.ts";
import { type Code, CODES, LanguageChoice } from "../shared/LanguageChoice.tsx";
import { fits, lengthNote } from "../shared/text-length.ts";
import { TextField } from "../shared/TextBox.tsx";
import { WORDS } from "../shared/words.ts";

type Words = Readonly<Record<Code, { readonly title: string; readonly body: string }>>;
const NOTHING = { title: "", body: "" };
const TITLE_MAX = 120;
const BODY_MAX = 8_000;

/** Formats an instant for a date field, in UTC: `2026-11-21T14:30`. */
function fieldOf(at: number | null | undefined): string {
  return typeof at === "number" ? new Date(at).toISOString().slice(0, 16) : "";
}

function sentOf(field: string): string | undefined {
  return field === "" ? undefined : String(Date.parse(`${field}Z`));
}

function wordsOf(notice: Announcement | null): Words {
  return Object.fromEntries(
    CODES.map((code) => [code, notice?.texts.find(({ language }) => language === code) ?? NOTHING]),
  ) as unknown as Words;
}

/** The languages that have a title or a text. */
function textsOf(words: Words) {
  return CODES.filter((one) => words[one].title !== "" || words[one].body !== "").map((language) => ({
    language,
    title: words[language].title,
    body: words[language].body,
  }));
}

/** Edits a draft, one language at a time, with a preview. */
export function NoticeEditor({
  notice,
  onSaved,
  onUnsaved,
}: {
  readonly notice: Announcement | null;
  readonly onSaved?: (saved: Announcement) => void;
  /** Called with whether there are unsaved changes. */
  readonly onUnsaved?: (isUnsaved: boolean) => void;
}) {
  const [words, setWords] = useState<Words>(() => wordsOf(notice));
  const [code, setCode] = useState<Code>("en");
  const [dates, setDates] = useState({ publishAt: fieldOf(notice?.publishAt), endsAt: fieldOf(notice?.endsAt) });
  const [view, setView] = useState<View>("write");
  const save = useAct(announcementSave);
  const tooLong = CODES.filter((one) => !fits(words[one].title, TITLE_MAX) || !fits(words[one].body, BODY_MAX));
  const isWritten = (one: Code) => words[one].title.trim() !== "" && words[one].body.trim() !== "";
  const change = (part: Partial<typeof NOTHING>) => {
    setWords({ ...words, [code]: { ...words[code], ...part } });
    onUnsaved?.(true);
  };
  const changeDates = (part: Partial<typeof dates>) => {
    setDates({ ...dates, ...part });
    onUnsaved?.(true);
  };

  async function keep() {
    const saved = await save
      .mutateAsync({
        ...(notice !== null && { noticeId: notice.noticeId }),
        publishAt: sentOf(dates.publishAt),
        endsAt: sentOf(dates.endsAt),
        texts: textsOf(words),
      })
      .catch(() => null);
    if (saved === null) return;
    onUnsaved?.(false);
    onSaved?.(saved);
  }

  return (
    <div className="form">
      <ViewChoice view={view} onChange={setView} />
      <LanguageChoice code={code} onChange={setCode} stateOf={(one) => (isWritten(one) ? "written" : "missing")} />
      {view === "preview" ? (
        <Drawn title={words[code].title} body={words[code].body} />
      ) : (
        <OneLanguage code={code} words={words[code]} onChange={change} />
      )}
      <Dates dates={dates} onChange={changeDates} />
      {save.error && <Notice wrong>{save.error.message}</Notice>}
      {tooLong.length > 0 && (
        <p className="note soft">Too long: {tooLong.map((one) => WORDS.languages[one]).join(", ")}.</p>
      )}
      <Button lowkey off={save.isPending || tooLong.length > 0} onClick={() => void keep()}>
        Save draft
      </Button>
    </div>
  );
}

type View = "write" | "preview";

function ViewChoice({ view, onChange }: { readonly view: View; readonly onChange: (view: View) => void }) {
  return (
    <Segments
      label="View"
      look="slim"
      choices={[
        { value: "write", label: "Write" },
        { value: "preview", label: "Preview" },
      ]}
      value={view}
      onChange={onChange}
    />
  );
}

function OneLanguage({
  code,
  words,
  onChange,
}: {
  readonly code: Code;
  readonly words: Words[Code];
  readonly onChange: (part: Partial<Words[Code]>) => void;
}) {
  return (
    <>
      <Field
        label={`Title, ${WORDS.languages[code]}`}
        {...lengthNote(words.title, TITLE_MAX)}
        value={words.title}
        onChange={(event) => onChange({ title: event.currentTarget.value })}
      />
      <TextField
        label="Text (“## ” for headings, “- ” for lists, **bold**)"
        rows={8}
        max={BODY_MAX}
        value={words.body}
        onChange={(event) => onChange({ body: event.currentTarget.value })}
      />
    </>
  );
}

interface Shown {
  readonly publishAt: string;
  readonly endsAt: string;
}

function Dates({ dates, onChange }: { readonly dates: Shown; readonly onChange: (part: Partial<Shown>) => void }) {
  return (
    <div className="form-pair">
      <Field
        label="Shown from, UTC"
        hint="Leave empty to show it when published"
        type="datetime-local"
        value={dates.publishAt}
        onChange={(event) => onChange({ publishAt: event.currentTarget.value })}
      />
      <Field
        label="Until, UTC"
        hint="Leave empty for no end"
        type="datetime-local"
        value={dates.endsAt}
        onChange={(event) => onChange({ endsAt: event.currentTarget.value })}
      />
    </div>
  );
}

/** The saved announcement as members will see it. */
export function NoticePreview({ noticeId }: { readonly noticeId: string }) {
  const [code, setCode] = useState<Code>("en");
  const preview = useRead(announcementPreview, { noticeId, language: code });
  return (
    <>
      <LanguageChoice code={code} onChange={setCode} />
      {preview.error && (
        <FailedState
          title={preview.error.message}
          retryLabel={WORDS.retry}
          onRetry={() => {
            void preview.refetch();
          }}
        />
      )}
      {preview.data && <Drawn {...preview.data} />}
    </>
  );
}

function Drawn({
  title,
  body,
  publishedAt,
}: {
  readonly title: string;
  readonly body: string;
  readonly publishedAt?: number | null;
}) {
  return (
    <article className="preview" aria-label="Preview">
      <h3 className="title">{title === "" ? "No title yet" : title}</h3>
      {typeof publishedAt === "number" && <p className="note soft">{instant(publishedAt)}</p>}
      <Written body={body} />
    </article>
  );
}

/** Writes a message to one member. */
export function WriteToMember({ memberId, language }: { readonly memberId: string; readonly language: string }) {
  const [title, setTitle] = useState("");
  const [body, setBody] = useState("");
  const [sent, setSent] = useState(false);
  const write = useAct(noticeMessage);
  return (
    <div className="form">
      <p className="label">
        It isn’t translated. Write in {WORDS.languages[language as Code] ?? language}, the member’s language.
      </p>
      <Field
        label="Title of the message"
        {...lengthNote(title.trim(), TITLE_MAX)}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <TextField
        label="Message"
        rows={5}
        max={BODY_MAX}
        value={body}
        onChange={(event) => setBody(event.currentTarget.value)}
      />
      {sent && <Notice>Message sent.</Notice>}
      <Decide
        decisions={[
          {
            label: "Send message",
            key: "a",
            main: true,
            act: async (reason) => {
              setSent(false);
              if (!fits(title.trim(), TITLE_MAX) || !fits(body.trim(), BODY_MAX))
                throw new Error("The title or message is too long.");
              await write.mutateAsync({ memberId, title: title.trim(), body: body.trim(), reason });
              setTitle("");
              setBody("");
              setSent(true);
            },
          },
        ]}
      />
    </div>
  );
}
