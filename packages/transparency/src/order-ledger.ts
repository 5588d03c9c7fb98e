import { equalBytes, type EntryTerms, type Hashes, type Instant, type Points } from "@fairtick/domain";
import { findRules, parseConfigTerms, type ConfigTerms } from "./committed-order.ts";
import { decideOrder } from "./decide-order.ts";
import type { LogEntryOf, SettledOrder } from "./log-entry.ts";
import { faultAt, type Report } from "./log-finding.ts";
import type { PriceBook } from "./price-book.ts";
import type { LogReader } from "./tile-tree.ts";

/** An acceptance stands in the log before any entry that tells of a moment later than this after it. */
const LATE_ACCEPTANCE_MS = 30_000n;
/** Longest duration and entry window, and ten minutes' grace for one that is being settled. */
const SETTLED_WITHIN_MS = 3_600_000n + 10_000n + 600_000n;
const decoder = new TextDecoder();

interface Batch {
  readonly index: number;
  readonly acceptedAt: Instant;
  readonly settled: Uint8Array;
  left: number;
}

interface Waiting {
  readonly index: number;
  readonly order: SettledOrder;
  readonly staleExitMs: bigint;
}

/** Acceptances and settlements: every settlement decided again on the prices of the log. */
export interface OrderLedger {
  config(index: number, entry: LogEntryOf<"config">, latest: bigint): Promise<void>;
  accept(index: number, entry: LogEntryOf<"orders.accept">, latest: bigint): void;
  settle(index: number, entry: LogEntryOf<"orders.settle">): void;
  /** A minute has come into the book: decides what was waiting for it. */
  pricesAdded(symbol: string): void;
  /** Decides what waited for a price that never came; reports what was accepted long ago and never settled. */
  finish(latest: bigint): void;
  /** Prices older than this are not needed for what is accepted and not settled. */
  neededFrom(): bigint | null;
  counts(): { readonly accepted: number; readonly settled: number; readonly waiting: number };
}

