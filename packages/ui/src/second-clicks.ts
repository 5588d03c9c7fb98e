/** Taps no further apart than this are a double tap; of a mouse's clicks the system says it itself. */
const DOUBLE_TAP_MS = 300;
const DOUBLE_TAP_PX = 24;

interface Press {
  readonly on: Element;
  readonly x: number;
  readonly y: number;
  readonly at: number;
}

/**
 * The second click of a double click presses nothing that came in between: not the button of the sheet that the first
 * one opened, nor that of the screen it led to. What is still there may be pressed as quickly as one likes.
 */
export function refuseSecondClicks(): void {
  let first: Press | null = null;
  document.addEventListener(
    "click",
    (event) => {
      // Of a keyboard, or a label's for its field: nobody aimed them at a place.
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
