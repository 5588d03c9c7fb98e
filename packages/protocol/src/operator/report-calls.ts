/** The house's reports, computed from the tables. */
import * as v from "valibot";
import { fairness } from "../fairness.ts";
import * as s from "../shapes.ts";
import { defineOperatorCall } from "./operator-call.ts";

export const reportFairness = defineOperatorCall({
  path: "report/fairness",
  summary: "Returns the public figures about all orders of the last 30 days.",
  input: v.object({}),
  output: fairness,
  limit: "read",
});

export const reportLiabilities = defineOperatorCall({
  path: "report/liabilities",
  summary: "Returns what was owed to real wallets each day, as published, and what covers it now.",
  input: v.object({}),
  output: v.object({
    /** Total of members' balances at this moment. */
    owedNow: s.money,
    /** Newest first. `loggedAt` is the index of its entry in the public log, null until it has one. */
    days: v.array(
      v.object({
        day: s.text,
        at: s.time,
        members: s.count,
        sum: s.money,
        root: s.text,
        loggedAt: v.nullable(s.count),
      }),
    ),
    /** The house's accounts of the real wallet with six places, since clearing accounts hold parts of a cent. */
    house: v.array(v.object({ account: s.text, balance: s.usdtText })),
    /** What its paying wallets held when their chain was last read. */
    chains: v.array(v.object({ chain: s.text, address: s.text, tokens: s.usdtText, seenAt: s.time })),
  }),
  limit: "read",
});
