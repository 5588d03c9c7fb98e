import { useRef, type KeyboardEvent, type PointerEvent } from "react";

const STEP_PX = 8;
const STEP_PERCENT = 2;

export interface GapProps {
  /** What it makes wider or higher, in words. */
  readonly label: string;
  /** A gap between left and right is `vertical`, one between above and below `horizontal`. */
  readonly line: "vertical" | "horizontal";
  /** The panel's size and its bounds, in CSS pixels unless they are shares. */
  readonly size: number;
  readonly min: number;
  readonly max: number;
  /** Sizes are shares of what both panels fill together, in percent. */
  readonly isShare?: boolean;
  /** The panel is after the gap: moving right or down makes it smaller. */
  readonly isAfter?: boolean;
  readonly onSize: (size: number) => void;
  /** Back to how it is drawn: a double click, or Delete. */
  readonly onReset: () => void;
}

/** A gap between two panels that is dragged by mouse or finger, or moved by the arrow keys where it has the focus. */
export function Gap({ label, line, size, min, max, isShare = false, isAfter = false, onSize, onReset }: GapProps) {
  const from = useRef<{ readonly at: number; readonly size: number } | null>(null);
  const sign = isAfter ? -1 : 1;
  const along = ({ clientX, clientY }: PointerEvent) => (line === "vertical" ? clientX : clientY);
  /** What a pixel of the pointer's way counts. */
  const perPx = ({ currentTarget }: PointerEvent) => {
    const whole = currentTarget.parentElement;
    return isShare && whole !== null
      ? 100 / Math.max(1, line === "vertical" ? whole.clientWidth : whole.clientHeight)
      : 1;
  };
  const set = (wanted: number) => {
    const next = Math.round(Math.min(Math.max(wanted, min), max));
    if (next !== size) onSize(next);
  };
  const press = (event: KeyboardEvent) => {
    const [less, more] = line === "vertical" ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
    const step = isShare ? STEP_PERCENT : STEP_PX;
    if (event.key === less) set(size - sign * step);
    else if (event.key === more) set(size + sign * step);
    else if (event.key === "Home") set(min);
    else if (event.key === "End") set(max);
    else if (event.key === "Delete" || event.key === "Backspace") onReset();
    else return;
    event.preventDefault();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a separator that can be moved is a control (the window splitter of WAI-ARIA)
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- no tag is a separator that can be moved
      role="separator"
      className={`gap ${line}`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as above
      tabIndex={0}
      aria-label={label}
      aria-orientation={line}
      aria-valuenow={Math.round(size)}
      aria-valuemin={min}
      aria-valuemax={Math.round(max)}
      onKeyDown={press}
      onDoubleClick={onReset}
      // A press selects no text beside it, which the pointer would then drag instead.
      onMouseDown={(event) => {
        event.preventDefault();
      }}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.focus({ preventScroll: true });
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = { at: along(event), size };
      }}
      onPointerMove={(event) => {
        if (from.current !== null) set(from.current.size + sign * perPx(event) * (along(event) - from.current.at));
      }}
      onLostPointerCapture={() => {
        from.current = null;
      }}
    />
  );
}
