import {
  configApprove,
  configList,
  type ConfigProposal,
  configReject,
  type ConfigVersion,
} from "@fairtick/protocol/operator";
import { Button } from "@fairtick/ui";
import { useState } from "react";
import { useAct, useMay, useRead } from "../data/queries.ts";
import { CaseHead, Desk } from "../shared/Case.tsx";
import { instant, money, percent } from "../shared/format.ts";
import { Parts } from "../shared/Parts.tsx";
import { ProposalDecision } from "../shared/ProposalDecision.tsx";
import { Queue } from "../shared/Queue.tsx";
import { choose } from "../shared/route.ts";
import { WORDS } from "../shared/words.ts";
import { ProposeConfig } from "./ProposeConfig.tsx";

const TABS = [
  { value: "terms", label: "Terms in force" },
  { value: "proposals", label: "Proposals" },
  { value: "versions", label: "Versions" },
] as const;
const VERSION_STATES = { past: "Past", current: "In force", coming: "Comes" } as const;

/** Instruments, payout rates, durations, limits and fees: what binds, what is proposed, what was. */
export function ConfigScreen({ chosen }: { readonly chosen: string | null }) {
  const may = useMay();
  const [tab, setTab] = useState<(typeof TABS)[number]["value"]>("terms");
  const list = useRead(configList, {});
  const versions = list.data?.versions;
  const current = versions?.find(({ state }) => state === "current");
  const [newest] = versions ?? [];
  const reading = { failure: list.error, retry: () => void list.refetch() };
  const proposal = list.data?.proposals.find(({ proposalId }) => proposalId === chosen);
  const version = versions?.find((each) => `v${each.version}` === chosen);
  const terms = newest?.instruments.find(({ symbol }) => symbol === chosen);
  return (
    <Desk
      title={WORDS.screens.config}
      tools={current && <span className="label soft">Version {current.version} binds new orders</span>}
      side={
        (proposal && <ProposalCase key={proposal.proposalId} proposal={proposal} />) ??
        (version && <VersionCase version={version} />) ??
        (newest && terms && (
          <ProposeConfig key={terms.symbol} terms={terms} newest={newest} may={may("config/propose")} />
        ))
      }
    >
      <Parts id="config" label="Configuration" parts={TABS} shown={tab} onShow={setTab}>
        {tab === "terms" && (
          <Queue
            caption="Terms in force"
            columns={[
              { id: "symbol", head: "Product", cell: (row) => row.name },
              { id: "state", head: "State", cell: (row) => (row.suspended ? "Suspended" : "Open"), width: 84 },
              { id: "fee", head: "Fee", cell: (row) => percent(row.feeRate), look: "amount", width: 56 },
              {
                id: "stake",
                head: "Stake USD",
                cell: (row) => `${money(row.minStake)} – ${money(row.maxStake)}`,
                look: "amount",
                width: 132,
              },
              { id: "rates", head: "Payout rates", cell: (row) => ratesOf(row), width: 168 },
            ]}
            reading={{ ...reading, rows: current?.instruments }}
            idOf={({ symbol }) => symbol}
            chosen={chosen}
            onChoose={(id) => choose("config", id)}
            empty="No product is configured."
          />
        )}
        {tab === "proposals" && (
          <Queue
            caption="Proposals"
            columns={[
              { id: "made", head: "Proposed, UTC", cell: (row) => instant(row.madeAt), width: 164 },
              { id: "version", head: "Version", cell: (row) => row.version, width: 68 },
              { id: "what", head: "Changes", cell: (row) => row.differences.map(({ what }) => what).join(", ") },
              { id: "by", head: "By", cell: (row) => row.madeBy.login, width: 96 },
              { id: "state", head: "State", cell: (row) => WORDS.states[row.state], look: "soft", width: 84 },
            ]}
            reading={{ ...reading, rows: list.data?.proposals }}
            idOf={({ proposalId }) => proposalId}
            chosen={chosen}
            onChoose={(id) => choose("config", id)}
            empty="Nothing was proposed yet. Choose a product under Terms in force to propose a change."
          />
        )}
        {tab === "versions" && (
          <Queue
            caption="Versions"
            columns={[
              { id: "version", head: "Version", cell: (row) => row.version, width: 92 },
              { id: "from", head: "Binds from, UTC", cell: (row) => instant(row.effectiveAt), width: 168 },
              { id: "what", head: "Changes", cell: (row) => row.differences.map(({ what }) => what).join(", ") },
              { id: "state", head: "State", cell: (row) => VERSION_STATES[row.state], width: 84 },
            ]}
            reading={{ ...reading, rows: versions }}
            idOf={({ version }) => `v${version}`}
            chosen={chosen}
            onChoose={(id) => choose("config", id)}
            empty="No version is stored."
          />
        )}
      </Parts>
    </Desk>
  );
}

function ratesOf({ durations }: ConfigVersion["instruments"][number]): string {
  const rates = durations.map(({ payoutRate }) => payoutRate).sort();
  const [low, high] = [rates.at(0), rates.at(-1)];
  if (low === undefined || high === undefined) return "–";
  const span = low === high ? percent(low) : `${percent(low)} – ${percent(high)}`;
  return `${span}, ${durations.length}×`;
}

export function Differences({ differences }: { readonly differences: ConfigProposal["differences"] }) {
  return (
    <table className="diff">
      <caption className="unseen">What changes</caption>
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {differences.map(({ what, before, after }) => (
          <tr key={what}>
            <th scope="row">{what}</th>
            <td>
              <del>{before}</del>
            </td>
            <td>
              <ins>{after}</ins>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function VersionCase({
  version,
}: {
  readonly version: ConfigVersion & {
    readonly differences: ConfigProposal["differences"];
    readonly approvedBy: { readonly login: string } | null;
  };
}) {
  return (
    <>
      <CaseHead title={`Version ${version.version}`} state={VERSION_STATES[version.state]} />
      <p className="label">
        Binds from {instant(version.effectiveAt)} UTC
        {version.approvedBy === null ? "; the first one" : `; approved by ${version.approvedBy.login}`}
      </p>
      <Differences differences={version.differences} />
    </>
  );
}

function ProposalCase({ proposal }: { readonly proposal: ConfigProposal }) {
  const may = useMay();
  const approve = useAct(configApprove);
  const reject = useAct(configReject);
  const { proposalId } = proposal;
  return (
    <>
      <CaseHead title={`Version ${proposal.version}`} state={WORDS.states[proposal.state]} />
      <p className="label">
        {proposal.effectiveAt === null
          ? "Binds ten seconds after its approval."
          : `Binds from ${instant(proposal.effectiveAt)} UTC.`}
      </p>
      <Differences differences={proposal.differences} />
      <ProposalDecision
        proposal={proposal}
        mayDecide={may("config/approve")}
        onApprove={(reason) => approve.mutateAsync({ proposalId, reason })}
        onReject={(reason) => reject.mutateAsync({ proposalId, reason })}
        note="It goes into the public log before it binds. Orders already accepted keep the terms they were accepted under."
      />
      <Button lowkey onClick={() => choose("config", null)}>
        Close
      </Button>
    </>
  );
}
