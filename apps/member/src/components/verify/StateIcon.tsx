import { IconCheck, IconClock, IconInfo, IconWarning } from "@fairtick/ui";
import type { Verdict } from "../../data/proof/verify-order.ts";

export type ShownState = Verdict["state"] | "checking";

/** A check's or a verdict's state as a sign. */
export function StateIcon({ state }: { readonly state: ShownState }) {
  const icon = {
    ok: <IconCheck />,
    failed: <IconWarning />,
    pending: <IconClock />,
    checking: <IconClock />,
    unchecked: <IconInfo />,
  }[state];
  return <span className={`verify-icon ${state}`}>{icon}</span>;
}
