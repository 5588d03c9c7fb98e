import { type MemberId, type MicroUsd, type Wallet, WALLETS, type WalletState } from "@fairtick/domain";
import { int4Array, int8Array } from "../../platform/binary-array.ts";
import { arrayText, bigintOf, type Row, type Statement, type Step } from "../../platform/lane.ts";

const WALLET_COLUMNS = ["available", "locked", "running_stakes", "running_orders", "day", "staked_today", "lost_today"];
/** Number of columns before the wallets: id, number of the last fact, version of the terms. */
const MEMBER_COLUMNS = 3;

/**
 * Locks members in ascending order of id, as everywhere, and returns each row as it is under the lock, for
 * `lockedMoneyOf`. The lock is NO KEY UPDATE because foreign-key checks of other tables take KEY SHARE. For other
 * tables the snapshot of this statement is older than the lock, so whatever depends on the rows and is stored elsewhere
 * must be read by the next statement.
 */
function lockMembers(name: string, wallets: readonly Wallet[]): Statement {
  const columns = [
    "member_id",
    "member_seq",
    "terms_version",
    ...wallets.flatMap((wallet) => WALLET_COLUMNS.map((column) => `${wallet}_${column}`)),
  ];
  return {
    name,
    text: `SELECT ${columns.join(", ")} FROM members_money
      WHERE member_id = ANY($1::bigint[]) ORDER BY member_id FOR NO KEY UPDATE`,
  };
}

/** Number of wallet columns when both wallets are read. */
export const LOCK_MEMBERS: Statement = lockMembers("money_lock_members", WALLETS);

const LOCK_FOR: Readonly<Record<Wallet, Statement>> = {
  practice: lockMembers("money_lock_practice", ["practice"]),
  real: lockMembers("money_lock_real", ["real"]),
};

/** Locks the members and reads only the wallets that are asked for: each number read costs the order path time. */
export function lockFor(wallets: ReadonlySet<Wallet>): Statement {
  const [only, ...others] = wallets;
  return only === undefined || others.length > 0 ? LOCK_MEMBERS : LOCK_FOR[only];
}

/** A member's money, read under their lock. */
export interface LockedMoney {
  readonly memberId: MemberId;
  readonly memberSeq: bigint;
  /** Version of the other terms that their orders are judged by. */
  readonly termsVersion: bigint;
  /** Only the wallets that were asked for. */
  readonly wallets: Partial<Record<Wallet, WalletState>>;
}

/** Converts the rows of `lockFor(wallets)`. LOCK_MEMBERS reads all wallets. */
export function lockedMoneyOf(rows: readonly Row[], asked: ReadonlySet<Wallet> = new Set(WALLETS)): LockedMoney[] {
  const wallets = WALLETS.filter((wallet) => asked.has(wallet));
  return rows.map((row) => ({
    memberId: bigintOf(row[0]) as MemberId,
    memberSeq: bigintOf(row[1]),
    termsVersion: bigintOf(row[2]),
    wallets: walletsOf(row, wallets),
  }));
}

function walletsOf(row: Row, wallets: readonly Wallet[]): Partial<Record<Wallet, WalletState>> {
  const read: Partial<Record<Wallet, WalletState>> = {};
  for (const [index, wallet] of wallets.entries()) {
    const first = MEMBER_COLUMNS + index * WALLET_COLUMNS.length;
    read[wallet] = {
      available: bigintOf(row[first]) as MicroUsd,
      locked: bigintOf(row[first + 1]) as MicroUsd,
      runningStakes: bigintOf(row[first + 2]) as MicroUsd,
      runningOrders: Number(row[first + 3]),
      day: Number(row[first + 4]),
      stakedToday: bigintOf(row[first + 5]) as MicroUsd,
      lostToday: bigintOf(row[first + 6]) as MicroUsd,
    };
  }
  return read;
}

/** One wallet of a member after a batch, counted under their lock. */
export interface WalletToWrite {
  readonly memberId: MemberId;
  readonly memberSeq: bigint;
  readonly after: WalletState;
}

const WRITE_MONEY: Readonly<Record<Wallet, Statement>> = {
  practice: writeMoney("practice"),
  real: writeMoney("real"),
};

