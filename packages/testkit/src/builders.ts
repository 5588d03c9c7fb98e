import { createHash, randomBytes } from "node:crypto";
import pg from "pg";

/** Writes directly to a test's database as its owner. */
export interface Builder {
  readonly client: pg.Client;
  /** Returns the database's own time, in ms since 1970. */
  now(): Promise<bigint>;
  /** Makes a member who may do everything, with money and a transaction password. Returns their id. */
  createMember(member?: NewMember): Promise<bigint>;
  /** Makes many such members at once. Returns their ids. */
  createMembers(count: number, member?: NewMember): Promise<bigint[]>;
  /** Makes a session of one day for each member, with the member's number. Returns their tokens. */
  logIn(memberIds: readonly bigint[]): Promise<string[]>;
  /** Adds capital to the house's pool of a wallet, in micro-USD. */
  fundPool(wallet: "practice" | "real", amount: bigint): Promise<void>;
  /** Stores ticks as the market does, holding the tick gate, and seals through the newest (or `sealedThrough`). */
  feedTicks(symbol: string, ticks: readonly NewTick[], sealedThrough?: bigint): Promise<void>;
  /** Stores a tick at the current time, or at the first time that isn't sealed yet. Returns its time. */
  tick(symbol: string, price: bigint): Promise<bigint>;
  /** Moves an instrument's seal without a tick. */
  seal(symbol: string, sealedThrough: bigint): Promise<void>;
  end(): Promise<void>;
}

export interface NewMember {
  /** In micro-USD; by default 10,000.00 of practice money and no real money. */
  readonly practice?: bigint;
  readonly real?: bigint;
  readonly region?: string;
  readonly tradePassword?: boolean;
  readonly standing?: "active" | "suspended" | "excluded" | "closed";
  readonly standingReason?: string;
  readonly excludedUntil?: bigint;
}

export interface NewTick {
  readonly time: bigint;
  readonly price: bigint;
}

const PRACTICE_START = 10_000_000_000n;
/** Must equal the market's key in `apps/server/src/platform/tick-gate.ts`. */
const TICK_GATE = 6_270_001;

let made = 0n;

