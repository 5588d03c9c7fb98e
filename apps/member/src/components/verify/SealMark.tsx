import "./seal.css";

const MARKS = Array.from({ length: 24 }, (_, place) => (place / 24) * 2 * Math.PI);
const at = (radius: number, turn: number) =>
  `${(28 + radius * Math.cos(turn)).toFixed(1)} ${(28 + radius * Math.sin(turn)).toFixed(1)}`;

interface SealProps {
  /** `empty`: nothing was found yet. */
  readonly state: "empty" | "sealed" | "failed" | "open";
  /** Animates ring and tick once; otherwise they are there at once. */
  readonly draws?: boolean;
}

/** The seal of a verified order. Its ring and tick depend only on the verifier's result. */
export function SealMark({ state, draws = false }: SealProps) {
  return (
    <svg className={`seal ${state}${draws ? " draws" : ""}`} viewBox="0 0 56 56" aria-hidden="true">
      <circle className="seal-face" cx="28" cy="28" r="26" />
      <path className="seal-marks" d={MARKS.map((turn) => `M${at(20, turn)}L${at(22, turn)}`).join("")} />
      {state === "sealed" && (
        <>
          <circle className="seal-ring" cx="28" cy="28" r="26" pathLength={1} transform="rotate(-90 28 28)" />
          <path className="seal-tick" pathLength={1} d="m19.5 28.5 6 6 11.5-13" />
        </>
      )}
      {state === "failed" && <path className="seal-tick" d="M28 16v15m0 8v.5" />}
      {state === "open" && <path className="seal-tick" d="M20 28h16" />}
    </svg>
  );
}
