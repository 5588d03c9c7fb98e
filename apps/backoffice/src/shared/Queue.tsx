import { EmptyState, FailedState } from "@fairtick/ui";
import { type ColumnDef, tableFeatures, useTable } from "@tanstack/react-table";
import { useRef, useState, type ReactNode } from "react";
import { focusCase } from "./focus.ts";
import { count } from "./format.ts";
import { useKeys } from "./use-keys.ts";
import { WORDS } from "./words.ts";

const features = tableFeatures({});

export interface Column<Row> {
  readonly id: string;
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  /** `amount`: figures, right-aligned. `code`: ids. `soft`: secondary text. */
  readonly look?: "amount" | "code" | "soft";
  /** Pixels; undefined shares the remaining width. */
  readonly width?: number;
}

export interface Reading<Row> {
  readonly rows: readonly Row[] | undefined;
  readonly failure: Error | null;
  readonly retry: () => void;
}

/** Numbers are counts and get their separators here. */
function shownOf(cell: ReactNode): ReactNode {
  return typeof cell === "number" ? count(cell) : cell;
}

/** Returns the successor of the chosen row once that has left the queue; null while it is there. */
function useHeir(ids: readonly string[], chosen: string | null): string | null {
  const [seen, setSeen] = useState<{ readonly ids: readonly string[]; readonly at: number } | null>(null);
  const at = chosen === null ? -1 : ids.indexOf(chosen);
  if (at !== -1 && (seen?.at !== at || seen.ids.join() !== ids.join())) setSeen({ ids, at });
  if (at !== -1 || seen === null || seen.ids[seen.at] !== chosen) return null;
  const isLeft = (id: string) => ids.includes(id);
  return seen.ids.slice(seen.at).find(isLeft) ?? seen.ids.slice(0, seen.at).findLast(isLeft) ?? null;
}

interface QueueProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly reading: Reading<Row>;
  readonly idOf: (row: Row) => string;
  readonly chosen: string | null;
  readonly onChoose?: (id: string) => void;
  /** What an empty list means, and what to do next. */
  readonly empty: string;
  /** False for a second table on a screen: j and k belong to the first. */
  readonly keyboard?: boolean;
}

/** A table of cases. Choose a row with the mouse or with j and k; Enter on the chosen row moves into its case. */
export function Queue<Row extends object>(props: QueueProps<Row>) {
  const { caption, reading, idOf, chosen, onChoose, empty, keyboard = true } = props;
  const { rows = [], failure, retry } = reading;
  const section = useRef<HTMLElement>(null);
  const ids = rows.map(idOf);
  const heir = useHeir(ids, chosen);
  const move = (step: number) => () => {
    const next = ids[nextRow(ids, chosen, heir, step)];
    if (next === undefined || !onChoose) return;
    onChoose(next);
    // Focusing scrolls a long queue along.
    section.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(next)}"] .row-button`)?.focus();
  };
  useKeys(keyboard && onChoose ? { j: move(1), k: move(-1) } : {});

  if (failure) return <FailedState title={failure.message} retryLabel={WORDS.retry} onRetry={retry} />;
  if (reading.rows === undefined) return <p className="part soft">{WORDS.reading}</p>;
  if (rows.length === 0) return <EmptyState title={empty} />;
  return (
    <section ref={section} className="queue-scroll" aria-label={caption}>
      <CaseTable {...props} rows={rows} heir={heir} />
    </section>
  );
}

/** Returns the index of the row that a step up or down leads to. */
function nextRow(ids: readonly string[], chosen: string | null, heir: string | null, step: number): number {
  const here = chosen === null ? -1 : ids.indexOf(chosen);
  // When the chosen case has left the queue, its successor is next.
  const to = here === -1 && heir !== null ? ids.indexOf(heir) + Math.min(step, 0) : here + step;
  return Math.min(Math.max(to, 0), ids.length - 1);
}

function CaseTable<Row extends object>({
  caption,
  columns,
  rows,
  idOf,
  chosen,
  heir,
  onChoose,
}: QueueProps<Row> & { readonly rows: readonly Row[]; readonly heir: string | null }) {
  const table = useTable({
    features,
    columns: columns.map((column): ColumnDef<typeof features, Row> => ({
      id: column.id,
      header: column.head,
      cell: ({ row }) => shownOf(column.cell(row.original)),
    })),
    data: [...rows],
    getRowId: idOf,
  });
  const lookOf = (id: string) => columns.find((column) => column.id === id)?.look;
  return (
    <table>
      <caption className="unseen">{caption}</caption>
      <Heads columns={columns} />
      <tbody>
        {table.getRowModel().rows.map((row) => (
          <tr
            key={row.id}
            data-id={row.id}
            className={onChoose ? "choosable" : undefined}
            data-chosen={row.id === chosen || undefined}
            data-heir={row.id === heir || undefined}
          >
            {row.getAllCells().map((cell, index) => (
              <td key={cell.id} className={lookOf(cell.column.id)}>
                {index === 0 && onChoose ? (
                  <RowButton isChosen={row.id === chosen} onChoose={() => onChoose(row.id)}>
                    {shownOf(columns[0]?.cell(row.original))}
                  </RowButton>
                ) : (
                  <table.FlexRender cell={cell} />
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Heads<Row>({ columns }: { readonly columns: readonly Column<Row>[] }) {
  return (
    <>
      <colgroup>
        {columns.map(({ id, width }) => (
          <col key={id} style={width === undefined ? undefined : { width }} />
        ))}
      </colgroup>
      <thead>
        <tr>
          {columns.map(({ id, head, look }) => (
            <th key={id} scope="col" className={look}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
    </>
  );
}

/** The first cell of a row. Pressed with a key on the chosen row, it moves into the case. */
function RowButton({
  isChosen,
  onChoose,
  children,
}: {
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly children: ReactNode;
}) {
  return (
    <button
      type="button"
      className="row-button"
      aria-pressed={isChosen}
      onClick={({ detail }) => {
        // Pressed with a key, not the mouse.
        if (isChosen && detail === 0) focusCase();
        else onChoose();
      }}
    >
      {children}
    </button>
  );
}
