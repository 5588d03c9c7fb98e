import { utf8, verifyMerklePath } from "@fairtick/domain";
import type { Fairness, fundRecords, userLiabilityPath } from "@fairtick/protocol";
import { openTileTree, portableHashes, verifyLiability } from "@fairtick/transparency";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { serverClock } from "../../shared/server-clock.ts";
import { ask, CallError } from "../transport.ts";
import { publicLog } from "./log-reader.ts";
import { checkGrown, readNewest } from "./own-checks.ts";
import { pinnedKeys } from "./pinned-keys.ts";
import { keepSeenLog, seenLog } from "./seen-log.ts";

type Published = NonNullable<Fairness["liabilities"]>;

/**
 * Whether the member's balance is part of the published sum. Without a part: `leftOut` if records show money at that
 * time, `none` if they show none available, `unsure` if money moved within a minute of the reading. `unwatched`: it is
 * part of the sum, but no witness is pinned, so others may be shown another sum.
 */
export type OwnLiability =
  | { readonly state: "ok" | "leftOut"; readonly amount: string }
  | { readonly state: "none" | "unsure" | "pending" | "unwatched" }
  | { readonly state: "failed"; readonly why: string };

/**
 * Checks in this browser that the published sum includes the member's balance, and that the public log has that sum.
 */
export function useOwnLiability(published: Published, member: string): UseQueryResult<OwnLiability> {
  return useQuery({
    queryKey: ["member", "liability", published.day, published.root],
    queryFn: () => check(published, member),
    staleTime: (query) => (query.state.data?.state === "ok" ? Infinity : 4_000),
    refetchInterval: (query) => (query.state.data?.state === "pending" ? 4_000 : false),
    retry: false,
    meta: { quiet: true },
  });
}

async function check(published: Published, member: string): Promise<OwnLiability> {
  const { policy } = await pinnedKeys(publicLog, () => serverClock.now());
  const proof = await askPath(published.day);
  if (proof === null) return withoutPart(published.at);
  if (proof.day !== published.day || proof.root.hash !== published.root || proof.root.sum !== published.sum) {
    return { state: "failed", why: "another sum is published" };
  }
  const verdict = verifyLiability(portableHashes, proof, member, policy);
  if (verdict.state === "failed") return { state: "failed", why: verdict.why ?? "" };
  const { index } = verdict;
  if (index === undefined || proof.logged === null) return { state: "pending" };
  const seen = seenLog();
  const newest = await readNewest(publicLog, policy, { now: serverClock.now(), device: null });
  const grown = await checkGrown(portableHashes, publicLog, policy, newest, seen);
  const { checkpoint } = newest;
  if (checkpoint === null || grown.state === "failed") return { state: "failed", why: grown.why ?? "" };
  keepSeenLog(newest.note, policy);
  const { size, root } = checkpoint;
  if (index >= size) return { state: "pending" };
  const path = await openTileTree(portableHashes, publicLog, size).inclusionProof(index);
  const stands = verifyMerklePath(portableHashes, { entry: utf8(proof.logged.entry), index, size, path, root });
  if (!stands) return { state: "failed", why: "the log has another entry there" };
  return grown.state === "ok" ? { state: "ok", amount: proof.leaf.amount } : { state: "unwatched" };
}

/** Balances are read at one moment; records within this time of it are inconclusive. */
const AROUND_MS = 60_000;

/** Checks by the member's own records at the time of the reading whether the house left their balance out. */
async function withoutPart(at: number): Promise<OwnLiability> {
  const ofReal = { wallet: "real", kind: "all", limit: 1 } as const;
  const [around, before] = await Promise.all([
    ask<typeof fundRecords>("fund/records", { ...ofReal, from: at - AROUND_MS, to: at + AROUND_MS }),
    ask<typeof fundRecords>("fund/records", { ...ofReal, to: at - AROUND_MS }),
  ]);
  if (around.items.length > 0) return { state: "unsure" };
  const amount = before.items[0]?.balanceAfter ?? "0.00";
  return Number(amount) > 0 ? { state: "leftOut", amount } : { state: "none" };
}

async function askPath(day: string) {
  try {
    return await ask<typeof userLiabilityPath>("user/liabilityPath", { day });
  } catch (error) {
    if (error instanceof CallError && error.kind === "refused" && error.code === 404) return null;
    throw error;
  }
}
