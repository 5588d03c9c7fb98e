import {
  type PayoutKey,
  withdrawalApproveKey,
  withdrawalKeys,
  withdrawalProposeKey,
  withdrawalRejectKey,
  withdrawalRevokeKey,
} from "@fairtick/protocol/operator";
import { Button, Notice } from "@fairtick/ui";
import { signKey, useMakeKey, useOwnKey } from "../data/own-key.ts";
import { useAct, useMay, useRead } from "../data/queries.ts";
import { CaseHead, Desk } from "../shared/Case.tsx";
import { Decide } from "../shared/Decide.tsx";
import { instant } from "../shared/format.ts";
import { ProposalDecision } from "../shared/ProposalDecision.tsx";
import { Queue } from "../shared/Queue.tsx";
import { choose } from "../shared/route.ts";
import { WORDS } from "../shared/words.ts";

const NEW = "new";

/** The keys operators approve payments with. */
export function KeysScreen({ chosen }: { readonly chosen: string | null }) {
  const may = useMay();
  const list = useRead(withdrawalKeys, {});
  const { data: own } = useOwnKey();
  const shown = list.data?.find(({ proposalId }) => proposalId === chosen);
  const mine = list.data?.find(({ keyId }) => keyId === own?.keyId);
  return (
    <Desk
      title={WORDS.screens.keys}
      tools={
        may("withdrawal/proposeKey") && (
          <Button lowkey look="tint" onClick={() => choose("keys", NEW)}>
            Create a key
          </Button>
        )
      }
      side={chosen === NEW ? <MakeKey /> : shown && <KeyCase key={shown.proposalId} one={shown} />}
    >
      <p className="part label">
        {mine === undefined
          ? "You have no signing key in this browser."
          : `Your key in this browser: ${mine.keyId.slice(0, 8)}, ${stateOf(mine).toLowerCase()}.`}
      </p>
      <Queue<PayoutKey>
        caption="Signing keys"
        columns={[
          { id: "made", head: "Proposed, UTC", cell: (row) => instant(row.madeAt), width: 184 },
          { id: "by", head: "Owner", cell: (row) => row.madeBy.login },
          { id: "key", head: "Key", cell: (row) => row.keyId.slice(0, 16), look: "code", width: 150 },
          { id: "state", head: "State", cell: stateOf, look: "soft", width: 110 },
        ]}
        reading={{ rows: list.data, failure: list.error, retry: () => void list.refetch() }}
        idOf={({ proposalId }) => proposalId}
        chosen={chosen}
        onChoose={(id) => choose("keys", id)}
        empty="No keys yet. Each person in finance creates one in their own browser, and a second person approves it."
      />
    </Desk>
  );
}

function stateOf({ state, revoked, ownerLeft }: PayoutKey): string {
  if (revoked !== null) return "Revoked";
  return state === "approved" && ownerLeft ? "Owner left" : WORDS.states[state];
}

function MakeKey() {
  const make = useMakeKey();
  const propose = useAct(withdrawalProposeKey);
  return (
    <>
      <CaseHead title="New" state="Signing key" />
      <p className="label">
        The key is created in this browser and never leaves it. You need a separate key for each browser. It replaces
        any key you already have here.
      </p>
      <Decide
        decisions={[
          {
            label: "Create and propose",
            key: "a",
            main: true,
            act: async (reason) => {
              const { publicKey } = await make();
              const made = await propose.mutateAsync({ publicKey, reason });
              choose("keys", made.proposalId);
            },
          },
        ]}
        note="A second person has to approve it before you can use it."
      />
    </>
  );
}

function KeyCase({ one }: { readonly one: PayoutKey }) {
  const may = useMay();
  const { data: own } = useOwnKey();
  const list = useRead(withdrawalKeys, {});
  const approve = useAct(withdrawalApproveKey);
  const reject = useAct(withdrawalRejectKey);
  const { proposalId, operatorId, publicKey } = one;
  const signing = list.data?.some((key) => key.keyId === own?.keyId && key.state === "approved" && key.revoked === null)
    ? own
    : null;
  return (
    <>
      <CaseHead title={one.keyId.slice(0, 16)} state={stateOf(one)} />
      <p className="label wrap">
        Key of {one.madeBy.login}
        <span className="note block code">{one.keyId}</span>
      </p>
      <ProposalDecision
        proposal={one}
        mayDecide={may("withdrawal/approveKey")}
        said={
          one.state === "waiting" && (
            <Notice>
              Read the key out with its owner, by phone or in person. Only their browser shows the same one.
            </Notice>
          )
        }
        onApprove={async (reason) =>
          approve.mutateAsync({
            proposalId,
            reason,
            ...(signing && { keyId: signing.keyId, signature: await signKey(signing, operatorId, publicKey) }),
          })
        }
        onReject={(reason) => reject.mutateAsync({ proposalId, reason })}
        note={
          signing
            ? "You sign this key with yours. The signer trusts that signature, not the database."
            : "You have no key in this browser. Without one you can only approve the first key, while the signer runs with trustFirstKey."
        }
      />
      <Revocation one={one} />
    </>
  );
}

/** Revokes an approved key, for a lost device or an owner who left. */
function Revocation({ one: { keyId, state, revoked, ownerLeft } }: { readonly one: PayoutKey }) {
  const may = useMay();
  const revoke = useAct(withdrawalRevokeKey);
  if (state !== "approved") return null;
  if (revoked !== null) {
    return (
      <Notice>
        Revoked by {revoked.by} at {instant(revoked.at)}: “{revoked.reason}”
      </Notice>
    );
  }
  return (
    <>
      {ownerLeft && (
        <Notice wrong>
          The owner is no longer in finance and their approvals don’t count. Revoke the key so that the signer rejects
          it too.
        </Notice>
      )}
      {may("withdrawal/revokeKey") && (
        <Decide
          decisions={[{ label: "Revoke", key: "r", act: (reason) => revoke.mutateAsync({ keyId, reason }) }]}
          note="Its signatures stop counting and it can’t be used again. You can’t revoke the last key."
        />
      )}
    </>
  );
}
