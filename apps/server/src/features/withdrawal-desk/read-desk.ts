import {
  accept,
  formatId,
  formatMoney,
  formatUsdt,
  isUndecided,
  type MemberId,
  type MicroUsd,
  refuse,
  type Verdict,
} from "@fairtick/domain";
import type { WithdrawalCase, WithdrawalRow as DeskRow } from "@fairtick/protocol/operator";
import type { ChainSettings } from "../../platform/chain-settings.ts";
import { formatChainAddress, formatTxHash } from "../../platform/chain-text.ts";
import type { Present, Queryable } from "../../platform/database.ts";
import { STILL_RUNS } from "../ledger/index.ts";
import { personOf, readDecided } from "../operators/index.ts";
import {
  formatWithdrawNo,
  parseWithdrawNo,
  paymentOf,
  payoutWaitOf,
  WITHDRAWAL_SELECT,
  type WithdrawalRow,
} from "../withdrawals/index.ts";

/** A withdrawal with what its queue shows in addition. */
interface QueueRow extends WithdrawalRow {
  readonly account: string;
  readonly approvals: bigint;
  /** How many people have to approve, by the limits in force. The table of rules has exactly one row. */
  readonly needed: Present<number>;
}

export interface DeskFilters {
  readonly state?: "waiting" | "sending" | "review" | "done" | "all" | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

const PAGE_ROWS = 50;
const WANTED: Readonly<Record<NonNullable<DeskFilters["state"]>, string>> = {
  waiting: "end_id IS NULL AND stage IN ('requested', 'review')",
  sending: "end_id IS NULL AND stage IN ('approved', 'reserved', 'signed', 'broadcast')",
  review: "end_id IS NULL AND stage = 'needs_review'",
  done: "end_id IS NOT NULL",
  all: "true",
};
const QUEUE_SELECT = `SELECT v.*, coalesce(m.email, m.phone, '') AS account,
    v.agreed AS approvals,
    approvals_needed(v.amount, EXISTS (SELECT FROM withdrawal_steps s WHERE s.withdrawal_id = v.withdrawal_id AND s.stage = 'review')) AS needed
  FROM (${WITHDRAWAL_SELECT}) v JOIN members m USING (member_id)`;

/** Lists a queue: waiting ones oldest first, all others newest first. Refuses FIELD_INVALID for a bad cursor. */
export async function listDesk(
  db: Queryable,
  filters: DeskFilters,
): Promise<Verdict<{ items: DeskRow[]; nextCursor: string | null }>> {
  const cursor = filters.cursor === undefined ? null : parseWithdrawNo(filters.cursor);
  if (filters.cursor !== undefined && cursor === null) {
    return refuse("FIELD_INVALID", undefined, { cursor: "FIELD_INVALID" });
  }
  const state = filters.state ?? "waiting";
  const oldestFirst = state === "waiting" || state === "review";
  const limit = filters.limit ?? PAGE_ROWS;
  const rows = await db.query<QueueRow>(
    `${QUEUE_SELECT} WHERE ${WANTED[state]} AND ($1::bigint IS NULL OR withdrawal_id ${oldestFirst ? ">" : "<"} $1)
     ORDER BY withdrawal_id ${oldestFirst ? "" : "DESC"} LIMIT $2`,
    [cursor, limit + 1],
  );
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return accept({
    items: items.map(presentRow),
    nextCursor: rows.length > limit && last !== undefined ? formatWithdrawNo(last.withdrawal_id) : null,
  });
}

/** Reads when the waiting withdrawals were requested, oldest first, each row with how many wait in all. */
export function readWaitingWithdrawals(db: Queryable, most: number): Promise<{ at: bigint; open: bigint }[]> {
  return db.query(
    `SELECT created_at AS at, count(*) OVER () AS open FROM withdrawals WHERE ${WANTED.waiting} ORDER BY withdrawal_id LIMIT $1`,
    [most],
  );
}

/** Whether there is a withdrawal with this number and it waits for an approval or needs review. */
export async function isWaitingWithdrawal(db: Queryable, withdrawNo: string): Promise<boolean> {
  const found = await db.query(
    `SELECT 1 FROM withdrawals WHERE withdrawal_id = $1 AND ((${WANTED.waiting}) OR (${WANTED.review}))`,
    [parseWithdrawNo(withdrawNo)],
  );
  return found.length > 0;
}

/** Reads the withdrawals that wait longest, without their members. */
export async function readOldestWaiting(db: Queryable, most: number) {
  const listed = await listDesk(db, { state: "waiting", limit: most });
  if (!listed.ok) return null;
  return listed.value.items.map(({ withdrawNo, amount, createdAt, approvals, approvalsNeeded }) => ({
    withdrawNo,
    amount,
    createdAt,
    approvals,
    approvalsNeeded,
  }));
}

/** Reads the withdrawal with this number, for the verbs; null if there is none. */
export async function findDeskRow(db: Queryable, withdrawNo: string): Promise<QueueRow | null> {
  const [row] = await db.query<QueueRow>(`${QUEUE_SELECT} WHERE withdrawal_id = $1`, [parseWithdrawNo(withdrawNo)]);
  return row ?? null;
}

/** Reads everything that an operator should see before they approve. Refuses NOT_FOUND. */
export async function readCase(
  db: Queryable,
  chains: readonly ChainSettings[],
  withdrawNo: string,
): Promise<Verdict<WithdrawalCase>> {
  const row = await findDeskRow(db, withdrawNo);
  if (row === null) return refuse("NOT_FOUND");
  const kind = chains.find(({ chain }) => chain === row.chain)?.kind ?? "evm";
  const id = [row.withdrawal_id];
  const steps = await db.query<{ stage: string; at: bigint }>(
    "SELECT stage, at FROM withdrawal_steps WHERE withdrawal_id = $1 ORDER BY step",
    id,
  );
  const agreed = await db.query<Agreement & { readonly key_id: string; readonly counts: boolean }>(
    `SELECT a.operator_id AS by_id, o.login AS by_login, o.name AS by_name, a.at, a.reason, a.key_id,
       EXISTS (SELECT FROM approvals_that_count c WHERE c.withdrawal_id = a.withdrawal_id AND c.digest = a.digest AND c.operator_id = a.operator_id) AS counts
     FROM withdrawal_approvals a JOIN operators o USING (operator_id) WHERE a.withdrawal_id = $1 AND a.digest = $2 ORDER BY a.at`,
    [row.withdrawal_id, row.digest],
  );
  const released = await db.query<Agreement>(
    `SELECT r.operator_id AS by_id, o.login AS by_login, o.name AS by_name, r.at, r.reason
     FROM withdrawal_releases r JOIN operators o USING (operator_id) WHERE r.withdrawal_id = $1 ORDER BY r.at`,
    id,
  );
  const attempts = await db.query<{ attempt: number; tx_hash: string; made_at: bigint; nonce: bigint }>(
    "SELECT a.attempt, a.tx_hash, a.made_at, n.nonce FROM withdrawal_attempts a JOIN payout_nonces n USING (withdrawal_id) WHERE withdrawal_id = $1 ORDER BY attempt",
    id,
  );
  const { chain: chainId, amount, expiry, ...payment } = paymentOf(row);
  return accept({
    ...presentRow(row),
    fee: money(row.fee),
    receives: money(row.amount - row.fee),
    address: formatChainAddress(kind, row.address),
    payment: { ...payment, chain: String(chainId), amount: String(amount), expiry: Number(expiry) },
    steps: steps.map(({ stage, at }) => ({ stage, at: Number(at) })),
    decided: await readDecided(db, withdrawNo, ["reject"]),
    agreed: agreed.map((one) => Object.assign(presentAgreement(one), { keyId: one.key_id, counts: one.counts })),
    released: released.map(presentAgreement),
    attempts: attempts.map((one) => ({
      attempt: one.attempt,
      txHash: formatTxHash(kind, one.tx_hash),
      madeAt: Number(one.made_at),
      nonce: String(one.nonce),
    })),
    deadAt: row.dead_at === null ? null : Number(row.dead_at),
    short:
      row.arrived === null || row.rest === null
        ? null
        : { arrived: formatUsdt(BigInt(row.arrived) as MicroUsd), rest: money(row.rest) },
    member: await readMoney(db, row.member_id),
    paidBefore: await readPaidBefore(db, row),
  });
}

interface Agreement {
  readonly by_id: bigint;
  readonly by_login: string;
  readonly by_name: string;
  readonly at: bigint;
  readonly reason: string;
}

function presentAgreement(one: Agreement) {
  const by = personOf({ ...one }, "by");
  if (by === null) throw new Error("an approval names no operator");
  return { by, at: Number(one.at), reason: one.reason };
}

function presentRow(row: QueueRow): DeskRow {
  return {
    withdrawNo: formatWithdrawNo(row.withdrawal_id),
    memberId: formatId("member", row.member_id as MemberId),
    account: row.account,
    chain: row.chain,
    amount: money(row.amount),
    stage: row.stage,
    createdAt: Number(row.created_at),
    stageAt: Number(row.stage_at),
    approvals: Number(row.approvals),
    approvalsNeeded: row.needed,
    frozen: row.frozen && isUndecided(row.stage),
    waitsFor: isUndecided(row.stage) ? row.waits_for : null,
    payoutWaits: payoutWaitOf(row),
    reason: row.reason,
  };
}

interface MoneyRow {
  readonly deposited: bigint;
  readonly reversed: bigint;
  readonly owed: bigint;
  readonly withdrawn: bigint;
  readonly available: bigint;
  readonly locked: bigint;
  readonly orders: bigint;
}

/** Sums for a member without any bookings. */
const NO_MONEY: MoneyRow = {
  deposited: 0n,
  reversed: 0n,
  owed: 0n,
  withdrawn: 0n,
  available: 0n,
  locked: 0n,
  orders: 0n,
};

/** Reads what a member deposited, withdrew and has, to compare the request with. */
async function readMoney(db: Queryable, memberId: bigint): Promise<WithdrawalCase["member"]> {
  const [sums = NO_MONEY] = await db.query<MoneyRow>(
    `SELECT real_available AS available, real_locked AS locked, real_debt AS owed,
       (SELECT coalesce(sum(d.amount), 0)::bigint FROM deposits d WHERE d.member_id = m.member_id AND d.stage = 'reversed') AS reversed,
       (SELECT coalesce(sum(p.amount), 0)::bigint FROM transfers t JOIN postings p USING (transfer_id)
          WHERE t.member_id = m.member_id AND t.kind = 'deposit' AND t.wallet = 'real' AND p.to_account = 'available') AS deposited,
       (SELECT coalesce(sum(amount), 0)::bigint FROM withdrawals w WHERE w.member_id = m.member_id AND w.stage = 'confirmed') AS withdrawn,
       (SELECT count(*) FROM orders o
          WHERE o.member_id = m.member_id AND o.wallet = 'real' AND ${STILL_RUNS}) AS orders
     FROM members_money m WHERE member_id = $1`,
    [memberId],
  );
  return {
    deposited: money(sums.deposited - sums.reversed),
    reversed: money(sums.reversed),
    owed: money(sums.owed),
    withdrawn: money(sums.withdrawn),
    available: money(sums.available),
    locked: money(sums.locked),
    openOrders: Number(sums.orders),
  };
}

async function readPaidBefore(db: Queryable, { address, withdrawal_id: id }: QueueRow) {
  const rows = await db.query<{ withdrawal_id: bigint; account: string; stage_at: bigint; amount: bigint }>(
    `SELECT w.withdrawal_id, coalesce(m.email, m.phone, '') AS account, w.stage_at, w.amount FROM withdrawals w JOIN members m USING (member_id)
     WHERE w.address = $1 AND w.stage = 'confirmed' AND w.withdrawal_id <> $2 ORDER BY w.withdrawal_id DESC LIMIT 5`,
    [address, id],
  );
  return rows.map((row) => ({
    withdrawNo: formatWithdrawNo(row.withdrawal_id),
    account: row.account,
    at: Number(row.stage_at),
    amount: money(row.amount),
  }));
}

function money(amount: bigint): string {
  return formatMoney(amount as MicroUsd);
}
