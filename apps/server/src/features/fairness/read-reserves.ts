import { DAY_MS, formatExactMoney, formatMoney, formatUsdt, type MicroUsd, toHex } from "@fairtick/domain";
import type { Fairness } from "@fairtick/protocol";
import type { Queryable } from "../../platform/database.ts";

/** Reads what was last published as owed to members, and what covers it: the house's accounts and its wallets on chains. */
export async function readReserves(database: Queryable): Promise<Pick<Fairness, "liabilities" | "reserves">> {
  const [owed] = await database.query<{ day: number; read_at: bigint; members: number; sum: bigint; root: Buffer }>(
    "SELECT day, read_at, members, sum, root FROM liability_days ORDER BY day DESC LIMIT 1",
  );
  const [house] = await database.query<{ sum: bigint }>(
    "SELECT coalesce(sum(balance), 0)::bigint AS sum FROM house_accounts WHERE wallet = 'real' AND account IN ('pool', 'fees')",
  );
  const wallets = await database.query<{ chain: string; address: string; tokens: string; seen_at: bigint }>(
    `SELECT i.chain, w.address, w.token_balance::text AS tokens, w.seen_at
     FROM payout_wallets w JOIN chain_instances i USING (instance_id)
     WHERE i.ended_at IS NULL AND w.token_balance IS NOT NULL AND w.seen_at IS NOT NULL ORDER BY i.chain, w.made_at`,
  );
  return {
    liabilities:
      owed === undefined
        ? null
        : {
            day: new Date(owed.day * Number(DAY_MS)).toISOString().slice(0, 10),
            at: Number(owed.read_at),
            members: owed.members,
            sum: formatMoney(owed.sum as MicroUsd),
            root: toHex(owed.root),
          },
    reserves: {
      house: formatExactMoney((house?.sum ?? 0n) as MicroUsd),
      chains: wallets.map(({ chain, address, tokens, seen_at: seenAt }) => ({
        chain,
        address,
        tokens: formatUsdt(BigInt(tokens) as MicroUsd),
        seenAt: Number(seenAt),
      })),
    },
  };
}
