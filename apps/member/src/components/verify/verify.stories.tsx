import type { Stories } from "@fairtick/ui/story.ts";
import { useVerification, type Verification } from "../../data/proof/verification.ts";
import type { Verdict } from "../../data/proof/verify-order.ts";
import { ORDER, WithAnswers } from "../story-data.tsx";
import { SealCard } from "./SealCard.tsx";
import { SealMark } from "./SealMark.tsx";
import { Sentences } from "./Sentences.tsx";
import { StateIcon } from "./StateIcon.tsx";
import { SealOrder, VerifyOrder } from "./VerifyOrder.tsx";
import { ShareProof } from "./ShareProof.tsx";
import { VerifyMore } from "./VerifyMore.tsx";
import { VerifyPanel } from "./VerifyPanel.tsx";

function found(state: Verdict["state"]): Verification {
  const check = { id: "outcome", state: state === "failed" ? "failed" : "ok", values: { outcome: "won" } } as const;
  const verdict = { state, checks: [check], logSize: 812, logRoot: "5f1c 09ab 77e2 d340", witnesses: [], seen: null };
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

function Card({ state }: { readonly state: Verdict["state"] }) {
  return (
    <WithAnswers answers={[[["member", "verified", ORDER.orderNo], found(state)]]}>
      <SealCard order={ORDER} decimals={6} name="EUR/USD" draws={false} />
    </WithAnswers>
  );
}

function More() {
  return <VerifyMore order={ORDER} query={useVerification(ORDER, 6)} />;
}

export const stories = {
  VerifyMore: {
    "all is right": () => (
      <WithAnswers answers={[[["member", "verified", ORDER.orderNo], found("ok")]]}>
        <More />
      </WithAnswers>
    ),
  },
  SealCard: {
    "in the log": () => <Card state="ok" />,
    "not verified": () => <Card state="failed" />,
    "could not be checked": () => <Card state="unchecked" />,
    "being verified": () => <Card state="pending" />,
  },
  SealMark: {
    each: () => (
      <>
        {(["empty", "sealed", "failed", "open"] as const).map((state) => (
          <SealMark key={state} state={state} />
        ))}
      </>
    ),
    "being drawn": () => <SealMark state="sealed" draws />,
  },
  SealOrder: {
    "in the log": () => (
      <WithAnswers answers={[[["member", "verified", ORDER.orderNo], found("ok")]]}>
        <SealOrder order={ORDER} decimals={6} name="EUR/USD" draws={false} />
      </WithAnswers>
    ),
  },
  VerifyPanel: {
    "all is right": () => <Line state="ok" />,
    "something is wrong": () => <Line state="failed" />,
    "could not be checked": () => <Line state="unchecked" />,
  },
  Sentences: {
    "a sealed order, one thing wrong": () => (
      <Sentences
        sealed
        checks={[
          { id: "signature", state: "ok", values: { key: "accept.example" } },
          { id: "entry", state: "failed", why: "another tick is the right one", values: {} },
          { id: "replay", state: "pending", values: {} },
        ]}
      />
    ),
    "an order in the open": () => <Sentences sealed={false} checks={[{ id: "signature", state: "ok", values: {} }]} />,
  },
  ShareProof: {
    "not in the log yet": () => <ShareProof order={ORDER} found={found("pending")} />,
  },
  StateIcon: {
    each: () => (
      <>
        {(["ok", "failed", "pending", "unchecked", "checking"] as const).map((state) => (
          <StateIcon key={state} state={state} />
        ))}
      </>
    ),
  },
  VerifyOrder: {
    "all is right": () => (
      <WithAnswers answers={[[["member", "verified", ORDER.orderNo], found("ok")]]}>
        <VerifyOrder order={ORDER} decimals={6} />
      </WithAnswers>
    ),
  },
} satisfies Stories;
