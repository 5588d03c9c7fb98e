export { type CaughtMessage, type Inbox, startInbox } from "./inbox.ts";
export { addInboxRoutes } from "./inbox-routes.ts";
export { openMessenger, type OpenMessenger } from "./open-messenger.ts";
export { SEEDED_ACCOUNTS, seedAccounts, type SeededAccount } from "./seed-accounts.ts";
