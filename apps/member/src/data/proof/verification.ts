import type { Order, orderReceipt } from "@fairtick/protocol";
import { portableHashes } from "@fairtick/transparency";
import { queryOptions, useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { serverClock } from "../../shared/server-clock.ts";
import { storedMemberId } from "../member-id.ts";
import { findEvidence, heldOf } from "../sealed/evidence-shelf.ts";
import { ask } from "../transport.ts";
import { publicLog } from "./log-reader.ts";
import { keepServedKeys, pinnedKeys, type PinnedKeys } from "./pinned-keys.ts";
import { keepSeenLog, seenLog } from "./seen-log.ts";
import { isAllThatCanBe, verifyOrder, type Verdict } from "./verify-order.ts";

export interface Verification {
  readonly verdict: Verdict;
  readonly keys: PinnedKeys;
  /** The receipt as a file for `fairtick verify`. */
  readonly file: string;
}

const SOON_MS = 4_000;
const LATER_MS = 30_000;
/** Faults of the log from which it may still recover. */
const MAY_GO_ON: ReadonlySet<string> = new Set(["log-stands-still", "log-overdue"]);

/** Returns whether every failure may still be resolved, because the log stands still or is late. */
export function isPassing({ checks }: Verdict): boolean {
  return checks.every((check) => check.state !== "failed" || ("named" in check && MAY_GO_ON.has(check.named ?? "")));
}

/** Fetches the receipt and checks it in this browser once `enabled`, and again until nothing is pending. */
export function useVerification(order: Order, decimals: number, enabled = true): UseQueryResult<Verification> {
  return useQuery({ ...verificationOf(order, decimals), enabled });
}

/** The options of the same query, for code that observes it without rendering. */
// oxlint-disable-next-line typescript/explicit-function-return-type -- the library's own type, by its key
export function verificationOf(order: Order, decimals: number) {
  return queryOptions({
    queryKey: ["member", "verified", order.orderNo],
    queryFn: async () => verify(order, decimals),
    staleTime: ({ state: { data } }) => (data !== undefined && isAllThatCanBe(data.verdict) ? Infinity : SOON_MS),
    refetchInterval: (query) => {
      const verdict = query.state.data?.verdict;
      // The log may recover.
      const checks = verdict?.checks ?? [];
      if (checks.some((check) => "named" in check && check.named !== undefined && MAY_GO_ON.has(check.named))) {
        return LATER_MS;
      }
      // Without a witness the whole stays unchecked, though some of it may still be pending.
      const pending = checks.filter(({ state }) => state === "pending").map(({ id }) => id);
      if (verdict?.state === "failed" || pending.length === 0) return false;
      // Only a seed is missing, which takes up to ten minutes.
      return pending.every((id) => id === "replay" || id === "entries") ? LATER_MS : SOON_MS;
    },
    retry: false,
    meta: { quiet: true },
  });
}

/** Fetches the receipt of a settled order and checks it against what this device holds. */
export async function verify(order: Order, decimals: number): Promise<Verification> {
  const now = () => serverClock.now();
  const keys = await pinnedKeys(publicLog, now);
  const receipt = await ask<typeof orderReceipt>("order/receipt", { orderNo: order.orderNo });
  const verdict = await verifyOrder(receipt, {
    hashes: portableHashes,
    log: publicLog,
    policy: keys.policy,
    seen: seenLog(),
    order,
    decimals,
    // A browser without storage holds no evidence either.
    kept: heldOf(await findEvidence(storedMemberId(), order.orderNo).catch(() => null)),
    now: now(),
    device: Date.now(),
  });
  if (verdict.seen !== null) keepSeenLog(verdict.seen, keys.policy);
  return { verdict, keys, file: `${JSON.stringify(receipt)}\n` };
}

/** Replaces the stored keys with those that the log names now, and verifies again. */
export function useKeepServedKeys(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await keepServedKeys(publicLog, () => serverClock.now());
    await client.invalidateQueries({ queryKey: ["member", "verified"] });
  };
}
