import type pg from "pg";

export const EXPIRING_SYMBOL = "EURUSD";
export const DURATION_SECONDS = 30;
const STAKE = 1_000_000;
const FEE = 10_000;
const PROFIT = 810_000;

/** Orders of a full batch on one instrument, if six instruments are traded. */
const GROUP_ORDERS = 40;

/**
 * Id number `n` within the millisecond `ms`, like those of the product's id sources but with a separate node number.
 */
const ID = "((ms - 1577836800000) << 22 | (1023 << 12) | n)";
let loads = 0;

/**
 * Creates running orders as acceptance would, all accepted at one instant and spread over the members: order, client
 * id, open order and the hold in the wallet. Returns that instant, which is later than all ticks so far.
 */
export async function loadRunningOrders(client: pg.Client, members: readonly bigint[], count: number): Promise<bigint> {
  loads += 1;
  const { rows } = await client.query<{ now: string }>(
    `SELECT greatest(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint, max(time) + 1) AS now
     FROM instrument_clock WHERE symbol = $1`,
    [EXPIRING_SYMBOL],
  );
  const acceptedAt = BigInt(rows[0]?.now ?? 0);
  await client.query("SELECT ensure_settlement_partitions($1::bigint - 86400000, $1::bigint + 86400000)", [acceptedAt]);
  await client.query("BEGIN");
  // Arrays are sent as text. A member's k-th order comes after their k-1 others, as in a batch.
  await client.query(
    `CREATE TEMP TABLE agreed ON COMMIT DROP AS
     SELECT ${ID} AS order_id, member_id, row_number() OVER (PARTITION BY member_id ORDER BY number) AS nth, number
     FROM (
       SELECT $2::bigint + number / 4096 AS ms, number % 4096 AS n, number, ($1::bigint[])[number % $3::integer + 1] AS member_id
       FROM generate_series(0, $4::integer - 1) AS number
     ) numbered`,
    [members, acceptedAt, members.length, count],
  );
  await client.query(
    `INSERT INTO orders (order_id, member_id, member_seq, batch_no, accepted_at, stake, fee, profit_if_won, available_after,
       payout_rate, duration, config_version, batch_place, wallet, direction, symbol, client_order_id, client_key, nonce)
     SELECT order_id, member_id, m.member_seq + nth, $1::bigint, $2::bigint, ${STAKE}, ${FEE}, ${PROFIT},
       m.practice_available - nth * ${STAKE + FEE}, 820000, ${DURATION_SECONDS}, 1, number, 'practice',
       CASE WHEN number % 2 = 0 THEN 'up' ELSE 'down' END::direction, '${EXPIRING_SYMBOL}', 'run-' || $1::bigint || '-' || number,
       client_key('run-' || $1::bigint || '-' || number), substring(sha256(int8send(order_id)) FROM 1 FOR 16)
     FROM agreed JOIN members_money m USING (member_id)`,
    [loads, acceptedAt],
  );
  await client.query(
    `INSERT INTO open_groups (first_id, accepted_at, duration, symbol, order_ids, member_ids)
     SELECT min(order_id), $1::bigint, ${DURATION_SECONDS}, '${EXPIRING_SYMBOL}', array_agg(order_id), array_agg(member_id)
     FROM (SELECT *, (row_number() OVER (ORDER BY member_id, nth) - 1) / ${GROUP_ORDERS} AS part FROM agreed) a
     GROUP BY part ORDER BY part`,
    [acceptedAt],
  );
  await client.query(
    `UPDATE members_money m SET member_seq = m.member_seq + a.orders,
       practice_available = practice_available - a.orders * ${STAKE + FEE}, practice_locked = practice_locked + a.orders * ${STAKE + FEE},
       practice_running_stakes = practice_running_stakes + a.orders * ${STAKE}, practice_running_orders = practice_running_orders + a.orders
     FROM (SELECT member_id, count(*) AS orders FROM agreed GROUP BY member_id) a WHERE a.member_id = m.member_id`,
  );
  await client.query(
    `INSERT INTO exposure AS e (stripe, wallet, symbol, profit) VALUES (0, 'practice', $1, $2)
     ON CONFLICT (stripe, wallet, symbol) DO UPDATE SET profit = e.profit + excluded.profit`,
    [EXPIRING_SYMBOL, BigInt(PROFIT * count)],
  );
  await client.query("COMMIT");
  return acceptedAt;
}

const CHUNK = 250_000;

/** Creates settled orders of the last 20 hours, in the same partitions and indexes as the running ones. */
export async function loadOldOrders(admin: pg.Client, members: readonly bigint[], count: number): Promise<void> {
  await admin.query("CREATE TEMP TABLE old_members (number integer PRIMARY KEY, member_id bigint)");
  await admin.query(
    "INSERT INTO old_members SELECT number - 1, member_id FROM unnest($1::bigint[]) WITH ORDINALITY AS u(member_id, number)",
    [members],
  );
  for (let from = 0; from < count; from += CHUNK) {
    const to = Math.min(count, from + CHUNK);
    // Maps one number of the series to one order, with the same expression in both tables.
    const numbered = `FROM (
        SELECT number, $1::bigint - 72000000 + number * 70000000::bigint / $2::bigint AS ms, number % 4096 AS n
        FROM generate_series($3::integer, $4::integer - 1) AS number) s
      JOIN old_members o ON o.number = s.number % $5::integer`;
    const values = [Date.now() - 1_000_000, count, from, to, members.length];
    await admin.query("BEGIN");
    await admin.query(
      `INSERT INTO orders (order_id, member_id, member_seq, batch_no, accepted_at, stake, fee, profit_if_won, available_after,
         payout_rate, duration, config_version, batch_place, wallet, direction, symbol, client_order_id, client_key, nonce)
       SELECT ${ID}, member_id, s.number, s.number / 500, ms, ${STAKE}, ${FEE}, ${PROFIT}, 0, 820000, 30, 1, s.number % 500, 'practice', 'up',
         '${EXPIRING_SYMBOL}', 'old-' || s.number, client_key('old-' || s.number), substring(sha256(int4send(s.number)) FROM 1 FOR 16) ${numbered}`,
      values,
    );
    await admin.query(
      `INSERT INTO settlements (order_id, member_id, member_seq, settled_at, entry_seq, entry_at, entry_price, exit_seq, exit_at, exit_price,
         profit, credit, available_after, outcome)
       SELECT ${ID}, member_id, s.number, ms + 31000, 1, ms + 1, 1085000, 2, ms + 30000, 1085001, ${PROFIT}, ${STAKE + FEE + PROFIT}, 0, 'won' ${numbered}`,
      values,
    );
    await admin.query("COMMIT");
  }
  await admin.query("DROP TABLE old_members");
  await admin.query("VACUUM ANALYZE");
}
