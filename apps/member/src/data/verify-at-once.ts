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
 * What is checked in the moment of a result: everything that needs no look into the public log, which gets the settlement about a
 * second later. The order was committed to in a signed batch, both ticks stand in signed slots, and outcome and payout follow.
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

/** The tick after the exit shows that it was the right one: it is waited for, so that one receipt does. */
const NEXT_TICK_MS_MAX = 1_500;
const AGAIN_MS = 500;
const TRIES_MAX = 20;
/** Longer after its settlement an order is in the log, and the whole verification says more. */
const MOMENT_MS = 60_000;

export interface AtOnce {
  readonly state: Exclude<Verdict["state"], "unchecked">;
  readonly checks: readonly Check[];
}

/** Judges a receipt by what this device holds alone. `kept`: what it was answered at the placement; null on another device. */
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
  // What failed counts, whichever check it was; what waits for the log does not.
  if (all.some(({ state }) => state === "failed")) {
    return { state: "failed", checks: all.filter(({ id, state }) => AT_ONCE.has(id) || state === "failed") };
  }
  return { state: checks.some(({ state }) => state === "pending") ? "pending" : "ok", checks };
}

/** Whether all that can be told without the log was told and holds. */
export function holdsAtOnce(all: readonly Check[]): boolean {
  const checks = all.filter(({ id }) => AT_ONCE.has(id));
  const isOpen = ({ id, state }: Check) => state !== "ok" && !(id === "kept" && state === "unchecked");
  return checks.length === AT_ONCE.size && !checks.some(isOpen);
}

/**
 * Checks a settled order the moment its result is shown. `isOver` as soon as that was done, could not be done, or is not to be: an order
 * that was settled long ago is in the log, where everything is checked together.
 */
export function useAtOnce(
  order: Order,
  decimals: number,
): { readonly found: AtOnce | undefined; readonly isOver: boolean } {
  // Decided when it is first shown: it stays so while the minute goes by.
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
    // A browser that keeps nothing holds no evidence either.
    findEvidence(storedMemberId(), order.orderNo).catch(() => null),
    tickAfter(order.symbol, order.exitAt ?? 0),
  ]);
  const receipt = await ask<typeof orderReceipt>("order/receipt", { orderNo: order.orderNo });
  return judgeAtOnce(receipt, { order, decimals, policy, kept: heldOf(kept) });
}

/** Resolves with the first tick later than `at`, or when none has come for a while. */
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
