export {
  countUnreadSupport,
  eachSaid,
  listMessages,
  type MessagePage,
  readSupportMessage,
  readThread,
} from "./read-thread.ts";
export { readAsMember, readByClientId, sayToSupport } from "./say-to-support.ts";
export { supportRoutes } from "./support-routes.ts";
export { presentMessage as presentSupportMessage } from "./support-rows.ts";
