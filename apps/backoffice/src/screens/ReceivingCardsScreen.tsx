import {
  type ReceivingCard,
  receivingCardApprove,
  receivingCardList,
  type ReceivingCardProposal,
  receivingCardReject,
} from "@fairtick/protocol/operator";
import { TabPanel, Words } from "@fairtick/ui";
import { useAct, useMay, useRead } from "../data/queries.ts";
import { CaseHead, Desk, Ledger } from "../shared/Case.tsx";
import { instant, shortInstant } from "../shared/format.ts";
import { ProposalDecision } from "../shared/ProposalDecision.tsx";
import { countProposals } from "../shared/Parts.tsx";
import { type Column, Queue } from "../shared/Queue.tsx";
import { choose, useView } from "../shared/route.ts";
import { WORDS } from "../shared/words.ts";
import { ProposeReceivingCard } from "./ProposeReceivingCard.tsx";

type Tab = "cards" | "proposals" | "propose";
type Shown = ReceivingCardProposal["card"];

const everywhere = (regions: readonly string[]) =>
  regions.length === 0 ? "All with a real wallet" : regions.join(", ");

const CARDS: readonly Column<ReceivingCard>[] = [
  { id: "currency", head: "Currency", cell: (row) => row.currency, width: 76 },
  { id: "bank", head: "Bank", cell: (row) => row.bank },
  { id: "number", head: "Number", cell: (row) => row.number, look: "code" },
  { id: "rate", head: "Per 1 USD", cell: (row) => row.rate, look: "amount", width: 92 },
  {
    id: "state",
    head: "State",
    cell: (row) => (row.active ? "Offered" : "Closed"),
    look: "soft",
    width: 92,
  },
];

const PROPOSALS: readonly Column<ReceivingCardProposal>[] = [
  { id: "made", head: "Proposed, UTC", cell: (row) => shortInstant(row.madeAt), width: 132 },
  { id: "what", head: "What", cell: (row) => row.cardId ?? "New card", look: "code" },
  { id: "number", head: "Number", cell: (row) => row.card.number, look: "code" },
  { id: "by", head: "By", cell: (row) => row.madeBy.login, width: 84 },
  { id: "state", head: "State", cell: (row) => WORDS.states[row.state], look: "soft", width: 80 },
];

/** The bank accounts members send deposits to, and proposals to change them. */
export function ReceivingCardsScreen({ chosen }: { readonly chosen: string | null }) {
  const may = useMay();
  const tabs: readonly { value: Tab; label: string }[] = [
    { value: "cards", label: "In force" },
    { value: "proposals", label: "Proposals" },
    ...(may("receivingCard/propose") ? [{ value: "propose" as const, label: "Propose a card" }] : []),
  ];
  const [tab, setTab] = useView(tabs);
  const list = useRead(receivingCardList, {});
  const reading = { failure: list.error, retry: () => void list.refetch() };
  const card = list.data?.cards.find(({ cardId }) => cardId === chosen);
  const proposal = list.data?.proposals.find(({ proposalId }) => proposalId === chosen);
  const side = proposal ? (
    <ProposalCase key={proposal.proposalId} proposal={proposal} />
  ) : (
    card && <CardCase key={card.cardId} card={card} />
  );
  return (
    <Desk title={WORDS.screens.cards} side={side}>
      <div className="part-tabs">
        <Words<Tab>
          label="Cards"
          panel="cards"
          choices={countProposals(tabs, list.data?.proposals)}
          value={tab}
          onChange={setTab}
        />
      </div>
      <TabPanel id="cards" chosen={tab}>
        {tab === "cards" && (
          <Queue<ReceivingCard>
            caption="Receiving cards"
            columns={CARDS}
            reading={{ rows: list.data?.cards, ...reading }}
            idOf={({ cardId }) => cardId}
            chosen={chosen}
            onChoose={(id) => choose("cards", id)}
            empty="No receiving cards. Members can’t deposit by bank transfer."
          />
        )}
        {tab === "proposals" && (
          <Queue<ReceivingCardProposal>
            caption="Card proposals"
            columns={PROPOSALS}
            reading={{ rows: list.data?.proposals, ...reading }}
            idOf={({ proposalId }) => proposalId}
            chosen={chosen}
            onChoose={(id) => choose("cards", id)}
            empty="No proposals yet."
          />
        )}
        {tab === "propose" && <ProposeReceivingCard />}
      </TabPanel>
    </Desk>
  );
}

function Facts({ card }: { readonly card: Shown }) {
  return (
    <>
      <Ledger
        figures={[
          ["Exchange rate", `${card.rate} ${card.currency}`],
          ["Regions", everywhere(card.regions)],
          ["State", card.active ? "Offered" : "Closed"],
        ]}
      />
      <p className="label wrap">
        {card.bank}
        {card.bankCode !== null && `, ${card.bankCode}`}, {card.holder}, <span className="code">{card.number}</span>
      </p>
      <p className="note wrap">{card.note}</p>
    </>
  );
}

function CardCase({ card }: { readonly card: ReceivingCard }) {
  const may = useMay();
  return (
    <>
      <CaseHead title={card.cardId} state={`Version ${card.version}`} />
      <Facts card={card} />
      <p className="note soft">In force since {instant(card.madeAt)} UTC. Deposits in progress keep their version.</p>
      {may("receivingCard/propose") && <ProposeReceivingCard card={card} />}
    </>
  );
}

function ProposalCase({ proposal }: { readonly proposal: ReceivingCardProposal }) {
  const may = useMay();
  const approve = useAct(receivingCardApprove);
  const reject = useAct(receivingCardReject);
  const { proposalId } = proposal;
  return (
    <>
      <CaseHead title={proposalId} state={WORDS.states[proposal.state]} />
      <p className="case-title">{proposal.cardId === null ? "New card" : `New version of ${proposal.cardId}`}</p>
      <Facts card={proposal.card} />
      <ProposalDecision
        proposal={proposal}
        mayDecide={may("receivingCard/approve")}
        onApprove={(reason) => approve.mutateAsync({ proposalId, reason })}
        onReject={(reason) => reject.mutateAsync({ proposalId, reason })}
        note="Approving offers it to members immediately. Check the number against the bank’s letter first."
      />
    </>
  );
}
