import {
  type CannedAnswer,
  supportAnswer,
  supportAttach,
  supportCanned,
  type SupportEntry,
  supportWriting,
} from "@fairtick/protocol/operator";
import { IconClip, IconClose, IconSend, Notice } from "@fairtick/ui";
import { useId, useRef, useState, type KeyboardEvent } from "react";
import { callOperator, sendFile } from "../data/call.ts";
import { useAct, useRead } from "../data/queries.ts";
import { titleOf, wordsFor } from "../shared/canned.ts";
import { fits } from "../shared/text-length.ts";
import { TextBox } from "../shared/TextBox.tsx";
import { WORDS } from "../shared/words.ts";

/** Unsent drafts by member id, kept while the operator looks at other chats. */
const begun = new Map<string, string>();
const WRITING_EVERY_MS = 5_000;
const TEXT_MAX = 4_000;
const KINDS = "image/jpeg,image/png,image/webp,image/gif,application/pdf,text/plain";

const isSendKey = ({ key, ctrlKey, metaKey }: KeyboardEvent) => key === "Enter" && (ctrlKey || metaKey);

/** An unsent answer that is kept while the operator looks at another chat. */
function useDraft(memberId: string): [string, (words: string) => void] {
  const [text, write] = useState(() => begun.get(memberId) ?? "");
  const setText = (words: string) => {
    begun.set(memberId, words);
    write(words);
  };
  return [text, setText];
}

/** The answer form: text, a canned answer, a file. */
export function ChatAnswer({ entry: { memberId, language } }: { readonly entry: SupportEntry }) {
  const [text, setText] = useDraft(memberId);
  const picture = usePicture(memberId);
  const answer = useSendAnswer(memberId, text, picture);
  /** Title of a canned answer inserted in English because it isn't translated. */
  const [fallback, setFallback] = useState<string | null>(null);
  const sayWriting = useSayWriting(memberId);
  const send = () =>
    answer.send(() => {
      setText("");
      setFallback(null);
      picture.clear();
    });

  return (
    <form
      className="chat-answer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {answer.failure && <Notice wrong>{answer.failure.message}</Notice>}
      <CannedChoice
        language={language}
        onChoose={(chosen) => {
          const { words, isFallback } = wordsFor(chosen, language);
          setText(text.trim() === "" ? words : `${text.trimEnd()}\n${words}`);
          setFallback(isFallback ? titleOf(chosen) : null);
        }}
      />
      {fallback !== null && <NotTranslated title={fallback} language={language} />}
      <ChosenPicture picture={picture} />
      <div className="chat-line">
        <AttachButton onFile={picture.send} />
        <div className="field grow">
          <TextBox
            aria-label="Answer"
            rows={3}
            max={TEXT_MAX}
            placeholder="Write an answer. Ctrl+Enter sends it"
            value={text}
            onKeyDown={(event) => {
              if (isSendKey(event)) {
                event.preventDefault();
                void send();
              }
            }}
            onChange={(event) => {
              setText(event.currentTarget.value);
              sayWriting();
            }}
          />
        </div>
        <button type="submit" className="bar-button accent" aria-label="Send answer" disabled={!answer.canSend}>
          <IconSend />
        </button>
      </div>
    </form>
  );
}

/** Sends the text and the file. Sending the same answer again keeps its client id, so that it is written once. */
function useSendAnswer(memberId: string, text: string, picture: Picture) {
  const [clientId, setClientId] = useState(() => crypto.randomUUID());
  const answer = useAct(supportAnswer);
  const words = text.trim();
  const isReady = picture.state.step !== "sending" && fits(words, TEXT_MAX);
  const canSend = !answer.isPending && isReady && (words !== "" || picture.fileId !== null);
  async function send(onSent: () => void) {
    if (!canSend) return;
    const sent = await answer
      .mutateAsync({
        memberId,
        clientId,
        ...(words !== "" && { text: words }),
        ...(picture.fileId !== null && { fileId: picture.fileId }),
      })
      .catch(() => null);
    if (sent === null) return;
    onSent();
    setClientId(crypto.randomUUID());
  }
  return { failure: answer.error, canSend, send };
}

