import type { OperatorPath, PolicyProposal, PolicyVersion } from "@fairtick/protocol/operator";
import { Notice } from "@fairtick/ui";
import type { ReactNode } from "react";
import { useMay } from "../data/queries.ts";
import { type Addition, type Difference, sayChanges, splitAdditions } from "./addition-words.ts";
import { CaseHead, Desk } from "./Case.tsx";
import { instant } from "./format.ts";
import { countProposals, Parts } from "./Parts.tsx";
import { ProposalDecision } from "./ProposalDecision.tsx";
import { type Column, Queue } from "./Queue.tsx";
import { choose, useView } from "./route.ts";
import { WORDS } from "./words.ts";

const TABS = [
  { value: "terms", label: "In force" },
  { value: "proposals", label: "Proposals" },
  { value: "versions", label: "Versions" },
] as const;
const VERSION_STATES = { past: "Past", current: "In force", coming: "Scheduled" } as const;

interface VersionDeskProps {
  readonly name: keyof typeof WORDS.screens;
  readonly chosen: string | null;
  readonly reading: { readonly failure: Error | null; readonly retry: () => void };
  readonly versions: readonly PolicyVersion[] | undefined;
  readonly proposals: readonly PolicyProposal[] | undefined;
  /** Table of the terms in force. */
  readonly terms: ReactNode;
  /** Case of the row chosen there. */
  readonly side: ReactNode;
  /** Buttons in the heading. */
  readonly tools?: ReactNode;
  /** Says when a version without a date takes effect. */
  readonly soonest: string;
  readonly note: string;
  /** The call with which a second person approves. */
  readonly needs: OperatorPath;
  readonly approve: (proposalId: string, reason: string) => Promise<unknown>;
  readonly reject: (proposalId: string, reason: string) => Promise<unknown>;
  readonly proposeAgain: (proposalId: string, reason: string) => Promise<{ readonly proposalId: string }>;
}

const PROPOSALS: readonly Column<PolicyProposal>[] = [
  { id: "made", head: "Proposed, UTC", cell: (row) => instant(row.madeAt), width: 164 },
  { id: "version", head: "Version", cell: (row) => String(row.version), width: 68 },
  { id: "what", head: "Changes", cell: whatChanges },
  { id: "by", head: "By", cell: (row) => row.madeBy.login, width: 96 },
  { id: "state", head: "State", cell: (row) => WORDS.states[row.state], look: "soft", width: 84 },
];
const VERSIONS: readonly Column<PolicyVersion>[] = [
  { id: "version", head: "Version", cell: (row) => String(row.version), width: 92 },
  { id: "from", head: "Effective, UTC", cell: (row) => instant(row.effectiveAt), width: 168 },
  { id: "what", head: "Changes", cell: whatChanges },
  { id: "state", head: "State", cell: (row) => VERSION_STATES[row.state], width: 84 },
];

/**
 * A screen for terms that change in dated versions: the terms in force, proposals, and past and scheduled versions. One
 * person proposes a version, another approves it.
 */
export function VersionDesk(props: VersionDeskProps) {
  const { name, chosen, reading, versions, proposals, terms, tools } = props;
  const [tab, setTab] = useView(TABS);
  const current = versions?.find(({ state }) => state === "current");
  return (
    <Desk
      title={WORDS.screens[name]}
      tools={
        <>
          {current && <span className="label soft">Version {current.version} is in force</span>}
          {tools}
        </>
      }
      side={sideOf(props)}
    >
      <Parts id={name} label={WORDS.screens[name]} parts={countProposals(TABS, proposals)} shown={tab} onShow={setTab}>
        {tab === "terms" && terms}
        {tab === "proposals" && (
          <Queue
            caption="Proposals"
            columns={PROPOSALS}
            reading={{ ...reading, rows: proposals }}
            idOf={({ proposalId }) => proposalId}
            chosen={chosen}
            onChoose={(id) => choose(name, id)}
            empty="No proposals yet. Choose what to change under In force."
          />
        )}
        {tab === "versions" && (
          <Queue
            caption="Versions"
            columns={VERSIONS}
            reading={{ ...reading, rows: versions }}
            idOf={({ version: number }) => `v${number}`}
            chosen={chosen}
            onChoose={(id) => choose(name, id)}
            empty="No versions."
          />
        )}
      </Parts>
    </Desk>
  );
}

