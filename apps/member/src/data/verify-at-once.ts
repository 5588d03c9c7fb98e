import type { Order, orderReceipt } from "@fairtick/protocol";
import { parseReceipt, type VerifierPolicy } from "@fairtick/transparency";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { serverNow } from "../shared/server-clock.ts";
import { storedMemberId } from "./member-id.ts";
import { prices } from "./prices.ts";
import { examineReceipt } from "./proof/examine-receipt.ts";
import { checkKept, checkShown } from "./proof/own-checks.ts";
import { pinnedNow } from "./proof/pinned-now.ts";
import type { Check, Verdict } from "./proof/verify-order.ts";
import { findEvidence, heldOf, type Held } from "./sealed/evidence-shelf.ts";
import { ask } from "./transport.ts";

/**
 * What is checked as soon as a result is shown: everything that doesn't need the public log, which gets the settlement
 * about a second later. The order was committed to in a signed batch, both ticks are in signed slots, and outcome and
 * payout follow from them.
 */
const AT_ONCE: ReadonlySet<Check["id"]> = new Set([
  "commitment",
  "batch",
  "signature",
  "kept",
  "slots",
  "bound-before-entry",
  "entry",
  "exit",
  "outcome",
  "payout",
  "shown",
]);

/**
 * Longest wait for the tick after the exit, which shows that the exit was the right one. Waiting for it saves a second
 * receipt.
 */
const NEXT_TICK_MS_MAX = 1_500;
const AGAIN_MS = 500;
const TRIES_MAX = 20;
/** Longer than this after its settlement an order is in the log, and the full verification says more. */
const MOMENT_MS = 60_000;

export interface AtOnce {
  readonly state: Exclude<Verdict["state"], "unchecked">;
  readonly checks: readonly Check[];
}

/** Judges a receipt only by what this device holds. `kept` is the answer at the placement; null on another device. */
export async function judgeAtOnce(
  json: unknown,
  { order, decimals, policy, kept }: { order: Order; decimals: number; policy: VerifierPolicy; kept: Held | null },
): Promise<AtOnce> {
  const parsed = parseReceipt(json);
  if (!parsed.ok) return { state: "failed", checks: [{ id: "shown", state: "failed", why: parsed.fault, values: {} }] };
  const { receipt } = parsed;
  const all = [
    ...(await examineReceipt(receipt, policy, { looksForPrice: true })),
    checkShown(receipt, order, decimals),
    checkKept(receipt, kept),
  ];
  const checks = all.filter(({ id }) => AT_ONCE.has(id));
  // Any failed check counts; pending ones count only if they don't wait for the log.
  if (all.some(({ state }) => state === "failed")) {
    return { state: "failed", checks: all.filter(({ id, state }) => AT_ONCE.has(id) || state === "failed") };
  }
  return { state: checks.some(({ state }) => state === "pending") ? "pending" : "ok", checks };
}

/** Returns whether everything that can be checked without the log was checked and passed. */
export function holdsAtOnce(all: readonly Check[]): boolean {
  const checks = all.filter(({ id }) => AT_ONCE.has(id));
  const isOpen = ({ id, state }: Check) => state !== "ok" && !(id === "kept" && state === "unchecked");
  return checks.length === AT_ONCE.size && !checks.some(isOpen);
}

/**
 * Checks a settled order as soon as its result is shown. `isOver` is true once that is done, impossible or not needed:
 * an order settled long ago is in the log, where everything is checked together.
 */
export function useAtOnce(
  order: Order,
  decimals: number,
): { readonly found: AtOnce | undefined; readonly isOver: boolean } {
  // Decided when it is first shown, and kept while the minute passes.
  const [isNow] = useState(() => order.settledAt !== null && serverNow() - order.settledAt < MOMENT_MS);
  const query = useQuery({
    queryKey: ["member", "verifiedAtOnce", order.orderNo],
    queryFn: async () => checkAtOnce(order, decimals),
    enabled: isNow,
    staleTime: Infinity,
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data?.state === "pending" && dataUpdateCount < TRIES_MAX ? AGAIN_MS : false,
    retry: false,
    meta: { quiet: true },
  });
  return { found: query.data, isOver: !isNow || query.isFetched };
}

async function checkAtOnce(order: Order, decimals: number): Promise<AtOnce> {
  const [policy, kept] = await Promise.all([
    pinnedNow(),
    // A browser without storage holds no evidence either.
    findEvidence(storedMemberId(), order.orderNo).catch(() => null),
    tickAfter(order.symbol, order.exitAt ?? 0),
  ]);
  const receipt = await ask<typeof orderReceipt>("order/receipt", { orderNo: order.orderNo });
  return judgeAtOnce(receipt, { order, decimals, policy, kept: heldOf(kept) });
}

/** Resolves with the first tick later than `at`, or after a while without one. */
async function tickAfter(symbol: string, at: number): Promise<void> {
  if ((prices.newest(symbol)?.at ?? 0) > at) return;
  await new Promise<void>((resolve) => {
    const stop = prices.onTick(symbol, (tick) => {
      if (tick.at > at) end();
    });
    const timer = setTimeout(end, NEXT_TICK_MS_MAX);
    function end() {
      stop();
      clearTimeout(timer);
      resolve();
    }
  });
}
