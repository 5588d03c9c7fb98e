import {
  type Incident,
  incidentApprove,
  incidentClose,
  incidentList,
  incidentPropose,
  incidentReject,
  type Output,
} from "@fairtick/protocol/operator";
import { Notice } from "@fairtick/ui";
import { useAct, useMay, useRead } from "../data/queries.ts";
import { CaseHead, Desk, Ledger } from "../shared/Case.tsx";
import { Decide } from "../shared/Decide.tsx";
import { fiat, instant, shortInstant } from "../shared/format.ts";
import { Parts } from "../shared/Parts.tsx";
import { ProposalDecision } from "../shared/ProposalDecision.tsx";
import { type Column, Queue } from "../shared/Queue.tsx";
import { choose, useView } from "../shared/route.ts";
import { WORDS } from "../shared/words.ts";

const TABS = [
  { value: "open", label: "Open" },
  { value: "closed", label: "Closed" },
  { value: "coins", label: "Stray coins" },
  { value: "chains", label: "Chains" },
] as const;

type Listed = Output<typeof incidentList>;

const INCIDENTS: readonly Column<Incident>[] = [
  { id: "at", head: "Opened, UTC", cell: (row) => shortInstant(row.openedAt), width: 132 },
  { id: "kind", head: "What", cell: (row) => WORDS.incidents[row.kind] ?? row.kind, width: 190 },
  { id: "subject", head: "About", cell: (row) => row.subject, look: "code" },
  {
    id: "holds",
    head: "Holds",
    cell: (row) => row.holds.map((each) => WORDS.holds[each]).join(", ") || "–",
    look: "soft",
    width: 128,
  },
];

const COINS: readonly Column<Listed["coins"][number]>[] = [
  { id: "at", head: "Seen, UTC", cell: (row) => shortInstant(row.seenAt), width: 132 },
  { id: "chain", head: "Chain", cell: (row) => row.chain, width: 84 },
  { id: "address", head: "Address", cell: (row) => row.address, look: "code" },
  { id: "member", head: "Member", cell: (row) => row.memberId, look: "code", width: 156 },
  { id: "balance", head: "Smallest units", cell: (row) => fiat(row.balance), look: "amount", width: 148 },
];

const CHAINS: readonly Column<Listed["chains"][number]>[] = [
  { id: "chain", head: "Chain", cell: (row) => row.chain },
  { id: "height", head: "Read to block", cell: (row) => row.height, look: "amount", width: 132 },
  { id: "behind", head: "Blocks behind", cell: (row) => row.behind, look: "amount", width: 132 },
  { id: "at", head: "Read, UTC", cell: (row) => instant(row.readAt), width: 172 },
  { id: "state", head: "State", cell: (row) => row.trouble ?? "Reading", width: 260 },
];

/** Incidents that need a person, stray coins at deposit addresses, and how far each chain has been read. */
export function IncidentsScreen({ chosen }: { readonly chosen: string | null }) {
  const [tab, setTab] = useView(TABS);
  const list = useRead(incidentList, tab === "closed" ? { state: "closed" } : {});
  const reading = { failure: list.error, retry: () => void list.refetch() };
  const incident = list.data?.incidents.find(({ incidentId }) => incidentId === chosen);
  return (
    <Desk
      title={WORDS.screens.incidents}
      side={incident && <IncidentCase key={incident.incidentId} incident={incident} />}
    >
      {list.data !== undefined && <Health health={list.data.health} />}
      <Parts id="incidents" label="What" parts={TABS} shown={tab} onShow={setTab}>
        {(tab === "open" || tab === "closed") && (
          <Queue
            caption="Incidents"
            columns={INCIDENTS}
            reading={{ rows: list.data?.incidents, ...reading }}
            idOf={({ incidentId }) => incidentId}
            chosen={chosen}
            onChoose={(id) => choose("incidents", id)}
            empty={tab === "open" ? "No open incidents." : "No closed incidents yet."}
          />
        )}
        {tab === "coins" && (
          <Queue
            caption="Stray coins"
            columns={COINS}
            reading={{ rows: list.data?.coins, ...reading }}
            idOf={({ chain, address }) => `${chain} ${address}`}
            chosen={null}
            empty="No coins at deposit addresses. Only USDT is ever credited."
          />
        )}
        {tab === "chains" && (
          <Queue
            caption="Chains"
            columns={CHAINS}
            reading={{ rows: list.data?.chains, ...reading }}
            idOf={({ chain }) => chain}
            chosen={null}
            empty="No chains."
          />
        )}
      </Parts>
    </Desk>
  );
}

