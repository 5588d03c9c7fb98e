import { IconClip, IconClose, IconSend } from "@fairtick/ui";
import { useId, type KeyboardEvent } from "react";
import { PictureOf } from "../../components/upload/PictureOf.tsx";
import { newClientId } from "../../data/pending-order.ts";
import { sayTyping, type Saying } from "../../data/support.ts";
import { supportFile } from "../../data/support-draft.ts";
import { useKeptUpload } from "../../data/upload.ts";
import { useText } from "../../shared/i18n.ts";
import { counterWords, tooLongWords } from "../../shared/text-length.ts";

const WORDS_MAX = 4000;
const KINDS = "image/jpeg,image/png,image/webp,image/gif,application/pdf,text/plain";
const ROWS_MAX = 5;

/** Writes a message with text, a picture, a document, or text and a file. */
export function Composer({
  draft,
  onDraft,
  onSend,
}: {
  readonly draft: string;
  readonly onDraft: (words: string) => void;
  readonly onSend: (saying: Saying) => void;
}) {
  const t = useText();
  const id = useId();
  const upload = useKeptUpload(supportFile);
  const fileId = upload.state.step === "done" ? upload.state.fileId : null;
  const words = draft.trim();
  const isUploading = upload.state.step === "sending";
  // Without its file the message wouldn't be what the member meant.
  const isFileMissing = isUploading || upload.state.step === "failed";
  const tooLong = tooLongWords(t, words, WORDS_MAX);
  const counted = tooLong ?? counterWords(t, words, WORDS_MAX);
  const canSend = !isFileMissing && tooLong === undefined && (words !== "" || fileId !== null);

  function send() {
    if (!canSend) return;
    onSend({ clientId: newClientId(), ...(words !== "" && { text: words }), ...(fileId !== null && { fileId }) });
  }

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Attached upload={upload} />
      {counted !== undefined && (
        <p
          className={tooLong === undefined ? "composer-count note soft" : "composer-count note alert"}
          id={`${id}-count`}
        >
          {counted}
        </p>
      )}
      <div className="composer-line">
        <AttachButton id={id} onFile={upload.start} />
        <label className="box composer-box">
          <span className="unseen">{t("chat.write")}</span>
          <textarea
            rows={Math.min(ROWS_MAX, draft.split("\n").length)}
            placeholder={t("chat.write")}
            aria-invalid={tooLong === undefined ? undefined : true}
            aria-describedby={counted === undefined ? undefined : `${id}-count`}
            value={draft}
            onKeyDown={(event) => {
              if (!sends(event)) return;
              event.preventDefault();
              send();
            }}
            onChange={(event) => {
              onDraft(event.currentTarget.value);
              sayTyping();
            }}
          />
        </label>
        <button type="submit" className="bar-button accent" aria-label={t("chat.send")} disabled={!canSend}>
          <IconSend />
        </button>
      </div>
    </form>
  );
}

/** Returns whether a key press sends. Enter sends on devices with a keyboard; on touch screens it adds a line. */
function sends({ key, shiftKey, nativeEvent }: KeyboardEvent): boolean {
  return key === "Enter" && !shiftKey && !nativeEvent.isComposing && matchMedia("(hover: hover)").matches;
}

function AttachButton({ id, onFile }: { readonly id: string; readonly onFile: (file: File) => void }) {
  const t = useText();
  return (
    <label className="bar-button soft composer-attach" htmlFor={id}>
      <IconClip />
      <span className="unseen">{t("chat.attach")}</span>
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

/** The attached file: its picture or name, and the upload's progress. */
function Attached({ upload }: { readonly upload: ReturnType<typeof useKeptUpload> }) {
  const t = useText();
  const { state } = upload;
  if (state.step === "empty") return null;
  const isPicture = state.file.type.startsWith("image/");
  return (
    <div className="composer-picture">
      {isPicture && <PictureOf className="composer-preview" content={state.file} alt={t("upload.chosen")} />}
      <span className="grow note soft">
        {!isPicture && <bdi className="said-file">{state.file.name}</bdi>}
        {state.step === "sending" && <progress value={state.part} max={1} aria-label={t("chat.file")} />}
        {state.step === "failed" && (
          <span className="alert" role="alert">
            {state.message}
          </span>
        )}
      </span>
      {state.step === "failed" && (
        <button type="button" className="link" onClick={upload.retry}>
          {t("upload.retry")}
        </button>
      )}
      <button type="button" className="bar-button soft" aria-label={t("chat.remove")} onClick={upload.clear}>
        <IconClose size="small" />
      </button>
    </div>
  );
}
