import { userInfo, userSetLanguage, userSetName, userSetWallet } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";
import { type Route, route } from "../../platform/http/index.ts";
import { memberInfo } from "./member-info.ts";
import { setLanguage, setName, setWallet } from "./set-profile.ts";

/** Calls about who a member is. */
export function memberRoutes(context: Context): Route[] {
  return [
    route(userInfo, ({ session, now }) => memberInfo(context, session.memberId, now)),
    route(userSetWallet, ({ input, session }) => setWallet(context, session.memberId, input.wallet)),
    route(userSetLanguage, ({ input, session }) => setLanguage(context, session.memberId, input.lang)),
    route(userSetName, ({ input, session }) => setName(context, session.memberId, input.username)),
  ];
}