/** The case beside the queue: the chosen proposal or version, or else what the screen itself shows. */
function sideOf({ chosen, versions, proposals, side, ...desk }: VersionDeskProps): ReactNode {
  const proposal = proposals?.find(({ proposalId }) => proposalId === chosen);
  if (proposal) return <ProposalCase key={proposal.proposalId} proposal={proposal} desk={desk} />;
  const version = versions?.find((each) => `v${each.version}` === chosen);
  return version ? <VersionCase version={version} /> : side;
}

type Differences = PolicyVersion["differences"];

function whatChanges({ differences }: { readonly differences: Differences }): string {
  return sayChanges(differences);
}

/** Lists what a version adds and changes. */
function Changes({ differences }: { readonly differences: Differences }) {
  const { additions, changes } = splitAdditions(differences);
  return (
    <>
      {additions.map((addition) => (
        <AdditionTable key={addition.symbol} addition={addition} />
      ))}
      {changes.length > 0 && <DifferenceTable differences={changes} />}
    </>
  );
}

function AdditionTable({ addition: { symbol, name, simulated, figures } }: { readonly addition: Addition }) {
  return (
    <>
      <p className="label">
        Adds {name} as {symbol}. Members see it as closed until its first price.
        {simulated &&
          " Its prices start with the first epoch committed after approval, 30 to 40 minutes later. Members see the time."}
      </p>
      <table className="diff">
        <caption className="unseen">Terms of {name}</caption>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">New</th>
          </tr>
        </thead>
        <tbody>
          {figures.map(([label, value]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>
                <ins>{value}</ins>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function DifferenceTable({ differences }: { readonly differences: readonly Difference[] }) {
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

function VersionCase({ version }: { readonly version: PolicyVersion }) {
  return (
    <>
      <CaseHead title={`Version ${version.version}`} state={VERSION_STATES[version.state]} />
      <p className="label">
        Effective {instant(version.effectiveAt)} UTC
        {version.approvedBy === null ? "; first version" : `; approved by ${version.approvedBy.login}`}
      </p>
      <Changes differences={version.differences} />
    </>
  );
}

function ProposalCase({
  proposal,
  desk: { name, soonest, note, needs, approve, reject, proposeAgain },
}: {
  readonly proposal: PolicyProposal;
  readonly desk: Pick<VersionDeskProps, "name" | "soonest" | "note" | "needs" | "approve" | "reject" | "proposeAgain">;
}) {
  const may = useMay();
  const { proposalId } = proposal;
  const isStale = proposal.overtaken.length > 0 || proposal.late;
  const again = async (reason: string) => choose(name, (await proposeAgain(proposalId, reason)).proposalId);
  return (
    <>
      <CaseHead title={`Version ${proposal.version}`} state={WORDS.states[proposal.state]} />
      <p className="label">
        {proposal.effectiveAt === null ? soonest : `Takes effect ${instant(proposal.effectiveAt)} UTC.`}
      </p>
      <Changes differences={proposal.differences} />
      {isStale && <Stale proposal={proposal} />}
      <ProposalDecision
        proposal={proposal}
        mayDecide={may(needs)}
        {...(isStale && { instead: { label: "Propose again", act: again } })}
        onApprove={(reason) => approve(proposalId, reason)}
        onReject={(reason) => reject(proposalId, reason)}
        note={
          isStale
            ? "Propose again makes the same changes on top of the current terms and rejects this proposal."
            : `It’s written to the public log before it takes effect. ${note}`
        }
      />
    </>
  );
}

/** Says why a proposal can no longer be approved: later changes, or a date that has passed. */
function Stale({ proposal: { overtaken, late } }: { readonly proposal: PolicyProposal }) {
  return (
    <Notice wrong>
      {overtaken.map(
        ({ what, before, after }) => `${what} changed from ${before} to ${after} since this was proposed. `,
      )}
      {late && "Its date has passed, or a later version has been approved. "}
      It can’t be approved anymore.
    </Notice>
  );
}
