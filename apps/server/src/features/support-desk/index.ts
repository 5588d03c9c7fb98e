export { addSupportEvents } from "./console-events.ts";
export { supportDeskRoutes } from "./support-desk-routes.ts";
export { readWaitingChats } from "./inbox.ts";
