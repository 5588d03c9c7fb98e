import {
  identityApprove,
  type IdentityCase,
  identityDetail,
  identityKeep,
  identityReject,
  identityRevoke,
  identityViewFile,
} from "@fairtick/protocol/operator";
import { Button, FailedState, Field, Notice } from "@fairtick/ui";
import { useState } from "react";
import { readPicture } from "../data/call.ts";
import { useAct, useMay, useRead, useSelf } from "../data/queries.ts";
import { CaseHead, Ledger, Steps } from "../shared/Case.tsx";
import { Decide, type Decision } from "../shared/Decide.tsx";
import { instant } from "../shared/format.ts";
import { Pictures } from "../shared/Pictures.tsx";
import { Take } from "../shared/Takes.tsx";
import { WORDS } from "../shared/words.ts";

/** One identity check: the details given, the document photos, automatic flags and the decision. */
export function IdentityCaseView({ caseId }: { readonly caseId: string }) {
  const { data: one, error, refetch } = useRead(identityDetail, { caseId });
  if (error) return <FailedState title={error.message} retryLabel={WORDS.retry} onRetry={() => void refetch()} />;
  if (!one) return <p className="case-empty soft">{WORDS.reading}</p>;
  return (
    <>
      <CaseHead title={one.caseId} state={WORDS.identity[one.state]} />
      <Take queue="identities" caseNo={caseId} isOpen={one.state === "pending" || one.proposed} />
      <p className="case-title">
        {one.familyName}, {one.givenName}
      </p>
      <p className="label">
        <a className="link" href={`#/members/${one.memberId}`}>
          {one.account}
        </a>{" "}
        · {one.region}, legal age {one.legalAge} · {one.gender}
      </p>
      <Ledger
        figures={[
          ["Birth date, as given", one.birthDate],
          [WORDS.documents[one.documentType], one.documentNumber],
          ...(one.documentBirthDate === null ? [] : [["Birth date on document", one.documentBirthDate] as const]),
          ...(one.documentExpires === null ? [] : [["Document expires", one.documentExpires] as const]),
        ]}
      />
      {one.flagged.map(({ flag, otherMemberId }) => (
        <Notice key={flag}>
          {WORDS.flags[flag]}
          {otherMemberId !== null && (
            <>
              {": "}
              <a className="link" href={`#/members/${otherMemberId}`}>
                {otherMemberId}
              </a>
            </>
          )}
          . Two people have to decide.
        </Notice>
      ))}
      <Photos one={one} />
      <Earlier one={one} />
      <DecisionPart one={one} />
      <RevokePart one={one} />
    </>
  );
}

function Photos({ one }: { readonly one: IdentityCase }) {
  const [shown, setShown] = useState(false);
  const isPassport = one.documentType === "passport";
  const { caseId, frontFileId, backFileId } = one;
  const photo = (fileId: string, label: string) => ({
    id: fileId,
    label,
    read: () => readPicture(identityViewFile, { caseId, fileId }),
  });
  if (!shown) {
    return (
      <>
        <Button lowkey onClick={() => setShown(true)}>
          Show photos
        </Button>
        <p className="note soft">Each view is recorded in the audit trail.</p>
      </>
    );
  }
  return (
    <Pictures
      pictures={[
        photo(frontFileId, isPassport ? "Photo page" : "Front"),
        photo(backFileId, isPassport ? "Member holding the page" : "Back"),
      ]}
    />
  );
}

function Earlier({ one }: { readonly one: IdentityCase }) {
  if (one.state !== "pending" && one.decidedBy !== null) {
    return (
      <ol className="steps">
        <li>
          <span>
            {one.state === "rejected" ? WORDS.identity.rejected : WORDS.identity.verified} by {one.decidedBy.login}
            <span className="note block">“{one.reason}”</span>
          </span>
          <time className="figure">{instant(one.decidedAt)}</time>
        </li>
        {one.endedAt !== null && (
          <li>
            <span>
              {WORDS.identity[one.state]}
              {one.endReason !== null && <span className="note block">“{one.endReason}”</span>}
            </span>
            <time className="figure">{instant(one.endedAt)}</time>
          </li>
        )}
      </ol>
    );
  }
  return (
    <ol className="steps">
      {one.earlier.map((before) => (
        <li key={before.caseId}>
          <span>
            Earlier: {WORDS.identity[before.state].toLowerCase()}
            <span className="note block">“{before.reason}”</span>
          </span>
          <time className="figure">{instant(before.decidedAt)}</time>
        </li>
      ))}
    </ol>
  );
}

