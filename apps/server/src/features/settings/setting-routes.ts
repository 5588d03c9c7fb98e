import { userSetSettings, userSettings } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";
import { type Route, route } from "../../platform/http/index.ts";
import { changeSettings, readSettings } from "./settings.ts";

export function settingRoutes(context: Context): Route[] {
  return [
    route(userSettings, ({ session }) => readSettings(context, session.memberId)),
    route(userSetSettings, ({ input, session }) => changeSettings(context, session.memberId, input)),
  ];
}
