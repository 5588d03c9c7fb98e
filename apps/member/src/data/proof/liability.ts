import { utf8, verifyMerklePath } from "@fairtick/domain";
import type { Fairness, userLiabilityPath } from "@fairtick/protocol";
import { openTileTree, portableHashes, verifyLiability } from "@fairtick/transparency";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { serverClock } from "../../shared/server-clock.ts";
import { readStored, store } from "../../shared/storage.ts";
import { ask, CallError } from "../transport.ts";
import { publicLog } from "./log-reader.ts";
import { checkGrown, readNewest } from "./own-checks.ts";
import { pinnedKeys } from "./pinned-keys.ts";

type Published = NonNullable<Fairness["liabilities"]>;

/** `none`: nothing was owed to this member then. */
export type OwnLiability =
  | { readonly state: "ok"; readonly amount: string }
  | { readonly state: "none" | "pending" }
  | { readonly state: "failed"; readonly why: string };

/** Checks in this browser that the member's balance is in the published sum, and that sum in the log it fetches itself. */
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
  if (proof === null) return { state: "none" };
  if (proof.day !== published.day || proof.root.hash !== published.root || proof.root.sum !== published.sum) {
    return { state: "failed", why: "another sum is published" };
  }
  const verdict = verifyLiability(portableHashes, proof, member, policy);
  if (verdict.state === "failed") return { state: "failed", why: verdict.why ?? "" };
  const { index } = verdict;
  if (index === undefined || proof.logged === null) return { state: "pending" };
  const newest = await readNewest(publicLog, policy, { now: serverClock.now(), device: null });
  const grown = await checkGrown(portableHashes, publicLog, policy, newest, readStored("fairtickSeenLog"));
  const { checkpoint } = newest;
  if (checkpoint === null || grown.state !== "ok") return { state: "failed", why: grown.why ?? "" };
  store("fairtickSeenLog", newest.note);
  const { size, root } = checkpoint;
  if (index >= size) return { state: "pending" };
  const path = await openTileTree(portableHashes, publicLog, size).inclusionProof(index);
  const stands = verifyMerklePath(portableHashes, { entry: utf8(proof.logged.entry), index, size, path, root });
  return stands
    ? { state: "ok", amount: proof.leaf.amount }
    : { state: "failed", why: "the log has another entry there" };
}

async function askPath(day: string) {
  try {
    return await ask<typeof userLiabilityPath>("user/liabilityPath", { day });
  } catch (error) {
    if (error instanceof CallError && error.code === 404) return null;
    throw error;
  }
}
