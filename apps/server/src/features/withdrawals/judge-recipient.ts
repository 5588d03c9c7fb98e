import { accept, judgeAddress, type MemberId, refuse, type Verdict } from "@fairtick/domain";
import { nodeHashes } from "@fairtick/domain/node";
import type { Output, withdrawCheckAddress } from "@fairtick/protocol";
import { keccak_256 } from "@noble/hashes/sha3.js";
import type { ChainSettings } from "../../platform/chain-settings.ts";
import type { Queryable } from "../../platform/database.ts";
import { readAddressStand } from "./vouch-for-address.ts";
import type { WithdrawalContext } from "./withdrawal-context.ts";

const HASHES = { keccak256: keccak_256, sha256: (bytes: Uint8Array) => nodeHashes.sha256(bytes) };

/** An address as someone typed it. */
export interface TypedAddress {
  readonly chain: string;
  readonly address: string;
}

/**
 * Judges whether we may pay to an address. Refuses ADDRESS_OTHER_CHAIN, ADDRESS_INVALID, ADDRESS_CHECKSUM,
 * ADDRESS_IS_OURS.
 */
export async function judgeRecipient(db: Queryable, settings: ChainSettings, typed: string): Promise<Verdict<string>> {
  const address = judgeAddress(settings.kind, typed, HASHES);
  if (!address.ok) return address;
  return (await isOurs(db, settings, address.value)) ? refuse("ADDRESS_IS_OURS") : address;
}

/**
 * Judges an address before the amount is entered, as `requestWithdrawal` will, and returns when it can be used. Refuses
 * CHAIN_UNKNOWN, ADDRESS_OTHER_CHAIN, ADDRESS_INVALID, ADDRESS_CHECKSUM, ADDRESS_IS_OURS.
 */
export async function checkRecipient(
  { databases, config, signer }: Pick<WithdrawalContext, "databases" | "config" | "signer">,
  memberId: MemberId,
  { chain, address }: TypedAddress,
): Promise<Verdict<Output<typeof withdrawCheckAddress>>> {
  const settings = config.chains.find((one) => one.chain === chain);
  if (settings === undefined || signer === null) return refuse("CHAIN_UNKNOWN");
  const judged = await judgeRecipient(databases.money, settings, address);
  if (!judged.ok) return judged;
  const stand = await readAddressStand(databases.money, { config }, memberId, { chain, address: judged.value });
  const usableAt = stand.usableAt ?? stand.now + BigInt(stand.hours) * 3_600_000n;
  return accept({
    known: stand.usableAt !== null,
    usableAt: usableAt > stand.now ? Number(usableAt) : null,
    asksFactor: stand.usableAt === null && stand.hasFactor,
  });
}

/**
 * Returns whether the address is a deposit address, one of our wallets, or a token's contract, where the money would be
 * lost.
 */
async function isOurs(db: Queryable, { token }: ChainSettings, address: string): Promise<boolean> {
  if (address === token) return true;
  const [row] = await db.query<{ ours: boolean }>(
    `SELECT EXISTS (SELECT FROM deposit_addresses WHERE address = $1) OR EXISTS (SELECT FROM payout_wallets WHERE address = $1)
       OR EXISTS (SELECT FROM sweep_wallets WHERE address = $1)
       OR EXISTS (SELECT FROM chain_instances WHERE token = $1) AS ours`,
    [address],
  );
  return row?.ours ?? false;
}
