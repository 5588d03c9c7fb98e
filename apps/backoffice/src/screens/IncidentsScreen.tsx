import { incidentList } from "@fairtick/protocol/operator";
import { Notice, TabPanel, Words } from "@fairtick/ui";
import { useState } from "react";
import { useRead } from "../data/queries.ts";
import { CaseHead, Desk, Ledger } from "../shared/Case.tsx";
import { instant } from "../shared/format.ts";
import { Queue } from "../shared/Queue.tsx";
import { choose } from "../shared/route.ts";
import { WORDS } from "../shared/words.ts";

type Tab = "incidents" | "coins" | "chains";

/** What a chain's watcher leaves to a person, coins that no deposit is made of, and how far each chain was read. */
export function IncidentsScreen({ chosen }: { readonly chosen: string | null }) {
  const [tab, setTab] = useState<Tab>("incidents");
  const list = useRead(incidentList, {});
  const reading = { failure: list.error, retry: () => void list.refetch() };
  const incident = list.data?.incidents.find(({ incidentId }) => incidentId === chosen);
  return (
    <Desk
      title={WORDS.screens.incidents}
      side={
        incident && (
          <>
            <CaseHead title={incident.incidentId} state={WORDS.incidents[incident.kind] ?? incident.kind} />
            <p className="label wrap code">{incident.subject}</p>
            {incident.memberId !== null && (
              <p className="label">
                Member{" "}
                <a className="link" href={`#/members/${incident.memberId}`}>
                  {incident.memberId}
                </a>
              </p>
            )}
            <Ledger figures={[["Opened", instant(incident.openedAt)]]} />
            <dl className="diff">
              {Object.entries(incident.detail).map(([name, value]) => (
                <div key={name}>
                  <dt className="note soft">{name}</dt>
                  <dd className="wrap code">{value}</dd>
                </div>
              ))}
            </dl>
            {incident.frozen && <Notice wrong>No withdrawal of this member goes out while this stands.</Notice>}
          </>
        )
      }
    >
      <div className="part-tabs">
        <Words<Tab>
          label="What"
          panel="incidents"
          choices={[
            { value: "incidents", label: "Incidents" },
            { value: "coins", label: "Stray coins" },
            { value: "chains", label: "Chains" },
          ]}
          value={tab}
          onChange={setTab}
        />
      </div>
      <TabPanel id="incidents" chosen={tab}>
        {tab === "incidents" && (
          <Queue
            caption="Incidents"
            columns={[
              { id: "at", head: "Opened, UTC", cell: (row) => instant(row.openedAt).slice(5), width: 132 },
              { id: "kind", head: "What", cell: (row) => WORDS.incidents[row.kind] ?? row.kind, width: 220 },
              { id: "subject", head: "About", cell: (row) => row.subject, look: "code" },
              { id: "frozen", head: "Payouts", cell: (row) => (row.frozen ? "Frozen" : "–"), look: "soft", width: 76 },
            ]}
            reading={{ rows: list.data?.incidents, ...reading }}
            idOf={({ incidentId }) => incidentId}
            chosen={chosen}
            onChoose={(id) => choose("incidents", id)}
            empty="No incident stands open."
          />
        )}
        {tab === "coins" && (
          <Queue
            caption="Stray coins"
            columns={[
              { id: "at", head: "Seen, UTC", cell: (row) => instant(row.seenAt).slice(5), width: 132 },
              { id: "chain", head: "Chain", cell: (row) => row.chain, width: 84 },
              { id: "address", head: "Address", cell: (row) => row.address, look: "code" },
              { id: "member", head: "Member", cell: (row) => row.memberId, look: "code", width: 156 },
              { id: "balance", head: "Smallest units", cell: (row) => row.balance, look: "amount", width: 148 },
            ]}
            reading={{ rows: list.data?.coins, ...reading }}
            idOf={({ chain, address }) => `${chain} ${address}`}
            chosen={null}
            empty="No coin lies at a member’s address. Coins are never credited: only USDT is."
          />
        )}
        {tab === "chains" && (
          <Queue
            caption="Chains"
            columns={[
              { id: "chain", head: "Chain", cell: (row) => row.chain },
              { id: "height", head: "Read to block", cell: (row) => row.height, look: "amount", width: 132 },
              { id: "behind", head: "Blocks behind", cell: (row) => row.behind, look: "amount", width: 132 },
              { id: "at", head: "Read, UTC", cell: (row) => instant(row.readAt), width: 172 },
            ]}
            reading={{ rows: list.data?.chains, ...reading }}
            idOf={({ chain }) => chain}
            chosen={null}
            empty="No chain is read."
          />
        )}
      </TabPanel>
    </Desk>
  );
}
