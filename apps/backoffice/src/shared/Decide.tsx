import { Button, Field, Notice } from "@fairtick/ui";
import { useId, useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { focusQueue } from "./focus.ts";
import { sameAmount } from "./format.ts";
import { sayLost, useLostDecision } from "./lost-decision.ts";
import { fits } from "./text-length.ts";
import { TextBox } from "./TextBox.tsx";
import { useKeys } from "./use-keys.ts";
import { WORDS } from "./words.ts";

export interface Decision {
  readonly label: string;
  /** `a` and `r`, as everywhere. */
  readonly key: "a" | "r";
  readonly main?: boolean;
  readonly act: (reason: string, typed: string) => Promise<unknown>;
  /** Needs the amount typed. */
  readonly wantsAmount?: boolean;
}

const REASON_MIN = 3;
const REASON_MAX = 500;

interface DecideProps {
  readonly decisions: readonly Decision[];
  /** What is to be typed, as the call takes it. */
  readonly amount?: string;
  readonly note?: ReactNode;
  readonly reasonLabel?: string;
}

/**
 * The decision and its reason, always in view at the foot of the case. It stays low, so that what the decision is about
 * can be read above it. What cannot be undone wants the amount typed first. Nothing where nothing is to be decided.
 */
export function Decide(props: DecideProps) {
  // A component of its own, since only one that goes away hands the keyboard on.
  return props.decisions.length === 0 ? null : <DecideForm {...props} />;
}

function DecideForm({ decisions, amount, note, reasonLabel = WORDS.reason }: DecideProps) {
  const [reason, setReason] = useState("");
  const [typed, setTyped] = useState("");
  const [wrong, setWrong] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const reasonField = useRef<HTMLTextAreaElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  const tellLost = useLostDecision();
  useLayoutEffect(() => {
    const drawn = form.current;
    return () => {
      // Decided, the form goes away under the keyboard.
      if (drawn?.contains(document.activeElement)) queueMicrotask(focusQueue);
    };
  }, []);

  async function decide(decision: Decision) {
    if (busy) return;
    if (reason.trim().length < REASON_MIN) {
      setWrong("Give a reason first.");
      reasonField.current?.focus();
      return;
    }
    if (!fits(reason.trim(), REASON_MAX)) {
      setWrong("Shorten the reason first.");
      reasonField.current?.focus();
      return;
    }
    if (decision.wantsAmount && amount !== undefined && !sameAmount(typed, amount)) {
      setWrong("Type the amount as it stands above, with its sign.");
      form.current?.querySelector("input")?.focus();
      return;
    }
    setBusy(true);
    setWrong(null);
    try {
      await decision.act(reason.trim(), typed);
      tellLost(null);
      setReason("");
      setTyped("");
    } catch (failure) {
      const lost = sayLost(failure);
      if (lost !== null) tellLost(lost);
      else setWrong(failure instanceof Error ? failure.message : String(failure));
    } finally {
      setBusy(false);
    }
  }
  useKeys(Object.fromEntries(decisions.map((decision) => [decision.key, () => void decide(decision)])));

  return (
    <>
      {note !== undefined && note !== false && <p className="note soft">{note}</p>}
      <form ref={form} className="decide" onSubmit={(event) => event.preventDefault()}>
        <div className="decide-fields">
          <div className="field">
            <label className="label" htmlFor={id}>
              {reasonLabel}
            </label>
            <TextBox
              ref={reasonField}
              id={id}
              rows={1}
              max={REASON_MAX}
              value={reason}
              onChange={(event) => {
                setReason(event.currentTarget.value);
                setWrong(null);
              }}
            />
          </div>
          {amount !== undefined && decisions.some(({ wantsAmount }) => wantsAmount) && (
            <Field
              label="Type the amount to approve"
              inputMode="decimal"
              autoComplete="off"
              value={typed}
              onChange={(event) => {
                setTyped(event.currentTarget.value);
                setWrong(null);
              }}
              after={<span className="unit">USD</span>}
            />
          )}
        </div>
        {wrong !== null && <Notice wrong>{wrong}</Notice>}
        <div className="pair">
          {decisions.map((decision) => (
            <Button
              key={decision.key}
              lowkey
              look={decision.main ? "main" : "edge"}
              off={busy}
              onClick={() => void decide(decision)}
            >
              {decision.label} <kbd>{decision.key}</kbd>
            </Button>
          ))}
        </div>
      </form>
    </>
  );
}