/** Opens a connection to a test database for writing test data. End it before the database is dropped. */
export async function createBuilder(url: string): Promise<Builder> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();

  async function now(): Promise<bigint> {
    const { rows } = await client.query<{ now: string }>(
      "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now",
    );
    return BigInt(rows[0]?.now ?? 0);
  }

  let lastTurn: Promise<unknown> = Promise.resolve();
  /** Runs concurrent transactions one after another, because a connection can have only one at a time. */
  function inTransaction<T>(work: () => Promise<T>): Promise<T> {
    const turn = lastTurn.then(async () => {
      await client.query("BEGIN");
      try {
        const result = await work();
        await client.query("COMMIT");
        return result;
      } catch (error) {
        await client.query("ROLLBACK");
        throw error;
      }
    });
    lastTurn = turn.catch(() => undefined);
    return turn;
  }

  async function createMembers(count: number, member: NewMember = {}): Promise<bigint[]> {
    const ids = Array.from({ length: count }, () => {
      made += 1n;
      return 1_000_000n * BigInt(process.pid) + made;
    });
    const practice = member.practice ?? PRACTICE_START;
    const real = member.real ?? 0n;
    await inTransaction(async () => {
      await client.query(
        `INSERT INTO members (member_id, email, region, password_hash, trade_password_hash, standing, standing_reason,
           excluded_until, terms_version, invite_code, created_at)
         SELECT id, 'm' || id || '@example.com', $2, 'x', $3, $4, $5, $6, '1', 'i' || id, now() FROM unnest($1::bigint[]) AS id`,
        [
          ids,
          member.region ?? "AR",
          (member.tradePassword ?? true) ? "x" : null,
          member.standing ?? "active",
          member.standingReason ?? null,
          member.excludedUntil ?? null,
        ],
      );
      await client.query(
        `INSERT INTO members_money (member_id, practice_available, real_available, member_seq)
         SELECT id, $2, $3, ($2::bigint > 0)::integer + ($3::bigint > 0)::integer FROM unnest($1::bigint[]) AS id`,
        [ids, practice, real],
      );
      await issue("practice", "practice_issue", practice, ids, 1);
      await issue("real", "deposit", real, ids, practice > 0n ? 2 : 1);
    });
    return ids;
  }

  /** Gives money with a movement of the ledger, so that balances match their postings. */
  async function issue(wallet: string, kind: string, amount: bigint, ids: readonly bigint[], seq: number) {
    if (amount === 0n) return;
    const account = kind === "deposit" ? "chain_clearing" : "practice_issue";
    await client.query(
      `INSERT INTO transfers (transfer_id, kind, wallet, member_id, member_seq, available_after, made_at, idempotency_key)
       SELECT id * 4 + $4::bigint, $2::text, $3::wallet, id, $5::bigint, $6::bigint, floor(extract(epoch FROM now()) * 1000), $2::text || ':test:' || id
       FROM unnest($1::bigint[]) AS id`,
      [ids, kind, wallet, wallet === "practice" ? 0 : 1, seq, amount],
    );
    await client.query(
      `INSERT INTO postings (transfer_id, line, from_account, to_account, amount)
       SELECT id * 4 + $2::bigint, 1, $3, 'available', $4::bigint FROM unnest($1::bigint[]) AS id`,
      [ids, wallet === "practice" ? 0 : 1, account, amount],
    );
    await client.query(
      "UPDATE house_accounts SET balance = balance - $3::bigint WHERE wallet = $1::wallet AND account = $2",
      [wallet, account, amount * BigInt(ids.length)],
    );
  }

  const behindGate = <T>(work: () => Promise<T>) =>
    inTransaction(async () => {
      await client.query("SELECT pg_advisory_xact_lock($1)", [TICK_GATE]);
      return work();
    });

  async function storeTicks(symbol: string, ticks: readonly NewTick[], sealedThrough?: bigint) {
    const last = ticks.at(-1);
    const first = ticks[0];
    if (last === undefined || first === undefined) return;
    await client.query("SELECT ensure_tick_partitions($1, $2)", [first.time, last.time]);
    await client.query(
      `INSERT INTO instrument_clock (symbol, seq, time, price, sealed_through, writer_epoch)
       VALUES ($1, 0, 0, 1, 0, 1) ON CONFLICT DO NOTHING`,
      [symbol],
    );
    await client.query(
      `INSERT INTO ticks (symbol, seq, time, price, seal_before)
       SELECT $1, c.seq + t.number, t.time, t.price, c.sealed_through
       FROM unnest($2::bigint[], $3::bigint[]) WITH ORDINALITY AS t(time, price, number), instrument_clock c WHERE c.symbol = $1`,
      [symbol, ticks.map(({ time }) => time), ticks.map(({ price }) => price)],
    );
    await client.query(
      `UPDATE instrument_clock SET seq = seq + $2::bigint, time = $3::bigint, price = $4::bigint, sealed_through = greatest($3::bigint, $5::bigint) WHERE symbol = $1`,
      [symbol, ticks.length, last.time, last.price, sealedThrough ?? last.time],
    );
  }

  return {
    client,
    now,
    createMembers,
    async createMember(member) {
      const [id] = await createMembers(1, member);
      if (id === undefined) throw new Error("no member was created");
      return id;
    },
    async logIn(memberIds) {
      const tokens = memberIds.map(() => randomBytes(32).toString("base64url"));
      await client.query(
        `INSERT INTO sessions (session_id, member_id, token_hash, device, place, created_at, seen_at, expires_at)
         SELECT member_id, member_id, hash, 'test', '', now(), now(), now() + interval '1 day'
         FROM unnest($1::bigint[], $2::bytea[]) AS s(member_id, hash)`,
        [memberIds, tokens.map((token) => createHash("sha256").update(token).digest())],
      );
      return tokens;
    },
    async fundPool(wallet, amount) {
      made += 1n;
      const transfer = 4n * (1_000_000n * BigInt(process.pid) + made) + 2n;
      await inTransaction(async () => {
        await client.query(
          `INSERT INTO transfers (transfer_id, kind, wallet, made_at, idempotency_key)
           VALUES ($1::bigint, 'house_capital', $2, 0, 'test:' || $1::bigint)`,
          [transfer, wallet],
        );
        await client.query(
          "INSERT INTO postings (transfer_id, line, from_account, to_account, amount) VALUES ($1, 1, 'capital', 'pool', $2)",
          [transfer, amount],
        );
        await client.query(
          `UPDATE house_accounts SET balance = balance + CASE account WHEN 'pool' THEN $2::bigint ELSE -$2::bigint END
           WHERE wallet = $1::wallet AND account IN ('pool', 'capital')`,
          [wallet, amount],
        );
      });
    },
    feedTicks: (symbol, ticks, sealedThrough) => behindGate(() => storeTicks(symbol, ticks, sealedThrough)),
    tick: (symbol, price) =>
      behindGate(async () => {
        const { rows } = await client.query<{ sealed: string }>(
          "SELECT sealed_through AS sealed FROM instrument_clock WHERE symbol = $1",
          [symbol],
        );
        const present = await now();
        const sealed = BigInt(rows[0]?.sealed ?? 0);
        const time = present > sealed ? present : sealed + 1n;
        await storeTicks(symbol, [{ time, price }]);
        return time;
      }),
    seal: (symbol, sealedThrough) =>
      behindGate(async () => {
        await client.query(
          "UPDATE instrument_clock SET sealed_through = $2::bigint WHERE symbol = $1 AND sealed_through < $2::bigint",
          [symbol, sealedThrough],
        );
      }),
    end: () => client.end(),
  };
}
