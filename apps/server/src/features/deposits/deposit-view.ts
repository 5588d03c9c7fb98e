import {
  depositState,
  type DepositStage,
  formatFiat,
  formatMoney,
  formatPrefixedId,
  formatRate,
  formatUsdt,
  type Instant,
  type MicroUsd,
  parsePrefixedId,
  type Rate,
  remittanceCode,
} from "@fairtick/domain";
import type { Deposit } from "@fairtick/protocol";
import type { ChainSettings } from "../../platform/chain-settings.ts";
import { formatTxHash } from "../../platform/chain-text.ts";
import { formatFileId } from "../files/index.ts";
import { presentCard } from "./receiving-cards.ts";

const DEPOSIT_PREFIX = "dep";

export function formatDepositNo(depositId: bigint): string {
  return formatPrefixedId(DEPOSIT_PREFIX, depositId);
}

/** Parses a deposit number; null if the text isn't one. */
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
  /** Set for chain transfers and for claims of them. */
  readonly chain: string | null;
  readonly token: string | null;
  readonly watched_token: string | null;
  readonly tx_hash: string | null;
  readonly raw_amount: string | null;
  readonly height: bigint | null;
  readonly head_height: bigint | null;
  /** Set for bank transfers only. */
  readonly reference: string | null;
  readonly expires_at: bigint | null;
  readonly fiat_amount: bigint | null;
  readonly card_id: bigint | null;
  readonly card_version: number | null;
  readonly currency: string | null;
  readonly digits: number | null;
  readonly bank: string | null;
  readonly bank_code: string | null;
  readonly holder: string | null;
  readonly number: string | null;
  readonly note: string | null;
  readonly rate: bigint | null;
  /** The newest picture that the member added. */
  readonly receipt_id: bigint | null;
}

/** A claim that was linked is shown as the deposit that it was linked to. */
export const DEPOSIT_SELECT = `SELECT d.deposit_id, d.member_id, d.method, d.stage, d.amount, d.created_at, d.stage_at, d.reason,
    coalesce(i.chain, q.chain) AS chain, t.token, i.token AS watched_token, coalesce(t.tx_hash, q.tx_hash) AS tx_hash,
    coalesce(t.raw_amount, q.quantity) AS raw_amount, t.height, i.head_height, b.reference, b.expires_at, b.fiat_amount,
    c.card_id, c.version AS card_version, c.currency, c.digits, c.bank, c.bank_code, c.holder, c.number, c.note, c.rate, r.file_id AS receipt_id
  FROM deposits d LEFT JOIN chain_transfers t USING (deposit_id) LEFT JOIN chain_instances i USING (instance_id)
  LEFT JOIN chain_claims q USING (deposit_id) LEFT JOIN bank_deposits b USING (deposit_id)
  LEFT JOIN receiving_cards c ON c.card_id = b.card_id AND c.version = b.card_version
  LEFT JOIN LATERAL (SELECT file_id FROM deposit_receipts r WHERE r.deposit_id = d.deposit_id ORDER BY put_at DESC, file_id DESC LIMIT 1) r ON true`;

/** Converts a row to a deposit as calls and the stream show it. */
export function presentDeposit(row: DepositRow, chains: readonly ChainSettings[], now: Instant): Deposit {
  return {
    depositNo: formatDepositNo(row.deposit_id),
    method: row.method,
    state: depositState(row.stage, row.stage_at as Instant, now),
    stage: row.stage,
    amount: formatMoney(row.amount as MicroUsd),
    createdAt: Number(row.created_at),
    stageAt: Number(row.stage_at),
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.stage === "credited" && { creditedAt: Number(row.stage_at) }),
    ...(row.receipt_id !== null && { receiptFileId: formatFileId(row.receipt_id) }),
    ...(row.chain !== null && presentTransfer(row, row.chain, chains)),
    ...(row.reference !== null && presentRemittance(row, row.reference)),
  };
}

function presentRemittance(row: DepositRow, reference: string): Partial<Deposit> {
  const {
    card_id,
    card_version: version,
    currency,
    digits,
    bank,
    bank_code,
    holder,
    number,
    note,
    rate,
    fiat_amount: fiat,
  } = row;
  if (card_id === null || version === null || currency === null || digits === null || rate === null || fiat === null)
    return {};
  if (bank === null || holder === null || number === null || note === null) return {};
  const qr = remittanceCode({ holder, number, bankCode: bank_code, fiat, currency, reference });
  return {
    reference,
    ...(row.stage === "awaiting_transfer" && row.expires_at !== null && { expiresAt: Number(row.expires_at) }),
    card: presentCard({ card_id, version, bank, bank_code, holder, number, note, rate }),
    fiatAmount: formatFiat(fiat, digits),
    fiatCurrency: currency,
    rate: formatRate(rate as Rate),
    ...(qr !== null && { qr }),
  };
}

/** Returns the number of confirmations; 0 for a transfer that is rejected, orphaned or in another token. */
function confirmationsOf({ stage, height, head_height: head }: DepositRow): number {
  const isOver = stage === "wrong_token" || stage === "rejected" || stage === "orphaned";
  const depth = isOver || height === null || head === null ? 0n : head - height + 1n;
  return depth < 0n ? 0 : Number(depth);
}

function presentTransfer(row: DepositRow, chain: string, chains: readonly ChainSettings[]): Partial<Deposit> {
  const settings = chains.find((one) => one.chain === chain);
  const needed = settings?.confirmations;
  const txHash = row.tx_hash === null ? null : formatTxHash(settings?.kind ?? "evm", row.tx_hash);
  return {
    chain,
    // Another token's units mean nothing here.
    ...(row.raw_amount !== null &&
      (row.token === null || row.token === row.watched_token) && {
        quantity: formatUsdt(BigInt(row.raw_amount) as MicroUsd),
      }),
    ...(txHash !== null && { txHash }),
    ...(row.height !== null && { confirmations: confirmationsOf(row) }),
    ...(typeof needed === "number" && { confirmationsNeeded: needed }),
    ...(settings?.explorer && txHash !== null && { explorerUrl: settings.explorer.replace("{hash}", txHash) }),
  };
}
