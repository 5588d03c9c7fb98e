import { useState, type ReactNode } from "react";

/** A card that expands at a tap, for details that most people don't need at first. */
export function Fold({
  title,
  children,
  testId,
  later = false,
  opened = false,
}: {
  readonly title: string;
  readonly children: ReactNode;
  readonly testId: string;
  /** Renders its content only once it is first opened. */
  readonly later?: boolean;
  /** Open from the start. */
  readonly opened?: boolean;
}) {
  const [wasOpen, setWasOpen] = useState(opened);
  return (
    <details
      className="card fairness-fold"
      data-testid={testId}
      open={opened || undefined}
      onToggle={(event) => {
        if (event.currentTarget.open) setWasOpen(true);
      }}
    >
      <summary>
        <h2 className="label">{title}</h2>
      </summary>
      {(wasOpen || !later) && children}
    </details>
  );
}
