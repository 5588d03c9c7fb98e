import { type SupportEntry, supportInbox } from "@fairtick/protocol/operator";
import { TabPanel, Words } from "@fairtick/ui";
import { useRead } from "../data/queries.ts";
import { useSupportEvents } from "../data/support-events.ts";
import { Desk } from "../shared/Case.tsx";
import { shortInstant } from "../shared/format.ts";
import { Queue } from "../shared/Queue.tsx";
import { choose, useView } from "../shared/route.ts";
import { WORDS } from "../shared/words.ts";
import { ChatCase } from "./ChatCase.tsx";
import { MemberCase } from "./MemberCase.tsx";

const TABS = [
  { value: "open", label: "Open" },
  { value: "mine", label: "Mine" },
  { value: "closed", label: "Closed" },
] as const;

/** Chats with members: the queue, the chat, and the member's case beside it. */
export function InboxScreen({ chosen }: { readonly chosen: string | null }) {
  const [state, setState] = useView(TABS);
  const list = useRead(supportInbox, { state, limit: "100" });
  const writing = useSupportEvents();
  return (
    <Desk title={WORDS.screens.inbox} side={chosen && <MemberCase key={chosen} memberId={chosen} />}>
      <div className="part-tabs">
        <Words label="State" panel="inbox" choices={TABS} value={state} onChange={setState} />
      </div>
      <TabPanel id="inbox" chosen={state}>
        <div className="inbox-list">
          <Queue<SupportEntry>
            caption="Chats"
            columns={[
              { id: "who", head: "Member", cell: (row) => row.username ?? row.account, width: 168 },
              { id: "said", head: "Last message", cell: (row) => excerptOf(row, writing.has(row.memberId)) },
              {
                id: "unread",
                head: "New",
                cell: (row) => (row.unread > 0 ? row.unread : ""),
                look: "amount",
                width: 48,
              },
              { id: "waits", head: "Waiting since, UTC", cell: waitsSince, look: "soft", width: 120 },
              { id: "whose", head: "Taken by", cell: (row) => row.assignedTo?.login ?? "–", look: "soft", width: 88 },
            ]}
            reading={{ rows: list.data, failure: list.error, retry: () => void list.refetch() }}
            idOf={({ memberId }) => memberId}
            chosen={chosen}
            onChoose={(id) => choose("inbox", id)}
            empty={state === "open" ? "All done. New chats appear here." : "No chats."}
          />
        </div>
      </TabPanel>
      {chosen !== null && <ChatCase key={chosen} memberId={chosen} isWriting={writing.has(chosen)} />}
    </Desk>
  );
}

function excerptOf({ excerpt, from }: SupportEntry, isWriting: boolean): string {
  if (isWriting) return "is typing…";
  return `${from === "operator" ? "You: " : ""}${excerpt ?? "A file"}`;
}

function waitsSince({ waitingSince }: SupportEntry): string {
  return waitingSince === null ? "answered" : shortInstant(waitingSince).slice(0, -3);
}
