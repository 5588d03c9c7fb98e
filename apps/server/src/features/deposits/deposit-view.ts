import {
  depositState,
  type DepositStage,
  formatMoney,
  formatPrefixedId,
  formatUsdt,
  type Instant,
  type MicroUsd,
  parsePrefixedId,
} from "@fairtick/domain";
import type { Deposit } from "@fairtick/protocol";
import type { ChainSettings } from "../../platform/chain-settings.ts";

const DEPOSIT_PREFIX = "dep";

export function formatDepositNo(depositId: bigint): string {
  return formatPrefixedId(DEPOSIT_PREFIX, depositId);
}

/** null for a text that is no deposit's number. */
export function parseDepositNo(text: string): bigint | null {
  return parsePrefixedId(DEPOSIT_PREFIX, text);
}

export interface DepositRow {
  readonly deposit_id: bigint;
  readonly member_id: bigint;
  readonly method: Deposit["method"];
  readonly stage: DepositStage;
  readonly amount: bigint;
  readonly created_at: bigint;
  readonly stage_at: bigint;
  readonly reason: string | null;
  /** The rest is of chain transfers only. */
  readonly chain: string | null;
  readonly token: string | null;
  readonly watched_token: string | null;
  readonly tx_hash: string | null;
  readonly raw_amount: string | null;
  readonly height: bigint | null;
  readonly head_height: bigint | null;
}

export const DEPOSIT_SELECT = `SELECT d.deposit_id, d.member_id, d.method, d.stage, d.amount, d.created_at, d.stage_at, d.reason,
    i.chain, t.token, i.token AS watched_token, t.tx_hash, t.raw_amount, t.height, i.head_height
  FROM deposits d LEFT JOIN chain_transfers t USING (deposit_id) LEFT JOIN chain_instances i USING (instance_id)`;

/** A deposit as calls and the stream show it. */
export function presentDeposit(row: DepositRow, chains: readonly ChainSettings[], now: Instant): Deposit {
  return {
    depositNo: formatDepositNo(row.deposit_id),
    method: row.method,
    state: depositState(row.stage, row.stage_at as Instant, now),
    stage: row.stage,
    amount: formatMoney(row.amount as MicroUsd),
    createdAt: Number(row.created_at),
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.stage === "credited" && { creditedAt: Number(row.stage_at) }),
    ...(row.chain !== null && presentTransfer(row, row.chain, chains)),
  };
}

function presentTransfer(row: DepositRow, chain: string, chains: readonly ChainSettings[]): Partial<Deposit> {
  const settings = chains.find((one) => one.chain === chain);
  const needed = settings?.confirmations;
  const over = row.stage === "wrong_token" || row.stage === "rejected" || row.stage === "orphaned";
  const depth = over || row.height === null || row.head_height === null ? 0n : row.head_height - row.height + 1n;
  return {
    chain,
    // Another token's units say nothing here.
    ...(row.raw_amount !== null &&
      row.token === row.watched_token && { quantity: formatUsdt(BigInt(row.raw_amount) as MicroUsd) }),
    ...(row.tx_hash !== null && { txHash: row.tx_hash }),
    confirmations: depth < 0n ? 0 : Number(depth),
    ...(typeof needed === "number" && { confirmationsNeeded: needed }),
    ...(settings?.explorer &&
      row.tx_hash !== null && { explorerUrl: settings.explorer.replace("{hash}", row.tx_hash) }),
  };
}
