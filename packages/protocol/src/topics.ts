/** What both ends of the stream share. It has no schemas, so that the app doesn't have to load any. */

/** Code with which the server closes a socket whose session has ended. */
export const SESSION_OVER = 4401;
/** Longest frame in bytes that a client may send. */
export const CLIENT_FRAME_BYTES_MAX = 8_192;

export const NAMED_TOPICS = [
  "instruments",
  "announcements",
  "orders",
  "account",
  "deposits",
  "withdrawals",
  "identity",
  "messages",
  "support",
  "alerts",
] as const;
/** A topic: `tick:EURUSD` for one instrument, `tick:*` for all, or one of the named topics. */
export type Topic = (typeof NAMED_TOPICS)[number] | `tick:${string}`;

/** Returns whether a topic needs no login. */
export function isPublicTopic(name: Topic): boolean {
  return name.startsWith("tick:") || name === "instruments" || name === "announcements";
}
