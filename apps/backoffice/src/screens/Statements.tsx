import { depositImportStatement, type StatementLine, statementLines } from "@fairtick/protocol/operator";
import { useId, useState } from "react";
import { useAct, useRead } from "../data/queries.ts";
import { fiat } from "../shared/format.ts";
import { Queue } from "../shared/Queue.tsx";
import { Pages } from "../shared/Pages.tsx";
import { type ImportReport, sayRefused } from "./statement-words.ts";

/** The server's limit in bytes. Larger files aren't read at all. */
const BYTES_MAX = 2_000_000;

export interface Import {
  /** Why the last file was refused. */
  readonly refused: string | null;
  /** Result of the last import. */
  readonly report: ImportReport | null;
  readonly busy: boolean;
  readonly read: (file: File) => void;
}

/** Imports a bank statement. `onTaken` runs after a successful import. */
export function useImport(onTaken: () => void): Import {
  const take = useAct(depositImportStatement);
  const [refused, setRefused] = useState<string | null>(null);
  const [report, setReport] = useState<ImportReport | null>(null);

  async function read(file: File) {
    setRefused(null);
    if (file.size > BYTES_MAX) {
      setRefused("The file is too large. A statement can have at most 2 MB.");
      return;
    }
    try {
      setReport(await take.mutateAsync({ statement: await file.text() }));
      onTaken();
    } catch (failure) {
      setRefused(sayRefused(failure) ?? (failure instanceof Error ? failure.message : String(failure)));
    }
  }

  return {
    refused,
    report,
    busy: take.isPending,
    read: (file) => {
      void read(file);
    },
  };
}

export function ImportButton({ busy, read }: Import) {
  const id = useId();
  return (
    <>
      <label className="button lowkey" htmlFor={id}>
        {busy ? "Importing…" : "Import statement"}
      </label>
      <input
        id={id}
        className="unseen"
        type="file"
        accept=".xml,application/xml,text/xml"
        disabled={busy}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file !== undefined) read(file);
          event.target.value = "";
        }}
      />
    </>
  );
}

/** Incoming bank transfers that aren't matched to a deposit. */
export function OpenLines() {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const list = useRead(statementLines, { ...(cursor && { cursor }) });
  return (
    <>
      <Queue<StatementLine>
        caption="Unmatched lines"
        columns={[
          { id: "day", head: "Booked", cell: (row) => row.bookedOn, width: 92 },
          { id: "fiat", head: "Amount", cell: (row) => fiat(row.fiat), look: "amount", width: 132 },
          { id: "debtor", head: "From", cell: (row) => row.debtor || "–", width: 148 },
          { id: "text", head: "Remittance", cell: (row) => row.remittance || "–" },
          { id: "reference", head: "Our reference", cell: (row) => row.reference ?? "–", look: "code", width: 148 },
        ]}
        reading={{ rows: list.data?.items, failure: list.error, retry: () => void list.refetch() }}
        idOf={({ entryId }) => entryId}
        chosen={null}
        empty="All done. Unmatched statement lines appear here."
      />
      <Pages cursors={cursors} next={list.data?.nextCursor ?? null} onMove={setCursors} />
    </>
  );
}
