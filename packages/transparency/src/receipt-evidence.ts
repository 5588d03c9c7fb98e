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
import { orderOf, type Receipt } from "./receipt.ts";
import type { VerifierPolicy } from "./verifier-policy.ts";

/** A check's result: its figures are texts and numbers for a message in any language. `why`: English, for a report. */
export interface ReceiptCheck {
  readonly id: ReceiptCheckId;
  readonly state: "ok" | "failed" | "pending";
  readonly why?: string;
  /** What went wrong, where apps have words of their own for it. */
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

/** A check's answer before it has its name. */
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

/** Fields as the tests of equality and the values show them. */
export function describeTick(tick: Tick | null): string {
  return tick === null ? "none" : `${tick.seq} @ ${tick.time}: ${tick.price}`;
}

/**
 * The receipt and what follows from its texts alone. The order is decided anew from `lines`, never taken from `result`,
 * so that each check looks at one thing.
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
}

/** What the reader knows beside the receipt. */
export interface Beside {
  /** Where they saw that the log has no price after those shown, the newest moment that it tells of. */
  readonly toldThrough?: bigint | null;
  /** When the log stood as the receipt tells of it; left out, it is as old as the newest checkpoint of the receipt's proofs. */
  readonly readAt?: bigint | null;
  /** When the order was settled, as the house says it. */
  readonly settledAt?: bigint | null;
  /** The time of a checkpoint of the log that counts, however old the receipt is: what is out an hour after it was due is held against it. */
  readonly logAt?: bigint | null;
  /** The reader looks in the log itself for the price that an order waits for, so what waits for it stays pending. */
  readonly looksForPrice?: boolean;
}

export function readEvidence(hashes: Hashes, receipt: Receipt, policy: VerifierPolicy, beside: Beside): Evidence {
  const { toldThrough = null, readAt = null, settledAt = null, logAt = null, looksForPrice = false } = beside;
  const order = orderOf(receipt);
  const config = parseConfigTerms(receipt.config.body);
  const rules = order === null || config === null ? null : findRules(config, order.symbol);
  const ticks = allTicks(receipt);
  const terms = order === null ? null : { ...order, acceptedAt: receipt.acceptance.acceptedAt };
  const decision =
    terms === null || rules === null || ticks === null
      ? null
      : decideOrder(terms, rules.staleExitMs, ticks, toldThrough);
  return { hashes, policy, receipt, order, config, rules, decision, readAt, settledAt, logAt, looksForPrice };
}

/** Null where a minute's lines are no lines, or the minutes do not follow one another in time. */
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
