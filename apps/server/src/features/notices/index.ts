export { eachMessage } from "./each-message.ts";
export { countUnreadNotices } from "./mark-read.ts";
export { messageWords } from "./notice-rows.ts";
export { noticeRoutes } from "./notice-routes.ts";
export { type FreshNotice, readFreshNotices, readGoneAnnouncements } from "./read-fresh-notices.ts";
export { readMessageTitles } from "./read-message-titles.ts";
export { type MessageKey, type MessageParams, tellMember } from "./tell-member.ts";
