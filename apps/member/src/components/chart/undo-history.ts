/** The states before each step and the undone ones, for undo and redo. Values are never mutated. */
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

  /** Records a new step. Undone steps are dropped. */
  push(next: Value): void {
    this.#past = [...this.#past, this.#now].slice(-UndoHistory.#STEPS_MAX);
    this.#future = [];
    this.#now = next;
  }

  /** Undoes the last step and returns the current value; unchanged if there is none. */
  undo(): Value {
    const before = this.#past.pop();
    if (before !== undefined) {
      this.#future.push(this.#now);
      this.#now = before;
    }
    return this.#now;
  }

  /** Redoes the last undone step and returns the current value. */
  redo(): Value {
    const after = this.#future.pop();
    if (after !== undefined) {
      this.#past.push(this.#now);
      this.#now = after;
    }
    return this.#now;
  }
}
