/** What both ends of the stream share, without schemas, so that an app needn't load any. */

/** Close code of a socket whose session is over. */
export const SESSION_OVER = 4401;
/** Longest frame a client may send. */
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
/** `tick:EURUSD`, `tick:*` for all; the others by name. */
export type Topic = (typeof NAMED_TOPICS)[number] | `tick:${string}`;

/** Topics that need no login. */
export function isPublicTopic(name: Topic): boolean {
  return name.startsWith("tick:") || name === "instruments" || name === "announcements";
}
