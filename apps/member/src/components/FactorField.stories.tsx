import type { Stories } from "@fairtick/ui/story.ts";
import type { FactorAsk } from "../data/second-factor.ts";
import { FactorField } from "./FactorField.tsx";

function Asked({ ask, wrong }: { readonly ask: Partial<FactorAsk>; readonly wrong?: string }) {
  const factor = {
    ask: { hasApp: false, hasRecovery: false, question: null, ...ask },
    code: "",
    wrong,
    setCode: () => undefined,
    send: <Value,>(call: (factor: string | undefined) => Promise<Value>) => call(undefined),
  };
  return <FactorField factor={factor} busy={false} onPasskey={() => undefined} />;
}

const passkey = (rpId: string): FactorAsk["question"] =>
  ({ rpId, challenge: "AAAA", allowCredentials: [] }) as unknown as FactorAsk["question"];

export const stories = {
  FactorField: {
    "the app's code": () => <Asked ask={{ hasApp: true, hasRecovery: true }} />,
    "a recovery code alone, wrong": () => <Asked ask={{ hasRecovery: true }} wrong="Wrong code" />,
    "a passkey": () => <Asked ask={{ question: passkey(location.hostname) }} />,
    "a passkey of another address": () => <Asked ask={{ question: passkey("app.fairtick.example") }} />,
  },
} satisfies Stories;
