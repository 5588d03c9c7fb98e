import type { Clock, Payment } from "@fairtick/domain";
import { encodeFunctionData, erc20Abi, keccak256, type Hex } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { refuse } from "./limits.ts";
import type { EvmTerms, SignedTransaction, SignerAnswer, SignerRefusal, TronTerms } from "./messages.ts";
import type { Signed } from "./payment-text.ts";
import type { SignerRules } from "./settings.ts";
import { EXPIRES_MS_MAX, signTron, type SolidifiedChain, whyNotDead } from "./tron.ts";

/**
 * Minimum increase in fee per gas from one attempt to the next. With less, nodes wouldn't replace the earlier
 * transaction.
 */
const BUMP = { numerator: 1125n, denominator: 1000n };

/** Returns whether a fee is enough above that of the previous attempt. */
export function isBumped(now: bigint, then: string): boolean {
  return now * BUMP.denominator >= BigInt(then) * BUMP.numerator;
}

/** Signs one attempt on an EVM chain. All attempts share one nonce, so that at most one is ever mined. Refuses FEE. */
export async function makeEvm(
  { account, rules }: { readonly account: PrivateKeyAccount; readonly rules: SignerRules },
  payment: Payment,
  nonce: number,
  last: Signed | undefined,
  { maxFee, priorityFee }: EvmTerms,
): Promise<SignerAnswer<SignedTransaction>> {
  const { id } = payment;
  if (maxFee > rules.feePerGasMax || priorityFee > maxFee) {
    return refuse("FEE", `${id}: ${maxFee} per gas is above ${rules.feePerGasMax}`);
  }
  if (last !== undefined && !(isBumped(maxFee, last.maxFee) && isBumped(priorityFee, last.priorityFee))) {
    return refuse("FEE", `${id}: another attempt must pay an eighth more than the last one`);
  }
  const raw = await account.signTransaction({
    type: "eip1559",
    chainId: Number(payment.chain),
    nonce,
    to: payment.token as Hex,
    gas: rules.gas,
    maxFeePerGas: maxFee,
    maxPriorityFeePerGas: priorityFee,
    data: encodeFunctionData({
      abi: erc20Abi,
      functionName: "transfer",
      args: [payment.to as Hex, payment.amount],
    }),
  });
  const value = { raw, hash: keccak256(raw), maxFee: String(maxFee), priorityFee: String(priorityFee) };
  return { ok: true, value };
}

export interface TronParts {
  readonly tronAccount: PrivateKeyAccount;
  readonly rules: SignerRules;
  readonly clock: Pick<Clock, "now">;
  /** The chain as seen by the signer's own nodes. */
  readonly nodes: readonly SolidifiedChain[];
  /** Returns whether a transaction with this hash was signed before. */
  readonly isSigned: (hash: string) => boolean;
  readonly alarm: (refusal: SignerRefusal, detail: string) => SignerAnswer<never>;
}

/**
 * Signs one attempt on TRON. TRON has no nonces, so another attempt is signed only once the signer's own nodes report
 * that the earlier ones can no longer be included in a block. Refuses FEE, EXPIRATION and MAY_BE_PAID.
 */
export async function makeTron(
  { tronAccount, rules, clock, nodes, isSigned, alarm }: TronParts,
  payment: Payment,
  earlier: readonly Signed[],
  terms: TronTerms,
): Promise<SignerAnswer<SignedTransaction>> {
  const { id } = payment;
  const { feeLimit, expiration } = terms;
  if (feeLimit <= 0n || feeLimit > rules.feeLimitMax) {
    return refuse("FEE", `${id}: a fee limit of ${feeLimit} is above ${rules.feeLimitMax}`);
  }
  const now = clock.now();
  if (expiration <= now || expiration > now + EXPIRES_MS_MAX) {
    return refuse("EXPIRATION", `${id}: the expiration is ${expiration}, but it is ${now} now`);
  }
  if (earlier.length > 0) {
    const not = await whyNotDead(earlier, nodes);
    if (not !== null) return (not.isPaid ? alarm : refuse)("MAY_BE_PAID", `${id}: ${not.why}`);
  }
  // Two identical transactions with the same timestamp would be one, which would pay for both only once.
  for (let stamp = now as bigint; ; stamp += 1n) {
    const { raw, hash } = await signTron(tronAccount, payment, terms, stamp);
    if (isSigned(hash)) continue;
    return { ok: true, value: { raw, hash, maxFee: String(feeLimit), priorityFee: "0" } };
  }
}
