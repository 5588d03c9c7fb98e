import { useState, type ReactNode } from "react";

/** A card that opens at a tap: what most people don't need at the first look. */
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
  /** Its content is fetched once it is opened. */
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
