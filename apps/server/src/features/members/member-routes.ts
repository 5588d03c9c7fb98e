import { userInfo, userSetLanguage, userSetName, userSetWallet } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";
import { type Route, route } from "../../platform/http/index.ts";
import { memberInfo, readVip } from "./member-info.ts";
import { setLanguage, setName, setWallet } from "./set-profile.ts";

/** Routes about the member's own account. */
export function memberRoutes(context: Context): Route[] {
  return [
    route(userInfo, async ({ session, now }) => {
      const info = await memberInfo(context, session.memberId, now);
      const vip =
        info.identityState === "verified"
          ? await readVip(context.databases.sessions, session.memberId, context.config.supportHours)
          : null;
      return vip === null ? info : { ...info, vip };
    }),
    route(userSetWallet, ({ input, session }) => setWallet(context, session.memberId, input.wallet)),
    route(userSetLanguage, ({ input, session }) => setLanguage(context, session.memberId, input.lang)),
    route(userSetName, ({ input, session }) => setName(context, session.memberId, input.username)),
  ];
}
