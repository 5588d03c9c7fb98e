export { type PushPosts, startPush } from "./start-push.ts";
export { openPushAgent } from "./push-agent.ts";
export { pushRoutes } from "./push-routes.ts";
export { openVapidKeys, type VapidKeys } from "./vapid-keys.ts";
