import type { depositAddress } from "@fairtick/protocol";
import { verifyDepositPlace } from "@fairtick/transparency";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { serverClock } from "../../shared/server-clock.ts";
import { storedMemberId } from "../member-id.ts";
import { keys } from "../queries.ts";
import { ask } from "../transport.ts";
import { publicLog } from "./log-reader.ts";
import { pinnedKeys } from "./pinned-keys.ts";

/** Null where its signature does not hold: then there is no address to show, and money sent to it may be lost. */
export interface ProvenPlace {
  readonly address: string | null;
}

/** The member's own address on a chain, once this app has checked it by the keys that it holds; idle while there is none. */
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
  // The chain that was asked for, and who is logged in: not what the answer says of them.
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
