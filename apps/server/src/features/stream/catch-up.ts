import type { Instant, Points } from "@fairtick/domain";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database.ts";
import { type Rounds, startRounds } from "../../platform/rounds.ts";
import type { PublishedTick } from "../../platform/bus.ts";

const EVERY_MS = 500;
/** A tick that is this old and arrived without an event was missed. It is not merely late. */
const OVERDUE_MS = 700n;
/** If more ticks were missed, only the newest are sent; charts read the rest by calls. */
const TICKS_MAX = 500;
/** Longer than it takes to notice that the bus is down, and than the last of the other processes needs to reconnect. */
const MARGIN_MS = 10_000n;
const ROWS_MAX = 100_000;

/**
 * Reads from the tables what no bus event delivered: missed ticks at any time, and, while the bus between machines is
 * down and for some seconds afterwards, accepted and settled orders and changed accounts. Needed only with several
 * machines; within one process no event is lost.
 */
export function startCatchUp({ databases, bus, log }: Pick<Context, "databases" | "bus" | "log">): Rounds {
  const database = databases.reader;
  /**
   * Orders and transfers that were already sent in this outage. An order is sent once when accepted and once when
   * settled.
   */
  const told = new Set<string>();
  let isConnected = true;
  /** The instant, by the database's clock, from which rows are read; null while the bus delivers everything. */
  let unsureSince: bigint | null = null;
  let backAt: bigint | null = null;

  const ticks = watchTicks(database, bus);
  bus.watch((connected) => {
    isConnected = connected;
  });

  async function tellOrders(since: bigint): Promise<void> {
    const rows = await database.query<{ member_id: bigint; id: bigint; what: string }>(
      `SELECT member_id, order_id AS id, 'settled' AS what FROM settlements WHERE settled_at >= $1
       UNION ALL SELECT member_id, order_id, 'accepted' FROM orders WHERE accepted_at >= $1
       UNION ALL SELECT member_id, transfer_id, 'moved' FROM transfers WHERE made_at >= $1 AND member_id IS NOT NULL
       LIMIT $2`,
      [since, ROWS_MAX],
    );
    const fresh = rows.filter(({ id, what }) => !told.has(`${what} ${id}`));
    if (fresh.length === 0) return;
    for (const { id, what } of fresh) told.add(`${what} ${id}`);
    const orders = fresh.filter(({ what }) => what !== "moved");
    bus.deliver("orders", { members: orders.map((row) => row.member_id), orderIds: orders.map((row) => row.id) });
    bus.deliver("accounts", { members: [...new Set(fresh.map((row) => row.member_id))] });
  }

  async function round(): Promise<void> {
    const [row] = await database.query<{ now: bigint }>(
      "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now",
    );
    const now = row?.now ?? 0n;
    await ticks.tellMissed(now);
    if (isConnected && unsureSince === null) return;
    unsureSince ??= now - MARGIN_MS;
    await tellOrders(unsureSince);
    // Each row is sent until it is older than the margin, because transactions commit later than their timestamps say.
    if (now - MARGIN_MS > unsureSince) unsureSince = now - MARGIN_MS;
    if (!isConnected) backAt = null;
    else if (backAt === null) backAt = now;
    else if (now - backAt > MARGIN_MS) {
      [unsureSince, backAt] = [null, null];
      told.clear();
    }
  }

  const rounds = startRounds({ log, everyMs: EVERY_MS, failed: "what the bus missed could not be read" }, round);
  return {
    async stop() {
      ticks.stop();
      await rounds.stop();
    },
  };
}

/**
 * Follows the newest tick of each instrument that this process knows, and reads later ticks from the tables if no event
 * delivered them.
 */
function watchTicks(database: Queryable, bus: Context["bus"]) {
  const heard = new Map<string, { readonly seq: bigint; readonly time: Instant }>();
  const stop = bus.subscribe("ticks", ({ ticks }) => {
    for (const { symbol, seq, time } of ticks)
      if (seq > (heard.get(symbol)?.seq ?? 0n)) heard.set(symbol, { seq, time });
  });

  async function tellMissed(now: bigint): Promise<void> {
    const clocks = await database.query<{ symbol: string; seq: bigint; time: Instant }>(
      "SELECT symbol, seq, time FROM instrument_clock WHERE seq > 0",
      [],
      "catch_up_clocks",
    );
    for (const { symbol, seq, time } of clocks) {
      const known = heard.get(symbol);
      // At the start, calls have already given every client the newest price.
      if (known === undefined) heard.set(symbol, { seq, time });
      else if (seq > known.seq && time < now - OVERDUE_MS) await tellTicks(symbol, known.time);
    }
  }

  async function tellTicks(symbol: string, after: Instant): Promise<void> {
    const newest = await database.query<{ seq: bigint; time: Instant; price: Points }>(
      "SELECT seq, time, price FROM ticks WHERE symbol = $1 AND time > $2 ORDER BY time DESC LIMIT $3",
      [symbol, after, TICKS_MAX],
      "catch_up_ticks",
    );
    const ticks = newest.toReversed().map((tick): PublishedTick => ({
      symbol,
      seq: tick.seq,
      time: tick.time,
      price: tick.price,
    }));
    const last = ticks.at(-1);
    if (last === undefined || last.seq <= (heard.get(symbol)?.seq ?? 0n)) return;
    bus.deliver("ticks", { ticks, sealedThrough: [{ symbol, time: last.time }] });
  }

  return { tellMissed, stop };
}
