import { Notice } from "@fairtick/ui";
import { useState } from "react";
import { Ledger } from "../shared/Case.tsx";
import { count, fiat, money } from "../shared/format.ts";
import { Pages } from "../shared/Pages.tsx";
import { type Column, Queue } from "../shared/Queue.tsx";
import { choose } from "../shared/route.ts";
import { type ImportReport, type ReportRow, rowsOf, sumOf } from "./statement-words.ts";

const PAGE = 50;

const COLUMNS: readonly Column<ReportRow>[] = [
  { id: "what", head: "What", cell: (row) => row.what, width: 116 },
  { id: "about", head: "About", cell: (row) => row.about },
  { id: "fiat", head: "Sent", cell: (row) => fiat(row.fiat), look: "amount", width: 132 },
  {
    id: "usd",
    head: "USD",
    cell: (row) => (row.usd === "" ? "–" : money(row.usd)),
    look: "amount",
    width: 104,
  },
];

/** The result of a statement import: totals, then each line that was credited or needs attention. */
export function ImportReportView({
  report,
  chosen,
}: {
  readonly report: ImportReport;
  readonly chosen: string | null;
}) {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const from = Number(cursors.at(-1) ?? 0);
  const rows = rowsOf(report);
  const shown = rows.slice(from, from + PAGE);
  return (
    <>
      <Totals report={report} />
      <Queue<ReportRow>
        key={from}
        caption="Imported lines"
        columns={COLUMNS}
        reading={{ rows: shown, failure: null, retry: () => undefined }}
        idOf={({ id }) => id}
        chosen={shown.find(({ depositNo }) => depositNo !== null && depositNo === chosen)?.id ?? null}
        onChoose={(id) => {
          const depositNo = shown.find((row) => row.id === id)?.depositNo ?? null;
          if (depositNo !== null) choose("deposits", depositNo);
        }}
        empty="Nothing was credited and nothing needs attention. New lines to match are under Unmatched lines."
      />
      <Pages
        cursors={cursors}
        next={from + PAGE < rows.length ? String(from + PAGE) : null}
        onMove={setCursors}
        labels={["Previous", "Next"]}
      />
    </>
  );
}

/** The counts of an import, and a warning when some lines need a person. */
function Totals({ report }: { readonly report: ImportReport }) {
  const needsLook = report.differing.length + report.returned.length + report.unread > 0;
  return (
    <div className="part">
      <p className="label wrap">Statement {report.message}</p>
      <Ledger
        figures={[
          ["New lines", count(report.lines)],
          ["Already imported", count(report.known)],
          ["Credited", count(report.credited.length)],
          ["Credited USD", money(sumOf(report.credited.map(({ amount }) => amount)))],
          ["Second person", count(report.waiting.length)],
          ["To match", count(report.open)],
          ["Unreadable", count(report.unread)],
        ]}
      />
      {needsLook && (
        <Notice wrong>
          Needs attention: {count(report.unread)} unreadable, {count(report.differing.length)} different from an earlier
          statement, {count(report.returned.length)} reversed by the bank. They are listed first.
        </Notice>
      )}
    </div>
  );
}
