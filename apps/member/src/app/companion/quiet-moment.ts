/** A page that is busy without a pause is not waited for any longer. */
const IDLE_MS_MAX = 10_000;
/** Where the browser can't tell when it is idle. */
const INSTEAD_MS = 3_000;

/** Resolves with the page's next idle moment. */
async function idle(): Promise<void> {
  await new Promise<void>((resolve) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => resolve(), { timeout: IDLE_MS_MAX });
    else setTimeout(resolve, INSTEAD_MS);
  });
}

/** Whether a finger or a mouse button is down anywhere on the page. */
class Hold {
  readonly #listening = new AbortController();
  #isHeld = false;
  #released: () => void = () => undefined;

  constructor() {
    // Captured: a chart may keep its pointers to itself.
    const terms = { capture: true, passive: true, signal: this.#listening.signal };
    for (const type of ["pointerdown", "pointermove", "pointerup", "pointercancel"] as const)
      addEventListener(type, ({ buttons }) => this.#note(buttons !== 0), terms);
  }

  #note(isHeld: boolean): void {
    this.#isHeld = isHeld;
    if (!isHeld) this.#released();
  }

  /** Waits until it is let go; answers whether there was anything to wait for. */
  async end(): Promise<boolean> {
    if (!this.#isHeld) return false;
    await new Promise<void>((resolve) => {
      this.#released = resolve;
    });
    return true;
  }

  stop(): void {
    this.#listening.abort();
  }
}

/**
 * Resolves when the page is idle and nothing is held on it: for work that takes the machine from whoever drags a chart.
 * What was pressed before this was asked is noticed as soon as it moves.
 */
export async function quietMoment(): Promise<void> {
  const hold = new Hold();
  do await idle();
  while (await hold.end());
  hold.stop();
}
