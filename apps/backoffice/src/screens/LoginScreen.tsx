import { type Output, sessionLogin } from "@fairtick/protocol/operator";
import { Button, Field, Notice } from "@fairtick/ui";
import { useState } from "react";
import { callOperator } from "../data/call.ts";
import { useAsking } from "../shared/use-asking.ts";
import { WORDS } from "../shared/words.ts";
import { Door } from "./Door.tsx";
import { SecondFactor } from "./SecondFactor.tsx";

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
