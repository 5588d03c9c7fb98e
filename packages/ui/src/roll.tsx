import { useEffect, useState } from "react";
import "./styles/roll.css";

/** As long as the last digit takes to come to rest, by `--motion-roll` and the digits' distance. */
const ROLL_MS = 200;

interface RollProps {
  readonly figure: string;
  /** How long it waits before it rolls, unseen; ms. */
  readonly after?: number;
  /** Stands in its place at once. */
  readonly still?: boolean;
}

/**
 * A figure whose digits roll into their places, once, when it is first drawn. They never count: every frame shows digits of
 * the figure itself. Afterwards, and at once where movement is to be reduced, it is plain text.
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
