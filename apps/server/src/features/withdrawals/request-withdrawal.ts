import { createHash } from "node:crypto";
import {
  accept,
  type ClientId,
  formatMoney,
  type Instant,
  judgeWithdrawal,
  type MemberId,
  type MicroUsd,
  paymentStatement,
  refuse,
  tokenUnits,
  type Verdict,
} from "@fairtick/domain";
import type { Withdrawal } from "@fairtick/protocol";
import type { ChainSettings } from "../../platform/chain-settings.ts";
import { crashPoint } from "../../platform/crash-point.ts";
import type { Queryable } from "../../platform/database.ts";
import { arrayText } from "../../platform/lane.ts";
import { LOCK_MEMBERS } from "../ledger/index.ts";
import { readMember } from "../members/index.ts";
import { spendSecondFactor, wrongFactor } from "../second-factor/index.ts";
import { sendWarning, type Warning } from "../security-notices/index.ts";
import { checkTradePassword } from "../sessions/index.ts";
import { addToBook, tellOfAddress } from "./address-book.ts";
import { announceWithdrawals } from "./announce-withdrawals.ts";
import { judgeRecipient } from "./judge-recipient.ts";
import { refuseWithoutRealMoney } from "./list-methods.ts";
import { readWithdrawals } from "./list-withdrawals.ts";
import { warnOfRequest } from "./tell-of-withdrawal.ts";
import { type Vouched, vouchForAddress } from "./vouch-for-address.ts";
import type { WithdrawalContext } from "./withdrawal-context.ts";
import { readWithdrawable, readWithdrawalTerms } from "./withdrawal-terms.ts";
import { formatWithdrawNo, paymentOf } from "./withdrawal-view.ts";

export interface WithdrawalWish {
  readonly chain: string;
  readonly address: string;
  readonly amount: MicroUsd;
  readonly tradePassword: string;
  readonly clientId: ClientId;
  /** The fee that the member saw. If it is left out, the one in force applies. */
  readonly fee?: MicroUsd | undefined;
  /** Needed only if the member has a second factor and the address is new. */
  readonly secondFactor?: string | undefined;
}

/** How long the approvals of a request are valid, in ms. After that, operators are asked again. */
export const APPROVAL_MS = 72n * 3_600_000n;

/**
 * Requests a withdrawal and holds its amount, once for each client id: the same request again returns the same
 * withdrawal. A new address is added to the member's book, and nothing is paid to it until it can be used. Members of
 * every standing can withdraw: their money stays theirs. Refuses, in this order: CLIENT_ID_REUSED,
 * TRADE_PASSWORD_NOT_SET, REGION_PRACTICE_ONLY, CHAIN_UNKNOWN, ADDRESS_OTHER_CHAIN, ADDRESS_INVALID, ADDRESS_CHECKSUM,
 * ADDRESS_IS_OURS, WITHDRAWAL_BELOW_MINIMUM[min], WITHDRAWAL_TOO_LARGE[max], WITHDRAWAL_DAY_LIMIT[max,left],
 * QUOTE_CHANGED[fee], TRADE_PASSWORD_WRONG[left], TRADE_PASSWORD_LOCKED[until], SECOND_FACTOR_REQUIRED[means,question],
 * SECOND_FACTOR_WRONG, TOO_MANY_TRIES[retryAt].
 */
export async function requestWithdrawal(
  context: WithdrawalContext,
  memberId: MemberId,
  wish: WithdrawalWish,
  now: Instant,
  /**
   * The session that requests it. Tries at a second factor are counted per session if it is given, otherwise per
   * member.
   */
  sessionId?: bigint,
): Promise<Verdict<Withdrawal>> {
  const { databases } = context;
  const asked = createHash("sha256")
    .update(JSON.stringify([wish.chain, wish.address, String(wish.amount)]))
    .digest();
  const known = await findByClientId(databases.money, memberId, wish.clientId, asked);
  if (known !== null) return known.ok ? present(context, memberId, known.value) : known;
  const judged = await judgeRequest(context, memberId, wish, now, sessionId);
  if (!judged.ok) return judged;
  crashPoint("withdrawal.judged");
  const held = await databases.money.transaction((transaction) =>
    holdAmount(context, transaction, memberId, { ...wish, ...judged.value, asked }, now),
  );
  crashPoint("withdrawal.requested");
  if (!held.ok) return held;
  const { withdrawalId, warning } = held.value;
  if (warning !== null) sendWarning(context, warning);
  announceWithdrawals(context.bus, [{ memberId, withdrawalId, stage: "requested" }]);
  return present(context, memberId, withdrawalId);
}

/** What judging a request found out before anything is held. */
interface JudgedRequest {
  readonly settings: ChainSettings;
  /** The recipient's address as the chain writes it. */
  readonly recipient: string;
  readonly vouched: Vouched;
}

