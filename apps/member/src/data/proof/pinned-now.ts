import type { VerifierPolicy } from "@fairtick/transparency";
import { serverClock } from "../../shared/server-clock.ts";
import { publicLog } from "./log-reader.ts";
import { pinnedKeys } from "./pinned-keys.ts";

/** Key changes are announced in the log weeks ahead, so a page needn't fetch the keys for each answer. */
const FRESH_MS = 10 * 60_000;

let known: { readonly policy: Promise<VerifierPolicy>; readonly at: number } | null = null;

/**
 * Returns the pinned keys, fetched at most every ten minutes, so that an answer can be checked as soon as it comes.
 * Rejects if they can't be fetched; the next call tries again.
 */
export async function pinnedNow(): Promise<VerifierPolicy> {
  if (known === null || performance.now() - known.at > FRESH_MS) {
    const policy = pinnedKeys(publicLog, () => serverClock.now()).then((keys) => keys.policy);
    known = { policy, at: performance.now() };
  }
  const { policy } = known;
  try {
    return await policy;
  } catch (error) {
    known = null;
    throw error;
  }
}

/** Clears the cached keys after others were pinned. */
export function forgetPinned(): void {
  known = null;
}
