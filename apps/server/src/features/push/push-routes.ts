import { pushKey, pushSubscribe, pushUnsubscribe } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";
import { type Route, route } from "../../platform/http/index.ts";
import { subscribe, unsubscribe } from "./subscriptions.ts";
import { openVapidKeys } from "./vapid-keys.ts";

/** Routes by which a browser subscribes to messages while the app is closed. */
export function pushRoutes(context: Context): Route[] {
  return [
    route(pushKey, () => ({ key: openVapidKeys(context.config.dataDir).publicKey })),
    route(pushSubscribe, ({ input, session, now }) => subscribe(context, session, input, now)),
    route(pushUnsubscribe, ({ input, session }) => unsubscribe(context, session.memberId, input.endpoint)),
  ];
}
