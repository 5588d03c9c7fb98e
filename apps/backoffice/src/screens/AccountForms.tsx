import {
  sessionRegisterPasskey,
  sessionRegisterTotp,
  sessionStartPasskey,
  sessionStartTotp,
} from "@fairtick/protocol/operator";
import { Button, Field, Notice } from "@fairtick/ui";
import { useState } from "react";
import { callOperator } from "../data/call.ts";
import { makePasskey } from "../data/passkey.ts";
import { useAct } from "../data/queries.ts";
import { CaseHead } from "../shared/Case.tsx";
import { choose } from "../shared/route.ts";
import { fits, lengthNote } from "../shared/text-length.ts";
import { useAsking } from "../shared/use-asking.ts";
import { PasskeyPlace } from "./SecondFactor.tsx";

const PASSWORD_LABEL = "Your password";
const NAME_MAX = 40;

/** Asks for the password before a second factor changes, so that an unattended console can't be taken over. */
export function PasswordForm({
  label,
  act,
}: {
  readonly label: string;
  readonly act: (password: string) => Promise<unknown>;
}) {
  const [password, setPassword] = useState("");
  const { wrong, busy, ask } = useAsking();
  const submit = ask(() => act(password));
  return (
    <form className="form" onSubmit={(event) => void submit(event)}>
      <Field
        label={PASSWORD_LABEL}
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      {wrong !== null && <Notice wrong>{wrong}</Notice>}
      <Button lowkey type="submit" off={busy || password === ""}>
        {label}
      </Button>
    </form>
  );
}

/** Adds a passkey: name and password first, then the browser asks for the authenticator. */
export function AddPasskey({ origin }: { readonly origin: string | null }) {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const register = useAct(sessionRegisterPasskey);
  const { wrong, busy, ask } = useAsking();
  const submit = ask(async () => {
    const wish = await callOperator(sessionStartPasskey, { password });
    const passkey = await makePasskey(wish);
    const made = await register.mutateAsync({ name: name.trim(), passkey });
    choose("account", made.passkeyId);
  });
  return (
    <>
      <CaseHead title="New passkey" state="Second factor" />
      {origin === location.origin ? (
        <form className="form" onSubmit={(event) => void submit(event)}>
          <Field
            label="Name"
            hint="To recognize it later, such as Desk key or Phone."
            {...lengthNote(name.trim(), NAME_MAX)}
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Field
            label={PASSWORD_LABEL}
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          {wrong !== null && <Notice wrong>{wrong}</Notice>}
          <Button
            lowkey
            look="main"
            type="submit"
            off={busy || name.trim() === "" || !fits(name.trim(), NAME_MAX) || password === ""}
          >
            Create passkey
          </Button>
          <p className="note soft">Your browser will ask for a security key or your screen lock.</p>
        </form>
      ) : (
        <PasskeyPlace origin={origin} />
      )}
    </>
  );
}

/** Sets up an authenticator app: password, secret, first code. */
export function SetUpTotp({ replaces }: { readonly replaces: boolean }) {
  const [begun, setBegun] = useState<{ readonly secret: string; readonly uri: string } | null>(null);
  const [code, setCode] = useState("");
  const register = useAct(sessionRegisterTotp);
  const { wrong, busy, ask } = useAsking();
  const submit = ask(async () => {
    await register.mutateAsync({ code: code.trim() });
    choose("account", "totp");
  });
  return (
    <>
      <CaseHead title="Authenticator app" state="Second factor" />
      {begun === null ? (
        <>
          {replaces && <Notice>Your current app works until you enter the first code from the new one.</Notice>}
          <PasswordForm
            label="Show secret"
            act={async (password) => setBegun(await callOperator(sessionStartTotp, { password }))}
          />
        </>
      ) : (
        <form className="form" onSubmit={(event) => void submit(event)}>
          <p className="label">
            Enter this secret in your authenticator app, or{" "}
            <a className="link" href={begun.uri}>
              open the app
            </a>
            :
          </p>
          <p className="code secret">{begun.secret}</p>
          <Field
            label="Code from the app"
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          {wrong !== null && <Notice wrong>{wrong}</Notice>}
          <Button lowkey look="main" type="submit" off={busy || code.trim() === ""}>
            Use this app
          </Button>
        </form>
      )}
    </>
  );
}
