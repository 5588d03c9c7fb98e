import {
  type Output,
  sessionAskPasskey,
  type sessionLogin,
  sessionMe,
  sessionVerifySecondFactor,
} from "@fairtick/protocol/operator";
import { Button, Field, Notice } from "@fairtick/ui";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { callOperator, CallFailure } from "../data/call.ts";
import { signWithPasskey } from "../data/passkey.ts";
import { useAsking } from "../shared/use-asking.ts";
import { WORDS } from "../shared/words.ts";

/** Asks for the second factor: a passkey, a code from the authenticator app, or a recovery code. */
export function SecondFactor({
  passed,
  onBack,
}: {
  readonly passed: Output<typeof sessionLogin>;
  readonly onBack: () => void;
}) {
  const queries = useQueryClient();
  const [code, setCode] = useState("");
  const { wrong, busy, run, ask } = useAsking();
  const enter = () => queries.invalidateQueries({ queryKey: [sessionMe.path] });
  const byPasskey = async () => {
    const passkey = await signWithPasskey(await callOperator(sessionAskPasskey, {}));
    try {
      await callOperator(sessionVerifySecondFactor, { passkey });
    } catch (failure) {
      const refused = failure instanceof CallFailure && failure.error === "BAD_CODE";
      throw refused ? new Error("This passkey wasn’t accepted. Try again or use a code.") : failure;
    }
    await enter();
  };
  const byCode = ask(async () => {
    await callOperator(sessionVerifySecondFactor, { code: code.trim() });
    await enter();
  });
  const hasApp = passed.means.includes("totp");
  return (
    <>
      {passed.means.includes("passkey") && (
        <div className="door-choice">
          {passed.passkeyOrigin === location.origin ? (
            <Button look="main" off={busy} onClick={() => void run(byPasskey)}>
              Use a passkey
            </Button>
          ) : (
            <PasskeyPlace origin={passed.passkeyOrigin} />
          )}
        </div>
      )}
      <form onSubmit={(event) => void byCode(event)}>
        <Field
          label={hasApp ? "Code from your authenticator app" : "Recovery code"}
          hint={hasApp && "Or one of your recovery codes."}
          autoComplete="one-time-code"
          inputMode={hasApp ? "numeric" : "text"}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the only field of a step that one has just asked for
          autoFocus
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        {wrong !== null && <Notice wrong>{wrong}</Notice>}
        <Button type="submit" look={passed.means.includes("passkey") ? "edge" : "main"} off={busy}>
          Log in
        </Button>
        <Button onClick={onBack}>Back</Button>
      </form>
    </>
  );
}

/** Passkeys work on one host name only. Says which, when the console was opened at another address. */
export function PasskeyPlace({ origin }: { readonly origin: string | null }) {
  if (origin === null) return <Notice>{WORDS.noPasskeys}</Notice>;
  return (
    <Notice>
      To use passkeys, open the console at{" "}
      <a className="link" href={origin}>
        {origin}
      </a>
      .
    </Notice>
  );
}
