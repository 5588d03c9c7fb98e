import { userFigures } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";
import { type Route, route } from "../../platform/http/index.ts";
import { readFigures } from "./read-figures.ts";

/** The call about a member's own results. */
export function figureRoutes(context: Context): Route[] {
  return [route(userFigures, ({ input, session, now }) => readFigures(context, session.memberId, input.wallet, now))];
}
