import type { DepositCase } from "@fairtick/protocol/operator";
import { Notice } from "@fairtick/ui";
import { Ledger } from "../shared/Case.tsx";
import { instant, money } from "../shared/format.ts";
import { WORDS } from "../shared/words.ts";

/** Returns the name of a stage. A card payment in review waits for a second person, not for a statement. */
export function stageName({ method, stage }: { readonly method: string; readonly stage: string }): string {
  return method === "card" && stage === "in_review" ? "Second person" : (WORDS.depositStages[stage] ?? stage);
}

function To({ depositNo, children }: { readonly depositNo: string; readonly children: string }) {
  return (
    <a className="link" href={`#/deposits/${depositNo}`}>
      {children}
    </a>
  );
}

/** Lists credited transfers that a claim without a transaction hash could refer to. */
export function CouldBe({ deposit: { couldBe } }: { readonly deposit: DepositCase }) {
  if (couldBe.length === 0) return null;
  return (
    <Notice>
      Already credited with the same amount:{" "}
      {couldBe.map(({ depositNo, createdAt }, place) => (
        <span key={depositNo}>
          {place > 0 && ", "}
          <To depositNo={depositNo}>{depositNo}</To> on {instant(createdAt)}
        </span>
      ))}
      . The claim has no transaction hash: check whether it refers to one of these.
    </Notice>
  );
}

/** Lists the member's other card payments, in case the same one was reported twice. */
export function OtherCards({ deposit: { otherCards } }: { readonly deposit: DepositCase }) {
  if (otherCards.length === 0) return null;
  return (
    <Ledger
      figures={otherCards.map(({ depositNo, reference, amount, stage }) => [
        <To key="to" depositNo={depositNo}>
          {reference ?? depositNo}
        </To>,
        `${money(amount)} · ${stageName({ method: "card", stage })}`,
        depositNo,
      ])}
    />
  );
}
