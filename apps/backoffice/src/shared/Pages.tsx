import { Button } from "@fairtick/ui";

/** Back and forth through a list that is read piece by piece. */
export function Pages({
  cursors,
  next,
  onMove,
}: {
  readonly cursors: readonly string[];
  readonly next: string | null;
  readonly onMove: (cursors: readonly string[]) => void;
}) {
  if (cursors.length === 0 && next === null) return null;
  return (
    <div className="pages">
      <Button lowkey off={cursors.length === 0} onClick={() => onMove(cursors.slice(0, -1))}>
        Newer
      </Button>
      <Button lowkey off={next === null} onClick={() => next !== null && onMove([...cursors, next])}>
        Older
      </Button>
    </div>
  );
}
