import { caseGiveBack, type CaseQueueName, caseTake, type CaseTaken, caseTakes } from "@fairtick/protocol/operator";
import { Button, Notice } from "@fairtick/ui";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { callOperator, CallFailure } from "../data/call.ts";
import { useMay, useRead, useSelf } from "../data/queries.ts";
import { clockTime } from "./format.ts";
import type { Column } from "./Queue.tsx";
import { useKeys } from "./use-keys.ts";
import { useRefreshWhileUsed } from "./use-refresh-while-used.ts";

/** How soon operators see that a colleague has taken a case or given it back. */
const EVERY_MS = 5_000;

/**
 * Returns a queue's columns so that the one named `under` also says who is working on a case: a column of its own would
 * leave too little room for the member. Reads again every five seconds.
 */
export function useTakers<Row>(
  queue: CaseQueueName,
  idOf: (row: Row) => string,
  columns: readonly Column<Row>[],
  under: string,
): readonly Column<Row>[] {
  const read = useRead(caseTakes, { queue });
  useRefreshWhileUsed(() => void read.refetch(), EVERY_MS);
  const takerOf = (row: Row) => read.data?.find(({ caseNo }) => caseNo === idOf(row))?.by.login;
  return columns.map((column) =>
    column.id === under ? { ...column, cell: (row) => <Taken cell={column.cell(row)} by={takerOf(row)} /> } : column,
  );
}

function Taken({ cell, by }: { readonly cell: ReactNode; readonly by: string | undefined }) {
  if (by === undefined) return cell;
  return (
    <>
      {cell}
      <div className="taken">{by} has it</div>
    </>
  );
}

interface TakeProps {
  readonly queue: CaseQueueName;
  readonly caseNo: string;
  /** Whether the case still waits for a decision. A closed one can't be taken. */
  readonly isOpen: boolean;
}

/** Takes a case for ten minutes, says who has it, and gives it back. It keeps no one from deciding. */
export function Take({ queue, caseNo, isOpen }: TakeProps) {
  const { data } = useRead(caseTakes, { queue });
  const may = useMay();
  const { data: self } = useSelf();
  const { take, giveBack, failure } = useTakeActs(queue, caseNo);
  const taken = data?.find((each) => each.caseNo === caseNo);
  const isMine = taken !== undefined && taken.by.operatorId === self?.operator.operatorId;
  const canTake = isOpen && data !== undefined && may("case/take") && (taken === undefined || isMine);
  // Pressed on one's own case, the key starts the ten minutes again.
  useKeys(canTake ? { t: take } : {});

  if (failure !== null) return <Notice wrong>{failure}</Notice>;
  if (taken !== undefined && !isMine) return <Notice>{words(taken)}</Notice>;
  if (!canTake) return null;
  return (
    <div className="take">
      {isMine ? (
        <>
          <span className="label">Yours until {clockTime(taken.until)} UTC</span>
          <Button lowkey onClick={giveBack}>
            Give back
          </Button>
        </>
      ) : (
        <Button lowkey onClick={take}>
          Take for 10 minutes <kbd>t</kbd>
        </Button>
      )}
    </div>
  );
}

function words({ by, until }: CaseTaken): string {
  return `${by.login} is working on this until ${clockTime(until)} UTC.`;
}

/** Only the takes are read again afterwards: reading the case again would leave another row in the audit trail. */
function useTakeActs(queue: CaseQueueName, caseNo: string) {
  const queries = useQueryClient();
  const act = useMutation({
    mutationFn: async (call: typeof caseTake | typeof caseGiveBack) => {
      await callOperator(call, { queue, caseNo });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [caseTakes.path] }),
  });
  // A conflict needs no message of its own: the takes, which are read again, say who was first.
  const isLost = act.error instanceof CallFailure && act.error.error === "CONFLICT";
  return {
    take: () => act.mutate(caseTake),
    giveBack: () => act.mutate(caseGiveBack),
    failure: act.error === null || isLost ? null : act.error.message,
  };
}
