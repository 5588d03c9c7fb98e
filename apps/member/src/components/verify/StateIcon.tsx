import { IconCheck, IconClock, IconInfo, IconWarning } from "@fairtick/ui";
import type { Verdict } from "../../data/proof/verify-order.ts";

export type ShownState = Verdict["state"] | "checking";

/** The icon for the state of a check or verdict. */
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
