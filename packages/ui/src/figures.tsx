import type { ReactNode } from "react";

/** Direction of a price or an outcome. `flat` is drawn without arrow or colour. */
export type Direction = "up" | "down" | "flat";

/** The small triangle beside every coloured price, so that colour is never the only sign. */
export function Arrow({ direction, large = false }: { readonly direction: "up" | "down"; readonly large?: boolean }) {
  const names = ["arrow", large && "large", direction === "down" && "turned"].filter(Boolean).join(" ");
  return (
    <svg className={names} viewBox="0 0 9 8" aria-hidden="true">
      <path d="M4.5 0 9 8H0z" />
    </svg>
  );
}

/** A price change with arrow and colour. The sign is part of the text. */
export function Change({ direction, children }: { readonly direction: Direction; readonly children: ReactNode }) {
  if (direction === "flat") return <span className="change figure soft">{children}</span>;
  return (
    <span className={`change figure ${direction}`}>
      <Arrow direction={direction} />
      {children}
    </span>
  );
}

/** A direction in a list. Only its arrow is coloured, because a row's colour shows the outcome. */
export function Toward({ direction, children }: { readonly direction: "up" | "down"; readonly children: ReactNode }) {
  return (
    <span className="change">
      <span className={direction}>
        <Arrow direction={direction} />
      </span>
      {children}
    </span>
  );
}

/** Money gained or lost, with sign and colour but no arrow. `tone` is flat if nothing was gained or lost. */
export function Gain({ tone, children }: { readonly tone: Direction; readonly children: ReactNode }) {
  return <span className={tone === "flat" ? "figure soft" : `figure ${tone}`}>{children}</span>;
}

/** Placeholder for a figure that is being fetched, as wide as `like`, instead of 0.00. */
export function Wait({ like }: { readonly like: string }) {
  return <span className="wait" data-as={like} aria-hidden="true" />;
}

export interface Fact {
  readonly name: ReactNode;
  /** A second, small line under the name, such as how the figure was calculated. */
  readonly note?: ReactNode;
  readonly figure: ReactNode;
  /** Whether this line is the sum of the ones above it. */
  readonly sum?: boolean;
}

/** A list with names on the left and figures on the right. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="facts">
      {facts.map((fact, place) => (
        <div key={place} className={fact.sum ? "sum" : undefined}>
          <dt>
            {fact.name}
            {fact.note !== undefined && <span className="note">{fact.note}</span>}
          </dt>
          <dd>{fact.figure}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Two or three figures separated by hairlines. */
export function Split({
  parts,
}: {
  readonly parts: readonly { readonly name: ReactNode; readonly figure: ReactNode }[];
}) {
  return (
    <dl className="split">
      {parts.map((part, place) => (
        <div key={place}>
          <dt className="note soft">{part.name}</dt>
          <dd className="figure">{part.figure}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A line chart of the day in a few pixels. Draws nothing with fewer than two points. */
export function Spark({
  points,
  width = 38,
  height = 22,
}: {
  readonly points: readonly number[];
  readonly width?: number;
  readonly height?: number;
}) {
  const least = Math.min(...points);
  const span = Math.max(...points) - least || 1;
  const step = (width - 2) / Math.max(points.length - 1, 1);
  const line = points
    .map(
      (point, at) =>
        `${(1 + at * step).toFixed(1)} ${(height - 2 - ((point - least) / span) * (height - 4)).toFixed(1)}`,
    )
    .join("L");
  return (
    <svg className="spark soft" width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {points.length > 1 && <path d={`M${line}`} />}
    </svg>
  );
}

/** A thin circle that shows the remaining time; `left` goes from 1 to 0. */
export function Dial({
  left,
  size = 32,
  children,
}: {
  readonly left: number;
  readonly size?: number;
  readonly children?: ReactNode;
}) {
  const middle = size / 2;
  const radius = middle - 2;
  const round = 2 * Math.PI * radius;
  const part = Math.min(Math.max(left, 0), 1) * round;
  return (
    <svg className="dial" width={size} height={size} viewBox={`0 0 ${size} ${size}`} aria-hidden="true">
      <circle cx={middle} cy={middle} r={radius} />
      {part > 0 && (
        <circle
          className="left"
          cx={middle}
          cy={middle}
          r={radius}
          strokeDasharray={`${part.toFixed(1)} ${round.toFixed(1)}`}
          transform={`rotate(-90 ${middle} ${middle})`}
        />
      )}
      {children !== undefined && (
        <text x={middle} y={middle} dy="0.35em" textAnchor="middle" fill="currentColor" fontSize="12" fontWeight="500">
          {children}
        </text>
      )}
    </svg>
  );
}
