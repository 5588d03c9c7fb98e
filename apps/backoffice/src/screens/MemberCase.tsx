import {
  correctionPropose,
  type MemberDetail,
  memberDetail,
  memberLift,
  memberReviewStanding,
  memberSuspend,
} from "@fairtick/protocol/operator";
import { FailedState, Field, Notice, Segments, TabPanel, Words } from "@fairtick/ui";
import { type ReactNode, useState } from "react";
import { useAct, useMay, useRead, useSelf } from "../data/queries.ts";
import { CaseHead, Ledger, Steps } from "../shared/Case.tsx";
import { Decide, type Decision } from "../shared/Decide.tsx";
import { count, instant, money, typedAmount } from "../shared/format.ts";
import { WORDS } from "../shared/words.ts";
import { MemberFreeze } from "./MemberFreeze.tsx";
import { MemberFactor } from "./MemberFactor.tsx";
import { MemberFiles } from "./MemberFiles.tsx";
import { MemberLedger, MemberOrders } from "./MemberRecords.tsx";
import { MemberVip } from "./MemberVip.tsx";
import { TakenBack } from "./TakenBack.tsx";
import { ProposeCardDeposit } from "./ProposeCardDeposit.tsx";
import { WriteToMember } from "./NoticeEditor.tsx";

type Tab = "ledger" | "orders" | "files" | "vip" | "standing" | "freeze" | "factor" | "correction" | "card" | "message";
type Wallet = "practice" | "real";

/** A member: wallets, records, standing, and the actions operators can take. */
export function MemberCase({ memberId }: { readonly memberId: string }) {
  const { data: member, error, refetch } = useRead(memberDetail, { memberId });
  const [tab, setTab] = useState<Tab>("ledger");
  const [wallet, setWallet] = useState<Wallet>("practice");
  if (error) return <FailedState title={error.message} retryLabel={WORDS.retry} onRetry={() => void refetch()} />;
  if (!member) return <p className="case-empty soft">{WORDS.reading}</p>;
  const money_ = member[wallet];
  return (
    <>
      <CaseHead title={member.memberId} state={WORDS.standing[member.standing]} />
      <p className="case-title">{member.email ?? member.phone}</p>
      <p className="label">
        {member.username ?? "No name"} · {member.region}, policy {member.regionPolicy} · identity {member.identityState}{" "}
        · {WORDS.languages[member.language as keyof typeof WORDS.languages] ?? member.language} · since{" "}
        {instant(member.createdAt)}
      </p>
      <Segments
        label="Wallet"
        look="slim"
        choices={[
          { value: "practice", label: WORDS.wallets.practice },
          { value: "real", label: WORDS.wallets.real },
        ]}
        value={wallet}
        onChange={setWallet}
      />
      <Ledger
        figures={[
          ["Available", money(money_.available)],
          ["Locked", money(money_.locked)],
          ["Running stakes", money(money_.runningStakes)],
          ["Open orders", count(money_.runningOrders)],
          ...(wallet === "real" ? [["Deposited, net", money(member.deposits.deposited)] as const] : []),
        ]}
      />
      <TakenBack {...member.deposits} />
      <Parts member={member} wallet={wallet} tab={tab} onTab={setTab} />
    </>
  );
}

/** Tabs of the case, as far as this operator's roles allow. */
function Parts({
  member,
  wallet,
  tab,
  onTab,
}: {
  readonly member: MemberDetail;
  readonly wallet: Wallet;
  readonly tab: Tab;
  readonly onTab: (tab: Tab) => void;
}) {
  const may = useMay();
  const { memberId } = member;
  const tabs: { value: Tab; label: string }[] = [
    { value: "ledger", label: "Ledger" },
    { value: "orders", label: "Orders" },
    { value: "files", label: "Files" },
    { value: "vip", label: "VIP" },
    { value: "standing", label: "Standing" },
    ...(member.freeze ? [{ value: "freeze" as const, label: "Freeze" }] : []),
    { value: "factor", label: "Second factor" },
    ...(may("correction/propose") ? [{ value: "correction" as const, label: "Correct" }] : []),
    ...(may("deposit/proposeCard") ? [{ value: "card" as const, label: "Card" }] : []),
    ...(may("notice/message") ? [{ value: "message" as const, label: "Message" }] : []),
  ];
  const views: Record<Tab, ReactNode> = {
    ledger: <MemberLedger key={wallet} memberId={memberId} wallet={wallet} />,
    orders: <MemberOrders key={wallet} memberId={memberId} wallet={wallet} />,
    files: <MemberFiles memberId={memberId} />,
    vip: <MemberVip member={member} />,
    standing: <MemberStanding member={member} />,
    freeze: member.freeze && <MemberFreeze memberId={memberId} freeze={member.freeze} />,
    factor: <MemberFactor member={member} />,
    message: <WriteToMember memberId={memberId} language={member.language} />,
    card: <ProposeCardDeposit memberId={memberId} />,
    correction: <ProposeCorrection memberId={memberId} wallet={wallet} />,
  };
  return (
    <>
      <Words label="Case" panel="member-case" choices={tabs} value={tab} onChange={onTab} />
      <TabPanel id="member-case" chosen={tab}>
        {views[tab]}
      </TabPanel>
    </>
  );
}

