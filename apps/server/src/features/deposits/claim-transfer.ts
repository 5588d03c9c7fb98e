import {
  accept,
  type Instant,
  type MemberId,
  type MicroUsd,
  refuse,
  tokenCredit,
  type Verdict,
} from "@fairtick/domain";
import type { Deposit } from "@fairtick/protocol";
import { crashPoint } from "../../platform/crash-point.ts";
import { type Queryable, sqlState } from "../../platform/database.ts";
import { findFile } from "../files/index.ts";
import { findRequest, type NewDepositContext, wishOf } from "./bank-deposit.ts";
import { formatDepositNo } from "./deposit-view.ts";
import { readDeposit } from "./list-deposits.ts";
import { refuseNewDeposit } from "./may-deposit.ts";

export interface Claim {
  readonly chain: string;
  /** Quantity in millionths of a token. */
  readonly quantity: MicroUsd;
  readonly fileId: string;
  readonly txHash?: string | undefined;
  readonly clientId: string;
}

/**
 * Reports a missing transfer with its proof. This credits nothing: the claim is linked to the transfer on the chain,
 * now or when it arrives, and then returns that deposit. Refuses CHAIN_UNKNOWN, FIELD_INVALID if it isn't a quantity,
 * RECEIPT_MISSING, CLIENT_ID_REUSED, and as `refuseNewDeposit`.
 */
export async function claimTransfer(
  context: NewDepositContext,
  memberId: MemberId,
  claim: Claim,
  now: Instant,
): Promise<Verdict<Deposit>> {
  const { databases, config, ids, bus } = context;
  const txHash = claim.txHash === undefined ? null : `0x${claim.txHash.toLowerCase().replace(/^0x/, "")}`;
  const wish = wishOf(claim.clientId, ["crypto", claim.chain, String(claim.quantity), txHash ?? "", claim.fileId]);
  const known = await findRequest(databases.money, memberId, wish);
  if (!known.ok) return known;
  if (known.value !== null) return readDeposit(context, memberId, formatDepositNo(known.value), now);
  const refusal = await refuseNewDeposit(context, memberId, now);
  if (refusal !== null) return { ok: false, refusal };
  const settings = config.chains.find(({ chain }) => chain === claim.chain);
  if (settings === undefined) return refuse("CHAIN_UNKNOWN");
  if (claim.quantity === 0n) return refuse("FIELD_INVALID", { field: "quantity" }, { quantity: "FIELD_INVALID" });
  const file = await findFile(databases.reader, claim.fileId);
  if (file === null || file.memberId !== memberId || file.claimedBy !== null) return refuse("RECEIPT_MISSING");
  crashPoint("claim.judged");
  const depositId = ids.next();
  const made = await makeClaim(databases.money, [
    memberId,
    wish.clientId,
    wish.payload,
    depositId,
    claim.chain,
    claim.quantity,
    txHash,
    tokenCredit(claim.quantity, settings.rate).credited,
    file.fileId,
    formatDepositNo(depositId),
  ]);
  if (!made.ok) return made;
  crashPoint("claim.made");
  const final = made.value ? accept(depositId) : await findRequest(databases.money, memberId, wish);
  if (!final.ok) return final;
  if (final.value === null) throw new Error("a client id was taken and is not there");
  bus.publish("deposits", { members: [memberId], depositIds: [final.value] });
  return readDeposit(context, memberId, formatDepositNo(final.value), now);
}

/** Stores a claim. Returns false if its client id was used before. Refuses RECEIPT_MISSING. */
async function makeClaim(money: Queryable, values: readonly unknown[]): Promise<Verdict<boolean>> {
  try {
    const [made] = await money.query<{ done: boolean }>(
      "SELECT claim_transfer($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS done",
      values,
    );
    return accept(made?.done ?? false);
  } catch (error) {
    // Another request used the picture at the same moment.
    if (sqlState(error) === "P0002") return refuse("RECEIPT_MISSING");
    throw error;
  }
}
