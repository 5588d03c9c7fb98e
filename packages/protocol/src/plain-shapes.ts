/** The plain parts of wire shapes. */
import * as v from "valibot";
import * as f from "./fields.ts";

/** USD with two places, `"12.50"`; negative where it is a difference. */
export const money = v.pipe(v.string(), v.regex(/^-?[0-9]+\.[0-9]{2}$/));
/** USD of the house's own books, with two to six places: they hold parts of a cent. */
export const exactMoney = v.pipe(v.string(), v.regex(/^-?[0-9]+\.[0-9]{2,6}$/));
/** USDT with six places. */
export const usdtText = v.pipe(v.string(), v.regex(/^-?[0-9]+\.[0-9]{6}$/));
/** With the instrument's places. */
export const priceText = v.pipe(v.string(), v.regex(/^[0-9]+(?:\.[0-9]+)?$/));
/** At most six places; negative where it is a change. */
export const rateText = v.pipe(v.string(), v.regex(/^-?[0-9]+(?:\.[0-9]{1,6})?$/));
/** Milliseconds since 1970 UTC. */
export const time = v.pipe(v.number(), v.integer());
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));
export const text = v.string();

/** A list read piece by piece; `nextCursor` is null on the last. */
export function page<Item extends v.GenericSchema>(item: Item) {
  return v.object({ items: v.array(item), nextCursor: v.nullable(v.string()) });
}
export const pageInput = { cursor: v.optional(f.cursor), limit: v.optional(f.limit) };
/** The answer of calls that say no more than that it is done. */
export const nothing = v.null();
/** Bytes: the envelope is left out. */
export const bytes = v.unknown();
