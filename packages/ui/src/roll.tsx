import { useEffect, useState } from "react";
import "./styles/roll.css";

/** Time until the last digit stops, which follows from `--motion-roll` and the delay between digits. */
const ROLL_MS = 200;

interface RollProps {
  readonly figure: string;
  /** Delay before it starts to roll, in ms, during which it is invisible. */
  readonly after?: number;
  /** Whether to show the figure at once, without movement. */
  readonly still?: boolean;
}

/**
 * A figure whose digits roll into place once, when it is first rendered. They never count up: every frame shows digits
 * of the figure itself. Afterwards, or at once if the user prefers reduced motion, it is plain text.
 */
export function Roll({ figure, after = 0, still = false }: RollProps) {
  const [rolling, setRolling] = useState(() => !isStill());
  useEffect(() => {
    const timer = setTimeout(() => setRolling(false), after + ROLL_MS);
    return () => clearTimeout(timer);
  }, [after]);
  if (!rolling || still) return figure;
  const digits = Array.from(figure);
  return (
    <span className="roll" data-testid="rolling" style={{ ["--after" as string]: `${after}ms` }}>
      {digits.map((digit, place) => (
        <span key={place} style={{ ["--place" as string]: digits.length < 2 ? 0 : place / (digits.length - 1) }}>
          {digit}
        </span>
      ))}
    </span>
  );
}

function isStill(): boolean {
  return typeof matchMedia === "undefined" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}
