import {
  OPERATOR_ROLES,
  operatorApprove,
  operatorDisable,
  operatorEndSessions,
  type OperatorEntry,
  operatorInvite,
  operatorList,
  type OperatorProposal,
  operatorReject,
  type OperatorRole,
  operatorSetRoles,
} from "@fairtick/protocol/operator";
import { Button, Field, Notice, TabPanel, Tick, Words } from "@fairtick/ui";
import { useState } from "react";
import { useAct, useMay, useRead } from "../data/queries.ts";
import { CaseHead, Desk } from "../shared/Case.tsx";
import { Decide, type Decision } from "../shared/Decide.tsx";
import { instant } from "../shared/format.ts";
import { countProposals, Parts } from "../shared/Parts.tsx";
import { ProposalDecision } from "../shared/ProposalDecision.tsx";
import { type Column, Queue } from "../shared/Queue.tsx";
import { choose, useView } from "../shared/route.ts";
import { WORDS } from "../shared/words.ts";

const NEW = "new";
const STATES = { invited: "Invited", active: "Active", disabled: "Disabled" } as const;
const CHANGES = { invite: "Invite", roles: "Set roles of", disable: "Disable" } as const;
const TABS = [
  { value: "people", label: "People" },
  { value: "proposals", label: "Proposals" },
] as const;
const rolesOf = (roles: readonly OperatorRole[]) => roles.map((role) => WORDS.roles[role]).join(", ") || "–";

const PEOPLE: readonly Column<OperatorEntry>[] = [
  { id: "login", head: "Login", cell: (row) => row.login },
  { id: "name", head: "Name", cell: (row) => row.name },
  { id: "roles", head: "Roles", cell: (row) => rolesOf(row.roles) },
  { id: "state", head: "State", cell: (row) => STATES[row.state], width: 84 },
  { id: "sessions", head: "Sessions", cell: (row) => row.sessions, look: "amount", width: 60 },
  {
    id: "seen",
    head: "Last seen, UTC",
    cell: (row) => instant(row.seenAt).slice(-14),
    look: "soft",
    width: 142,
  },
];

const PROPOSALS: readonly Column<OperatorProposal>[] = [
  { id: "made", head: "Proposed, UTC", cell: (row) => instant(row.madeAt), width: 164 },
  { id: "what", head: "What", cell: (row) => `${CHANGES[row.change]} ${row.target.login}` },
  { id: "roles", head: "Roles", cell: (row) => rolesOf(row.roles) },
  { id: "by", head: "By", cell: (row) => row.madeBy.login, width: 96 },
  { id: "state", head: "State", cell: (row) => WORDS.states[row.state], look: "soft", width: 84 },
];

export function OperatorsScreen({ chosen }: { readonly chosen: string | null }) {
  const may = useMay();
  const [tab, setTab] = useView(TABS);
  const list = useRead(operatorList, {});
  const reading = { failure: list.error, retry: () => void list.refetch() };
  const operator = list.data?.operators.find(({ operatorId }) => operatorId === chosen);
  const proposal = list.data?.proposals.find(({ proposalId }) => proposalId === chosen);
  return (
    <Desk
      title={WORDS.screens.operators}
      tools={
        may("operator/invite") && (
          <Button lowkey look="tint" onClick={() => choose("operators", NEW)}>
            Invite an operator
          </Button>
        )
      }
      side={
        (chosen === NEW && <Invite />) ||
        (operator && <OperatorCase key={operator.operatorId} operator={operator} />) ||
        (proposal && <ProposalCase key={proposal.proposalId} proposal={proposal} />)
      }
    >
      <Parts
        id="operators"
        label="Operators"
        parts={countProposals(TABS, list.data?.proposals)}
        shown={tab}
        onShow={setTab}
      >
        {tab === "people" ? (
          <Queue
            caption="Operators"
            columns={PEOPLE}
            reading={{ ...reading, rows: list.data?.operators }}
            idOf={({ operatorId }) => operatorId}
            chosen={chosen}
            onChoose={(id) => choose("operators", id)}
            empty="No operators."
          />
        ) : (
          <Queue
            caption="Proposals"
            columns={PROPOSALS}
            reading={{ ...reading, rows: list.data?.proposals }}
            idOf={({ proposalId }) => proposalId}
            chosen={chosen}
            onChoose={(id) => choose("operators", id)}
            empty="No proposals yet."
          />
        )}
      </Parts>
    </Desk>
  );
}

function RoleTicks({
  roles,
  onChange,
}: {
  readonly roles: readonly OperatorRole[];
  readonly onChange: (roles: OperatorRole[]) => void;
}) {
  return (
    <fieldset className="roles">
      <legend className="label">Roles</legend>
      {OPERATOR_ROLES.map((role) => (
        <Tick
          key={role}
          on={roles.includes(role)}
          onChange={(on) => onChange(on ? [...roles, role] : roles.filter((each) => each !== role))}
        >
          {WORDS.roles[role]}
        </Tick>
      ))}
    </fieldset>
  );
}

