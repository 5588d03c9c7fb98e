import { depositImportStatement, type StatementLine, statementLines } from "@fairtick/protocol/operator";
import { useId, useState } from "react";
import { useAct, useRead } from "../data/queries.ts";
import { money } from "../shared/format.ts";
import { Queue } from "../shared/Queue.tsx";
import { Pages } from "../shared/Pages.tsx";

/** The server's own limit, so that a larger file is not read at all. */
const BYTES_MAX = 2_000_000;

export interface Import {
  readonly said: { readonly text: string; readonly wrong: boolean } | null;
  readonly busy: boolean;
  readonly read: (file: File) => void;
}

/** Takes in a bank statement; says what it brought. */
export function useImport(): Import {
  const take = useAct(depositImportStatement);
  const [said, setSaid] = useState<Import["said"]>(null);

  async function read(file: File) {
    if (file.size > BYTES_MAX) {
      setSaid({ text: "A statement has at most 2 MB.", wrong: true });
      return;
    }
    try {
      const done = await take.mutateAsync({ statement: await file.text() });
      const credited = done.credited.map(({ depositNo, amount }) => `${money(amount)} USD (${depositNo})`);
      const parts = [
        `${done.lines} new ${done.lines === 1 ? "line" : "lines"}`,
        `${done.known} known before`,
        ...(done.unread > 0 ? [`${done.unread} not readable`] : []),
        credited.length > 0 ? `credited by itself: ${credited.join(", ")}` : "nothing credited by itself",
        ...done.waiting.map(
          ({ depositNo, amount }) => `waits for a second person: ${money(amount)} USD (${depositNo})`,
        ),
        `${done.open} to match`,
        ...done.differing.map(({ reference, fiat, before }) => `${reference} now says ${fiat}, before ${before}`),
        ...done.returned.map(({ depositNo, fiat }) => `taken back by the bank: ${fiat} (${depositNo})`),
      ];
      setSaid({ text: `${done.message}: ${parts.join("; ")}.`, wrong: done.differing.length > 0 });
    } catch (failure) {
      setSaid({ text: failure instanceof Error ? failure.message : String(failure), wrong: true });
    }
  }

  return {
    said,
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
          { id: "fiat", head: "Amount", cell: (row) => row.fiat, look: "amount", width: 132 },
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
