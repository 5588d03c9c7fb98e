import { type Output, sessionEnrol, sessionInvitation, sessionLogin } from "@fairtick/protocol/operator";
import { Button, Field, Notice } from "@fairtick/ui";
import { useState, type ReactNode } from "react";
import { callOperator } from "../data/call.ts";
import { useRead } from "../data/queries.ts";
import { useAsking } from "../shared/use-asking.ts";
import { WORDS } from "../shared/words.ts";
import { SecondFactor } from "./SecondFactor.tsx";

function Door({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <main className="door">
      <h1 className="heading">{title}</h1>
      {children}
    </main>
  );
}

/** The login: password first, then the second factor. */
export function LoginScreen() {
  const [passed, setPassed] = useState<Output<typeof sessionLogin> | null>(null);
  const [login, setLogin] = useState("");
  const [password, setPassword] = useState("");
  const { wrong, busy, ask } = useAsking();

  if (passed !== null) {
    return (
      <Door title="Second factor">
        <SecondFactor passed={passed} onBack={() => setPassed(null)} />
      </Door>
    );
  }
  const submit = ask(async () => {
    setPassed(await callOperator(sessionLogin, { login: login.trim().toLowerCase(), password }));
  });
  return (
    <Door title={WORDS.office}>
      <form onSubmit={(event) => void submit(event)}>
        <Field
          label="Login"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          value={login}
          onChange={(event) => setLogin(event.currentTarget.value)}
        />
        <Field
          label="Password"
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {wrong !== null && <Notice wrong>{wrong}</Notice>}
        <Button type="submit" look="main" off={busy}>
          Continue
        </Button>
      </form>
    </Door>
  );
}

/** Accepts an invitation: authenticator app, password, recovery codes. */
export function InvitationScreen({ token }: { readonly token: string }) {
  const { data, error } = useRead(sessionInvitation, { token });
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const { wrong, busy, ask } = useAsking();
  if (error)
    return <Door title="Invitation">This invitation has expired or was used. Ask an admin for a new one.</Door>;
  if (!data) return <Door title="Invitation">{WORDS.reading}</Door>;
  if (codes !== null) return <RecoveryCodes login={data.login} codes={codes} />;
  const submit = ask(async () => {
    const enrolled = await callOperator(sessionEnrol, { token, password, code: code.trim() });
    setCodes(enrolled.recoveryCodes);
  });
  return (
    <Door title={`Welcome, ${data.name}`}>
      <form onSubmit={(event) => void submit(event)}>
        <p className="label">
          Your login is <span className="code">{data.login}</span>. Enter this secret in your authenticator app, or{" "}
          <a className="link" href={data.uri}>
            open the app
          </a>
          :
        </p>
        <p className="code secret">{data.secret}</p>
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
        {wrong !== null && <Notice wrong>{wrong}</Notice>}
        <Button type="submit" look="main" off={busy}>
          Accept invitation
        </Button>
      </form>
    </Door>
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
