import { useEffect, useLayoutEffect, useRef } from "react";

/** Where the keyboard goes on: a desk has a queue and a case, and a hand that decides must not begin at the top again. */

function focusOn(selector: string): boolean {
  const found = document.querySelector<HTMLElement>(selector);
  found?.focus();
  return found !== null;
}

/** The chosen row, the one after it where it has left the queue, or the first one; the heading where the queue is empty. */
export function focusQueue(): void {
  if (focusOn(".queue tr[data-chosen] .row-button")) return;
  if (focusOn(".queue tr[data-heir] .row-button")) return;
  if (!focusOn(".queue .row-button")) focusHeading();
}

export function focusHeading(): void {
  focusOn(".queue h1");
}

export function focusCase(): void {
  focusOn(".case");
}

/** Escape leads from the case back to its row; a row that is decided and gone hands the keyboard on to the next. */
export function useDeskFocus(): void {
  const isInQueue = useRef(false);
  useEffect(() => {
    const enter = ({ target }: FocusEvent) => {
      isInQueue.current = target instanceof Element && target.closest(".queue tr") !== null;
    };
    const point = () => {
      isInQueue.current = false;
    };
    const leaveCase = ({ key, target }: KeyboardEvent) => {
      // A dialog closes by itself, and gives the focus back.
      if (key !== "Escape" || !(target instanceof Element) || target.closest("dialog") !== null) return;
      if (target.closest(".case") !== null) focusQueue();
    };
    addEventListener("focusin", enter);
    addEventListener("pointerdown", point);
    addEventListener("keydown", leaveCase);
    return () => {
      removeEventListener("focusin", enter);
      removeEventListener("pointerdown", point);
      removeEventListener("keydown", leaveCase);
    };
  }, []);
  useLayoutEffect(() => {
    if (isInQueue.current && document.activeElement === document.body) focusQueue();
  });
}
