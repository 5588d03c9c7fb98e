export { type CaughtMessage, type Inbox, startInbox } from "./inbox.ts";
export { addInboxRoutes } from "./inbox-routes.ts";
export { SEEDED_ACCOUNTS, seedAccounts, type SeededAccount } from "./seed-accounts.ts";
