import { inviteInfo, inviteList } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";
import { type Route, route } from "../../platform/http/index.ts";
import { listInvited, readInvite } from "./read-invites.ts";

/** Routes for a member's invitation and the people they invited. */
export function inviteRoutes(context: Context): Route[] {
  return [
    route(inviteInfo, ({ session, now }) => readInvite(context, session.memberId, now)),
    route(inviteList, ({ input, session }) => listInvited(context, session.memberId, input)),
  ];
}
