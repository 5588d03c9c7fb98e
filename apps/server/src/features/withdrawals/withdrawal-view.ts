import {
  formatMoney,
  formatPrefixedId,
  formatUsdt,
  type Instant,
  isCancelable,
  type MicroUsd,
  parsePrefixedId,
  type Payment,
  type PayoutWait,
  type WithdrawalStage,
  withdrawalState,
} from "@fairtick/domain";
import type { Withdrawal } from "@fairtick/protocol";
import type { ChainSettings } from "../../platform/chain-settings.ts";
import { formatChainAddress, formatTxHash } from "../../platform/chain-text.ts";

const WITHDRAWAL_PREFIX = "wdr";

export function formatWithdrawNo(withdrawalId: bigint): string {
  return formatPrefixedId(WITHDRAWAL_PREFIX, withdrawalId);
}

/** Parses a withdrawal number; null if the text isn't one. */
export function parseWithdrawNo(text: string): bigint | null {
  return parsePrefixedId(WITHDRAWAL_PREFIX, text);
}

export interface WithdrawalRow {
  readonly withdrawal_id: bigint;
  readonly member_id: bigint;
  readonly chain: string;
  readonly instance_id: number;
  readonly address: string;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly units: bigint;
  readonly created_at: bigint;
  readonly expires_at: bigint;
  readonly digest: Buffer;
  readonly stage: WithdrawalStage;
  readonly stage_at: bigint;
  readonly reason: string | null;
  readonly tx_hash: string | null;
  readonly mined_height: bigint | null;
  readonly dead_at: bigint | null;
  /** What arrived, in the token's smallest unit, if that is less than was to be paid. */
  readonly arrived: string | null;
  readonly rest: bigint | null;
  /** Id and genesis of the chain that it is to be paid on. */
  readonly evm_chain_id: bigint;
  readonly genesis_hash: string;
  readonly token: string;
  readonly head_height: bigint;
  readonly frozen: boolean;
  /**
   * Why it waits: the member froze it, an incident, a debt, an undecided returned deposit, a password reset, or a new
   * address.
   */
  readonly waits_for: "memberFrozen" | "frozen" | "owed" | "returned" | "resting" | "newAddress" | null;
  /** When its pause ends; null if it isn't paused. */
  readonly rests_until: bigint | null;
  /** When its address can be used. */
  readonly pays_from: bigint;
  /** Why it isn't sent though it is approved, as the payout last noted. */
  readonly payout_waits: PayoutWait | null;
  /** How many operators have approved it as it is now. */
  readonly agreed: bigint;
  /** How many operators have approved it, including approvals that no longer count. */
  readonly given: bigint;
  readonly approved_at: bigint | null;
  readonly sent_at: bigint | null;
  /** Hash of the newest attempt that was sent. */
  readonly sent_hash: string | null;
}

export const WITHDRAWAL_SELECT = `SELECT w.*, sp.arrived, sp.rest, i.evm_chain_id, i.genesis_hash, i.token, i.head_height,
    f.waits_for, f.waits_for IS NOT NULL AS frozen,
    CASE WHEN f.waits_for = 'resting' THEN withdrawals_rest_until(w.member_id) END AS rests_until,
    (SELECT count(*) FROM approvals_that_count a WHERE a.withdrawal_id = w.withdrawal_id AND a.digest = w.digest) AS agreed,
    (SELECT count(*) FROM withdrawal_approvals a WHERE a.withdrawal_id = w.withdrawal_id AND a.digest = w.digest) AS given,
    (SELECT max(at) FROM withdrawal_steps s WHERE s.withdrawal_id = w.withdrawal_id AND s.stage = 'approved') AS approved_at,
    (SELECT min(at) FROM withdrawal_steps s WHERE s.withdrawal_id = w.withdrawal_id AND s.stage = 'broadcast') AS sent_at,
    (SELECT tx_hash FROM withdrawal_attempts a WHERE a.withdrawal_id = w.withdrawal_id ORDER BY attempt DESC LIMIT 1) AS sent_hash
  FROM withdrawals w JOIN chain_instances i USING (instance_id) LEFT JOIN LATERAL (SELECT arrived, rest FROM short_payments s WHERE s.withdrawal_id = w.withdrawal_id) sp ON true
  CROSS JOIN LATERAL (SELECT CASE WHEN w.end_id IS NULL THEN coalesce(withdrawals_wait_for(w.member_id),
    CASE WHEN w.pays_from > withdrawal_now() THEN 'newAddress' END) END AS waits_for OFFSET 0) f`;

