import { userClose, userWithdrawConsent } from "@fairtick/protocol";
import { type Route, route } from "../../platform/http/index.ts";
import type { SessionContext } from "../sessions/index.ts";
import { closeAccount } from "./close-account.ts";

/** Routes by which members close their account or withdraw their consent. */
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
