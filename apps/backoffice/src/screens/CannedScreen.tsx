import { type CannedAnswer, supportCanned } from "@fairtick/protocol/operator";
import { Button } from "@fairtick/ui";
import { useMay, useRead } from "../data/queries.ts";
import { titleOf } from "../shared/canned.ts";
import { CaseHead, Desk } from "../shared/Case.tsx";
import { instant } from "../shared/format.ts";
import { CODES } from "../shared/LanguageChoice.tsx";
import { Queue } from "../shared/Queue.tsx";
import { choose } from "../shared/route.ts";
import { WORDS } from "../shared/words.ts";
import { CannedCase, CannedEditor } from "./CannedCase.tsx";

const NEW = "new";

/** Answers ready to send in chats: custom ones and built-in ones. */
export function CannedScreen({ chosen }: { readonly chosen: string | null }) {
  const may = useMay();
  const list = useRead(supportCanned, {});
  const shown = list.data?.find(({ name }) => name === chosen);
  const side =
    chosen === NEW ? (
      <>
        <CaseHead title="New answer" state="Custom" />
        <CannedEditor answer={null} onSaved={({ name }) => choose("canned", name)} />
      </>
    ) : (
      shown && <CannedCase key={`${shown.name} ${shown.own?.savedAt}`} answer={shown} />
    );
  return (
    <Desk
      title={WORDS.screens.canned}
      tools={
        may("support/saveCanned") && (
          <Button lowkey look="tint" onClick={() => choose("canned", NEW)}>
            Write an answer
          </Button>
        )
      }
      side={side}
    >
      <Queue<CannedAnswer>
        caption="Canned answers"
        columns={[
          { id: "title", head: "Title", cell: titleOf, width: 150 },
          {
            id: "words",
            head: "In English",
            cell: englishOf,
            look: "soft",
          },
          { id: "languages", head: "Languages", cell: languagesOf, look: "soft", width: 92 },
          { id: "by", head: "Saved by", cell: ({ own }) => own?.savedBy.login ?? "Built in", width: 84 },
          { id: "at", head: "Saved, UTC", cell: ({ own }) => (own === null ? "" : instant(own.savedAt)), width: 108 },
        ]}
        reading={{ rows: list.data, failure: list.error, retry: () => void list.refetch() }}
        idOf={({ name }) => name}
        chosen={chosen}
        onChoose={(id) => choose("canned", id)}
        empty="No canned answers yet."
      />
    </Desk>
  );
}

function languagesOf({ texts }: CannedAnswer): string {
  return `${texts.length} of ${CODES.length}`;
}

function englishOf({ texts }: CannedAnswer) {
  return <span className="beginning">{texts.find(({ language }) => language === "en")?.text ?? ""}</span>;
}
