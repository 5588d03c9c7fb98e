import { userClose, userWithdrawConsent } from "@fairtick/protocol";
import { type Route, route } from "../../platform/http/index.ts";
import type { SessionContext } from "../sessions/index.ts";
import { closeAccount } from "./close-account.ts";

/** Calls by which a member leaves. */
export function closingRoutes(context: SessionContext): Route[] {
  return [
    route(userClose, ({ input, session, now }) =>
      closeAccount(context, { ...input, reason: "member" }, { ...session, now }),
    ),
    route(userWithdrawConsent, ({ input, session, now }) =>
      closeAccount(context, { ...input, reason: "consent" }, { ...session, now }),
    ),
  ];
}
