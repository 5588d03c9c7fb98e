import type { depositAddress } from "@fairtick/protocol";
import { verifyDepositPlace } from "@fairtick/transparency";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { serverClock } from "../../shared/server-clock.ts";
import { storedMemberId } from "../member-id.ts";
import { keys } from "../queries.ts";
import { ask } from "../transport.ts";
import { publicLog } from "./log-reader.ts";
import { pinnedKeys } from "./pinned-keys.ts";

/**
 * A checked deposit address; null if its signature is invalid. It must not be shown then, as money sent to it may be
 * lost.
 */
export interface ProvenPlace {
  readonly address: string | null;
}

/** The member's own address on a chain, once the app has checked it with its own keys; idle without a chain. */
export function useDepositPlace(chain: string | undefined): UseQueryResult<ProvenPlace> {
  return useQuery({
    queryKey: [...keys.member, "depositAddress", chain],
    queryFn: () => proveDepositPlace(chain ?? ""),
    enabled: chain !== undefined,
    staleTime: Infinity,
  });
}

async function proveDepositPlace(chain: string): Promise<ProvenPlace> {
  const [shown, { policy }] = await Promise.all([
    ask<typeof depositAddress>("deposit/address", { chain }),
    pinnedKeys(publicLog, () => serverClock.now()),
  ]);
  const { currency, address, uri, key, signature } = shown;
  // Use the requested chain and the logged-in member, not what the answer claims.
  const holds = verifyDepositPlace(policy, {
    member: storedMemberId(),
    chain,
    currency,
    address,
    uri,
    key,
    signature,
  });
  return { address: holds ? address : null };
}