/** Returns a function that tells the member, at intervals, that somebody is typing. */
function useSayWriting(memberId: string): () => void {
  const writingAt = useRef(Number.NEGATIVE_INFINITY);
  return () => {
    if (performance.now() - writingAt.current < WRITING_EVERY_MS) return;
    writingAt.current = performance.now();
    callOperator(supportWriting, { memberId }).catch(() => undefined);
  };
}

function NotTranslated({ title, language }: { readonly title: string; readonly language: SupportEntry["language"] }) {
  return (
    <Notice>
      “{title}” isn’t available in {WORDS.languages[language]}, the member’s language. We inserted the English text.
    </Notice>
  );
}

function CannedChoice({
  language,
  onChoose,
}: {
  readonly language: SupportEntry["language"];
  readonly onChoose: (chosen: CannedAnswer) => void;
}) {
  const { data: canned = [] } = useRead(supportCanned, {});
  const parts = [
    { label: "Custom", answers: canned.filter(({ own }) => own !== null) },
    { label: "Built in", answers: canned.filter(({ own }) => own === null) },
  ].filter(({ answers }) => answers.length > 0);
  return (
    <label className="field">
      <span className="unseen">Canned answers</span>
      <select
        className="box"
        value=""
        onChange={(event) => {
          const chosen = canned.find(({ name }) => name === event.currentTarget.value);
          if (chosen !== undefined) onChoose(chosen);
        }}
      >
        <option value="">Canned answer in {WORDS.languages[language]}…</option>
        {parts.map(({ label, answers }) => (
          <optgroup key={label} label={label}>
            {answers.map((one) => (
              <option key={one.name} value={one.name}>
                {titleOf(one)}
                {wordsFor(one, language).isFallback && " · in English"}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  );
}

type PictureState =
  | { readonly step: "none" }
  | { readonly step: "sending"; readonly name: string }
  | { readonly step: "ready"; readonly name: string; readonly fileId: string }
  | { readonly step: "failed"; readonly name: string; readonly why: string };

interface Picture {
  readonly state: PictureState;
  readonly fileId: string | null;
  readonly send: (file: File) => void;
  readonly clear: () => void;
}

/** Uploads one picture or document ahead of the answer it belongs to. */
function usePicture(memberId: string): Picture {
  const [state, setState] = useState<PictureState>({ step: "none" });
  const newest = useRef<File | null>(null);
  async function send(file: File) {
    newest.current = file;
    const { name } = file;
    setState({ step: "sending", name });
    const next: PictureState = await sendFile(
      supportAttach,
      { memberId, ...(name !== "" && { name: Array.from(name).slice(-100).join("") }) },
      file,
    ).then(
      ({ fileId }) => ({ step: "ready", name, fileId }),
      (failure: unknown) => ({
        step: "failed",
        name,
        why: failure instanceof Error ? failure.message : String(failure),
      }),
    );
    if (newest.current === file) setState(next);
  }
  return {
    state,
    fileId: state.step === "ready" ? state.fileId : null,
    send: (file) => void send(file),
    clear: () => {
      newest.current = null;
      setState({ step: "none" });
    },
  };
}

function ChosenPicture({ picture: { state, clear } }: { readonly picture: Picture }) {
  if (state.step === "none") return null;
  return (
    <div className="chat-line">
      <span className="grow note" role={state.step === "failed" ? "alert" : "status"}>
        {state.name}
        {state.step === "sending" && " · uploading…"}
        {state.step === "ready" && " · attached"}
        {state.step === "failed" && ` · ${state.why}`}
      </span>
      <button type="button" className="bar-button soft" aria-label="Remove file" onClick={clear}>
        <IconClose size="small" />
      </button>
    </div>
  );
}

function AttachButton({ onFile }: { readonly onFile: (file: File) => void }) {
  const id = useId();
  return (
    <label className="bar-button soft chat-attach" htmlFor={id}>
      <IconClip />
      <span className="unseen">Attach a file</span>
      <input
        id={id}
        type="file"
        accept={KINDS}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file !== undefined) onFile(file);
          event.target.value = "";
        }}
      />
    </label>
  );
}
