import { type ChainKind, formatMoney, formatUsdt, type Instant, type MicroUsd, utcDay } from "@fairtick/domain";
import type { Output, reportWithdrawalTimes, withdrawalWalletState } from "@fairtick/protocol/operator";
import type { ChainSettings } from "../../platform/chain-settings.ts";
import { formatChainAddress, formatCoins, wordsOn } from "../../platform/chain-text.ts";
import type { Queryable } from "../../platform/database.ts";
import type { SignerDoor } from "../signer/index.ts";

type WalletState = Output<typeof withdrawalWalletState>;
type Alarm = WalletState["wallets"][number]["alarms"][number];

/** The longest that a payment should take once it is approved. */
const SLOW_MS = 10n * 60_000n;
const READ_AGE_MS_MAX = 60_000n;
/** Coins for the gas of some hundred payments at a busy hour, in the chain's smallest unit. */
const COINS_MIN: Readonly<Record<ChainKind, bigint>> = { evm: 500_000_000_000_000_000n, tron: 2_000_000_000n };
const DAY_MS = 86_400_000;

interface WalletRow {
  readonly chain: string;
  readonly read_at: bigint;
  readonly address: string | null;
  readonly next_nonce: bigint | null;
  readonly stopped_at: bigint | null;
  readonly stop_reason: string | null;
  readonly token_balance: string | null;
  readonly coin_balance: string | null;
  readonly seen_at: bigint | null;
  readonly owed: bigint;
  readonly slow: bigint;
  readonly unswept: string;
  readonly sweeping: string;
  readonly swept: string;
  readonly gas: string | null;
}

/** Reads the paying wallets and the signer, with their alarms. */
export async function readWalletState(
  db: Queryable,
  chains: readonly ChainSettings[],
  signer: Pick<SignerDoor, "state"> | null,
  now: Instant,
): Promise<WalletState> {
  const rows = await db.query<WalletRow>(
    `SELECT i.chain, i.read_at, w.address, w.next_nonce, w.stopped_at, w.stop_reason, w.token_balance, w.coin_balance, w.seen_at,
       (SELECT coalesce(sum(amount), 0)::bigint FROM withdrawals d WHERE d.chain = i.chain AND d.end_id IS NULL) AS owed,
       (SELECT count(*) FROM withdrawals d WHERE d.chain = i.chain AND d.end_id IS NULL AND d.stage_at < $1
          AND d.stage IN ('approved', 'reserved', 'signed', 'broadcast')) AS slow,
       (SELECT coalesce(sum(units), 0)::text FROM unswept_deposits u WHERE u.instance_id = i.instance_id) AS unswept,
       (SELECT coalesce(sum(units), 0)::text FROM sweeps s WHERE s.instance_id = i.instance_id AND s.stage NOT IN ('done', 'failed')) AS sweeping,
       (SELECT coalesce(sum(units), 0)::text FROM sweeps s WHERE s.instance_id = i.instance_id AND s.stage = 'done') AS swept,
       (SELECT g.coin_balance::text FROM sweep_wallets g WHERE g.instance_id = i.instance_id AND g.coin_balance IS NOT NULL
          ORDER BY g.seen_at DESC LIMIT 1) AS gas
     FROM chain_instances i LEFT JOIN payout_wallets w USING (instance_id) WHERE i.ended_at IS NULL ORDER BY i.chain, w.made_at DESC`,
    [now - SLOW_MS],
  );
  const incidents = await db.query<{ kind: string; subject: string; chain: string | null; opened_at: bigint }>(
    "SELECT kind, subject, detail ->> 'chain' AS chain, opened_at FROM incidents WHERE closed_at IS NULL ORDER BY incident_id DESC LIMIT 50",
  );
  return {
    wallets: rows.map((row) => presentWallet(row, chains, now)),
    signer: await readSigner(signer),
    incidents: incidents.map(({ kind, subject, chain, opened_at: at }) => ({
      kind,
      subject: wordsOn(chains, chain, subject),
      openedAt: Number(at),
    })),
  };
}

