import { type MemberId, type MicroUsd, type Wallet, WALLETS, type WalletState } from "@fairtick/domain";
import { arrayText, type Row, type Statement, type Step } from "../../platform/lane.ts";

/**
 * Locks in ascending ids, as everywhere. NO KEY UPDATE, since foreign-key checks of other tables take KEY SHARE.
 * What depends on the rows is read in the next statement: a snapshot taken with the lock is stale.
 */
export const LOCK_MEMBERS: Statement = {
  name: "money_lock_members",
  text: `SELECT count(*) FROM (
    SELECT 1 FROM members_money WHERE member_id = ANY($1::bigint[]) ORDER BY member_id FOR NO KEY UPDATE) AS locked`,
};

/** Both wallets of `members_money m`, for `walletsOfRow`. */
export const WALLET_COLUMNS = WALLETS.flatMap((wallet) =>
  ["available", "locked", "running_stakes", "day", "staked_today", "lost_today"].map((name) => `m.${wallet}_${name}`),
).join(", ");

/** Wallets of a row in which WALLET_COLUMNS begin at `first`. */
export function walletsOfRow(row: Row, first: number): Record<Wallet, WalletState> {
  return { practice: walletOfRow(row, first), real: walletOfRow(row, first + 6) };
}

function walletOfRow(row: Row, first: number): WalletState {
  return {
    available: row[first] as MicroUsd,
    locked: row[first + 1] as MicroUsd,
    runningStakes: row[first + 2] as MicroUsd,
    day: Number(row[first + 3]),
    stakedToday: row[first + 4] as MicroUsd,
    lostToday: row[first + 5] as MicroUsd,
  };
}

/** One wallet of a member as it stands after a batch, counted under his lock. */
export interface WalletToWrite {
  readonly memberId: MemberId;
  readonly memberSeq: bigint;
  readonly after: WalletState;
}

const WRITE_MONEY: Readonly<Record<Wallet, Statement>> = { practice: writeMoney("practice"), real: writeMoney("real") };

function writeMoney(wallet: Wallet): Statement {
  return {
    name: `money_write_${wallet}`,
    text: `UPDATE members_money AS m SET member_seq = n.member_seq, ${wallet}_available = n.available, ${wallet}_locked = n.locked,
        ${wallet}_running_stakes = n.running_stakes, ${wallet}_day = n.day, ${wallet}_staked_today = n.staked_today, ${wallet}_lost_today = n.lost_today
      FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::integer[], $7::bigint[], $8::bigint[])
        AS n(member_id, member_seq, available, locked, running_stakes, day, staked_today, lost_today)
      WHERE m.member_id = n.member_id`,
  };
}

/** The steps that write the wallets; a wallet that nobody's batch touched costs nothing. */
export function writeMoneySteps(wallets: Readonly<Record<Wallet, readonly WalletToWrite[]>>): Step[] {
  return WALLETS.flatMap((wallet): Step[] => {
    const rows = wallets[wallet];
    if (rows.length === 0) return [];
    const column = (cell: (row: WalletToWrite) => bigint | number) => arrayText(rows.map(cell));
    return [
      [
        WRITE_MONEY[wallet],
        [
          column(({ memberId }) => memberId),
          column(({ memberSeq }) => memberSeq),
          column(({ after }) => after.available),
          column(({ after }) => after.locked),
          column(({ after }) => after.runningStakes),
          column(({ after }) => after.day),
          column(({ after }) => after.stakedToday),
          column(({ after }) => after.lostToday),
        ],
      ],
    ];
  });
}

/** Sums by wallet and symbol. */
export type SumsBySymbol = Readonly<Record<Wallet, ReadonlyMap<string, bigint>>>;

/** Adds to rows of the lane's own stripe. $1 stripe, then one row for each wallet and symbol. */
const ADD_EXPOSURE: Statement = {
  name: "money_add_exposure",
  text: `INSERT INTO exposure AS e (stripe, wallet, symbol, profit)
    SELECT $1::smallint, wallet, symbol, profit FROM unnest($2::wallet[], $3::text[], $4::bigint[]) AS added(wallet, symbol, profit)
      ORDER BY wallet, symbol
    ON CONFLICT (stripe, wallet, symbol) DO UPDATE SET profit = e.profit + excluded.profit`,
};

/** Adds profits of orders accepted, or takes off (below zero) those of orders settled. */
export function addExposureStep(stripe: number, added: SumsBySymbol): Step {
  const rows = WALLETS.flatMap((wallet) =>
    Array.from(added[wallet], ([symbol, profit]) => ({ wallet, symbol, profit })),
  );
  return [
    ADD_EXPOSURE,
    [
      stripe,
      arrayText(rows.map(({ wallet }) => wallet)),
      arrayText(rows.map(({ symbol }) => symbol)),
      arrayText(rows.map(({ profit }) => profit)),
    ],
  ];
}

/** Exposure by wallet and symbol beside the wallet's pool: wallet, pool, symbol, profit. */
export const READ_EXPOSURE: Statement = {
  name: "money_read_exposure",
  text: `SELECT h.wallet, h.balance, e.symbol, e.profit::bigint
    FROM house_accounts h LEFT JOIN (SELECT wallet, symbol, sum(profit) AS profit FROM exposure GROUP BY wallet, symbol) e USING (wallet)
    WHERE h.account = 'pool'`,
};
