/** Taps closer together than this, in time and distance, are a double tap. For mouse clicks the system reports it. */
const DOUBLE_TAP_MS = 300;
const DOUBLE_TAP_PX = 24;

interface Press {
  readonly on: Element;
  readonly x: number;
  readonly y: number;
  readonly at: number;
}

/**
 * Ignores the second click of a double click if it would press something that appeared in between, such as a button of
 * the sheet or screen that the first click opened. Anything that is still in place can be pressed as fast as the user
 * likes.
 */
export function refuseSecondClicks(): void {
  let first: Press | null = null;
  document.addEventListener(
    "click",
    (event) => {
      // From a keyboard, or passed on by a label to its field: not aimed at a position.
      if (event.detail === 0 || !(event.target instanceof Element)) return;
      if (first !== null && isDouble(first, event) && !isThere(first)) {
        event.preventDefault();
        event.stopImmediatePropagation();
        return;
      }
      const on = event.target.closest("a, button, label, summary") ?? event.target;
      first = { on, x: event.clientX, y: event.clientY, at: event.timeStamp };
    },
    { capture: true },
  );
}

function isDouble(first: Press, event: PointerEvent): boolean {
  if (event.detail > 1) return true;
  const near = Math.hypot(event.clientX - first.x, event.clientY - first.y) <= DOUBLE_TAP_PX;
  return event.pointerType === "touch" && near && event.timeStamp - first.at <= DOUBLE_TAP_MS;
}

function isThere({ on, x, y }: Press): boolean {
  return on.contains(document.elementFromPoint(x, y));
}
