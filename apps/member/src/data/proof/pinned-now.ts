import type { VerifierPolicy } from "@fairtick/transparency";
import { serverClock } from "../../shared/server-clock.ts";
import { publicLog } from "./log-reader.ts";
import { pinnedKeys } from "./pinned-keys.ts";

/** Keys change by an entry of the log, weeks ahead: a page need not ask for them at each answer. */
const FRESH_MS = 10 * 60_000;

let known: { readonly policy: Promise<VerifierPolicy>; readonly at: number } | null = null;

/**
 * The keys that this device holds the house to, asked for at most every ten minutes: an answer is checked in the moment it comes.
 * Rejects where they cannot be had; the next call asks again.
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

/** Other keys were pinned. */
export function forgetPinned(): void {
  known = null;
}
