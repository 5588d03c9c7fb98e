import type { ReactNode } from "react";

/** A card that opens at a tap: what most people don't need at the first look. */
export function Fold({
  title,
  children,
  testId,
}: {
  readonly title: string;
  readonly children: ReactNode;
  readonly testId: string;
}) {
  return (
    <details className="card fairness-fold" data-testid={testId}>
      <summary>
        <h2 className="label">{title}</h2>
      </summary>
      {children}
    </details>
  );
}
