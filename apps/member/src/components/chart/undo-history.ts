/** What was there before each step, and what was taken back: for undo and redo. Values are never changed in place. */
export class UndoHistory<Value> {
  #past: Value[] = [];
  #future: Value[] = [];
  #now: Value;
  static readonly #STEPS_MAX = 50;

  constructor(first: Value) {
    this.#now = first;
  }

  get now(): Value {
    return this.#now;
  }

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  get canRedo(): boolean {
    return this.#future.length > 0;
  }

  /** A new step: what had been taken back is gone. */
  push(next: Value): void {
    this.#past = [...this.#past, this.#now].slice(-UndoHistory.#STEPS_MAX);
    this.#future = [];
    this.#now = next;
  }

  /** Takes the last step back and answers what is there now; the same where there is none. */
  undo(): Value {
    const before = this.#past.pop();
    if (before !== undefined) {
      this.#future.push(this.#now);
      this.#now = before;
    }
    return this.#now;
  }

  /** Takes the last undo back and answers what is there now. */
  redo(): Value {
    const after = this.#future.pop();
    if (after !== undefined) {
      this.#past.push(this.#now);
      this.#now = after;
    }
    return this.#now;
  }
}