/** Judges everything that can be judged without locking the member's money. */
async function judgeRequest(
  context: WithdrawalContext,
  memberId: MemberId,
  wish: WithdrawalWish,
  now: Instant,
  sessionId: bigint | undefined,
): Promise<Verdict<JudgedRequest>> {
  const { databases, config, signer } = context;
  // Checked first: without a transaction password, correcting anything else would not help.
  const member = await readMember(databases.sessions, memberId, now);
  if (member?.tradePasswordSet === false) return refuse("TRADE_PASSWORD_NOT_SET");
  const refusal = await refuseWithoutRealMoney(context, memberId, now);
  if (refusal !== null) return { ok: false, refusal };
  const settings = config.chains.find(({ chain }) => chain === wish.chain);
  if (settings === undefined || signer === null) return refuse("CHAIN_UNKNOWN");
  const address = await judgeRecipient(databases.money, settings, wish.address);
  if (!address.ok) return address;
  const judged = await judgeNow(databases.money, memberId, wish, now);
  if (!judged.ok) return judged;
  const password = await checkTradePassword(context, memberId, wish.tradePassword, now);
  if (!password.ok) return password;
  const stored = { chain: wish.chain, address: address.value };
  const vouched = await vouchForAddress(context, memberId, stored, { secondFactor: wish.secondFactor, sessionId, now });
  return vouched.ok ? accept({ settings, recipient: address.value, vouched: vouched.value }) : vouched;
}

/**
 * Locks the member, judges again what may have changed, holds the amount and adds the address to the book. The warning
 * is null if the same request was already made in the meantime.
 */
async function holdAmount(
  context: WithdrawalContext,
  transaction: Queryable,
  memberId: MemberId,
  wish: WithdrawalWish & JudgedRequest & { readonly asked: Buffer },
  now: Instant,
): Promise<Verdict<{ readonly withdrawalId: bigint; readonly warning: Warning | null }>> {
  const { asked, settings, recipient, vouched } = wish;
  await transaction.query(LOCK_MEMBERS.text, [arrayText([memberId])]);
  const meanwhile = await findByClientId(transaction, memberId, wish.clientId, asked);
  if (meanwhile !== null) return meanwhile.ok ? accept({ withdrawalId: meanwhile.value, warning: null }) : meanwhile;
  const quote = await judgeNow(transaction, memberId, wish, now);
  if (!quote.ok) return quote;
  const [instance] = await transaction.query<{
    instance_id: number;
    evm_chain_id: bigint;
    genesis_hash: string;
    token: string;
  }>("SELECT * FROM chain_instances WHERE chain = $1 AND ended_at IS NULL", [wish.chain]);
  if (instance === undefined) return refuse("NOT_NOW");
  const withdrawalId = context.ids.next();
  const units = tokenUnits(quote.value.receives, settings.rate);
  const expiresAt = now + APPROVAL_MS;
  const payment = { ...instance, withdrawal_id: withdrawalId, address: recipient, units, expires_at: expiresAt };
  const digest = createHash("sha256")
    .update(paymentStatement(paymentOf(payment)))
    .digest();
  if (!(await spendSecondFactor(transaction, memberId, vouched.factor, now))) return wrongFactor();
  const stored = { chain: wish.chain, address: recipient, hours: vouched.hours };
  const added = await addToBook(transaction, memberId, stored);
  if (added.isNew) await tellOfAddress(transaction, memberId, settings, recipient);
  await transaction.query("SELECT request_withdrawal($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)", [
    withdrawalId,
    context.ids.next(),
    memberId,
    wish.clientId,
    asked,
    wish.chain,
    instance.instance_id,
    recipient,
    wish.amount,
    quote.value.fee,
    units,
    expiresAt,
    digest,
  ]);
  const told = { memberId, withdrawalId, amount: wish.amount, fee: quote.value.fee };
  const warning = await warnOfRequest(transaction, context, told);
  crashPoint("withdrawal.held");
  return accept({ withdrawalId, warning });
}

async function present(
  context: WithdrawalContext,
  memberId: MemberId,
  withdrawalId: bigint,
): Promise<Verdict<Withdrawal>> {
  const [found] = await readWithdrawals(context, [memberId], [withdrawalId]);
  if (found === undefined) throw new Error(`${formatWithdrawNo(withdrawalId)} is not there`);
  return accept(found.withdrawal);
}

async function findByClientId(
  db: Queryable,
  memberId: MemberId,
  clientId: ClientId,
  asked: Buffer,
): Promise<Verdict<bigint> | null> {
  const [row] = await db.query<{ withdrawal_id: bigint; request_hash: Buffer }>(
    "SELECT withdrawal_id, request_hash FROM withdrawals WHERE member_id = $1 AND client_id = $2",
    [memberId, clientId],
  );
  if (row === undefined) return null;
  return row.request_hash.equals(asked) ? accept(row.withdrawal_id) : refuse("CLIENT_ID_REUSED");
}

/** Judges amount and fee by the terms in force and by the fee that the member saw. */
async function judgeNow(db: Queryable, memberId: MemberId, { amount, fee }: WithdrawalWish, now: Instant) {
  const terms = await readWithdrawalTerms(db);
  const judged = judgeWithdrawal(terms, await readWithdrawable(db, memberId, now), amount);
  if (!judged.ok || fee === undefined || fee === terms.fee) return judged;
  return refuse("QUOTE_CHANGED", { fee: formatMoney(terms.fee) });
}