/** Returns the exact payment that approvals and the signer refer to. */
export function paymentOf(
  row: Pick<
    WithdrawalRow,
    "withdrawal_id" | "address" | "units" | "expires_at" | "evm_chain_id" | "genesis_hash" | "token"
  >,
): Payment {
  return {
    id: formatWithdrawNo(row.withdrawal_id),
    chain: row.evm_chain_id,
    genesis: row.genesis_hash,
    token: row.token,
    to: row.address,
    amount: row.units,
    expiry: row.expires_at as Instant,
  };
}

/** Converts a withdrawal to the form of calls and the stream. */
export function presentWithdrawal(row: WithdrawalRow, chains: readonly ChainSettings[]): Withdrawal {
  const settings = chains.find(({ chain }) => chain === row.chain);
  const state = withdrawalState(row.stage);
  const kind = settings?.kind ?? "evm";
  return {
    withdrawNo: formatWithdrawNo(row.withdrawal_id),
    state,
    stage: row.stage,
    currency: "USDT",
    amount: formatMoney(row.amount as MicroUsd),
    fee: formatMoney(row.fee as MicroUsd),
    receives: formatMoney((row.amount - row.fee) as MicroUsd),
    ...(row.arrived !== null && { arrived: formatUsdt(BigInt(row.arrived) as MicroUsd) }),
    chain: row.chain,
    address: formatChainAddress(kind, row.address),
    createdAt: Number(row.created_at),
    stageAt: Number(row.stage_at),
    cancelable: isCancelable(row.stage),
    ...presentTransaction(row, settings),
    ...presentReason(row),
    ...(row.approved_at !== null && { approvedAt: Number(row.approved_at) }),
    ...(row.sent_at !== null && { sentAt: Number(row.sent_at) }),
    ...(state !== "processing" && { endedAt: Number(row.stage_at) }),
  };
}

/** Returns the transaction that pays it, if one was sent. */
function presentTransaction(row: WithdrawalRow, settings: ChainSettings | undefined): Partial<Withdrawal> {
  const wasSent = row.sent_at !== null || row.tx_hash !== null;
  const hash = row.tx_hash ?? (wasSent ? row.sent_hash : null);
  if (hash === null) return {};
  const txHash = formatTxHash(settings?.kind ?? "evm", hash);
  const needed = settings?.confirmations;
  const depth = row.mined_height === null ? 0n : row.head_height - row.mined_height + 1n;
  return {
    txHash,
    confirmations: depth < 0n ? 0 : Number(depth),
    ...(typeof needed === "number" && { confirmationsNeeded: needed }),
    ...(settings?.explorer && { explorerUrl: settings.explorer.replace("{hash}", txHash) }),
  };
}

/** Returns why it ended or what it waits for. */
function presentReason(row: WithdrawalRow): Partial<Withdrawal> {
  // The words about what holds up a member's withdrawals say that they can cancel. One with a nonce goes back to the
  // operators or goes on.
  const reason = row.reason ?? (isCancelable(row.stage) ? row.waits_for : null) ?? payoutWaitOf(row);
  return {
    ...(reason !== null && { reason }),
    ...(reason === "resting" && row.rests_until !== null && { restsUntil: Number(row.rests_until) }),
    ...(reason === "newAddress" && { paysFrom: Number(row.pays_from) }),
  };
}

/** Returns why a payment that is approved and not yet sent waits; null in all other stages and if nothing holds it up. */
export function payoutWaitOf({ stage, payout_waits: wait }: WithdrawalRow): PayoutWait | null {
  return stage === "approved" || stage === "reserved" || stage === "signed" ? wait : null;
}
