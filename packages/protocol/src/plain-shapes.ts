/** Elementary schemas from which the wire shapes are built. */
import * as v from "valibot";
import * as f from "./fields.ts";

/** USD with two decimals, such as `"12.50"`; differences may be negative. */
export const money = v.pipe(v.string(), v.regex(/^-?[0-9]+\.[0-9]{2}$/));
/** USD in the house's own books, with two to six decimals because they contain parts of a cent. */
export const exactMoney = v.pipe(v.string(), v.regex(/^-?[0-9]+\.[0-9]{2,6}$/));
/** USDT with six decimals. */
export const usdtText = v.pipe(v.string(), v.regex(/^-?[0-9]+\.[0-9]{6}$/));
/** A price with the instrument's decimals. */
export const priceText = v.pipe(v.string(), v.regex(/^[0-9]+(?:\.[0-9]+)?$/));
/** A rate with at most six decimals; changes may be negative. */
export const rateText = v.pipe(v.string(), v.regex(/^-?[0-9]+(?:\.[0-9]{1,6})?$/));
/** Milliseconds since 1970 UTC. */
export const time = v.pipe(v.number(), v.integer());
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));
export const text = v.string();

/** Makes the schema of a list that is read page by page. `nextCursor` is null on the last page. */
export function page<Item extends v.GenericSchema>(item: Item) {
  return v.object({ items: v.array(item), nextCursor: v.nullable(v.string()) });
}
export const pageInput = { cursor: v.optional(f.cursor), limit: v.optional(f.limit) };
/** The answer of calls that return nothing. */
export const nothing = v.null();
/** The answer of calls that return bytes without the envelope. */
export const bytes = v.unknown();
