import { accept, type MemberId, refuse, type Verdict } from "@fairtick/domain";
import type { Withdrawal } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";
import {
  formatWithdrawNo,
  parseWithdrawNo,
  presentWithdrawal,
  WITHDRAWAL_SELECT,
  type WithdrawalRow,
} from "./withdrawal-view.ts";

type ReadContext = Pick<Context, "databases" | "config">;

const PAGE_WITHDRAWALS = 20;
const ID_END = (1n << 63n) - 1n;

/** Lists a member's withdrawals, newest first. Refuses FIELD_INVALID for a bad cursor. */
export async function listWithdrawals(
  { databases, config }: ReadContext,
  memberId: MemberId,
  page: { readonly cursor?: string | undefined; readonly limit?: number | undefined },
): Promise<Verdict<{ items: Withdrawal[]; nextCursor: string | null }>> {
  const before = page.cursor === undefined ? ID_END : parseWithdrawNo(page.cursor);
  if (before === null) return refuse("FIELD_INVALID", undefined, { cursor: "FIELD_INVALID" });
  const limit = page.limit ?? PAGE_WITHDRAWALS;
  const rows = await databases.reader.query<WithdrawalRow>(
    `${WITHDRAWAL_SELECT} WHERE w.member_id = $1 AND w.withdrawal_id < $2 ORDER BY w.withdrawal_id DESC LIMIT $3`,
    [memberId, before, limit + 1],
  );
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return accept({
    items: shown.map((row) => presentWithdrawal(row, config.chains)),
    nextCursor: rows.length > limit && last !== undefined ? formatWithdrawNo(last.withdrawal_id) : null,
  });
}

/** Returns one of the member's own withdrawals. Refuses NOT_FOUND for any other. */
export async function readWithdrawal(
  context: ReadContext,
  memberId: MemberId,
  withdrawNo: string,
): Promise<Verdict<Withdrawal>> {
  const withdrawalId = parseWithdrawNo(withdrawNo);
  if (withdrawalId === null) return refuse("NOT_FOUND");
  const [found] = await readWithdrawals(context, [memberId], [withdrawalId]);
  return found === undefined ? refuse("NOT_FOUND") : accept(found.withdrawal);
}

/** Reads withdrawals for the stream, by member and id in parallel arrays. Unknown ones are left out. */
export async function readWithdrawals(
  { databases, config }: ReadContext,
  members: readonly bigint[],
  withdrawalIds: readonly bigint[],
): Promise<readonly { readonly memberId: bigint; readonly withdrawal: Withdrawal }[]> {
  const rows = await databases.reader.query<WithdrawalRow>(
    `${WITHDRAWAL_SELECT} JOIN unnest($1::bigint[], $2::bigint[]) AS wanted(member_id, withdrawal_id)
       ON wanted.member_id = w.member_id AND wanted.withdrawal_id = w.withdrawal_id`,
    [members, withdrawalIds],
  );
  return rows.map((row) => ({ memberId: row.member_id, withdrawal: presentWithdrawal(row, config.chains) }));
}
