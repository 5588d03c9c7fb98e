import { Button } from "@fairtick/ui";

/** Moves through a list that is read page by page. The labels follow the list's order. */
export function Pages({
  cursors,
  next,
  oldestFirst = false,
  labels = oldestFirst ? ["Older", "Newer"] : ["Newer", "Older"],
  onMove,
}: {
  readonly cursors: readonly string[];
  readonly next: string | null;
  /** True for a queue of waiting cases: its next page is newer. */
  readonly oldestFirst?: boolean;
  /** For lists without an order in time. */
  readonly labels?: readonly [back: string, forth: string];
  readonly onMove: (cursors: readonly string[]) => void;
}) {
  if (cursors.length === 0 && next === null) return null;
  const [back, forth] = labels;
  return (
    <div className="pages">
      <Button lowkey off={cursors.length === 0} onClick={() => onMove(cursors.slice(0, -1))}>
        {back}
      </Button>
      <Button lowkey off={next === null} onClick={() => next !== null && onMove([...cursors, next])}>
        {forth}
      </Button>
      <span className="note soft">Page {cursors.length + 1}</span>
    </div>
  );
}
