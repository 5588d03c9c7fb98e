import type { Order } from "@fairtick/protocol";
import "./orders.css";

type Outcome = NonNullable<Order["outcome"]>;

/**
 * Each outcome's shape, so that it is recognizable without colour: a full disc, an empty one, a square, a broken
 * circle.
 */
const SHAPES: Readonly<
  Record<Outcome, { readonly frame: "disc" | "ring" | "square" | "broken"; readonly sign: string }>
> = {
  won: { frame: "disc", sign: "m7.2 12.4 3.2 3.2 6.4-7" },
  lost: { frame: "ring", sign: "M7.5 12h9" },
  tied: { frame: "square", sign: "M8 10h8M8 14h8" },
  voided: { frame: "broken", sign: "m8 16 8-8" },
  unrevealed: { frame: "ring", sign: "M7.5 12h9" },
};

/** The symbol of an order's outcome. Hidden from screen readers, because the outcome's name is next to it. */
export function OutcomeMark({ outcome }: { readonly outcome: Outcome }) {
  const { frame, sign } = SHAPES[outcome];
  return (
    <svg className={`outcome-mark ${outcome} ${frame}`} viewBox="0 0 24 24" aria-hidden="true">
      {frame === "square" ? (
        <rect className="frame" x="3" y="3" width="18" height="18" rx="4" />
      ) : (
        <circle className="frame" cx="12" cy="12" r="9.5" />
      )}
      <path className="sign" d={sign} />
    </svg>
  );
}