function Invite() {
  const [login, setLogin] = useState("");
  const [name, setName] = useState("");
  const [roles, setRoles] = useState<readonly OperatorRole[]>([]);
  const invite = useAct(operatorInvite);
  return (
    <>
      <CaseHead title="New operator" state="Proposal" />
      <div className="form">
        <Field
          label="Login"
          autoCapitalize="none"
          value={login}
          onChange={(event) => setLogin(event.currentTarget.value)}
        />
        <Field label="Name" value={name} onChange={(event) => setName(event.currentTarget.value)} />
        <RoleTicks roles={roles} onChange={setRoles} />
      </div>
      <Decide
        decisions={[
          {
            label: "Propose",
            key: "a",
            main: true,
            act: async (reason) => {
              const made = await invite.mutateAsync({
                login: login.trim(),
                name: name.trim(),
                roles: [...roles],
                reason,
              });
              choose("operators", made.proposalId);
            },
          },
        ]}
        note="Another admin has to approve it and then receives the invitation link."
      />
    </>
  );
}

type What = "roles" | "sessions" | "disable";

/** Returns what can be done to an operator. Changing roles and disabling take a second admin. */
function useOperatorDecisions(operatorId: string, roles: readonly OperatorRole[]): Readonly<Record<What, Decision>> {
  const setThem = useAct(operatorSetRoles);
  const disable = useAct(operatorDisable);
  const endAll = useAct(operatorEndSessions);
  return {
    roles: {
      label: "Propose roles",
      key: "a",
      main: true,
      act: async (reason) => {
        const made = await setThem.mutateAsync({ operatorId, roles: [...roles], reason });
        choose("operators", made.proposalId);
      },
    },
    sessions: {
      label: "End all sessions",
      key: "r",
      act: (reason) => endAll.mutateAsync({ operatorId, reason }),
    },
    disable: {
      label: "Propose to disable",
      key: "r",
      act: async (reason) => {
        const made = await disable.mutateAsync({ operatorId, reason });
        choose("operators", made.proposalId);
      },
    },
  };
}

function OperatorCase({ operator }: { readonly operator: OperatorEntry }) {
  const may = useMay();
  const [roles, setRoles] = useState<readonly OperatorRole[]>(operator.roles);
  const [what, setWhat] = useState<What>("roles");
  const decisions = useOperatorDecisions(operator.operatorId, roles);
  return (
    <>
      <CaseHead title={operator.login} state={STATES[operator.state]} />
      <p className="label">
        {operator.name} · {rolesOf(operator.roles)} · {operator.sessions} active sessions
      </p>
      {may("operator/setRoles") && operator.state !== "disabled" && (
        <>
          <Words
            label="What to do"
            panel="operator-do"
            choices={[
              { value: "roles", label: "Roles" },
              { value: "sessions", label: "Sessions" },
              { value: "disable", label: "Disable" },
            ]}
            value={what}
            onChange={setWhat}
          />
          <TabPanel id="operator-do" chosen={what}>
            {what === "roles" && <RoleTicks roles={roles} onChange={setRoles} />}
            {what === "sessions" && (
              <p className="part-note soft">This takes effect immediately. The operator can log in again.</p>
            )}
            {what === "disable" && (
              <p className="part-note soft">
                Another admin has to approve it. The operator then loses all sessions and roles.
              </p>
            )}
            <Decide key={what} decisions={[decisions[what]]} />
          </TabPanel>
        </>
      )}
    </>
  );
}

function ProposalCase({ proposal }: { readonly proposal: OperatorProposal }) {
  const may = useMay();
  const approve = useAct(operatorApprove);
  const reject = useAct(operatorReject);
  const [invitation, setInvitation] = useState<string | null>(null);
  const { proposalId } = proposal;
  return (
    <>
      <CaseHead title={`${CHANGES[proposal.change]} ${proposal.target.login}`} state={WORDS.states[proposal.state]} />
      <p className="label">
        {proposal.target.name} · {rolesOf(proposal.roles)}
      </p>
      <ProposalDecision
        proposal={proposal}
        mayDecide={may("operator/approve")}
        said={
          invitation !== null && (
            <Notice>
              Send this link to {proposal.target.name}. Don’t open it yourself, since they see each opening. It’s shown
              only once and is valid for 48 hours:
              <span className="code block wrap">{invitation}</span>
            </Notice>
          )
        }
        onApprove={async (reason) => {
          const answer = await approve.mutateAsync({ proposalId, reason });
          setInvitation(answer.invitation);
        }}
        onReject={(reason) => reject.mutateAsync({ proposalId, reason })}
      />
    </>
  );
}
