import type { Order } from "@fairtick/protocol";
import { IconChevronDown } from "@fairtick/ui";
import { useState } from "react";
import { useVerification } from "../../data/proof/verification.ts";
import { useText } from "../../shared/i18n.ts";
import { StateIcon, type ShownState } from "./StateIcon.tsx";
import { VerifyMore } from "./VerifyMore.tsx";
import { summaryOf } from "./verify-words.ts";

/** The result in one line. Expanded, it shows the six sentences with their checks. */
export function VerifyPanel({ order, decimals }: { readonly order: Order; readonly decimals: number }) {
  const t = useText();
  const [open, setOpen] = useState(false);
  const query = useVerification(order, decimals);
  const found = query.data;
  const state: ShownState = found?.verdict.state ?? (query.isError ? "unchecked" : "checking");
  return (
    <>
      <button
        type="button"
        className={state === "failed" || state === "unchecked" ? "verify-line wrong" : "verify-line"}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        data-testid="verify-line"
        data-state={state}
      >
        <StateIcon state={state} />
        <span className="grow">
          {t("verify.title")}
          {/* Announced only once it is decided, so that interim states don't interrupt the order's result. */}
          <span className="note soft block" aria-live={state === "checking" || state === "pending" ? "off" : "polite"}>
            {summaryOf(t, state, found?.verdict)}
          </span>
        </span>
        <IconChevronDown />
      </button>
      {open && <VerifyMore order={order} query={query} />}
    </>
  );
}
