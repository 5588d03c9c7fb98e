import type { Stories } from "@fairtick/ui/story.ts";
import type { Verification } from "../../data/proof/verification.ts";
import type { Verdict } from "../../data/proof/verify-order.ts";
import { ORDER, WithAnswers } from "../story-data.tsx";
import { VerifyOrder } from "./VerifyOrder.tsx";
import { VerifyPanel } from "./VerifyPanel.tsx";

function found(state: Verdict["state"]): Verification {
  const check = { id: "outcome", state: state === "failed" ? "failed" : "ok", values: { outcome: "won" } } as const;
  const verdict = { state, checks: [check], logSize: 812, witnesses: [], seen: null };
  return { verdict, keys: { since: null, changed: false } as unknown as Verification["keys"], file: "{}\n" };
}

function Line({ state }: { readonly state: Verdict["state"] }) {
  return (
    <WithAnswers answers={[[["member", "verified", ORDER.orderNo], found(state)]]}>
      <section className="verify">
        <VerifyPanel order={ORDER} decimals={6} />
      </section>
    </WithAnswers>
  );
}

export const stories = {
  VerifyPanel: {
    "all is right": () => <Line state="ok" />,
    "something is wrong": () => <Line state="failed" />,
    "could not be checked": () => <Line state="unchecked" />,
  },
  VerifyOrder: {
    "all is right": () => (
      <WithAnswers answers={[[["member", "verified", ORDER.orderNo], found("ok")]]}>
        <VerifyOrder order={ORDER} decimals={6} />
      </WithAnswers>
    ),
  },
} satisfies Stories;
