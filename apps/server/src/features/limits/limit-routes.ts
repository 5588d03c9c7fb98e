import { userLimits, userSelfExclude, userSetLimits } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";
import { type Route, route } from "../../platform/http/index.ts";
import { excludeSelf, readLimits, setLimits } from "./limits.ts";

/** Routes for the limits that members set for themselves. */
export function limitRoutes(context: Context): Route[] {
  return [
    route(userLimits, ({ session, now }) => readLimits(context.databases.sessions, session.memberId, now)),
    route(userSetLimits, ({ input, session, now }) => setLimits(context, session.memberId, input, now)),
    route(userSelfExclude, ({ input, session, now }) => excludeSelf(context, session.memberId, input.until, now)),
  ];
}
