import { Button, Field, Notice } from "@fairtick/ui";
import { useId, useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from "react";
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
  /** The amount to type, as the call expects it. */
  readonly amount?: string;
  readonly note?: ReactNode;
  readonly reasonLabel?: string;
  /** Why the key `a` has no decision at present; shown when it is pressed. */
  readonly whyNotApprove?: string | null;
}

/**
 * The decision form at the foot of a case, always in view: a reason, the amount for decisions that can't be undone, and the
 * buttons. Renders nothing when there is nothing to decide.
 */
export function Decide(props: DecideProps) {
  // A component of its own: the focus moves on when it unmounts.
  return props.decisions.length === 0 ? null : <DecideForm {...props} />;
}

function DecideForm({ decisions, amount, note, reasonLabel = WORDS.reason, whyNotApprove = null }: DecideProps) {
  const form = useRef<HTMLFormElement>(null);
  const { typed, change, wrong, say, busy, decide } = useDecision(form, amount);
  const id = useId();
  useFocusQueueAfter(form);
  useKeys({
    ...(whyNotApprove !== null && { a: () => say(whyNotApprove) }),
    ...Object.fromEntries(decisions.map((decision) => [decision.key, () => void decide(decision)])),
  });

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
              id={id}
              rows={1}
              max={REASON_MAX}
              value={typed.reason}
              onChange={(event) => change({ reason: event.currentTarget.value })}
            />
          </div>
          {amount !== undefined && decisions.some(({ wantsAmount }) => wantsAmount) && (
            <Field
              label="Type the amount to approve"
              inputMode="decimal"
              autoComplete="off"
              value={typed.amount}
              onChange={(event) => change({ amount: event.currentTarget.value })}
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

interface Typed {
  readonly reason: string;
  readonly amount: string;
}
const NOTHING: Typed = { reason: "", amount: "" };

/** Holds what was typed. Checks it before a decision is sent, and says what was wrong or why the server refused. */
function useDecision(form: RefObject<HTMLFormElement | null>, amount: string | undefined) {
  const [typed, setTyped] = useState(NOTHING);
  const [wrong, setWrong] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const tellLost = useLostDecision();
  const change = (part: Partial<Typed>) => {
    setTyped({ ...typed, ...part });
    setWrong(null);
  };

  async function decide(decision: Decision) {
    if (busy) return;
    const mistake = mistakeIn(typed, decision.wantsAmount ? amount : undefined);
    if (mistake !== null) {
      setWrong(mistake.words);
      form.current?.querySelector<HTMLElement>(mistake.field)?.focus();
      return;
    }
    setBusy(true);
    setWrong(null);
    try {
      await decision.act(typed.reason.trim(), typed.amount);
      tellLost(null);
      setTyped(NOTHING);
    } catch (failure) {
      const lost = sayLost(failure);
      if (lost !== null) tellLost(lost);
      else setWrong(failure instanceof Error ? failure.message : String(failure));
    } finally {
      setBusy(false);
    }
  }
  return { typed, change, wrong, say: setWrong, busy, decide };
}

/** Returns the first mistake with the field to correct (a selector); null when the decision can be sent. */
function mistakeIn({ reason, amount }: Typed, wanted: string | undefined) {
  if (reason.trim().length < REASON_MIN) return { words: "Enter a reason first.", field: "textarea" };
  if (!fits(reason.trim(), REASON_MAX)) return { words: "Shorten the reason first.", field: "textarea" };
  if (wanted !== undefined && !sameAmount(amount, wanted))
    return { words: "Type the amount exactly as shown above, with its sign.", field: "input" };
  return null;
}

/** Moves the focus to the queue when the form that had it unmounts, as it does after a decision. */
function useFocusQueueAfter(form: RefObject<HTMLFormElement | null>): void {
  useLayoutEffect(() => {
    const drawn = form.current;
    return () => {
      if (drawn?.contains(document.activeElement)) queueMicrotask(focusQueue);
    };
  }, [form]);
}
