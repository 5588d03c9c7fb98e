import { createHash } from "node:crypto";
import {
  accept,
  BANK_DEPOSIT_MAX,
  BANK_DEPOSIT_MIN,
  DAY_MS,
  formatMoney,
  type IdSource,
  type Instant,
  type MemberId,
  type MicroUsd,
  refuse,
  type Verdict,
} from "@fairtick/domain";
import type { Deposit } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";
import { crashPoint } from "../../platform/crash-point.ts";
import type { Queryable } from "../../platform/database.ts";
import { findFile } from "../files/index.ts";
import { formatDepositNo, parseDepositNo } from "./deposit-view.ts";
import { readDeposit } from "./list-deposits.ts";
import { refuseNewDeposit } from "./may-deposit.ts";
import { findCard, newReference } from "./receiving-cards.ts";

export interface NewDepositContext extends Pick<Context, "databases" | "config" | "bus"> {
  readonly ids: IdSource;
}

/** What a client id was first used for: the same request again returns the same deposit, another one is a conflict. */
export interface Wish {
  readonly clientId: string;
  readonly payload: Buffer;
}

export function wishOf(clientId: string, parts: readonly string[]): Wish {
  return { clientId, payload: createHash("sha256").update(JSON.stringify(parts)).digest() };
}

/** Finds the deposit that a client id has already made; null for a new id. Refuses CLIENT_ID_REUSED. */
export async function findRequest(db: Queryable, memberId: MemberId, wish: Wish): Promise<Verdict<bigint | null>> {
  const [row] = await db.query<{ payload_hash: Buffer; deposit_id: bigint }>(
    "SELECT payload_hash, deposit_id FROM deposit_requests WHERE member_id = $1 AND client_id = $2",
    [memberId, wish.clientId],
  );
  if (row === undefined) return accept(null);
  return row.payload_hash.equals(wish.payload) ? accept(row.deposit_id) : refuse("CLIENT_ID_REUSED");
}

/**
 * Announces a bank transfer and returns what to send where, with which reference. Refuses CARD_UNKNOWN,
 * DEPOSIT_BELOW_MINIMUM[min], FIELD_INVALID above the maximum, CLIENT_ID_REUSED, and as `refuseNewDeposit`.
 */
export async function announceBankDeposit(
  context: NewDepositContext,
  memberId: MemberId,
  asked: { readonly cardId: string; readonly amount: MicroUsd; readonly clientId: string },
  now: Instant,
): Promise<Verdict<Deposit>> {
  const { databases, config, ids, bus } = context;
  const wish = wishOf(asked.clientId, ["bank", asked.cardId, String(asked.amount)]);
  const known = await findRequest(databases.money, memberId, wish);
  if (!known.ok) return known;
  if (known.value !== null) return readDeposit(context, memberId, formatDepositNo(known.value), now);
  const refusal = await refuseNewDeposit(context, memberId, now);
  if (refusal !== null) return { ok: false, refusal };
  const card = await findCard(databases.reader, asked.cardId);
  if (card === null) return refuse("CARD_UNKNOWN");
  if (asked.amount < BANK_DEPOSIT_MIN) return refuse("DEPOSIT_BELOW_MINIMUM", { min: formatMoney(BANK_DEPOSIT_MIN) });
  if (asked.amount > BANK_DEPOSIT_MAX) return refuse("FIELD_INVALID", { field: "amount" }, { amount: "FIELD_INVALID" });
  crashPoint("remittance.judged");
  const depositId = ids.next();
  const [made] = await databases.money.query<{ done: boolean }>(
    "SELECT announce_bank_deposit($1, $2, $3, $4, $5, $6, $7, $8) AS done",
    [
      memberId,
      wish.clientId,
      wish.payload,
      depositId,
      card.card_id,
      asked.amount,
      newReference(),
      BigInt(config.remittanceDays) * DAY_MS,
    ],
  );
  crashPoint("remittance.made");
  const final = made?.done ? accept(depositId) : await findRequest(databases.money, memberId, wish);
  if (!final.ok) return final;
  if (final.value === null) throw new Error("a client id was taken and is not there");
  bus.publish("deposits", { members: [memberId], depositIds: [final.value] });
  return readDeposit(context, memberId, formatDepositNo(final.value), now);
}

/**
 * Adds a receipt to a bank transfer. A better picture may follow while it is under way. Refuses NOT_FOUND,
 * RECEIPT_MISSING if the picture isn't theirs or is used elsewhere, CONFLICT once it is decided.
 */
export async function putReceipt(
  context: NewDepositContext,
  memberId: MemberId,
  asked: { readonly depositNo: string; readonly fileId: string },
  now: Instant,
): Promise<Verdict<Deposit>> {
  const { databases, bus } = context;
  const before = await readDeposit(context, memberId, asked.depositNo, now);
  const depositId = parseDepositNo(asked.depositNo);
  if (!before.ok || depositId === null) return before.ok ? refuse("NOT_FOUND") : before;
  if (before.value.method !== "bank") return refuse("NOT_FOUND");
  const file = await findFile(databases.reader, asked.fileId);
  if (file === null || file.memberId !== memberId) return refuse("RECEIPT_MISSING");
  const again = file.claimedBy === asked.depositNo;
  if (before.value.state !== "processing" && !again) return refuse("CONFLICT");
  crashPoint("receipt.judged");
  const [put] = await databases.money.query<{ done: boolean }>("SELECT put_receipt($1, $2, $3, $4) AS done", [
    memberId,
    depositId,
    file.fileId,
    asked.depositNo,
  ]);
  crashPoint("receipt.put");
  if (!put?.done) return refuse("RECEIPT_MISSING");
  bus.publish("deposits", { members: [memberId], depositIds: [depositId] });
  return readDeposit(context, memberId, asked.depositNo, now);
}
