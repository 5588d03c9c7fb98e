import { identityList, type IdentityEntry } from "@fairtick/protocol/operator";
import { TabPanel, Words } from "@fairtick/ui";
import { useState } from "react";
import { useRead } from "../data/queries.ts";
import { Desk } from "../shared/Case.tsx";
import { shortInstant } from "../shared/format.ts";
import { type Column, Queue } from "../shared/Queue.tsx";
import { choose, useView } from "../shared/route.ts";
import { useTakers } from "../shared/Takes.tsx";
import { WORDS } from "../shared/words.ts";
import { IdentityCaseView } from "./IdentityCase.tsx";
import { Pages } from "../shared/Pages.tsx";

const TABS = [
  { value: "waiting", label: "Waiting" },
  { value: "done", label: "Decided" },
] as const;

const COLUMNS: readonly Column<IdentityEntry>[] = [
  { id: "at", head: "Submitted, UTC", cell: (row) => shortInstant(row.submittedAt), width: 132 },
  { id: "name", head: "Name", cell: (row) => `${row.familyName}, ${row.givenName}` },
  { id: "account", head: "Account", cell: (row) => row.account, look: "soft" },
  { id: "region", head: "Region", cell: (row) => row.region, width: 56 },
  { id: "document", head: "Document", cell: (row) => WORDS.documents[row.documentType], width: 104 },
  { id: "state", head: "State", cell: stateOf, width: 128 },
];

const caseIdOf = ({ caseId }: IdentityEntry) => caseId;

function stateOf({ state, flags, proposed }: IdentityEntry): string {
  if (proposed) return state === "verified" ? "Revoke: second person" : "Second person";
  if (state !== "pending") return WORDS.identity[state];
  return flags.length > 0 ? "Flagged" : WORDS.identity.pending;
}

/** The compliance queue of identity checks, oldest first. */
export function IdentitiesScreen({ chosen }: { readonly chosen: string | null }) {
  const [state, setState] = useView(TABS);
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const columns = useTakers("identities", caseIdOf, COLUMNS, "state");
  const list = useRead(identityList, { state, ...(cursor && { cursor }) });
  return (
    <Desk
      title={WORDS.screens.identities}
      side={chosen === null ? undefined : <IdentityCaseView key={chosen} caseId={chosen} />}
    >
      <div className="part-tabs">
        <Words
          label="State"
          panel="identities"
          choices={TABS}
          value={state}
          onChange={(value) => {
            setState(value);
            setCursors([]);
          }}
        />
      </div>
      <TabPanel id="identities" chosen={state}>
        <Queue
          caption="Identities"
          columns={columns}
          reading={{ rows: list.data?.items, failure: list.error, retry: () => void list.refetch() }}
          idOf={caseIdOf}
          chosen={chosen}
          onChoose={(id) => choose("identities", id)}
          empty={state === "waiting" ? "All done. New identity checks appear here." : "No decisions yet."}
        />
      </TabPanel>
      <Pages
        cursors={cursors}
        next={list.data?.nextCursor ?? null}
        oldestFirst={state === "waiting"}
        onMove={setCursors}
      />
    </Desk>
  );
}
