import { type DepositEntry, depositQueue } from "@fairtick/protocol/operator";
import { Notice, Segments, TabPanel, Words } from "@fairtick/ui";
import { useState } from "react";
import { useMay, useRead } from "../data/queries.ts";
import { Desk } from "../shared/Case.tsx";
import { fiat, money, shortInstant } from "../shared/format.ts";
import { type Column, Queue } from "../shared/Queue.tsx";
import { choose, useView } from "../shared/route.ts";
import { useTakers } from "../shared/Takes.tsx";
import { WORDS } from "../shared/words.ts";
import { DepositCase } from "./DepositCase.tsx";
import { stageName } from "./DepositNeighbours.tsx";
import { ImportReportView } from "./ImportReport.tsx";
import { Pages } from "../shared/Pages.tsx";
import { ImportButton, OpenLines, useImport } from "./Statements.tsx";

const TABS = [
  { value: "waiting", label: "Waiting" },
  { value: "underway", label: "In progress" },
  { value: "done", label: "Done" },
  { value: "lines", label: "Unmatched lines" },
  { value: "import", label: "Last import" },
] as const;
type Tab = (typeof TABS)[number]["value"];
type ListTab = Exclude<Tab, "lines" | "import">;
const METHODS = [
  { value: "all", label: "All" },
  { value: "bank", label: "Bank" },
  { value: "card", label: "Card" },
  { value: "crypto", label: "USDT" },
] as const;
type Method = (typeof METHODS)[number]["value"];

/** Deposits by every method, starting with those that wait for finance. */
export function DepositsScreen({ chosen }: { readonly chosen: string | null }) {
  const may = useMay();
  const [named, setTab] = useView<Tab>(TABS);
  const [method, setMethod] = useState<Method>("all");
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const statement = useImport(() => setTab("import"));
  const offers = { lines: may("statement/list"), import: statement.report !== null };
  const isOffered = (one: Tab) => (one === "lines" || one === "import" ? offers[one] : true);
  const tab = isOffered(named) ? named : "waiting";
  const isList = tab !== "lines" && tab !== "import";
  return (
    <Desk
      title={WORDS.screens.deposits}
      tools={may("deposit/importStatement") && <ImportButton {...statement} />}
      side={chosen !== null && <DepositCase key={chosen} depositNo={chosen} />}
    >
      <div className="part-tabs">
        <Words
          label="State"
          panel="deposits"
          choices={TABS.filter(({ value }) => isOffered(value))}
          value={tab}
          onChange={(value) => {
            setTab(value);
            setCursors([]);
          }}
        />
        {isList && (
          <Segments
            label="Method"
            look="slim"
            choices={METHODS}
            value={method}
            onChange={(value) => {
              setMethod(value);
              setCursors([]);
            }}
          />
        )}
      </div>
      {statement.refused !== null && (
        <div className="part">
          <Notice wrong>{statement.refused}</Notice>
        </div>
      )}
      <TabPanel id="deposits" chosen={tab}>
        {tab === "import" && statement.report !== null && (
          <ImportReportView report={statement.report} chosen={chosen} />
        )}
        {tab === "lines" && <OpenLines />}
        {isList && <DepositList tab={tab} method={method} chosen={chosen} cursors={cursors} onMove={setCursors} />}
      </TabPanel>
    </Desk>
  );
}

const COLUMNS: readonly Column<DepositEntry>[] = [
  { id: "time", head: "UTC", cell: (row) => shortInstant(row.createdAt), width: 112 },
  { id: "account", head: "Member", cell: (row) => row.account },
  { id: "method", head: "By", cell: (row) => WORDS.depositMethods[row.method], width: 56 },
  {
    id: "sent",
    head: "Sent",
    cell: (row) => (row.sent === null ? "–" : fiat(row.sent)),
    look: "amount",
    width: 118,
  },
  { id: "amount", head: "USD", cell: (row) => money(row.amount), look: "amount", width: 92 },
  {
    id: "stage",
    head: "Stage",
    cell: (row) => `${stageName(row)}${row.flagged ? " ⚑" : ""}`,
    look: "soft",
    width: 108,
  },
];

const depositNoOf = ({ depositNo }: DepositEntry) => depositNo;

/** One page of deposits in a state, optionally by one method. */
function DepositList({
  tab,
  method,
  chosen,
  cursors,
  onMove,
}: {
  readonly tab: ListTab;
  readonly method: Method;
  readonly chosen: string | null;
  readonly cursors: readonly string[];
  readonly onMove: (cursors: readonly string[]) => void;
}) {
  const cursor = cursors.at(-1);
  const columns = useTakers("deposits", depositNoOf, COLUMNS, "stage");
  const list = useRead(depositQueue, {
    state: tab,
    ...(method !== "all" && { method }),
    ...(cursor && { cursor }),
  });
  return (
    <>
      <Queue<DepositEntry>
        caption="Deposits"
        columns={columns}
        reading={{ rows: list.data?.items, failure: list.error, retry: () => void list.refetch() }}
        idOf={depositNoOf}
        chosen={chosen}
        onChoose={(id) => choose("deposits", id)}
        empty={
          tab === "waiting" ? "All done. New deposits appear here with a receipt or a statement line." : "No deposits."
        }
      />
      <Pages cursors={cursors} next={list.data?.nextCursor ?? null} oldestFirst={tab === "waiting"} onMove={onMove} />
    </>
  );
}
