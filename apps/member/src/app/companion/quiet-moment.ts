/** Longest wait for a page that is busy without a pause. */
const IDLE_MS_MAX = 10_000;
/** Wait in browsers that can't tell when they are idle. */
const INSTEAD_MS = 3_000;

/** Resolves at the page's next idle moment. */
async function idle(): Promise<void> {
  await new Promise<void>((resolve) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => resolve(), { timeout: IDLE_MS_MAX });
    else setTimeout(resolve, INSTEAD_MS);
  });
}

/** Tracks whether a finger or a mouse button is down anywhere on the page. */
class Hold {
  readonly #listening = new AbortController();
  #isHeld = false;
  #released: () => void = () => undefined;

  constructor() {
    // In the capture phase, because a chart may stop the propagation of its pointer events.
    const terms = { capture: true, passive: true, signal: this.#listening.signal };
    for (const type of ["pointerdown", "pointermove", "pointerup", "pointercancel"] as const)
      addEventListener(type, ({ buttons }) => this.#note(buttons !== 0), terms);
  }

  #note(isHeld: boolean): void {
    this.#isHeld = isHeld;
    if (!isHeld) this.#released();
  }

  /** Waits until it is released. Resolves to whether anything was held. */
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
 * Resolves when the page is idle and nothing is being dragged, for work that would make a chart's drag stutter. A
 * pointer pressed before the call is noticed as soon as it moves.
 */
export async function quietMoment(): Promise<void> {
  const hold = new Hold();
  do await idle();
  while (await hold.end());
  hold.stop();
}
