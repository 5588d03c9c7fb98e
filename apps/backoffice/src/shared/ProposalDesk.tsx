import type { OperatorCall, OperatorPath } from "@fairtick/protocol/operator";
import { Button } from "@fairtick/ui";
import { useState, type ComponentType, type ReactNode } from "react";
import type { GenericSchema } from "valibot";
import { useMay, useRead } from "../data/queries.ts";
import { CaseHead, Desk, type Proposed } from "./Case.tsx";
import { Decide, type Decision } from "./Decide.tsx";
import { shortInstant } from "./format.ts";
import { Pages } from "./Pages.tsx";
import { Parts, PROPOSAL_PARTS } from "./Parts.tsx";
import { ProposalDecision } from "./ProposalDecision.tsx";
import { type Column, Queue } from "./Queue.tsx";
import { choose } from "./route.ts";
import { WORDS } from "./words.ts";

/** Stands for an id in the address and opens the form for a new proposal. */
const NEW = "new";

export interface ProposedRow extends Proposed {
  readonly proposalId: string;
  readonly madeBy: { readonly operatorId: string; readonly login: string };
}
type ListOf<Row> = OperatorCall<
  string,
  OperatorCall["input"],
  GenericSchema<unknown, { items: Row[]; nextCursor: string | null }>
>;

interface ProposalDeskProps<Row> {
  readonly name: keyof typeof WORDS.screens;
  readonly chosen: string | null;
  readonly list: ListOf<Row>;
  /** Columns between the date and the author. */
  readonly columns: readonly Column<Row>[];
  /** Text for an empty queue. */
  readonly empty: string;
  /** Form for a new proposal; undefined when proposals are made elsewhere. */
  readonly form?: { readonly needs: OperatorPath; readonly label: string; readonly view: ReactNode };
  /** Shows the second person what they decide on. */
  readonly Facts: ComponentType<{ readonly row: Row }>;
  readonly decision: (row: Row) => RowDecision;
}

interface RowDecision {
  readonly needs: OperatorPath;
  /** For money: the amount that must be typed to approve. */
  readonly amount?: string;
  readonly note?: ReactNode;
  readonly approve: Decision["act"];
  readonly reject: (reason: string) => Promise<unknown>;
}

/** A screen for proposals that take two people: the waiting and decided ones, the chosen one, and the form for a new one. */
export function ProposalDesk<Row extends ProposedRow>({
  name,
  chosen,
  list,
  columns,
  empty,
  form,
  Facts,
  decision,
}: ProposalDeskProps<Row>) {
  const may = useMay();
  const [state, setState] = useState<"waiting" | "done">("waiting");
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const { read, shown } = useProposals(list, state, cursors.at(-1), chosen);
  const newButton = form && may(form.needs) && (
    <Button lowkey look="tint" onClick={() => choose(name, NEW)}>
      {form.label}
    </Button>
  );
  const side =
    chosen === NEW && form ? (
      <>
        <CaseHead title="New" state="Proposal" />
        {form.view}
      </>
    ) : (
      shown && <ProposalCase key={shown.proposalId} row={shown} Facts={Facts} decision={decision(shown)} />
    );
  return (
    <Desk title={WORDS.screens[name]} tools={newButton} side={side}>
      <Parts
        id={name}
        label="State"
        parts={PROPOSAL_PARTS}
        shown={state}
        onShow={(part) => {
          setState(part);
          setCursors([]);
        }}
      >
        <Queue<Row>
          caption={WORDS.screens[name]}
          columns={columnsAround(columns)}
          reading={{ rows: read.data?.items, failure: read.error, retry: () => void read.refetch() }}
          idOf={({ proposalId }) => proposalId}
          chosen={chosen}
          onChoose={(id) => choose(name, id)}
          empty={state === "waiting" ? empty : "No decisions yet."}
        />
      </Parts>
      <Pages
        cursors={cursors}
        next={read.data?.nextCursor ?? null}
        oldestFirst={state === "waiting"}
        onMove={setCursors}
      />
    </Desk>
  );
}

/** Puts a desk's own columns between those that every proposal has. */
function columnsAround<Row extends ProposedRow>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  return [
    { id: "made", head: "Proposed, UTC", cell: (row) => shortInstant(row.madeAt), width: 132 },
    ...columns,
    { id: "by", head: "By", cell: (row) => row.madeBy.login, width: 84 },
    { id: "state", head: "State", cell: (row) => WORDS.states[row.state], look: "soft", width: 80 },
  ];
}

/** Reads one page of proposals, and the chosen one even if it has left the queue. */
function useProposals<Row extends ProposedRow>(
  list: ListOf<Row>,
  state: "waiting" | "done",
  cursor: string | undefined,
  chosen: string | null,
) {
  const read = useRead(list, { state, ...(cursor !== undefined && { cursor }) });
  const listed = read.data?.items.find(({ proposalId }) => proposalId === chosen);
  // A proposal that was just decided has left the queue but stays on screen.
  const isGone = read.data !== undefined && listed === undefined && chosen !== null && chosen !== NEW;
  const decided = useRead(list, { state: "done" }, isGone && state === "waiting");
  const left = isGone ? decided.data?.items.find(({ proposalId }) => proposalId === chosen) : undefined;
  return { read, shown: listed ?? left };
}

function ProposalCase<Row extends ProposedRow>({
  row,
  Facts,
  decision,
}: {
  readonly row: Row;
  readonly Facts: ComponentType<{ readonly row: Row }>;
  readonly decision: RowDecision;
}) {
  const may = useMay();
  const { needs, amount, note, approve, reject } = decision;
  return (
    <>
      <CaseHead title={row.proposalId} state={WORDS.states[row.state]} />
      <Facts row={row} />
      <ProposalDecision
        proposal={row}
        mayDecide={may(needs)}
        {...(amount !== undefined && { amount })}
        note={note}
        onApprove={approve}
        onReject={reject}
      />
    </>
  );
}

/** The end of a proposal form: reason and button. The new proposal opens afterwards. */
export function Propose({
  screen,
  label = "Propose",
  note,
  act,
}: {
  readonly screen: keyof typeof WORDS.screens;
  readonly label?: string;
  readonly note: ReactNode;
  readonly act: (reason: string) => Promise<{ readonly proposalId: string }>;
}) {
  return (
    <Decide
      decisions={[
        {
          label,
          key: "a",
          main: true,
          act: async (reason) => choose(screen, (await act(reason)).proposalId),
        },
      ]}
      note={note}
    />
  );
}
