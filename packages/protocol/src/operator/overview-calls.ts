/** The console's first screen: counts and figures of the house at this moment. */
import * as v from "valibot";
import * as s from "../shapes.ts";
import { defineOperatorCall } from "./operator-call.ts";

const queue = v.object({
  queue: v.picklist(["withdrawals", "deposits", "identities", "inbox", "approvals"]),
  open: s.count,
  /** When the waiting cases began to wait, oldest first; at most 30. */
  since: v.array(s.time),
  /** For `approvals`, which has one queue per kind of proposal: the kind. Null for other queues, and if none waits. */
  kind: v.nullable(s.text),
});

const alarms = v.object({
  /** Whether new orders are accepted. */
  accepting: v.boolean(),
  /** Parts that don't work now, as reported by `/health/ready`. */
  degraded: v.array(v.object({ part: s.text, since: s.time, cause: s.text })),
  /** Number of open incidents; `incidents` has the newest five. */
  open: s.count,
  incidents: v.array(
    v.object({
      incidentId: s.text,
      kind: s.text,
      openedAt: s.time,
      holds: v.array(v.picklist(["withdrawals", "wallet"])),
    }),
  ),
});

const exposure = v.object({
  /** Profit that running orders of real wallets would make if all won. Up and down aren't netted. */
  total: s.money,
  totalMax: s.money,
  /** `sealed`: orders whose direction nobody knows yet. */
  instruments: v.array(
    v.object({ symbol: s.text, name: s.text, up: s.money, down: s.money, sealed: s.money, max: s.money }),
  ),
});

const result = v.object({
  orders: s.count,
  /** The house's result from real wallets since 00:00 UTC: stakes lost − profits paid + fees. */
  actual: s.money,
  /** The expected result at even odds, and the interval that contains 99.9 % of such sets of orders. */
  expected: s.money,
  from: s.money,
  to: s.money,
});

export const overviewRead = defineOperatorCall({
  path: "overview/read",
  summary:
    "Returns what waits for people, alarms, and the house's current figures. Blocks that the operator may not read are null.",
  input: v.object({}),
  output: v.object({
    at: s.time,
    queues: v.array(queue),
    alarms: v.nullable(alarms),
    exposure: v.nullable(exposure),
    result: v.nullable(result),
    /** The five that have waited longest. */
    withdrawals: v.nullable(
      v.array(
        v.object({
          withdrawNo: s.text,
          amount: s.money,
          createdAt: s.time,
          approvals: s.count,
          approvalsNeeded: s.count,
        }),
      ),
    ),
    /** `lastAt`: time of the newest price; null before the first one. */
    prices: v.array(v.object({ symbol: s.text, name: s.text, isOpen: v.boolean(), lastAt: v.nullable(s.time) })),
    /** The published log; null before its first checkpoint. `required` is how many witnesses must cosign. */
    log: v.nullable(
      v.object({
        size: s.count,
        coversAt: s.time,
        required: s.count,
        witnesses: v.array(v.object({ name: s.text, size: v.nullable(s.count), at: v.nullable(s.time) })),
      }),
    ),
    /** Null if this server doesn't check the ledger itself, or hasn't yet. */
    ledger: v.nullable(v.object({ checkedAt: s.time, broken: v.array(s.text) })),
  }),
  limit: "read",
  unrecorded: true,
});
