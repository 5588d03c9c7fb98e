import { memberList, type MemberEntry } from "@fairtick/protocol/operator";
import { IconSearch, TabPanel, Words } from "@fairtick/ui";
import { useEffect, useRef, useState } from "react";
import { useRead } from "../data/queries.ts";
import { Desk } from "../shared/Case.tsx";
import { instant, money } from "../shared/format.ts";
import { Pages } from "../shared/Pages.tsx";
import { type Column, Queue } from "../shared/Queue.tsx";
import { choose, useView } from "../shared/route.ts";
import { useKeys } from "../shared/use-keys.ts";
import { WORDS } from "../shared/words.ts";
import { MemberCase } from "./MemberCase.tsx";

const COLUMNS: readonly Column<MemberEntry>[] = [
  { id: "account", head: "Account", cell: (row) => row.account },
  { id: "region", head: "Region", cell: (row) => row.region, width: 56 },
  { id: "standing", head: "Standing", cell: (row) => standingOf(row), width: 104 },
  { id: "practice", head: "Practice USD", cell: (row) => money(row.practice), look: "amount", width: 96 },
  { id: "real", head: "Real USD", cell: (row) => money(row.real), look: "amount", width: 80 },
  { id: "created", head: "Since", cell: (row) => instant(row.createdAt).slice(0, 10), look: "soft", width: 108 },
];

function standingOf({ standing, reviewDueAt }: MemberEntry): string {
  if (reviewDueAt === null) return WORDS.standing[standing];
  return reviewDueAt < Date.now() ? "Review overdue" : "To review";
}

const STANDINGS = [
  { value: "all", label: "All" },
  { value: "suspended", label: "Suspended" },
  { value: "review", label: "To review" },
] as const;
const SEARCH_AFTER_MS = 300;

export function MembersScreen({ chosen }: { readonly chosen: string | null }) {
  const [typed, setTyped] = useState("");
  const [search, setSearch] = useState("");
  const [standing, setStanding] = useView(STANDINGS);
  const [cursors, setCursors] = useState<readonly string[]>([]);
  // Each search is recorded in the audit trail, so wait until the typing stops.
  useEffect(() => {
    const timer = setTimeout(() => {
      setSearch(typed.trim());
      setCursors([]);
    }, SEARCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const cursor = cursors.at(-1);
  const list = useRead(memberList, { standing, ...(search && { search }), ...(cursor && { cursor }) });
  return (
    <Desk
      title={WORDS.screens.members}
      tools={<Search typed={typed} onType={setTyped} />}
      side={chosen === null ? undefined : <MemberCase key={chosen} memberId={chosen} />}
    >
      <div className="part-tabs">
        <Words
          label="Standing"
          panel="members"
          choices={STANDINGS}
          value={standing}
          onChange={(value) => {
            setStanding(value);
            setCursors([]);
          }}
        />
      </div>
      <TabPanel id="members" chosen={standing}>
        <Queue
          caption="Members"
          columns={COLUMNS}
          reading={{ rows: list.data?.items, failure: list.error, retry: () => void list.refetch() }}
          idOf={({ memberId }) => memberId}
          chosen={chosen}
          onChoose={(id) => choose("members", id)}
          empty="No members found. Search for part of an e-mail address, phone number or name, or for a whole id."
        />
      </TabPanel>
      <Pages cursors={cursors} next={list.data?.nextCursor ?? null} onMove={setCursors} />
    </Desk>
  );
}

function Search({ typed, onType }: { readonly typed: string; readonly onType: (typed: string) => void }) {
  const field = useRef<HTMLInputElement>(null);
  useKeys({ "/": () => field.current?.focus() });
  return (
    <label className="box find">
      <IconSearch size="tiny" />
      <input
        ref={field}
        type="search"
        aria-label="Account, name or id"
        placeholder="Account, name or id"
        value={typed}
        onChange={(event) => onType(event.currentTarget.value)}
      />
      <kbd>/</kbd>
    </label>
  );
}
