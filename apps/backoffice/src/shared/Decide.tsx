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
  /** The key that triggers it: `a` to approve, `r` to reject. */
  readonly key: "a" | "r";
  readonly main?: boolean;
  readonly act: (reason: string, typed: string) => Promise<unknown>;
  /** Asks the operator to type the amount. */
  readonly wantsAmount?: boolean;
}

const REASON_MIN = 3;
const REASON_MAX = 500;

interface DecideProps {
  readonly decisions: readonly Decision[];
  /** The amount to type, as the call takes it. */
  readonly amount?: string;
  readonly note?: ReactNode;
  readonly reasonLabel?: string;
}

/**
 * The decision form at the foot of a case, always in view: a reason, the amount for decisions that can't be undone, and the
 * buttons. Renders nothing when there is nothing to decide.
 */
export function Decide(props: DecideProps) {
  // A component of its own: the focus moves on when it unmounts.
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
      // The form unmounts after a decision, and takes the focus with it.
      if (drawn?.contains(document.activeElement)) queueMicrotask(focusQueue);
    };
  }, []);

  async function decide(decision: Decision) {
    if (busy) return;
    if (reason.trim().length < REASON_MIN) {
      setWrong("Enter a reason first.");
      reasonField.current?.focus();
      return;
    }
    if (!fits(reason.trim(), REASON_MAX)) {
      setWrong("Shorten the reason first.");
      reasonField.current?.focus();
      return;
    }
    if (decision.wantsAmount && amount !== undefined && !sameAmount(typed, amount)) {
      setWrong("Type the amount exactly as shown above, with its sign.");
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
