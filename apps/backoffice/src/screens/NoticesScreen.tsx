import {
  type Announcement,
  announcementList,
  announcementPublish,
  announcementWithdraw,
} from "@fairtick/protocol/operator";
import { Button, TabPanel, Words } from "@fairtick/ui";
import { useState } from "react";
import { useAct, useMay, useRead } from "../data/queries.ts";
import { CaseHead, Desk } from "../shared/Case.tsx";
import { Decide } from "../shared/Decide.tsx";
import { instant } from "../shared/format.ts";
import { Queue } from "../shared/Queue.tsx";
import { choose } from "../shared/route.ts";
import { WORDS } from "../shared/words.ts";
import { NoticeEditor, NoticePreview } from "./NoticeEditor.tsx";

const NEW = "new";
const TABS = [
  { value: "drafts", label: "Drafts" },
  { value: "published", label: "Published" },
] as const;

/** Announcements to all members, in ten languages. */
export function NoticesScreen({ chosen }: { readonly chosen: string | null }) {
  const may = useMay();
  const [state, setState] = useState<"drafts" | "published">("drafts");
  const list = useRead(announcementList, { state, limit: "100" });
  const shown = list.data?.items.find(({ noticeId }) => noticeId === chosen);
  const side = chosen === NEW ? <NewNotice /> : shown && <NoticeCase key={shown.noticeId} notice={shown} />;
  return (
    <Desk
      title={WORDS.screens.notices}
      tools={
        may("notice/save") && (
          <Button lowkey look="tint" onClick={() => choose("notices", NEW)}>
            Write an announcement
          </Button>
        )
      }
      side={side}
    >
      <div className="part-tabs">
        <Words label="State" panel="notices" choices={TABS} value={state} onChange={setState} />
      </div>
      <TabPanel id="notices" chosen={state}>
        <Queue<Announcement>
          caption="Announcements"
          columns={[
            { id: "saved", head: "Saved, UTC", cell: (row) => instant(row.savedAt), width: 176 },
            { id: "title", head: "Title", cell: titleOf },
            { id: "languages", head: "Languages", cell: (row) => `${completeOf(row)} of 10`, look: "soft", width: 92 },
            { id: "state", head: "State", cell: (row) => WORDS.noticeStates[row.state], look: "soft", width: 92 },
          ]}
          reading={{ rows: list.data?.items, failure: list.error, retry: () => void list.refetch() }}
          idOf={({ noticeId }) => noticeId}
          chosen={chosen}
          onChoose={(id) => choose("notices", id)}
          empty={state === "drafts" ? "No drafts." : "No published announcements yet."}
        />
      </TabPanel>
    </Desk>
  );
}

function titleOf({ texts }: Announcement): string {
  return (texts.find(({ language }) => language === "en") ?? texts[0])?.title ?? "No title yet";
}

function completeOf({ texts }: Announcement): number {
  return texts.filter(({ title, body }) => title.trim() !== "" && body.trim() !== "").length;
}

function NewNotice() {
  return (
    <>
      <CaseHead title="New announcement" state="Draft" />
      <NoticeEditor notice={null} onSaved={({ noticeId }) => choose("notices", noticeId)} />
    </>
  );
}

function NoticeCase({ notice }: { readonly notice: Announcement }) {
  const may = useMay();
  const publish = useAct(announcementPublish);
  const withdraw = useAct(announcementWithdraw);
  const [isUnsaved, setIsUnsaved] = useState(false);
  const { noticeId, state } = notice;
  const head = <CaseHead title={noticeId} state={WORDS.noticeStates[state]} />;
  if (state === "draft" && may("notice/save"))
    return (
      <>
        {head}
        <NoticeEditor notice={notice} onUnsaved={setIsUnsaved} />
        <Decide
          note="Every member sees it in their own language. You can’t edit it afterwards, but you can withdraw it."
          decisions={[
            {
              label: "Publish",
              key: "a",
              main: true,
              act: async (reason) => {
                if (isUnsaved) throw new Error("You have unsaved changes. Save the draft first.");
                await publish.mutateAsync({ noticeId, reason });
              },
            },
          ]}
        />
      </>
    );
  return (
    <>
      {head}
      <ol className="steps">
        <Step what="Saved" who={notice.savedBy.login} at={notice.savedAt} />
        {notice.publishedBy && <Step what="Published" who={notice.publishedBy.login} at={notice.publishedAt} />}
        {notice.publishAt !== null && <Step what="Shown from" at={notice.publishAt} />}
        {notice.endsAt !== null && <Step what="Shown until" at={notice.endsAt} />}
        {notice.withdrawnBy && (
          <Step
            what="Withdrawn"
            who={notice.withdrawnBy.login}
            at={notice.withdrawnAt}
            why={notice.withdrawReason ?? undefined}
          />
        )}
      </ol>
      <NoticePreview noticeId={noticeId} />
      {(state === "shown" || state === "scheduled") && may("notice/withdraw") && (
        <Decide
          decisions={[{ label: "Withdraw", key: "r", act: (reason) => withdraw.mutateAsync({ noticeId, reason }) }]}
        />
      )}
    </>
  );
}

function Step(step: { what: string; who?: string; at: number | null; why?: string | undefined }) {
  return (
    <li>
      <span>
        {step.what}
        {step.who !== undefined && ` by ${step.who}`}
        {step.why !== undefined && <span className="note block">“{step.why}”</span>}
      </span>
      <time className="figure">{instant(step.at)}</time>
    </li>
  );
}
