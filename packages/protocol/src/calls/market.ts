import * as v from "valibot";
import { defineCall } from "../member-call.ts";
import * as f from "../fields.ts";
import * as s from "../shapes.ts";

/** Refuses a span that ends before it starts. */
function spanIsForward({ from, to }: { from?: bigint | undefined; to?: bigint | undefined }) {
  return from !== undefined && to !== undefined && to < from ? ({ to: "FIELD_INVALID" } as const) : undefined;
}

export const marketInstruments = defineCall({
  path: "market/instruments",
  access: "public",
  summary: "Lists all instruments with terms, price and today's change.",
  input: v.object({}),
  output: v.array(s.instrument),
  idempotent: true,
  compressed: true,
  limit: "read",
});

export const marketCandles = defineCall({
  path: "market/candles",
  access: "public",
  summary: "Lists candles of one instrument, oldest first: the newest `limit` of the period.",
  input: v.object({
    symbol: f.symbol,
    interval: f.interval,
    from: v.optional(f.instant),
    to: v.optional(f.instant),
    limit: v.optional(f.candlesLimit),
  }),
  rules: spanIsForward,
  output: v.array(s.candle),
  idempotent: true,
  compressed: true,
  limit: "read",
});

export const marketTicks = defineCall({
  path: "market/ticks",
  access: "public",
  summary: "Lists ticks of one instrument, oldest first.",
  input: v.object({ symbol: f.symbol, from: f.instant, to: f.instant, limit: v.optional(f.ticksLimit) }),
  rules: spanIsForward,
  output: v.array(s.tickRow),
  idempotent: true,
  compressed: true,
  limit: "read",
});

export const marketFavourites = defineCall({
  path: "market/favourites",
  access: "member",
  summary: "Lists the member's favorite symbols.",
  input: v.object({}),
  output: v.array(s.text),
  idempotent: true,
  limit: "read",
});

export const marketSetFavourite = defineCall({
  path: "market/setFavourite",
  access: "member",
  summary: "Marks or unmarks a favorite instrument. The answer lists all favorites.",
  input: v.object({ symbol: f.symbol, on: f.flag }),
  output: v.array(s.text),
  idempotent: true,
  limit: "write",
});
