import { Button, Notice } from "@fairtick/ui";
import { type ReactNode, useCallback, useState } from "react";
import { useRefresh } from "../data/queries.ts";
import { useDeskFocus } from "./focus.ts";
import { count, instant } from "./format.ts";
import { LostDecision } from "./lost-decision.ts";
import { useRoute } from "./route.ts";
import { WORDS } from "./words.ts";

/** The layout of a screen: queue on the left, case on the right. */
export function Desk({
  title,
  tools,
  children,
  side,
}: {
  readonly title: string;
  readonly tools?: ReactNode;
  readonly children: ReactNode;
  /** The chosen case; undefined while none is chosen. */
  readonly side?: ReactNode;
}) {
  const refresh = useRefresh();
  const [, chosen = ""] = useRoute();
  const [lost, setLost] = useState<{ readonly said: string; readonly of: string } | null>(null);
  const tellLost = useCallback((said: string | null) => setLost(said === null ? null : { said, of: chosen }), [chosen]);
  useDeskFocus();
  return (
    <>
      <main className="queue">
        <header className="office-head">
          <h1 className="heading" tabIndex={-1}>
            {title}
          </h1>
          <div className="tools">
            {tools}
            <Button lowkey onClick={refresh}>
              Refresh
            </Button>
          </div>
        </header>
        {children}
      </main>
      <aside className="case" aria-label="Case" tabIndex={-1}>
        <LostDecision value={tellLost}>
          {lost?.of === chosen && <Notice wrong>{lost.said}</Notice>}
          {side || <p className="case-empty soft">Choose a row to see the details.</p>}
        </LostDecision>
      </aside>
    </>
  );
}

export function CaseHead({ title, state }: { readonly title: ReactNode; readonly state: ReactNode }) {
  return (
    <header className="case-head">
      <h2 className="code">{title}</h2>
      <span className="label">{state}</span>
    </header>
  );
}

/** A row of labeled figures. Numbers are counts and get their separators here. */
export function Ledger({
  figures,
}: {
  readonly figures: readonly (readonly [name: ReactNode, figure: ReactNode, id?: string])[];
}) {
  return (
    <dl className="ledger">
      {figures.map(([name, figure, id]) => (
        <div key={id ?? (typeof name === "string" ? name : undefined)}>
          <dt>{name}</dt>
          <dd>{typeof figure === "number" ? count(figure) : figure}</dd>
        </div>
      ))}
    </dl>
  );
}

export interface Proposed {
  readonly madeBy: { readonly login: string };
  readonly madeAt: number;
  readonly reason: string;
  readonly state: "waiting" | "approved" | "rejected";
  readonly decidedBy: { readonly login: string } | null;
  readonly decidedAt: number | null;
  readonly decisionReason: string | null;
}

interface Decided {
  readonly by: { readonly login: string };
  readonly at: number;
  readonly what: string;
  readonly reason: string | null;
}

/** List items that say who decided a case, and why. */
export function DecidedSteps({ decided }: { readonly decided: readonly Decided[] }) {
  return decided.map(({ by, at, what, reason }) => (
    <li key={at}>
      <span>
        {WORDS.decisions[what] ?? what} by {by.login}
        {reason !== null && <span className="note block">“{reason}”</span>}
      </span>
      <time className="figure">{instant(at)}</time>
    </li>
  ));
}

/** Shows who proposed and who decided, each with their reason. */
export function Steps({ proposal }: { readonly proposal: Proposed }) {
  const { madeBy, madeAt, reason, state, decidedBy, decidedAt, decisionReason } = proposal;
  return (
    <ol className="steps">
      <li>
        <span>
          Proposed by {madeBy.login}
          <span className="note block">“{reason}”</span>
        </span>
        <time className="figure">{instant(madeAt)}</time>
      </li>
      {decidedBy !== null && (
        <li>
          <span>
            {WORDS.states[state]} by {decidedBy.login}
            <span className="note block">“{decisionReason}”</span>
          </span>
          <time className="figure">{instant(decidedAt)}</time>
        </li>
      )}
    </ol>
  );
}
