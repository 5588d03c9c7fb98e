import { useEffect, useState } from "react";
import "./styles/roll.css";

/** As long as the last digit takes to come to rest, by `--motion-roll` and the digits' distance. */
const ROLL_MS = 200;

/**
 * A figure whose digits roll into their places, once, when it is first drawn. They never count: every frame shows digits of
 * the figure itself. Afterwards, and at once where movement is to be reduced, it is plain text.
 */
export function Roll({ figure }: { readonly figure: string }) {
  const [rolling, setRolling] = useState(() => !isStill());
  useEffect(() => {
    const timer = setTimeout(() => setRolling(false), ROLL_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!rolling) return figure;
  const digits = Array.from(figure);
  return (
    <span className="roll" data-testid="rolling">
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
