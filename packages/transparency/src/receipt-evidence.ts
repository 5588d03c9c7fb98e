import type { Hashes, Tick } from "@fairtick/domain";
import { parsePriceLines } from "./acceptance.ts";
import {
  findRules,
  parseConfigTerms,
  type CommittedOrder,
  type ConfigTerms,
  type InstrumentRules,
} from "./committed-order.ts";
import { decideOrder, type Decision } from "./decide-order.ts";
import type { Removal } from "./read-removal.ts";
import { orderOf, type Receipt } from "./receipt.ts";
import type { VerifierPolicy } from "./verifier-policy.ts";

/** A check's result. `values` has the figures for a message in any language; `why` is English, for a report. */
export interface ReceiptCheck {
  readonly id: ReceiptCheckId;
  readonly state: "ok" | "failed" | "pending";
  readonly why?: string;
  /** Name of the failure, if apps have their own message for it. */
  readonly named?: "config-not-logged" | "log-overdue";
  readonly values: Readonly<Record<string, string | number>>;
}

export const RECEIPT_CHECKS = [
  "commitment",
  "device",
  "batch",
  "signature",
  "terms",
  "accepted-in-log",
  "slots",
  "seen",
  "bound-before-entry",
  "heads-in-log",
  "prices-in-log",
  "entry",
  "exit",
  "outcome",
  "payout",
  "settled-in-log",
  "source",
  "replay",
  "quotes",
] as const;
export type ReceiptCheckId = (typeof RECEIPT_CHECKS)[number];

/** A check's result without its id. */
export type Answer = Omit<ReceiptCheck, "id">;
export type Values = ReceiptCheck["values"];

export function ok(values: Values): Answer {
  return { state: "ok", values };
}

export function failed(why: string, values: Values = {}): Answer {
  return { state: "failed", why, values };
}

export function pending(why: string, values: Values = {}): Answer {
  return { state: "pending", why, values };
}

/** Formats a tick for a check's values and for comparison with other ticks. */
export function describeTick(tick: Tick | null): string {
  return tick === null ? "none" : `${tick.seq} @ ${tick.time}: ${tick.price}`;
}

/**
 * The receipt and what follows from its texts alone. The order is decided again from the minutes' `lines` and never
 * taken from `result`, so that each check covers one thing.
 */
export interface Evidence {
  readonly hashes: Hashes;
  readonly policy: VerifierPolicy;
  readonly receipt: Receipt;
  readonly order: CommittedOrder | null;
  readonly config: ConfigTerms | null;
  readonly rules: InstrumentRules | null;
  readonly decision: Decision | null;
  readonly readAt: bigint | null;
  readonly settledAt: bigint | null;
  readonly logAt: bigint | null;
  readonly looksForPrice: boolean;
  readonly removal: Removal | null;
}

/** Facts that the reader knows besides the receipt. All moments are in ms since 1970 UTC. */
export interface Beside {
  /** If the reader saw that the log has no price after those shown: the newest moment of that log. */
  readonly toldThrough?: bigint | null;
  /**
   * When the receipt was read from the log; by default the time of the newest checkpoint among the receipt's proofs.
   */
  readonly readAt?: bigint | null;
  /** When the order was settled, according to the house. */
  readonly settledAt?: bigint | null;
  /** Time of a valid checkpoint. What is still missing from the receipt an hour after it was due by then is a failure. */
  readonly logAt?: bigint | null;
  /** True if the reader searches the log for the price that an order awaits, so checks that need it stay pending. */
  readonly looksForPrice?: boolean;
  /** What the log says about the removal of the order's device; by default the log is not asked. */
  readonly removal?: Removal | null;
}

export function readEvidence(hashes: Hashes, receipt: Receipt, policy: VerifierPolicy, beside: Beside): Evidence {
  const {
    toldThrough = null,
    readAt = null,
    settledAt = null,
    logAt = null,
    looksForPrice = false,
    removal = null,
  } = beside;
  const order = orderOf(receipt);
  const config = parseConfigTerms(receipt.config.body);
  const rules = order === null || config === null ? null : findRules(config, order.symbol);
  const ticks = allTicks(receipt);
  const terms = order === null ? null : { ...order, acceptedAt: receipt.acceptance.acceptedAt };
  const decision =
    terms === null || rules === null || ticks === null
      ? null
      : decideOrder(terms, rules.staleExitMs, ticks, toldThrough);
  return { hashes, policy, receipt, order, config, rules, decision, readAt, settledAt, logAt, looksForPrice, removal };
}

/** Returns all ticks of the receipt; null if a minute's lines are malformed or the minutes are not in order. */
function allTicks(receipt: Receipt): Tick[] | null {
  const all: Tick[] = [];
  for (const { lines } of receipt.minutes) {
    const ticks = parsePriceLines(lines);
    const [first, last] = [ticks?.[0], all.at(-1)];
    if (ticks === null || first === undefined) return null;
    if (last !== undefined && (first.time <= last.time || first.seq <= last.seq)) return null;
    all.push(...ticks);
  }
  return all;
}