/** Returns the decisions this operator can make about a member's standing; none without the role. */
function useStandingDecisions(member: MemberDetail, me: string | undefined): readonly Decision[] {
  const may = useMay();
  const suspend = useAct(memberSuspend);
  const lift = useAct(memberLift);
  const review = useAct(memberReviewStanding);
  const { memberId, suspensions, standing } = member;
  const open = suspensions.find(({ liftedAt }) => liftedAt === null);
  const judge = (label: string, key: "a" | "r", decision: "keep" | "lift"): Decision => ({
    label,
    key,
    main: key === "a",
    act: (reason) => review.mutateAsync({ memberId, reason, decision }),
  });
  if (!may("member/suspend")) return [];
  const decisions: Decision[] = [];
  if (!open && standing !== "closed") {
    decisions.push({ label: "Suspend", key: "r", act: (reason) => suspend.mutateAsync({ memberId, reason }) });
  }
  if (member.lift && member.lift.madeBy.operatorId !== me) {
    decisions.push(judge("Keep suspended", "r", "keep"), judge("Approve lift", "a", "lift"));
  }
  if (open && !member.lift) {
    if (open.reviewedAt === null && open.suspendedBy.operatorId !== me) {
      decisions.push(judge("Confirm suspension", "r", "keep"));
    }
    decisions.push({
      label: member.liftAlone ? "Lift" : "Propose to lift",
      key: "a",
      main: true,
      act: (reason) => lift.mutateAsync({ memberId, reason }),
    });
  }
  return decisions;
}

function MemberStanding({ member }: { readonly member: MemberDetail }) {
  const { data: self } = useSelf();
  const mine = self?.operator.operatorId;
  const { suspensions } = member;
  const open = suspensions.find(({ liftedAt }) => liftedAt === null);
  const decisions = useStandingDecisions(member, mine);
  return (
    <>
      {suspensions.length === 0 && <p className="part-note soft">Never suspended.</p>}
      <ol className="steps">
        {suspensions.map((each) => (
          <li key={each.suspensionId}>
            <span>
              Suspended by {each.suspendedBy.login}
              <span className="note block">“{each.reason}”</span>
              {each.reviewedBy && <span className="note block">Reviewed by {each.reviewedBy.login}</span>}
              {each.liftedBy && (
                <span className="note block">
                  Lifted by {each.liftedBy.login}, {instant(each.liftedAt)}: “{each.liftReason}”
                </span>
              )}
            </span>
            <time className="figure">{instant(each.suspendedAt)}</time>
          </li>
        ))}
      </ol>
      {member.lift && <Steps proposal={member.lift} />}
      {member.lift?.madeBy.operatorId === mine && <Notice>{WORDS.own}</Notice>}
      <Decide
        decisions={decisions}
        reasonLabel={open ? WORDS.reason : WORDS.memberReason}
        note="Open orders still settle and withdrawals stay open. After 24 hours, lifting a suspension takes two people."
      />
    </>
  );
}

function ProposeCorrection({ memberId, wallet }: { readonly memberId: string; readonly wallet: Wallet }) {
  const [amount, setAmount] = useState("");
  const [done, setDone] = useState(false);
  const propose = useAct(correctionPropose);
  return (
    <>
      <Field
        label={`Amount, ${WORDS.wallets[wallet].toLowerCase()} wallet (use a minus to debit)`}
        inputMode="text"
        autoComplete="off"
        value={amount}
        onChange={(event) => setAmount(event.currentTarget.value)}
        after={<span className="unit">USD</span>}
      />
      {done && <Notice>Proposed. A second person in finance decides under Corrections.</Notice>}
      <Decide
        reasonLabel={WORDS.memberReason}
        decisions={[
          {
            label: "Propose",
            key: "a",
            main: true,
            act: async (reason) => {
              await propose.mutateAsync({ memberId, wallet, amount: typedAmount(amount), reason });
              setAmount("");
              setDone(true);
            },
          },
        ]}
        note="It’s booked between the member and our capital, as a fund record of type System."
      />
    </>
  );
}
