import { userBalances, userFigures } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";
import { type Route, route } from "../../platform/http/index.ts";
import { readBalances } from "./read-balances.ts";
import { readFigures } from "./read-figures.ts";

/** Routes for a member's own results. */
export function figureRoutes(context: Context): Route[] {
  return [
    route(userFigures, ({ input, session, now }) => readFigures(context, session.memberId, input.wallet, now)),
    route(userBalances, ({ input, session, now }) => readBalances(context, session.memberId, input.wallet, now)),
  ];
}