/** Takes one array per column ($1…). Throws when a row was not found; nothing of the batch is written then. */
function writeMoney(wallet: Wallet): Statement {
  return {
    name: `money_write_${wallet}`,
    text: `WITH written AS (UPDATE members_money AS m SET member_seq = n.member_seq, ${wallet}_available = n.available, ${wallet}_locked = n.locked,
        ${wallet}_running_stakes = n.running_stakes, ${wallet}_running_orders = n.running_orders, ${wallet}_day = n.day,
        ${wallet}_staked_today = n.staked_today, ${wallet}_lost_today = n.lost_today
      FROM (SELECT unnest($1::bigint[]) AS member_id, unnest($2::bigint[]) AS member_seq, unnest($3::bigint[]) AS available,
        unnest($4::bigint[]) AS locked, unnest($5::bigint[]) AS running_stakes, unnest($6::integer[]) AS running_orders,
        unnest($7::integer[]) AS day, unnest($8::bigint[]) AS staked_today, unnest($9::bigint[]) AS lost_today) n
      WHERE m.member_id = n.member_id
      RETURNING 1)
      SELECT all_written(count(*), cardinality($1::bigint[])) FROM written`,
  };
}

/**
 * Returns a function that finds the number of a member's last fact in the batch. A member's wallets share one row and one
 * numbering, so the write of each wallet has to store the highest number of both.
 */
function lastSeqs(wallets: Readonly<Record<Wallet, readonly WalletToWrite[]>>): (row: WalletToWrite) => bigint {
  if (WALLETS.some((wallet) => wallets[wallet].length === 0)) return ({ memberSeq }) => memberSeq;
  const last = new Map<MemberId, bigint>();
  for (const { memberId, memberSeq } of WALLETS.flatMap((wallet) => wallets[wallet])) {
    if (memberSeq > (last.get(memberId) ?? 0n)) last.set(memberId, memberSeq);
  }
  return ({ memberId, memberSeq }) => last.get(memberId) ?? memberSeq;
}

/** Returns the steps that write the wallets. A wallet that the batch did not touch costs nothing. */
export function writeMoneySteps(wallets: Readonly<Record<Wallet, readonly WalletToWrite[]>>): Step[] {
  const seqOf = lastSeqs(wallets);
  const touched = WALLETS.filter((wallet) => wallets[wallet].length > 0);
  return touched.map((wallet): Step => {
    const rows = wallets[wallet];
    const column = (cell: (row: WalletToWrite) => bigint) => int8Array(rows.map(cell));
    return [
      WRITE_MONEY[wallet],
      [
        column(({ memberId }) => memberId),
        column(seqOf),
        column(({ after }) => after.available),
        column(({ after }) => after.locked),
        column(({ after }) => after.runningStakes),
        int4Array(rows.map(({ after }) => after.runningOrders)),
        int4Array(rows.map(({ after }) => after.day)),
        column(({ after }) => after.stakedToday),
        column(({ after }) => after.lostToday),
      ],
    ];
  });
}

/** Sums by wallet and symbol. */
export type SumsBySymbol = Readonly<Record<Wallet, ReadonlyMap<string, bigint>>>;

/** Adds to the rows of the lane's own stripe. $1 is the stripe, followed by one row for each wallet and symbol. */
const ADD_EXPOSURE: Statement = {
  name: "money_add_exposure",
  text: `INSERT INTO exposure AS e (stripe, wallet, symbol, profit)
    SELECT $1::smallint, wallet, symbol, profit FROM unnest($2::wallet[], $3::text[], $4::bigint[]) AS added(wallet, symbol, profit)
      ORDER BY wallet, symbol
    ON CONFLICT (stripe, wallet, symbol) DO UPDATE SET profit = e.profit + excluded.profit`,
};

/** Adds the profits of accepted orders, or subtracts (as negative sums) those of settled ones. */
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

/** Reads the exposure by wallet and symbol together with the wallet's pool: wallet, pool, symbol, profit. */
export const READ_EXPOSURE: Statement = {
  name: "money_read_exposure",
  text: `SELECT h.wallet, h.balance, e.symbol, e.profit::bigint
    FROM house_accounts h LEFT JOIN (SELECT wallet, symbol, sum(profit) AS profit FROM exposure GROUP BY wallet, symbol) e USING (wallet)
    WHERE h.account = 'pool'`,
};
