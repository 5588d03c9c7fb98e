/**
 * The values that a field had before each edit. Browsers keep such a history too, but lose it whenever the app rewrites
 * the field, for example to group thousands.
 */
export class TypingHistory {
  #past: string[] = [];
  #future: string[] = [];
  #run: { readonly inputType: string; readonly value: string } | null = null;

  /** Records an edit. Consecutive keys of one kind are undone together, as in browsers. */
  note(before: string, after: string, inputType: string): void {
    const isOneKey = inputType === "insertText" || inputType.startsWith("deleteContent");
    const goesOn = isOneKey && this.#run?.inputType === inputType && this.#run.value === before;
    if (!goesOn) this.#past.push(before);
    this.#future = [];
    this.#run = { inputType, value: after };
  }

  /** Returns the previous value, to be shown instead of `now`; null if there is none. */
  undo(now: string): string | null {
    return this.#step(now, this.#past, this.#future);
  }

  /** Returns the value that was last undone, to be shown instead of `now`; null if there is none. */
  redo(now: string): string | null {
    return this.#step(now, this.#future, this.#past);
  }

  #step(now: string, from: string[], to: string[]): string | null {
    this.#run = null;
    const next = from.pop();
    if (next === undefined) return null;
    to.push(now);
    return next;
  }
}

/** Returns the direction in which a key press moves through a history; null for other keys. */
export function historyStep(
  pressed: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">,
): "undo" | "redo" | null {
  if (pressed.altKey || !(pressed.ctrlKey || pressed.metaKey)) return null;
  const letter = pressed.key.toLowerCase();
  if (letter === "z") return pressed.shiftKey ? "redo" : "undo";
  return letter === "y" && !pressed.shiftKey ? "redo" : null;
}

/** Returns the direction of an undo or redo that was chosen in the browser's menu; null for any other edit. */
export function inputHistoryStep(event: Event): "undo" | "redo" | null {
  if (!(event instanceof InputEvent)) return null;
  if (event.inputType === "historyUndo") return "undo";
  return event.inputType === "historyRedo" ? "redo" : null;
}
