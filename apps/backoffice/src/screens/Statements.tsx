import { depositImportStatement, type StatementLine, statementLines } from "@fairtick/protocol/operator";
import { useId, useState } from "react";
import { useAct, useRead } from "../data/queries.ts";
import { fiat } from "../shared/format.ts";
import { Queue } from "../shared/Queue.tsx";
import { Pages } from "../shared/Pages.tsx";
import { type ImportReport, sayRefused } from "./statement-words.ts";

/** The server's own limit, so that a larger file is not read at all. */
const BYTES_MAX = 2_000_000;

export interface Import {
  /** Why the last file was not taken in. */
  readonly refused: string | null;
  /** What the last file brought. */
  readonly report: ImportReport | null;
  readonly busy: boolean;
  readonly read: (file: File) => void;
}

/** Takes in a bank statement; `onTaken` runs once it is. */
export function useImport(onTaken: () => void): Import {
  const take = useAct(depositImportStatement);
  const [refused, setRefused] = useState<string | null>(null);
  const [report, setReport] = useState<ImportReport | null>(null);

  async function read(file: File) {
    setRefused(null);
    if (file.size > BYTES_MAX) {
      setRefused("A statement has at most 2 MB.");
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
        {busy ? "Reading…" : "Import statement"}
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

/** Money that came in and that no deposit was matched with. */
export function OpenLines() {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const list = useRead(statementLines, { ...(cursor && { cursor }) });
  return (
    <>
      <Queue<StatementLine>
        caption="Open lines of statements"
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
        empty="Every line of every statement is matched."
      />
      <Pages cursors={cursors} next={list.data?.nextCursor ?? null} onMove={setCursors} />
    </>
  );
}
