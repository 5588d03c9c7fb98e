import type { DepositCase } from "@fairtick/protocol/operator";
import { Notice } from "@fairtick/ui";
import { Ledger } from "../shared/Case.tsx";
import { instant, money } from "../shared/format.ts";
import { WORDS } from "../shared/words.ts";

/** A card payment in review waits for a second person, not for a statement. */
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

/** Credited transfers that a claim without a hash might mean. */
export function CouldBe({ deposit: { couldBe } }: { readonly deposit: DepositCase }) {
  if (couldBe.length === 0) return null;
  return (
    <Notice>
      Credited already in the very quantity:{" "}
      {couldBe.map(({ depositNo, createdAt }, place) => (
        <span key={depositNo}>
          {place > 0 && ", "}
          <To depositNo={depositNo}>{depositNo}</To> of {instant(createdAt)}
        </span>
      ))}
      . Without a hash nobody but you can tell whether the claim means one of them.
    </Notice>
  );
}

/** Other card payments of the same member: the same one might be told of twice. */
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