function presentWallet(row: WalletRow, chains: readonly ChainSettings[], now: Instant): WalletState["wallets"][number] {
  const settings = chains.find(({ chain }) => chain === row.chain);
  const kind = settings?.kind ?? "evm";
  const tokens = row.token_balance === null ? null : BigInt(row.token_balance);
  const coins = row.coin_balance === null ? null : BigInt(row.coin_balance);
  return {
    chain: row.chain,
    name: settings?.name ?? row.chain,
    address: row.address === null || kind === "evm" ? row.address : formatChainAddress(kind, row.address),
    tokens: tokens === null ? null : formatUsdt(tokens as MicroUsd),
    coins: coins === null ? null : formatCoins(kind, coins),
    seenAt: row.seen_at === null ? null : Number(row.seen_at),
    nextNonce: row.next_nonce === null ? null : String(row.next_nonce),
    owed: formatMoney(row.owed as MicroUsd),
    sweeps: {
      waiting: formatUsdt(BigInt(row.unswept) as MicroUsd),
      underway: formatUsdt(BigInt(row.sweeping) as MicroUsd),
      done: formatUsdt(BigInt(row.swept) as MicroUsd),
      gas: row.gas === null ? null : formatCoins(kind, BigInt(row.gas)),
    },
    alarms: alarmsOf(row, { tokens, coins, coinsMin: COINS_MIN[kind] }, now),
  };
}

interface Balances {
  readonly tokens: bigint | null;
  readonly coins: bigint | null;
  readonly coinsMin: bigint;
}

/** Returns the alarms that an operator has to look at. */
function alarmsOf(row: WalletRow, { tokens, coins, coinsMin }: Balances, now: Instant): Alarm[] {
  const alarms: Alarm[] = [];
  const alarm = (is: boolean, kind: string, detail: string) => {
    if (is) alarms.push({ kind, detail });
  };
  alarm(row.stopped_at !== null, "STOPPED", row.stop_reason ?? "");
  alarm(tokens !== null && tokens < row.owed, "LOW_TOKENS", "less than what is held for withdrawals");
  alarm(coins !== null && coins < coinsMin, "LOW_COINS", "the gas runs out");
  alarm(now - row.read_at > READ_AGE_MS_MAX, "CHAIN_NOT_READ", "the node does not answer, or speaks of another chain");
  alarm(row.slow > 0n, "SLOW", `${row.slow} approved and not paid for ten minutes`);
  return alarms;
}

async function readSigner(signer: Pick<SignerDoor, "state"> | null): Promise<WalletState["signer"]> {
  const units = (text: string) => formatUsdt(BigInt(text) as MicroUsd);
  try {
    if (signer === null) throw new Error("there is no signer");
    const state = await signer.state();
    return {
      reachable: true,
      address: state.address,
      keys: state.keys.length,
      spentToday: units(state.spentToday),
      dayMax: units(state.dayMax),
      automaticToday: units(state.automaticToday),
      automaticDayMax: units(state.automaticDayMax),
      alarms: state.alarms,
    };
  } catch {
    const unknown = { address: null, keys: null, spentToday: null, dayMax: null, automaticToday: null };
    return { reachable: false, ...unknown, automaticDayMax: null, alarms: [] };
  }
}

/** Reads how long paid withdrawals took, by the UTC day of their confirmation, newest first. */
export async function reportTimes(
  db: Queryable,
  now: Instant,
  days = 30,
): Promise<Output<typeof reportWithdrawalTimes>> {
  const first = (BigInt(utcDay(now)) - BigInt(days - 1)) * BigInt(DAY_MS);
  const rows = await db.query<{
    day: number;
    paid: bigint;
    amount: bigint;
    half: number | null;
    most: number | null;
    longest: bigint | null;
    canceled: bigint;
  }>(
    `SELECT (stage_at / ${DAY_MS})::integer AS day, count(*) FILTER (WHERE stage = 'confirmed') AS paid,
       coalesce(sum(amount) FILTER (WHERE stage = 'confirmed'), 0)::bigint AS amount,
       percentile_disc(0.5) WITHIN GROUP (ORDER BY (stage_at - created_at)::double precision) FILTER (WHERE stage = 'confirmed') AS half,
       percentile_disc(0.95) WITHIN GROUP (ORDER BY (stage_at - created_at)::double precision) FILTER (WHERE stage = 'confirmed') AS most,
       max(stage_at - created_at) FILTER (WHERE stage = 'confirmed') AS longest, count(*) FILTER (WHERE stage <> 'confirmed') AS canceled
     FROM withdrawals WHERE end_id IS NOT NULL AND stage_at >= $1 GROUP BY 1 ORDER BY 1 DESC`,
    [first],
  );
  return rows.map((row) => ({
    day: new Date(row.day * DAY_MS).toISOString().slice(0, 10),
    paid: Number(row.paid),
    amount: formatMoney(row.amount as MicroUsd),
    halfMs: Math.round(row.half ?? 0),
    mostMs: Math.round(row.most ?? 0),
    longestMs: Number(row.longest ?? 0n),
    canceled: Number(row.canceled),
  }));
}
