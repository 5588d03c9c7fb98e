/**
 * What a field held before each edit. A browser keeps such a history too, and loses it as soon as the app rewrites the
 * field: to part thousands, for one.
 */
export class TypingHistory {
  #past: string[] = [];
  #future: string[] = [];
  #run: { readonly inputType: string; readonly value: string } | null = null;

  /** Notes an edit. Keys of one kind in a row are undone together, as browsers do. */
  note(before: string, after: string, inputType: string): void {
    const isOneKey = inputType === "insertText" || inputType.startsWith("deleteContent");
    const goesOn = isOneKey && this.#run?.inputType === inputType && this.#run.value === before;
    if (!goesOn) this.#past.push(before);
    this.#future = [];
    this.#run = { inputType, value: after };
  }

  /** What the field held before, to be shown instead of `now`; null where there is nothing to go back to. */
  undo(now: string): string | null {
    return this.#step(now, this.#past, this.#future);
  }

  /** The same forward. */
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

/** Which way a press goes through a history; null for another key. */
export function historyStep(
  pressed: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">,
): "undo" | "redo" | null {
  if (pressed.altKey || !(pressed.ctrlKey || pressed.metaKey)) return null;
  const letter = pressed.key.toLowerCase();
  if (letter === "z") return pressed.shiftKey ? "redo" : "undo";
  return letter === "y" && !pressed.shiftKey ? "redo" : null;
}

/** Which way an edit goes through a history that was asked for elsewhere, as in a browser's menu; null for any other edit. */
export function inputHistoryStep(event: Event): "undo" | "redo" | null {
  if (!(event instanceof InputEvent)) return null;
  if (event.inputType === "historyUndo") return "undo";
  return event.inputType === "historyRedo" ? "redo" : null;
}
