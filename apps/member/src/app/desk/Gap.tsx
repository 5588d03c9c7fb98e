import { useRef, type KeyboardEvent, type PointerEvent } from "react";

const STEP_PX = 8;
const STEP_PERCENT = 2;

export interface GapProps {
  /** Accessible label of the separator, such as “Resize the chart”. */
  readonly label: string;
  /** `vertical` between left and right panels, `horizontal` between upper and lower ones. */
  readonly line: "vertical" | "horizontal";
  /** The panel's size and bounds, in CSS pixels or, with `isShare`, in percent. */
  readonly size: number;
  readonly min: number;
  readonly max: number;
  /** Whether sizes are percentages of both panels' total size. */
  readonly isShare?: boolean;
  /** Whether the panel comes after the gap, so that moving right or down shrinks it. */
  readonly isAfter?: boolean;
  readonly onSize: (size: number) => void;
  /** Resets the size, after a double click or Delete. */
  readonly onReset: () => void;
}

/** A separator between two panels, which can be dragged or, when focused, moved with the arrow keys. */
export function Gap({ label, line, size, min, max, isShare = false, isAfter = false, onSize, onReset }: GapProps) {
  const from = useRef<{ readonly at: number; readonly size: number } | null>(null);
  const sign = isAfter ? -1 : 1;
  const along = ({ clientX, clientY }: PointerEvent) => (line === "vertical" ? clientX : clientY);
  /** Returns how much the size changes per pixel of pointer movement. */
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
      // Prevent the press from selecting text, which the pointer would then drag instead.
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
