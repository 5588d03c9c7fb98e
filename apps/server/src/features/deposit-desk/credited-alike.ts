import type { DepositCase } from "@fairtick/protocol/operator";
import type { ChainSettings } from "../../platform/chain-settings.ts";
import { hashOn } from "../../platform/chain-text.ts";
import type { Queryable } from "../../platform/database.ts";
import { formatDepositNo } from "../deposits/index.ts";

const ALIKE_MAX = 20;

/** Reads credited transfers with a claim's quantity. Without a hash, a claim is never linked to one of them. */
export async function readCreditedAlike(
  db: Queryable,
  chains: readonly ChainSettings[],
  claim: { readonly deposit_id: bigint; readonly member_id: bigint; readonly chain: string | null },
): Promise<DepositCase["couldBe"]> {
  const rows = await db.query<{ deposit_id: bigint; tx_hash: string; created_at: bigint }>(
    `SELECT d.deposit_id, t.tx_hash, d.created_at FROM chain_claims c JOIN chain_transfers t ON t.raw_amount = c.quantity
     JOIN chain_instances i ON i.instance_id = t.instance_id AND i.token = t.token AND i.chain = c.chain
     JOIN deposits d ON d.deposit_id = t.deposit_id AND d.member_id = $1 AND d.stage = 'credited'
     WHERE c.deposit_id = $2 ORDER BY d.deposit_id DESC LIMIT ${ALIKE_MAX}`,
    [claim.member_id, claim.deposit_id],
  );
  return rows.map((row) => ({
    depositNo: formatDepositNo(row.deposit_id),
    txHash: hashOn(chains, claim.chain, row.tx_hash),
    createdAt: Number(row.created_at),
  }));
}
