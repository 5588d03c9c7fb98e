import { fileView, type MemberFile, memberFiles, type OperatorRole } from "@fairtick/protocol/operator";
import { Notice } from "@fairtick/ui";
import { useState } from "react";
import { readPicture } from "../data/call.ts";
import { useRead, useSelf } from "../data/queries.ts";
import { shortInstant } from "../shared/format.ts";
import { Pictures } from "../shared/Pictures.tsx";
import { Queue } from "../shared/Queue.tsx";
import { SaveDocument } from "../shared/SaveDocument.tsx";
import { WORDS } from "../shared/words.ts";

/** Roles that may view each kind of file, as on the server. */
const MAY_VIEW: Readonly<Record<MemberFile["purpose"], readonly OperatorRole[]>> = {
  receipt: ["finance", "admin", "auditor"],
  identity: ["compliance", "auditor"],
  support: ["support", "finance", "compliance", "admin", "auditor"],
};

/** A member's files. They load on request because each view is recorded in the audit trail. */
export function MemberFiles({ memberId }: { readonly memberId: string }) {
  const list = useRead(memberFiles, { memberId });
  const { data: self } = useSelf();
  const [shown, setShown] = useState<string | null>(null);
  const file = list.data?.find(({ fileId }) => fileId === shown);
  const may = file && self?.roles.some((role) => MAY_VIEW[file.purpose].includes(role));
  return (
    <>
      <Queue
        caption="Files"
        keyboard={false}
        columns={[
          { id: "at", head: "UTC", cell: (row) => shortInstant(row.madeAt), look: "soft", width: 112 },
          { id: "purpose", head: "What", cell: (row) => WORDS.purposes[row.purpose], width: 72 },
          { id: "of", head: "Belongs to", cell: (row) => row.claimedBy ?? "nothing yet", look: "code" },
        ]}
        reading={{ rows: list.data, failure: list.error, retry: () => void list.refetch() }}
        idOf={({ fileId }) => fileId}
        chosen={shown}
        onChoose={setShown}
        empty="No files yet."
      />
      {file && may && file.name !== null && <SaveDocument key={file.fileId} fileId={file.fileId} name={file.name} />}
      {file && may && file.name === null && (
        <Pictures
          key={file.fileId}
          pictures={[
            {
              id: file.fileId,
              label: WORDS.purposes[file.purpose],
              read: () => readPicture(fileView, { fileId: file.fileId }),
            },
          ]}
        />
      )}
      {file && !may && <Notice>Your role can’t view files of this kind.</Notice>}
      <p className="note soft">Each view is recorded in the audit trail.</p>
    </>
  );
}
