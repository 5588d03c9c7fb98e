import { formatUsdt, type MicroUsd } from "@fairtick/domain";
import { type ChainReceipt, parseTransfer } from "../chain/index.ts";
import type { PayoutWallet } from "./payout-wallet.ts";
import type { Sent } from "./send-again.ts";

export type Verdict = "paid" | "reverted" | "no_transfer";

/** Decides what a receipt means. It counts as paid only if exactly the right amount went from our wallet to the address. */
export function judgeReceipt(receipt: ChainReceipt, { row }: Sent, wallet: PayoutWallet): Verdict {
  if (receipt.status !== 1n) return "reverted";
  const paid = receipt.logs.some((log) => {
    const transfer = parseTransfer(log);
    return (
      transfer?.token === row.token &&
      transfer.from === wallet.address &&
      transfer.to === row.address &&
      transfer.rawAmount === row.units
    );
  });
  return paid ? "paid" : "no_transfer";
}

/** What a transaction moved out of the paying wallet, in the token. */
export interface Moved {
  /** The part that reached the payment's address, in the token's smallest unit. */
  readonly arrived: bigint;
  /** Details for the operator who looks into it. */
  readonly shown: { readonly moved?: string };
}

export function moved(receipt: ChainReceipt, { row }: Sent, wallet: PayoutWallet): Moved {
  const ours = receipt.logs
    .map(parseTransfer)
    .filter((transfer) => transfer !== null)
    .filter(({ token, from }) => token === row.token && from === wallet.address);
  if (receipt.status !== 1n || ours.length === 0) return { arrived: 0n, shown: {} };
  const text = ours.map(({ to, rawAmount }) => `${formatUsdt(rawAmount as MicroUsd)} to ${to}`).join(", ");
  const there = ours.filter(({ to }) => to === row.address);
  return { arrived: there.reduce((sum, { rawAmount }) => sum + rawAmount, 0n), shown: { moved: text } };
}
