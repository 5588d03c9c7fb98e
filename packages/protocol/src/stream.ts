/** Messages of `GET {base}/client/stream`. */
import * as v from "valibot";
import * as s from "./shapes.ts";
import { NAMED_TOPICS } from "./topics.ts";

/** A topic: `tick:EURUSD` for one instrument, `tick:*` for all, or one of the named topics. */
export const topic = v.union([
  v.picklist(NAMED_TOPICS),
  v.pipe(
    v.string(),
    v.maxLength(21),
    v.regex(/^tick:(?:\*|[A-Z0-9]{3,16})$/),
    v.custom<`tick:${string}`>((value) => typeof value === "string"),
  ),
]);
const topics = v.pipe(v.array(topic), v.minLength(1), v.maxLength(64));

/** Messages that a client sends. */
export const clientMessage = v.variant("op", [
  v.object({ op: v.literal("auth"), token: v.pipe(v.string(), v.maxLength(128)) }),
  // `lang` is the language of texts sent from now on, as in the header of the same name.
  v.object({ op: v.literal("subscribe"), topics, lang: v.optional(v.pipe(v.string(), v.maxLength(16))) }),
  v.object({ op: v.literal("unsubscribe"), topics }),
  v.object({ op: v.literal("ping") }),
]);
export type ClientMessage = v.InferOutput<typeof clientMessage>;

/** `[symbol, seq, time, price]` */
export const tickEntry = v.tuple([s.text, s.count, s.time, s.priceText]);
export type TickEntry = v.InferOutput<typeof tickEntry>;

/** Head of a tick slot: its number, its hash and, if there is a public log, its signature. */
export const slotHead = v.object({ k: s.count, hash: s.text, signature: v.nullable(s.text), key: v.optional(s.text) });

/** Messages that the server sends. */
export const streamMessage = v.variant("t", [
  v.object({ t: v.literal("ok"), op: s.text, now: s.time }),
  v.object({ t: v.literal("ticks"), now: s.time, d: v.array(tickEntry), head: v.optional(slotHead) }),
  v.object({ t: v.literal("order"), d: s.order }),
  v.object({ t: v.literal("account"), d: s.summary }),
  v.object({ t: v.literal("instrument"), d: s.instrument }),
  v.object({ t: v.literal("deposit"), d: s.deposit }),
  v.object({ t: v.literal("withdrawal"), d: s.withdrawal }),
  v.object({ t: v.literal("identity"), d: s.identity }),
  v.object({ t: v.literal("announcement"), d: s.notice }),
  /** Tells that an announcement was withdrawn or has ended. */
  v.object({ t: v.literal("announcementGone"), noticeId: s.text }),
  v.object({ t: v.literal("message"), d: s.notice }),
  v.object({ t: v.literal("support"), d: s.supportMessage }),
  /** Tells that customer service is typing. */
  v.object({ t: v.literal("supportTyping") }),
  /** Tells that the side given by `from` has read everything so far. */
  v.object({ t: v.literal("supportRead"), from: v.picklist(["member", "operator"]) }),
  v.object({ t: v.literal("alert"), d: s.alert }),
  v.object({ t: v.literal("error"), error: s.errorName }),
]);
export type StreamMessage = v.InferOutput<typeof streamMessage>;
