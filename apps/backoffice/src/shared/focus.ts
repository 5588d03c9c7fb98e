import { useEffect, useLayoutEffect, useRef } from "react";

/** Keyboard focus between queue and case: after a decision the focus goes on to the next row, not to the top of the page. */

function focusOn(selector: string): boolean {
  const found = document.querySelector<HTMLElement>(selector);
  found?.focus();
  return found !== null;
}

/** Focuses the chosen row, its successor if it has left the queue, else the first row, else the heading. */
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

/** Makes Escape return from a case to its row, and moves the focus on when the focused row leaves the queue. */
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
      // An open dialog handles Escape itself and restores the focus.
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
