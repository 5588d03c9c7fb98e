import {
  type OperatorAccount,
  type OwnPasskey,
  type OwnSession,
  sessionAccount,
  sessionEndOther,
  sessionRemovePasskey,
  sessionRemoveTotp,
} from "@fairtick/protocol/operator";
import { Button, Notice } from "@fairtick/ui";
import { useAct, useRead } from "../data/queries.ts";
import { CaseHead, Desk, Ledger } from "../shared/Case.tsx";
import { instant } from "../shared/format.ts";
import { Queue } from "../shared/Queue.tsx";
import { choose } from "../shared/route.ts";
import { useAsking } from "../shared/use-asking.ts";
import { WORDS } from "../shared/words.ts";
import { AddPasskey, PasswordForm, SetUpTotp } from "./AccountForms.tsx";

const NEW_PASSKEY = "new-passkey";
const NEW_TOTP = "new-totp";
const TOTP = "totp";

interface Factor {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly madeAt: number | null;
  readonly usedAt: number | null;
}

function factorsOf({ totp, passkeys }: OperatorAccount): Factor[] {
  const app = { id: TOTP, kind: "App", name: "Authenticator app", madeAt: null, usedAt: null };
  const keys = passkeys.map(({ passkeyId: id, ...rest }) => ({ id, kind: "Passkey", ...rest }));
  return totp ? [app, ...keys] : keys;
}

/** The operator's own second factors and sessions. */
export function AccountScreen({ chosen }: { readonly chosen: string | null }) {
  const { data: account, error, refetch } = useRead(sessionAccount, {});
  const reading = { failure: error, retry: () => void refetch() };
  const factors = account && factorsOf(account);
  return (
    <Desk
      title={WORDS.screens.account}
      tools={
        <div className="tools">
          <Button lowkey look="tint" onClick={() => choose("account", NEW_PASSKEY)}>
            Add a passkey
          </Button>
          <Button lowkey onClick={() => choose("account", NEW_TOTP)}>
            {account?.totp === false ? "Add an app" : "Change app"}
          </Button>
        </div>
      }
      side={account && factors && <Side account={account} last={factors.length === 1} chosen={chosen} />}
    >
      <h2 className="part title">Second factors</h2>
      <Queue<Factor>
        caption="Second factors"
        columns={[
          { id: "name", head: "Name", cell: (row) => row.name },
          { id: "kind", head: "Kind", cell: (row) => row.kind, look: "soft", width: 90 },
          { id: "made", head: "Added, UTC", cell: (row) => instant(row.madeAt), look: "soft", width: 164 },
          { id: "used", head: "Last used, UTC", cell: (row) => instant(row.usedAt), look: "soft", width: 164 },
        ]}
        reading={{ ...reading, rows: factors }}
        idOf={({ id }) => id}
        chosen={chosen}
        onChoose={(id) => choose("account", id)}
        empty="No second factors."
      />
      {account && <p className="part label">{account.recoveryCodesLeft} recovery codes left.</p>}
      <h2 className="part title">Where you are logged in</h2>
      <Queue<OwnSession>
        caption="Sessions"
        columns={[
          { id: "seen", head: "Last seen, UTC", cell: (row) => instant(row.seenAt), width: 190 },
          { id: "device", head: "Device", cell: (row) => browserOf(row.device) },
          { id: "ip", head: "Address", cell: (row) => row.ip, look: "code", width: 130 },
          { id: "current", head: "This device", cell: (row) => (row.current ? "Yes" : "–"), look: "soft", width: 96 },
        ]}
        reading={{ ...reading, rows: account?.sessions }}
        idOf={({ sessionId }) => sessionId}
        chosen={chosen}
        onChoose={(id) => choose("account", id)}
        empty="No sessions."
        keyboard={false}
      />
    </Desk>
  );
}

function Side({
  account,
  last,
  chosen,
}: {
  readonly account: OperatorAccount;
  readonly last: boolean;
  readonly chosen: string | null;
}) {
  const passkey = account.passkeys.find(({ passkeyId }) => passkeyId === chosen);
  const session = account.sessions.find(({ sessionId }) => sessionId === chosen);
  if (chosen === NEW_PASSKEY) return <AddPasskey origin={account.passkeyOrigin} />;
  if (chosen === NEW_TOTP) return <SetUpTotp replaces={account.totp} />;
  if (chosen === TOTP && account.totp) return <TotpCase last={last} />;
  if (passkey) return <PasskeyCase key={passkey.passkeyId} passkey={passkey} last={last} />;
  if (session) return <SessionCase key={session.sessionId} session={session} alone={account.sessions.length === 1} />;
  return null;
}

const LAST = "This is your only second factor. Add another one before you remove it.";

function TotpCase({ last }: { readonly last: boolean }) {
  const remove = useAct(sessionRemoveTotp);
  return (
    <>
      <CaseHead title="Authenticator app" state="Second factor" />
      {last ? (
        <Notice>{LAST}</Notice>
      ) : (
        <PasswordForm
          label="Remove app"
          act={async (password) => {
            await remove.mutateAsync({ password });
            choose("account", null);
          }}
        />
      )}
    </>
  );
}

function PasskeyCase({ passkey, last }: { readonly passkey: OwnPasskey; readonly last: boolean }) {
  const remove = useAct(sessionRemovePasskey);
  const { passkeyId, name, madeAt, usedAt, synced } = passkey;
  return (
    <>
      <CaseHead title={name} state="Passkey" />
      <Ledger
        figures={[
          ["Added, UTC", instant(madeAt)],
          ["Last used, UTC", instant(usedAt)],
          ["Stored", synced ? "Synced across devices" : "On one device"],
        ]}
      />
      {last ? (
        <Notice>{LAST}</Notice>
      ) : (
        <PasswordForm
          label="Remove passkey"
          act={async (password) => {
            await remove.mutateAsync({ passkeyId, password });
            choose("account", null);
          }}
        />
      )}
    </>
  );
}

function SessionCase({ session, alone }: { readonly session: OwnSession; readonly alone: boolean }) {
  const end = useAct(sessionEndOther);
  const { wrong, busy, run } = useAsking();
  const { sessionId, current, createdAt, seenAt, ip, device } = session;
  return (
    <>
      <CaseHead title={browserOf(device)} state={current ? "This session" : "Session"} />
      <Ledger
        figures={[
          ["Started, UTC", instant(createdAt)],
          ["Last seen, UTC", instant(seenAt)],
          ["Address", ip],
        ]}
      />
      <p className="label wrap">{device}</p>
      {wrong !== null && <Notice wrong>{wrong}</Notice>}
      {current ? (
        alone || (
          <Button lowkey off={busy} onClick={() => void run(() => end.mutateAsync({}))}>
            Log out everywhere else
          </Button>
        )
      ) : (
        <Button
          lowkey
          off={busy}
          onClick={() =>
            void run(async () => {
              await end.mutateAsync({ sessionId });
              choose("account", null);
            })
          }
        >
          Log out this device
        </Button>
      )}
    </>
  );
}

/** Shortens a user agent to `Chrome on Windows`. */
function browserOf(device: string): string {
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)\//.exec(device)?.[1];
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|CrOS|Linux)/.exec(device)?.[1];
  if (browser === undefined) return device.slice(0, 40) || "Unknown";
  const name = { Edg: "Edge", OPR: "Opera" }[browser] ?? browser;
  return system === undefined ? name : `${name} on ${system.replace("Mac OS X", "macOS").replace("CrOS", "ChromeOS")}`;
}
