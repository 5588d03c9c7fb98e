import { Button } from "@fairtick/ui";

/** Buttons to page through a list. Their labels follow its order. */
export function Pages({
  cursors,
  next,
  oldestFirst = false,
  labels = oldestFirst ? ["Older", "Newer"] : ["Newer", "Older"],
  onMove,
}: {
  readonly cursors: readonly string[];
  readonly next: string | null;
  /** True for queues of waiting cases, whose next page is newer. */
  readonly oldestFirst?: boolean;
  /** Labels for lists that are not ordered by time. */
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