export function createOrderLedger(hashes: Hashes, reader: LogReader, report: Report, book: PriceBook): OrderLedger {
  const configs: ConfigTerms[] = [];
  const batches = new Map<number, Batch>();
  const waiting = new Map<string, Waiting[]>();
  let [accepted, settled, newestConfig] = [0, 0, 0];
  /** `missing`: it was, once, and is not any more, which is told once. */
  let naming: "never" | "always" | "missing" = "never";

  /** What all orders of a batch were agreed under is the newest configuration that bound then. */
  function checkConfig(index: number, { batch, acceptedAt, config }: LogEntryOf<"orders.accept">): void {
    if (config === undefined) {
      if (naming !== "always") return;
      naming = "missing";
      faultAt(report, "configurations", index, `batch ${batch} names no configuration`);
      return;
    }
    if (naming === "never") naming = "always";
    const inForce = configs.findLast((each) => each.effectiveAt <= acceptedAt)?.version ?? null;
    if (config === inForce) return;
    const right = inForce === null ? "none" : `version ${inForce}`;
    faultAt(
      report,
      "configurations",
      index,
      `batch ${batch} was agreed under version ${config}; in force was ${right}`,
    );
  }

  function decide({ index, order, staleExitMs }: Waiting, toldThrough: bigint | null = null): "done" | "waiting" {
    const terms: EntryTerms = {
      acceptedAt: order.acceptedAt,
      direction: order.direction,
      limitPrice: order.limitPrice as Points | null,
      durationSeconds: order.duration,
    };
    const decision = decideOrder(terms, staleExitMs, book.ticks(order.symbol), toldThrough);
    if (decision.state === "waiting") return "waiting";
    settled += 1;
    if (decision.state === "gap") {
      faultAt(report, "settlements", index, `${nameOf(order)}: a price beside its ${decision.beside} is missing`);
      return "done";
    }
    const { entry, exit, outcome, voidReason } = decision.decided;
    const right = `${voidReason ?? outcome} on ticks ${entry?.seq ?? "none"} and ${exit?.seq ?? "none"}`;
    const given = `${order.voidReason ?? order.outcome} on ticks ${order.entrySeq ?? "none"} and ${order.exitSeq ?? "none"}`;
    if (right !== given)
      faultAt(report, "settlements", index, `${nameOf(order)} was settled as ${given}; right is ${right}`);
    return "done";
  }

  /** The batch that the order is from, when it can be settled there; else what is wrong was reported. */
  function take(index: number, order: SettledOrder): void {
    const batch = batches.get(order.batch);
    if (batch === undefined) {
      faultAt(report, "settlements", index, `${nameOf(order)} was never accepted`);
      return;
    }
    if (batch.settled[order.place] === undefined || batch.acceptedAt !== order.acceptedAt) {
      faultAt(report, "settlements", index, `${nameOf(order)} is not what its batch holds`);
    } else if (batch.settled[order.place] === 1) {
      faultAt(report, "settlements", index, `${nameOf(order)} is settled twice`);
    } else {
      batch.settled[order.place] = 1;
      batch.left -= 1;
    }
    if (batch.left === 0) batches.delete(order.batch);
  }

  return {
    async config(index, entry, latest) {
      if (entry.version !== newestConfig + 1) {
        faultAt(report, "configurations", index, `version ${entry.version} follows ${newestConfig}`);
      }
      newestConfig = entry.version;
      if (latest > entry.effectiveAt) {
        faultAt(report, "configurations", index, `version ${entry.version} was written after it began to bind`);
      }
      const bytes = await reader.read(`config/${entry.version}`);
      const terms = bytes === null ? null : parseConfigTerms(decoder.decode(bytes));
      const isSame = bytes !== null && equalBytes(hashes.sha256(bytes), entry.hash);
      if (terms === null || !isSame || terms.version !== entry.version || terms.effectiveAt !== entry.effectiveAt) {
        faultAt(report, "configurations", index, `config/${entry.version} is not what its entry hashes`);
        return;
      }
      configs.push(terms);
    },
    accept(index, entry, latest) {
      const count = entry.commitments.length / 32;
      if (batches.has(entry.batch)) faultAt(report, "acceptances", index, `batch ${entry.batch} stands twice`);
      if (latest > entry.acceptedAt + LATE_ACCEPTANCE_MS) {
        faultAt(report, "acceptances", index, `batch ${entry.batch} was written ${latest - entry.acceptedAt} ms late`);
      }
      checkConfig(index, entry);
      accepted += count;
      batches.set(entry.batch, { index, acceptedAt: entry.acceptedAt, settled: new Uint8Array(count), left: count });
    },
    settle(index, entry) {
      for (const order of entry.orders) {
        take(index, order);
        const config = configs.findLast((each) => each.effectiveAt <= order.acceptedAt);
        const rules = config === undefined ? null : findRules(config, order.symbol);
        if (rules === null) {
          faultAt(report, "settlements", index, `${nameOf(order)}: no configuration has rules for it`);
          continue;
        }
        const one = { index, order, staleExitMs: rules.staleExitMs };
        if (decide(one) === "done") continue;
        const queue = waiting.get(order.symbol);
        if (queue === undefined) waiting.set(order.symbol, [one]);
        else queue.push(one);
      }
    },
    pricesAdded(symbol) {
      const queue = waiting.get(symbol);
      if (queue === undefined) return;
      waiting.set(
        symbol,
        queue.filter((each) => decide(each) === "waiting"),
      );
    },
    finish(latest) {
      for (const [symbol, queue] of waiting) {
        waiting.set(
          symbol,
          queue.filter((each) => decide(each, latest) === "waiting"),
        );
      }
      for (const [number, batch] of batches) {
        if (batch.acceptedAt + SETTLED_WITHIN_MS < latest) {
          faultAt(
            report,
            "settlements",
            batch.index,
            `${batch.left} of batch ${number} were accepted and never settled`,
          );
        }
      }
    },
    neededFrom() {
      let oldest: bigint | null = null;
      for (const { acceptedAt } of batches.values()) if (oldest === null || acceptedAt < oldest) oldest = acceptedAt;
      for (const queue of waiting.values()) {
        for (const { order } of queue) if (oldest === null || order.acceptedAt < oldest) oldest = order.acceptedAt;
      }
      return oldest;
    },
    counts: () => ({
      accepted,
      settled,
      waiting: [...waiting.values()].reduce((sum, queue) => sum + queue.length, 0),
    }),
  };
}

function nameOf(order: SettledOrder): string {
  return `order ${order.batch}/${order.place}`;
}
