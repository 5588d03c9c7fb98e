import { auditExport, type AuditEntry, auditList } from "@fairtick/protocol/operator";
import { Button, IconCheck, Notice } from "@fairtick/ui";
import { useState } from "react";
import { saveFile } from "../data/call.ts";
import { useRead } from "../data/queries.ts";
import { CaseHead, Desk, Ledger } from "../shared/Case.tsx";
import { instant } from "../shared/format.ts";
import { type Column, Queue } from "../shared/Queue.tsx";
import { choose } from "../shared/route.ts";
import { WORDS } from "../shared/words.ts";
import { Pages } from "../shared/Pages.tsx";

const COLUMNS: readonly Column<AuditEntry>[] = [
  { id: "at", head: "UTC", cell: (row) => instant(row.at), width: 172 },
  { id: "who", head: "Who", cell: (row) => row.operator?.login ?? "unknown", width: 96 },
  { id: "action", head: "What", cell: actionOf, width: 150 },
  { id: "subject", head: "About", cell: (row) => row.subject ?? "", look: "code" },
  { id: "outcome", head: "Outcome", cell: (row) => row.outcome, look: "soft", width: 96 },
];

export function AuditScreen({ chosen }: { readonly chosen: string | null }) {
  const [subject, setSubject] = useState("");
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const [failure, setFailure] = useState<string | null>(null);
  const cursor = cursors.at(-1);
  const list = useRead(auditList, { ...(subject && { subject }), ...(cursor && { cursor }) });
  const shown = list.data?.items.find(({ auditNo }) => auditNo === chosen);
  return (
    <Desk
      title={WORDS.screens.audit}
      tools={
        <Tools
          subject={subject}
          onSearch={(typed) => {
            setSubject(typed);
            setCursors([]);
          }}
          onFailure={setFailure}
        />
      }
      side={shown && <AuditCase entry={shown} />}
    >
      {failure !== null && <Notice wrong>{failure}</Notice>}
      {list.data && (
        <div className="part">
          <ChainState brokenAt={list.data.brokenAt} />
        </div>
      )}
      <Queue<AuditEntry>
        caption="Audit trail"
        columns={COLUMNS}
        reading={{ rows: list.data?.items, failure: list.error, retry: () => void list.refetch() }}
        idOf={({ auditNo }) => auditNo}
        chosen={chosen}
        onChoose={(id) => choose("audit", id)}
        empty="No rows found. Clear the search to see all."
      />
      <Pages cursors={cursors} next={list.data?.nextCursor ?? null} onMove={setCursors} />
    </Desk>
  );
}

/** The search by id, and the export of what it found. */
function Tools({
  subject,
  onSearch,
  onFailure,
}: {
  readonly subject: string;
  readonly onSearch: (subject: string) => void;
  readonly onFailure: (why: string) => void;
}) {
  return (
    <form
      className="tools"
      onSubmit={(event) => {
        event.preventDefault();
        const typed = new FormData(event.currentTarget).get("subject");
        onSearch(typeof typed === "string" ? typed.trim() : "");
      }}
    >
      <label className="box find">
        <input name="subject" type="search" aria-label="Search by id" placeholder="Search by id" />
      </label>
      <Button
        lowkey
        onClick={() => {
          saveFile(auditExport, subject ? { subject } : {}, "fairtick-audit.csv").catch((error: unknown) =>
            onFailure(error instanceof Error ? error.message : String(error)),
          );
        }}
      >
        Export CSV{" "}
      </Button>
    </form>
  );
}

/** Shows whether the hash chain of the audit trail is unbroken. */
function ChainState({ brokenAt }: { readonly brokenAt: string | null }) {
  return brokenAt === null ? (
    <p className="note soft chain">
      <IconCheck size="tiny" /> The hash chain is intact from the first row to the newest.
    </p>
  ) : (
    <Notice wrong>The hash chain breaks at row {brokenAt}. The trail was tampered with.</Notice>
  );
}

function AuditCase({ entry }: { readonly entry: AuditEntry }) {
  return (
    <>
      <CaseHead title={`Row ${entry.auditNo}`} state={entry.outcome} />
      <p className="case-title">{entry.action}</p>
      <Ledger
        figures={[
          ["Who", entry.operator?.login ?? "unknown"],
          ["When, UTC", instant(entry.at)],
          ["From", entry.ip],
        ]}
      />
      <h3 className="note soft">About</h3>
      <p className="code wrap">{entry.subject ?? "–"}</p>
      <h3 className="note soft">Why</h3>
      <p className="wrap">{entry.reason ?? "–"}</p>
      <h3 className="note soft">Request</h3>
      <p className="code wrap">{entry.detail}</p>
      <h3 className="note soft">Browser</h3>
      <p className="wrap note">{entry.device}</p>
      <h3 className="note soft">Hash</h3>
      <p className="code wrap note">{entry.hash}</p>
    </>
  );
}

/** Lets a long action wrap after its slash. */
function actionOf({ action }: AuditEntry) {
  const [area, ...verb] = action.split("/");
  return verb.length === 0 ? (
    action
  ) : (
    <>
      {area}/<wbr />
      {verb.join("/")}
    </>
  );
}
