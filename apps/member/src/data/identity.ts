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

/** Where the member's identity check stands, kept fresh by the stream. */
export function useIdentity(): UseQueryResult<Identity> {
  return useQuery({ queryKey: keys.identity, queryFn: () => ask<typeof identityStatus>("identity/status", {}) });
}

/** Whether documents may be handed in: by who is not verified or being checked, and for a newer document. */
export function mayHandIn({ state, renewal }: Identity): boolean {
  if (renewal !== undefined) return renewal.state !== "pending";
  return state === "unverified" || state === "rejected";
}

/** Takes a state that the stream or an answer brought; name and figures of the member show it too. */
export function takeIdentity(identity: Identity): void {
  queryClient.setQueryData(keys.identity, identity);
  void queryClient.invalidateQueries({ queryKey: keys.info });
  void queryClient.invalidateQueries({ queryKey: [...keys.member, "summary"] });
  // Where it is demanded, a verified identity opens them.
  void queryClient.invalidateQueries({ queryKey: keys.depositMethods });
}

/** Hands in name, gender and birth date; a birthday begins at midnight where the phone is. */
export async function submitBasic(fields: Fields<typeof identitySubmitBasic>): Promise<void> {
  takeIdentity(await ask<typeof identitySubmitBasic>("identity/submitBasic", { ...fields, timeZone: ownTimeZone() }));
}

export async function submitDocuments(fields: Fields<typeof identitySubmitDocuments>): Promise<void> {
  takeIdentity(await ask<typeof identitySubmitDocuments>("identity/submitDocuments", fields));
}

/** The phone's own, as the IANA names it. */
export function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
