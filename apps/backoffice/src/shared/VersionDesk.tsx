import type { OperatorPath, PolicyProposal, PolicyVersion } from "@fairtick/protocol/operator";
import { Notice } from "@fairtick/ui";
import { useState, type ReactNode } from "react";
import { useMay } from "../data/queries.ts";
import { type Addition, type Difference, sayChanges, splitAdditions } from "./addition-words.ts";
import { CaseHead, Desk } from "./Case.tsx";
import type { Decision } from "./Decide.tsx";
import { instant } from "./format.ts";
import { Parts } from "./Parts.tsx";
import { ProposalDecision } from "./ProposalDecision.tsx";
import { Queue } from "./Queue.tsx";
import { choose } from "./route.ts";
import { WORDS } from "./words.ts";

const TABS = [
  { value: "terms", label: "In force" },
  { value: "proposals", label: "Proposals" },
  { value: "versions", label: "Versions" },
] as const;
const VERSION_STATES = { past: "Past", current: "In force", coming: "Scheduled" } as const;

/**
 * A screen for terms that change in dated versions: the terms in force, proposals, and past and scheduled versions. One
 * person proposes a version, another approves it.
 */
export function VersionDesk({
  name,
  chosen,
  reading,
  versions,
  proposals,
  terms,
  side,
  tools,
  soonest,
  note,
  needs,
  approve,
  reject,
  proposeAgain,
}: {
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
}) {
  const may = useMay();
  const [tab, setTab] = useState<(typeof TABS)[number]["value"]>("terms");
  const current = versions?.find(({ state }) => state === "current");
  const proposal = proposals?.find(({ proposalId }) => proposalId === chosen);
  const version = versions?.find((each) => `v${each.version}` === chosen);
  return (
    <Desk
      title={WORDS.screens[name]}
      tools={
        <>
          {current && <span className="label soft">Version {current.version} is in force</span>}
          {tools}
        </>
      }
      side={
        (proposal && (
          <ProposalCase
            key={proposal.proposalId}
            proposal={proposal}
            soonest={soonest}
            note={note}
            mayDecide={may(needs)}
            approve={(reason) => approve(proposal.proposalId, reason)}
            reject={(reason) => reject(proposal.proposalId, reason)}
            proposeAgain={async (reason) => choose(name, (await proposeAgain(proposal.proposalId, reason)).proposalId)}
          />
        )) ??
        (version && <VersionCase version={version} />) ??
        side
      }
    >
      <Parts id={name} label={WORDS.screens[name]} parts={TABS} shown={tab} onShow={setTab}>
        {tab === "terms" && terms}
        {tab === "proposals" && (
          <Queue
            caption="Proposals"
            columns={[
              { id: "made", head: "Proposed, UTC", cell: (row) => instant(row.madeAt), width: 164 },
              { id: "version", head: "Version", cell: (row) => String(row.version), width: 68 },
              { id: "what", head: "Changes", cell: whatChanges },
              { id: "by", head: "By", cell: (row) => row.madeBy.login, width: 96 },
              { id: "state", head: "State", cell: (row) => WORDS.states[row.state], look: "soft", width: 84 },
            ]}
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
            columns={[
              { id: "version", head: "Version", cell: (row) => String(row.version), width: 92 },
              { id: "from", head: "Effective, UTC", cell: (row) => instant(row.effectiveAt), width: 168 },
              { id: "what", head: "Changes", cell: whatChanges },
              { id: "state", head: "State", cell: (row) => VERSION_STATES[row.state], width: 84 },
            ]}
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
        {simulated && " Its prices start with the first epoch committed after approval. Members see the time."}
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
  soonest,
  note,
  mayDecide,
  approve,
  reject,
  proposeAgain,
}: {
  readonly proposal: PolicyProposal;
  readonly soonest: string;
  readonly note: string;
  readonly mayDecide: boolean;
  readonly approve: Decision["act"];
  readonly reject: (reason: string) => Promise<unknown>;
  readonly proposeAgain: (reason: string) => Promise<unknown>;
}) {
  const isStale = proposal.overtaken.length > 0 || proposal.late;
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
        mayDecide={mayDecide}
        {...(isStale && { instead: { label: "Propose again", act: proposeAgain } })}
        onApprove={approve}
        onReject={reject}
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
