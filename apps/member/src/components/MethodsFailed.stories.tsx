import type { Stories } from "@fairtick/ui/story.ts";
import { CallError } from "../data/transport.ts";
import { IdentityFirst } from "./IdentityFirst.tsx";
import { MethodsFailed } from "./MethodsFailed.tsx";
import { PracticeOnly } from "./PracticeOnly.tsx";

function Refused({ error }: { readonly error: "SUSPENDED" | "IDENTITY_REQUIRED" }) {
  const msg = "Your account is suspended.";
  const failure = { kind: "refused", code: 403, msg, error, fields: {}, params: {} } as const;
  const refusal = new CallError("refused", msg, 403, failure);
  return <MethodsFailed error={refusal} failed="" onRetry={() => undefined} />;
}

export const stories = {
  MethodsFailed: {
    "the call failed": () => (
      <MethodsFailed
        error={new Error("no answer")}
        failed="We couldn't load the deposit methods."
        onRetry={() => undefined}
      />
    ),
    "a rule refuses": () => <Refused error="SUSPENDED" />,
    "an identity is wanted": () => <Refused error="IDENTITY_REQUIRED" />,
  },
  IdentityFirst: { wanted: () => <IdentityFirst /> },
  PracticeOnly: { "on its way": () => <PracticeOnly /> },
} satisfies Stories;
