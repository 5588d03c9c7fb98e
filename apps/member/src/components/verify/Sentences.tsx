import { IconChevronDown } from "@fairtick/ui";
import { useId, useState } from "react";
import type { Check } from "../../data/proof/verify-order.ts";
import { formatTime } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { sentencesOf, type Sentence, type SentenceId } from "./sentences.ts";
import { StateIcon } from "./StateIcon.tsx";
import { TIMES, wordsOf } from "./verify-words.ts";

interface Props {
  readonly checks: readonly Check[];
  /** Whether the order's direction was sealed when it was placed. */
  readonly sealed: boolean;
}

/** The six sentences that sum up the checks. Each expands to its checks; a failed one is expanded from the start. */
export function Sentences({ checks, sealed }: Props) {
  return (
    <ul className="verify-sentences">
      {sentencesOf(checks).map((sentence) => (
        // The new key expands a sentence that fails later.
        <SentenceRow key={`${sentence.id} ${sentence.state === "failed"}`} sentence={sentence} sealed={sealed} />
      ))}
    </ul>
  );
}

function SentenceRow({ sentence, sealed }: { readonly sentence: Sentence; readonly sealed: boolean }) {
  const t = useText();
  const { id, state, checks } = sentence;
  const [open, setOpen] = useState(state === "failed");
  const list = useId();
  const words = wordsFor(id, sealed);
  return (
    <li data-testid="sentence" data-sentence={id} data-state={state}>
      <button
        type="button"
        className="verify-sentence"
        aria-expanded={open}
        aria-controls={list}
        onClick={() => setOpen(!open)}
      >
        <StateIcon state={state} />
        <span className="grow">
          {t(`verify.sentence.${words}`)}
          {state === "ok" ? (
            <span className="unseen"> {t("verify.state.ok")}</span>
          ) : (
            <span className="verify-state note block">{t(`verify.state.${state}`)}</span>
          )}
        </span>
        <IconChevronDown size="small" />
      </button>
      <ul id={list} className="verify-checks" hidden={!open}>
        {open && checks.map((check) => <CheckRow key={check.id} check={check} />)}
      </ul>
    </li>
  );
}

/** Returns the text of a sentence. An order that wasn't sealed has its own first sentence. */
function wordsFor(id: SentenceId, sealed: boolean): Exclude<SentenceId, "accepted"> | "sealed" | "open" {
  if (id !== "accepted") return id;
  return sealed ? "sealed" : "open";
}

function CheckRow({ check }: { readonly check: Check }) {
  const t = useText();
  return (
    <li data-testid="check" data-check={check.id} data-state={check.state}>
      <StateIcon state={check.state} />
      <div className="grow">
        <p className="label">{t(`verify.check.${check.id}`)}</p>
        {"named" in check && check.named !== undefined && (
          <p data-testid="check-named">{t(`verify.named.${check.named}`, wordsOf(check))}</p>
        )}
        <p className="verify-values">
          <b className="verify-state">{t(`verify.state.${check.state}`)}</b>{" "}
          <span className="code">{valuesOf(check)}</span>
        </p>
      </div>
    </li>
  );
}

/**
 * Returns a check's values with their names from docs/verification.md, so that they can be compared with the
 * command's.
 */
function valuesOf({ values, why }: Check): string {
  const parts = Object.entries(values).map(([name, value]) =>
    TIMES.has(name) && typeof value === "number" ? `${name} ${formatTime(value, true)}` : `${name} ${value}`,
  );
  return [...(why === undefined ? [] : [why]), ...parts].join(" · ");
}
