import { Notice } from "@fairtick/ui";
import { useId, type ReactNode } from "react";
import { megabytes, useUpload, type OnFile, type UploadPurpose } from "../../data/upload.ts";
import { useDeployment } from "../../data/deployment.ts";
import { formatRate } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { PictureOf } from "./PictureOf.tsx";
import "./upload.css";

/**
 * File types that the server accepts. Phones also offer their camera for these, and convert their own format to JPEG.
 */
const KINDS = "image/jpeg,image/png,image/webp,image/gif";

export interface UploadFieldProps {
  readonly label: string;
  readonly purpose: UploadPurpose;
  readonly onFile: OnFile;
  readonly hint?: ReactNode;
  readonly wrong?: string | undefined;
}

/** A field for one picture: chosen or taken, uploaded with its progress, retried or removed. */
export function UploadField({ label, purpose, onFile, hint, wrong }: UploadFieldProps) {
  const t = useText();
  const id = useId();
  const { state, start, retry, clear } = useUpload(purpose, onFile);
  const max = megabytes(useDeployment()?.uploadLimitBytes ?? 104_857_600);
  const note = wrong ?? hint ?? t("upload.kinds", { max });
  return (
    <div className="field upload" data-step={state.step}>
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <div className="box upload-box">
        {state.step !== "empty" && (
          <PictureOf className="upload-preview" content={state.file} alt={t("upload.chosen")} />
        )}
        <UploadWords label={label} state={state} />
        <input
          id={id}
          className="upload-input"
          type="file"
          accept={KINDS}
          aria-describedby={`${id}-note`}
          aria-invalid={wrong === undefined ? undefined : true}
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            if (file !== undefined) start(file);
            // Allow the same picture to be chosen again after it failed.
            event.target.value = "";
          }}
        />
      </div>
      {state.step === "failed" && <Notice wrong>{state.message}</Notice>}
      {state.step !== "empty" && (
        <span className="upload-actions">
          {state.step === "failed" && <Act words={t("upload.retry")} act={retry} />}
          {state.step === "sending" && <Act words={t("upload.cancel")} act={clear} />}
          {state.step !== "sending" && (
            <label className="link" htmlFor={id}>
              {t("upload.another")}
            </label>
          )}
        </span>
      )}
      <p className={wrong === undefined ? "hint" : "hint alert"} id={`${id}-note`}>
        {note}
      </p>
    </div>
  );
}

/** The picture's upload progress in words. */
function UploadWords({
  label,
  state,
}: {
  readonly label: string;
  readonly state: ReturnType<typeof useUpload>["state"];
}) {
  const t = useText();
  return (
    <span className="upload-words">
      {state.step === "empty" && <span className="soft">{t("upload.choose")}</span>}
      {state.step === "sending" && (
        <>
          <output>
            {state.part < 1
              ? t("upload.sending", { percent: formatRate(state.part.toFixed(2), 0) })
              : t("upload.checking")}
          </output>
          <progress value={state.part} max={1} aria-label={label} />
        </>
      )}
      {state.step === "done" && <output>{t("upload.done")}</output>}
      {state.step === "failed" && <span className="soft">{t("upload.failed")}</span>}
    </span>
  );
}

function Act({ words, act }: { readonly words: string; readonly act: () => void }) {
  return (
    <button type="button" className="link" onClick={act}>
      {words}
    </button>
  );
}
