import { accept, type Instant, type MemberId, refuse, type Verdict } from "@fairtick/domain";
import type { Deposit } from "@fairtick/protocol";
import type { Context } from "../../platform/context.ts";
import { DEPOSIT_SELECT, type DepositRow, formatDepositNo, parseDepositNo, presentDeposit } from "./deposit-view.ts";

type DepositContext = Pick<Context, "databases" | "config">;

const PAGE_DEPOSITS = 20;
const ID_END = (1n << 63n) - 1n;

/** Lists a member's deposits, newest first. Refuses FIELD_INVALID for a bad cursor. */
export async function listDeposits(
  { databases, config }: DepositContext,
  memberId: MemberId,
  page: { readonly cursor?: string | undefined; readonly limit?: number | undefined },
  now: Instant,
): Promise<Verdict<{ items: Deposit[]; nextCursor: string | null }>> {
  const before = page.cursor === undefined ? ID_END : parseDepositNo(page.cursor);
  if (before === null) return refuse("FIELD_INVALID", undefined, { cursor: "FIELD_INVALID" });
  const limit = page.limit ?? PAGE_DEPOSITS;
  const rows = await databases.reader.query<DepositRow>(
    `${DEPOSIT_SELECT} WHERE d.member_id = $1 AND d.deposit_id < $2 AND d.stage <> 'linked' ORDER BY d.deposit_id DESC LIMIT $3`,
    [memberId, before, limit + 1],
  );
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return accept({
    items: shown.map((row) => presentDeposit(row, config.chains, now)),
    nextCursor: rows.length > limit && last !== undefined ? formatDepositNo(last.deposit_id) : null,
  });
}

/** Returns one of the member's own deposits. Refuses NOT_FOUND for any other. */
export async function readDeposit(
  context: DepositContext,
  memberId: MemberId,
  depositNo: string,
  now: Instant,
): Promise<Verdict<Deposit>> {
  const depositId = parseDepositNo(depositNo);
  if (depositId === null) return refuse("NOT_FOUND");
  const [found] = await readDeposits(context, [memberId], [depositId], now);
  return found === undefined ? refuse("NOT_FOUND") : accept(found.deposit);
}

/** Reads deposits for the stream, by member and id in parallel arrays. Unknown ones are left out. */
export async function readDeposits(
  { databases, config }: DepositContext,
  members: readonly bigint[],
  depositIds: readonly bigint[],
  now: Instant,
): Promise<readonly { readonly memberId: bigint; readonly deposit: Deposit }[]> {
  const rows = await databases.reader.query<DepositRow>(
    `${DEPOSIT_SELECT} JOIN (
         SELECT DISTINCT w.member_id, coalesce(l.linked_deposit, w.deposit_id) AS deposit_id
         FROM unnest($1::bigint[], $2::bigint[]) AS w(member_id, deposit_id) LEFT JOIN chain_claims l USING (deposit_id)
       ) AS wanted ON wanted.member_id = d.member_id AND wanted.deposit_id = d.deposit_id`,
    [members, depositIds],
  );
  return rows.map((row) => ({ memberId: row.member_id, deposit: presentDeposit(row, config.chains, now) }));
}
