import {
  useLayoutEffect,
  useRef,
  useState,
  type ChangeEvent,
  type ComponentProps,
  type InputEvent as ReactInputEvent,
  type KeyboardEvent,
} from "react";
import { Field, type FieldProps } from "./field.tsx";
import { historyStep, inputHistoryStep, TypingHistory } from "./typing-history.ts";

/** How amounts are written in a language. */
export interface AmountWriting {
  /** Separates thousands: `,` in English, `.` in German, a narrow space in French. */
  readonly groupSign: string;
  /** Writes `12345.6` as `12,345.6`. Returns anything that isn't a plain decimal unchanged. */
  readonly group: (typed: string) => string;
  /**
   * Rewrites an amount from any notation (`12,50`, `$1 000`) in this language's, without groups. Returns unreadable
   * text unchanged.
   */
  readonly settle: (typed: string) => string;
}

export interface AmountInputProps extends Omit<ComponentProps<"input">, "value" | "onChange" | "onInput" | "type"> {
  readonly writing: AmountWriting;
  /** The amount as typed, without the group signs that the field adds. */
  readonly value: string;
  readonly onInput: (typed: string) => void;
}

/**
 * Input for an amount. It groups thousands during typing and, when the member leaves the field, rewrites amounts typed
 * in another language's notation. A sign that the member typed is never mistaken for one that the field added. Undo and
 * redo use the field's own history, by keys and by the browser's menus.
 */
export function AmountInput({ writing, value, onInput, onBlur, onKeyDown, ...rest }: AmountInputProps) {
  const [history] = useState(() => new TypingHistory());
  const input = useRef<HTMLInputElement>(null);
  const caret = useRef<number | null>(null);
  const shown = writing.group(value);
  useLayoutEffect(() => {
    const { current } = input;
    if (current === null || caret.current === null || document.activeElement !== current) return;
    const place = placeAfter(shown, caret.current, writing.groupSign);
    caret.current = null;
    current.setSelectionRange(place, place);
  });
  function take(event: ChangeEvent<HTMLInputElement>) {
    const { currentTarget, nativeEvent } = event;
    if (inputHistoryStep(nativeEvent) !== null) return;
    const next = currentTarget.value;
    const { groupSign } = writing;
    const at = currentTarget.selectionStart ?? next.length;
    const isOwn = shown !== value && areOwn(nativeEvent, shown, next, groupSign);
    const typed = isOwn ? next.replaceAll(groupSign, "") : next;
    // The position is counted without group signs, which the next render places anew. If none are added, the browser's
    // own is right.
    caret.current = writing.group(typed) === next ? null : countOf(next.slice(0, at), groupSign);
    history.note(value, typed, nativeEvent instanceof InputEvent ? nativeEvent.inputType : "");
    onInput(typed);
  }
  /**
   * The browser restored a value from its own history, which is wrong because the field rewrites what is typed. It may
   * even restore the value that is there, and then React reports no change.
   */
  function takeMenuStep({ nativeEvent }: ReactInputEvent<HTMLInputElement>) {
    const step = inputHistoryStep(nativeEvent);
    if (step !== null) onInput(history[step](value) ?? value);
  }
  function stepThroughHistory(event: KeyboardEvent<HTMLInputElement>) {
    const step = historyStep(event);
    if (step === null) return;
    event.preventDefault();
    const before = history[step](value);
    if (before !== null) onInput(before);
  }
  return (
    <input
      {...rest}
      ref={input}
      inputMode="decimal"
      autoComplete="off"
      value={shown}
      onChange={take}
      onInput={takeMenuStep}
      onKeyDown={(event) => {
        stepThroughHistory(event);
        onKeyDown?.(event);
      }}
      onBlur={(event) => {
        const settled = writing.settle(value);
        if (settled !== value) onInput(settled);
        onBlur?.(event);
      }}
    />
  );
}

/**
 * Returns whether the group signs in the field are still its own: after a key, a deletion, or inserted text without
 * such a sign. A sign in pasted or autofilled text has the meaning that its author gave it.
 */
function areOwn(event: Event, shown: string, next: string, groupSign: string): boolean {
  if (!(event instanceof InputEvent)) return false;
  const { inputType, data } = event;
  if (inputType.startsWith("delete")) return true;
  // Some keyboards send the whole word at the caret.
  if (inputType === "insertCompositionText") return next.split(groupSign).length <= shown.split(groupSign).length;
  return data !== null && !data.includes(groupSign);
}

function countOf(text: string, groupSign: string): number {
  return text.replaceAll(groupSign, "").length;
}

/** Returns the position after `count` characters, not counting group signs. */
function placeAfter(shown: string, count: number, groupSign: string): number {
  let left = count;
  for (let place = 0; place < shown.length; place += 1) {
    if (left === 0) return place;
    if (shown[place] !== groupSign) left -= 1;
  }
  return shown.length;
}

/** A form field for an amount, with its unit in the box. If `most` is given, a button fills in the maximum. */
export function AmountField({
  unit,
  most,
  writing,
  value,
  onInput,
  ...field
}: Omit<FieldProps, "value" | "onChange" | "onInput" | "before" | "after" | "renderInput"> &
  Pick<AmountInputProps, "writing" | "value" | "onInput"> & {
    readonly unit: string;
    readonly most?: { readonly label: string; readonly value: string } | undefined;
  }) {
  return (
    <Field
      {...field}
      renderInput={(props) => <AmountInput {...props} writing={writing} value={value} onInput={onInput} />}
      after={
        <>
          <span className="unit">{unit}</span>
          {most !== undefined && (
            <button
              type="button"
              className="link"
              onClick={() => {
                onInput(most.value);
              }}
            >
              {most.label}
            </button>
          )}
        </>
      }
    />
  );
}
