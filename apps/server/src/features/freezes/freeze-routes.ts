import { authFreeze, userFreezeWithdrawals, userLiftFreeze } from "@fairtick/protocol";
import { type Route, route } from "../../platform/http/index.ts";
import type { SessionContext } from "../sessions/index.ts";
import { freezeByLink, freezeOwn } from "./freeze-withdrawals.ts";
import { liftOwnFreeze } from "./lift-freeze.ts";

/** Routes by which members freeze their withdrawals and lift the freeze. */
export function freezeRoutes(context: SessionContext): Route[] {
  return [
    route(authFreeze, ({ input, now }) => freezeByLink(context, input.token, now)),
    route(userFreezeWithdrawals, ({ session }) => freezeOwn(context, session.memberId)),
    route(userLiftFreeze, ({ input, session, now }) => liftOwnFreeze(context, input, { ...session, now })),
  ];
}