function DecisionPart({ one }: { readonly one: IdentityCase }) {
  const may = useMay();
  const { data: self } = useSelf();
  const approve = useAct(identityApprove);
  const reject = useAct(identityReject);
  const [birthDate, setBirthDate] = useState("");
  const [expiresOn, setExpiresOn] = useState("");
  const { caseId, waiting } = one;
  if (one.state !== "pending") return null;

  const verify = (reason: string) => {
    if (birthDate === "" && waiting === null) throw new Error("Enter the birth date shown on the document.");
    return approve.mutateAsync({ caseId, reason, ...(birthDate && { birthDate }), ...(expiresOn && { expiresOn }) });
  };
  const refuse = (reason: string) => reject.mutateAsync({ caseId, reason });
  const flagged = one.flags.length > 0;
  const decisions: Decision[] = [];
  if (waiting === null) {
    decisions.push({ label: flagged ? "Propose to reject" : "Reject", key: "r", act: refuse });
    decisions.push({
      label: flagged ? "Propose to verify" : "Verify",
      key: "a",
      main: true,
      act: async (why) => verify(why),
    });
  } else {
    const isOwn = waiting.madeBy.operatorId === self?.operator.operatorId;
    const [agree, decline] = waiting.verdict === "verified" ? [verify, refuse] : [refuse, verify];
    decisions.push({ label: isOwn ? "Cancel proposal" : "Decline", key: "r", act: async (why) => decline(why) });
    if (!isOwn) decisions.push({ label: "Agree", key: "a", main: true, act: async (why) => agree(why) });
  }
  return (
    <>
      {waiting !== null && <ProposedVerdict waiting={waiting} />}
      {may("identity/approve") && (
        <>
          {waiting === null && (
            <DocumentDates
              birthDate={birthDate}
              expiresOn={expiresOn}
              onBirthDate={setBirthDate}
              onExpiresOn={setExpiresOn}
            />
          )}
          <Decide
            decisions={decisions}
            reasonLabel="Reason (shown to the member if you reject)"
            note="A rejected member can submit again. Verification doesn’t affect prices, odds or limits."
          />
        </>
      )}
    </>
  );
}

function ProposedVerdict({ waiting }: { readonly waiting: NonNullable<IdentityCase["waiting"]> }) {
  const { data: self } = useSelf();
  return (
    <>
      <p className="label">
        {waiting.verdict === "verified" ? "Proposed: verify" : "Proposed: reject. The member will see this reason"}
      </p>
      <Steps proposal={waiting} />
      {waiting.madeBy.operatorId === self?.operator.operatorId && <Notice>{WORDS.own}</Notice>}
    </>
  );
}

/** The dates that the person who checks reads from the photos. */
function DocumentDates({
  birthDate,
  expiresOn,
  onBirthDate,
  onExpiresOn,
}: {
  readonly birthDate: string;
  readonly expiresOn: string;
  readonly onBirthDate: (date: string) => void;
  readonly onExpiresOn: (date: string) => void;
}) {
  return (
    <>
      <Field
        label="Birth date on the document"
        type="date"
        autoComplete="off"
        value={birthDate}
        onChange={(event) => onBirthDate(event.currentTarget.value)}
      />
      <Field
        label="Expiry date on the document"
        hint="Leave empty if it has none. Members are asked for a new document 30 days before."
        type="date"
        autoComplete="off"
        value={expiresOn}
        onChange={(event) => onExpiresOn(event.currentTarget.value)}
      />
    </>
  );
}

/** Revokes a verified identity, which takes two people. */
function RevokePart({ one }: { readonly one: IdentityCase }) {
  const may = useMay();
  const { data: self } = useSelf();
  const revoke = useAct(identityRevoke);
  const keep = useAct(identityKeep);
  const { caseId, waiting } = one;
  if (one.state !== "verified") return null;
  const isOwn = waiting !== null && waiting.madeBy.operatorId === self?.operator.operatorId;
  const act = (reason: string) => revoke.mutateAsync({ caseId, reason });
  const back = (reason: string) => keep.mutateAsync({ caseId, reason });
  const decisions: Decision[] =
    waiting === null
      ? [{ label: "Propose to revoke", key: "r", act }]
      : [
          { label: isOwn ? "Cancel proposal" : "Decline", key: "r", act: back },
          ...(isOwn ? [] : [{ label: "Agree to revoke", key: "a", main: true, act } as const]),
        ];
  return (
    <>
      {waiting !== null && (
        <>
          <p className="label">Proposed: revoke. The member will see this reason</p>
          <Steps proposal={waiting} />
          {isOwn && <Notice>{WORDS.own}</Notice>}
        </>
      )}
      {may("identity/revoke") && (
        <Decide
          decisions={decisions}
          reasonLabel={waiting === null ? WORDS.memberReason : WORDS.reason}
          note="Revoking takes two people. The member can submit again. Their balance, open orders and withdrawals aren’t affected."
        />
      )}
    </>
  );
}
