import { type Output, sessionDeclineInvitation, sessionEnrol, sessionInvitation } from "@fairtick/protocol/operator";
import { Button, Field, Notice } from "@fairtick/ui";
import { useState } from "react";
import { callOperator } from "../data/call.ts";
import { useReadOnce } from "../data/queries.ts";
import { instant } from "../shared/format.ts";
import { useAsking } from "../shared/use-asking.ts";
import { WORDS } from "../shared/words.ts";
import { Door } from "./Door.tsx";

type Invitation = Output<typeof sessionInvitation>;

/** Accepts an invitation: authenticator app, password, recovery codes. Or declines it. */
export function InvitationScreen({ token }: { readonly token: string }) {
  const { data, error } = useReadOnce(sessionInvitation, { token });
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [declined, setDeclined] = useState(false);
  if (declined)
    return (
      <Door title="Invitation declined">Nobody can use this link anymore. Tell an admin why you declined it.</Door>
    );
  if (error)
    return (
      <Door title="Invitation">
        {error.error === "NOT_FOUND"
          ? "This invitation has expired, was used or was declined. If you didn’t use it yourself, tell an admin at once."
          : error.message}
      </Door>
    );
  if (!data) return <Door title="Invitation">{WORDS.reading}</Door>;
  if (codes !== null) return <RecoveryCodes login={data.login} codes={codes} />;
  return (
    <Door title={`Welcome, ${data.name}`}>
      <OpenedBefore token={token} times={data.openedBefore} onDecline={() => setDeclined(true)} />
      <Enrolment token={token} invitation={data} onDone={setCodes} />
    </Door>
  );
}

/** Says when the link was opened before, so that a newcomer whose link was in other hands can decline it. */
function OpenedBefore({
  token,
  times,
  onDecline,
}: {
  readonly token: string;
  readonly times: readonly number[];
  readonly onDecline: () => void;
}) {
  const { wrong, busy, ask } = useAsking();
  if (times.length === 0) return null;
  const decline = ask(async () => {
    await callOperator(sessionDeclineInvitation, { token });
    onDecline();
  });
  return (
    <form onSubmit={(event) => void decline(event)}>
      <Notice wrong>
        This link was opened before: {times.map((at) => `${instant(at)} UTC`).join(", ")}. If that wasn’t you, someone
        else has it. Decline it, and tell an admin other than the one who sent it to you.
      </Notice>
      {wrong !== null && <Notice wrong>{wrong}</Notice>}
      <Button type="submit" off={busy}>
        Decline invitation
      </Button>
    </form>
  );
}

function Enrolment({
  token,
  invitation,
  onDone,
}: {
  readonly token: string;
  readonly invitation: Invitation;
  readonly onDone: (codes: readonly string[]) => void;
}) {
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const { wrong, busy, ask } = useAsking();
  const submit = ask(async () => {
    const enrolled = await callOperator(sessionEnrol, { token, password, code: code.trim() });
    onDone(enrolled.recoveryCodes);
  });
  return (
    <form onSubmit={(event) => void submit(event)}>
      <p className="label">
        Your login is <span className="code">{invitation.login}</span>. Enter this secret in your authenticator app, or{" "}
        <a className="link" href={invitation.uri}>
          open the app
        </a>
        :
      </p>
      <p className="code secret">{invitation.secret}</p>
      <Field
        label="Code from the app"
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <Field
        label="Choose a password"
        type="password"
        autoComplete="new-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      {wrong !== null && (
        <>
          <Notice wrong>{wrong}</Notice>
          <p className="note soft">
            Each opening of the link replaces the secret. If you’re sure about your code, reload this page to see
            whether someone else opened it.
          </p>
        </>
      )}
      <Button type="submit" look="main" off={busy}>
        Accept invitation
      </Button>
    </form>
  );
}

function RecoveryCodes({ login, codes }: { readonly login: string; readonly codes: readonly string[] }) {
  return (
    <Door title="Save your recovery codes">
      <p className="label">Each code logs you in once without your authenticator app. We won’t show them again.</p>
      <ul className="recovery code">
        {codes.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
      <a className="button main" href="#/">
        Log in as {login}
      </a>
    </Door>
  );
}
