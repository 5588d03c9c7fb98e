import type {
  Fields,
  Identity,
  identityStatus,
  identitySubmitBasic,
  identitySubmitDocuments,
} from "@fairtick/protocol";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { keys, queryClient } from "./queries.ts";
import { ask } from "./transport.ts";

export type { Identity };

/** The state of the member's identity check, kept up to date by the stream. */
export function useIdentity(): UseQueryResult<Identity> {
  return useQuery({ queryKey: keys.identity, queryFn: () => ask<typeof identityStatus>("identity/status", {}) });
}

/**
 * Returns whether the member may submit documents: if they are neither verified nor being checked, or to renew a
 * document.
 */
export function mayHandIn({ state, renewal }: Identity): boolean {
  if (renewal !== undefined) return renewal.state !== "pending";
  return state === "unverified" || state === "rejected";
}

/** Stores an identity state from the stream or an answer, and reloads what depends on it. */
export function takeIdentity(identity: Identity): void {
  queryClient.setQueryData(keys.identity, identity);
  void queryClient.invalidateQueries({ queryKey: keys.info });
  void queryClient.invalidateQueries({ queryKey: [...keys.member, "summary"] });
  // Where deposits require a verified identity, it unlocks them.
  void queryClient.invalidateQueries({ queryKey: keys.depositMethods });
}

/** Submits name, gender and birth date. A birthday starts at midnight in the phone's time zone. */
export async function submitBasic(fields: Fields<typeof identitySubmitBasic>): Promise<void> {
  takeIdentity(await ask<typeof identitySubmitBasic>("identity/submitBasic", { ...fields, timeZone: ownTimeZone() }));
}

export async function submitDocuments(fields: Fields<typeof identitySubmitDocuments>): Promise<void> {
  takeIdentity(await ask<typeof identitySubmitDocuments>("identity/submitDocuments", fields));
}

/** Returns the phone's IANA time zone. */
export function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