/** The server's degraded parts, as `/health/ready` reports them. */
function Health({ health }: { readonly health: Output<typeof incidentList>["health"] }) {
  if (health.degraded.length === 0) return <Notice>Everything works. New orders are accepted.</Notice>;
  return (
    <>
      <Notice wrong>{healthHeadline(health)}</Notice>
      <dl className="diff">
        {health.degraded.map(({ part, since, cause }) => (
          <div key={`${part} ${cause}`}>
            <dt className="note soft">
              {part}, since {instant(since)} UTC
            </dt>
            <dd className="wrap">{cause}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function healthHeadline({ ready, accepting }: { readonly ready: boolean; readonly accepting: boolean }): string {
  if (!ready) return "The server isn’t ready.";
  return accepting ? "New orders are accepted, but not everything works." : "New orders are refused.";
}

function IncidentCase({ incident }: { readonly incident: Incident }) {
  const { closed, holds } = incident;
  return (
    <>
      <CaseHead title={incident.incidentId} state={closed === null ? "Open" : "Closed"} />
      <p className="case-title">{WORDS.incidents[incident.kind] ?? incident.kind}</p>
      <p className="label wrap code">{incident.subject}</p>
      {incident.memberId !== null && (
        <p className="label">
          Member{" "}
          <a className="link" href={`#/members/${incident.memberId}`}>
            {incident.memberId}
          </a>
        </p>
      )}
      <Ledger figures={[["Opened, UTC", instant(incident.openedAt)]]} />
      <dl className="diff">
        {Object.entries(incident.detail).map(([name, value]) => (
          <div key={name}>
            <dt className="note soft">{name}</dt>
            <dd className="wrap code">{value}</dd>
          </div>
        ))}
      </dl>
      {holds.includes("withdrawals") && (
        <Notice wrong>This member’s withdrawals are on hold until this incident is closed.</Notice>
      )}
      {holds.includes("wallet") && <Notice wrong>This wallet doesn’t pay until this incident is closed.</Notice>}
      {closed !== null && (
        <p className="label">
          Closed {instant(closed.at)} UTC{closed.by === null ? "" : ` by ${closed.by.login}`}
          <span className="note block soft">“{closed.reason ?? "closed in the database"}”</span>
        </p>
      )}
      <Ending incident={incident} />
    </>
  );
}

/** Closes an incident. One person is enough if it holds nothing; otherwise one proposes and another approves. */
function Ending({ incident: { incidentId, holds, proposal, closed } }: { readonly incident: Incident }) {
  const may = useMay();
  const close = useAct(incidentClose);
  const propose = useAct(incidentPropose);
  const approve = useAct(incidentApprove);
  const reject = useAct(incidentReject);
  const decides = may("incident/approve");
  const begin = (label: string, act: (reason: string) => Promise<unknown>, note: string) => (
    <Decide decisions={[{ label, key: "a", main: true, act }]} note={note} />
  );
  const decided = proposal && (
    <ProposalDecision
      proposal={proposal}
      mayDecide={decides}
      onApprove={(reason) => approve.mutateAsync({ proposalId: proposal.proposalId, reason })}
      onReject={(reason) => reject.mutateAsync({ proposalId: proposal.proposalId, reason })}
      note="Check for yourself first: the chain on another node, and the member’s deposits. Approving releases the hold immediately."
    />
  );
  if (closed !== null || proposal?.state === "waiting" || !decides) return decided;
  if (holds.length === 0) {
    return begin(
      "Close",
      (reason) => close.mutateAsync({ incidentId, reason }),
      "Nothing is on hold, so one person can close it. If it happens again, a new incident opens.",
    );
  }
  return (
    <>
      {decided}
      {begin(
        holds.includes("wallet") ? "Propose to resume payments" : "Propose to lift the freeze",
        (reason) => propose.mutateAsync({ incidentId, reason }),
        "Another admin or someone in finance has to approve.",
      )}
    </>
  );
}
