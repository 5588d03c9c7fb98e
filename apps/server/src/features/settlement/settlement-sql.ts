import type { Statement } from "../../platform/lane.ts";

/**
 * Which running orders are due by (a): accepted before the newest tick that lies a duration below the seal, so that
 * entry and expiry are sealed. The instruments and durations there are come from the index itself, step by step.
 */
export const FIND_DUE: Statement = {
  name: "settle_find_due",
  text: `WITH RECURSIVE kinds AS (
      (SELECT symbol, duration FROM open_orders ORDER BY symbol, duration LIMIT 1)
      UNION ALL
      SELECT n.symbol, n.duration FROM kinds k CROSS JOIN LATERAL (
        SELECT symbol, duration FROM open_orders WHERE (symbol, duration) > (k.symbol, k.duration) ORDER BY symbol, duration LIMIT 1) n
    )
    SELECT k.symbol, k.duration, 0::bigint, t.time - 1
    FROM kinds k JOIN instrument_clock c USING (symbol)
    CROSS JOIN LATERAL (SELECT time FROM ticks WHERE symbol = k.symbol AND time <= c.sealed_through - k.duration * 1000::bigint
      ORDER BY time DESC LIMIT 1) t
    WHERE EXISTS (SELECT 1 FROM open_orders o WHERE o.symbol = k.symbol AND o.duration = k.duration AND o.accepted_at < t.time)`,
};

/** A symbol's progress is moved by one worker at a time; another one leaves it to him. */
export const LOCK_PROGRESS: Statement = {
  name: "settle_lock_progress",
  text: `SELECT p.symbol, p.limits_through, c.sealed_through FROM settlement_progress p JOIN instrument_clock c USING (symbol)
    WHERE c.sealed_through > p.limits_through ORDER BY p.symbol FOR NO KEY UPDATE OF p SKIP LOCKED`,
};

/** A new instrument's progress begins at its oldest running order, else at the seal. */
export const ADD_PROGRESS: Statement = {
  name: "settle_add_progress",
  text: `INSERT INTO settlement_progress (symbol, limits_through)
    SELECT c.symbol, coalesce((SELECT min(o.accepted_at) FROM open_orders o WHERE o.symbol = c.symbol), c.sealed_through)
    FROM instrument_clock c WHERE NOT EXISTS (SELECT 1 FROM settlement_progress p WHERE p.symbol = c.symbol)
    ON CONFLICT DO NOTHING`,
};

export const MOVE_PROGRESS: Statement = {
  name: "settle_move_progress",
  text: `UPDATE settlement_progress p SET limits_through = m.through FROM unnest($1::text[], $2::bigint[]) AS m(symbol, through)
    WHERE p.symbol = m.symbol`,
};

const ORDER_COLUMNS = `o.order_id, o.member_id, o.accepted_at, o.stake, o.fee, o.profit_if_won, o.limit_price, o.payout_rate,
  o.duration, o.config_version, o.wallet, o.direction, o.symbol, o.client_order_id, o.batch_no, o.batch_place`;

/** OFFSET 0 keeps the join's order: a plan made while orders were few would scan them all for each batch. */
const THEIR_ORDERS = `CROSS JOIN LATERAL (
      SELECT * FROM orders o WHERE o.member_id = t.member_id AND o.order_id = t.order_id OFFSET 0) o`;

/** Takes orders of the given ranges (symbol, duration, first and last accepted_at) that nobody else holds. $5 at most, none of $6. */
export const TAKE_DUE: Statement = {
  name: "settle_take_due",
  text: `WITH taken AS MATERIALIZED (
      SELECT o.order_id, o.member_id
      FROM unnest($1::text[], $2::integer[], $3::bigint[], $4::bigint[]) AS r(symbol, duration, first, last)
      CROSS JOIN LATERAL (
        SELECT order_id, member_id FROM open_orders
        WHERE symbol = r.symbol AND duration = r.duration AND accepted_at >= r.first AND accepted_at <= r.last AND order_id <> ALL($6::bigint[])
        ORDER BY accepted_at LIMIT $5::integer FOR UPDATE SKIP LOCKED) o
      LIMIT $5::integer
    )
    SELECT ${ORDER_COLUMNS} FROM taken t ${THEIR_ORDERS}`,
};

/**
 * Takes what newly sealed ticks (after $2, through $3 of each symbol $1) decide before any expiry: (b) no tick within
 * ten seconds of acceptance, where a gap between ticks or from the newest tick to the seal is that long; (c) limit
 * prices that the entry tick passes. $4 at most of each, none of $5.
 */
export const TAKE_VOID: Statement = {
  name: "settle_take_void",
  text: `WITH moved AS MATERIALIZED (
      SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS m(symbol, after, through)
    ), steps AS MATERIALIZED (
      SELECT m.symbol, t.time, t.price, lag(t.time) OVER (PARTITION BY m.symbol ORDER BY t.time) AS previous
      FROM moved m CROSS JOIN LATERAL (
        (SELECT time, price FROM ticks WHERE symbol = m.symbol AND time <= m.after ORDER BY time DESC LIMIT 1)
        UNION ALL
        SELECT time, price FROM ticks WHERE symbol = m.symbol AND time > m.after AND time <= m.through) t
    ), gaps AS MATERIALIZED (
      SELECT symbol, previous AS first, time - 10001 AS last FROM steps WHERE time - previous > 10000
      UNION ALL
      SELECT m.symbol, t.time, m.through - 10000 FROM moved m CROSS JOIN LATERAL (
        SELECT coalesce(max(s.time), 0) AS time FROM steps s WHERE s.symbol = m.symbol) t
      WHERE m.through - t.time >= 10000
    ), entryless AS MATERIALIZED (
      SELECT o.order_id, o.member_id FROM gaps g CROSS JOIN LATERAL (
        SELECT order_id, member_id FROM open_orders
        WHERE symbol = g.symbol AND accepted_at >= g.first AND accepted_at <= g.last AND order_id <> ALL($5::bigint[])
        LIMIT $4::integer FOR UPDATE SKIP LOCKED) o
      LIMIT $4::integer
    ), passed AS MATERIALIZED (
      SELECT o.order_id, o.member_id FROM steps s CROSS JOIN LATERAL (
        SELECT order_id, member_id FROM open_orders
        WHERE symbol = s.symbol AND limit_price IS NOT NULL AND accepted_at >= s.previous AND accepted_at < s.time AND order_id <> ALL($5::bigint[])
          AND CASE direction WHEN 'up' THEN s.price > limit_price ELSE s.price < limit_price END
        LIMIT $4::integer FOR UPDATE SKIP LOCKED) o
      WHERE s.previous IS NOT NULL
      LIMIT $4::integer
    )
    SELECT ${ORDER_COLUMNS} FROM (SELECT * FROM entryless UNION SELECT * FROM passed) t ${THEIR_ORDERS}`,
};

/** Takes those of the given orders that still run and that nobody else holds. */
export const TAKE_GIVEN: Statement = {
  name: "settle_take_given",
  text: `WITH taken AS MATERIALIZED (
      SELECT o.order_id, o.member_id FROM unnest($1::bigint[]) AS g(order_id)
      CROSS JOIN LATERAL (
        SELECT order_id, member_id FROM open_orders
        WHERE order_id = g.order_id FOR UPDATE SKIP LOCKED) o
    )
    SELECT ${ORDER_COLUMNS} FROM taken t ${THEIR_ORDERS}`,
};

/** Entry and exit of each key (symbol, accepted_at, duration): number, now, seal, entry, exit. */
export const READ_TICKS: Statement = {
  name: "settle_read_ticks",
  text: `SELECT k.number, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint, c.sealed_through,
      e.seq, e.time, e.price, x.seq, x.time, x.price
    FROM unnest($1::text[], $2::bigint[], $3::integer[]) WITH ORDINALITY AS k(symbol, accepted_at, duration, number)
    JOIN instrument_clock c USING (symbol)
    LEFT JOIN LATERAL (SELECT seq, time, price FROM ticks WHERE symbol = k.symbol AND time > k.accepted_at AND time <= k.accepted_at + 10000
      ORDER BY time LIMIT 1) e ON true
    LEFT JOIN LATERAL (SELECT seq, time, price FROM ticks WHERE symbol = k.symbol AND time >= e.time AND time <= e.time + k.duration * 1000::bigint
      ORDER BY time DESC LIMIT 1) x ON true`,
};

export const WRITE_SETTLEMENTS: Statement = {
  name: "settle_write",
  text: `INSERT INTO settlements (order_id, member_id, member_seq, settled_at, entry_seq, entry_at, entry_price,
      exit_seq, exit_at, exit_price, profit, credit, available_after, outcome, void_reason)
    SELECT order_id, member_id, member_seq, $1::bigint, entry_seq, entry_at, entry_price,
      exit_seq, exit_at, exit_price, profit, credit, available_after, outcome, void_reason
    FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[],
      $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::outcome[], $15::void_reason[])
      AS s(order_id, member_id, member_seq, entry_seq, entry_at, entry_price, exit_seq, exit_at, exit_price,
        profit, credit, available_after, outcome, void_reason)`,
};

/**
 * By place in the table, found by key: the rows are locked and stay where they are. A join would be planned by how many
 * rows there are, and this table is emptied and filled again and again.
 */
export const DELETE_OPEN: Statement = {
  name: "settle_delete_open",
  text: `DELETE FROM open_orders WHERE ctid = ANY(ARRAY(
    SELECT o.ctid FROM unnest($1::bigint[]) AS s(order_id)
    CROSS JOIN LATERAL (SELECT ctid FROM open_orders o WHERE o.order_id = s.order_id OFFSET 0) o))`,
};

/** Last of all locks, in the order of wallet and account. */
export const WRITE_HOUSE: Statement = {
  name: "settle_write_house",
  text: `UPDATE house_accounts h SET balance = h.balance + c.change
    FROM (SELECT * FROM unnest($1::wallet[], $2::text[], $3::bigint[]) AS u(wallet, account, change) ORDER BY wallet, account) c
    WHERE h.wallet = c.wallet AND h.account = c.account`,
};

export const WRITE_OUTBOX: Statement = {
  name: "settle_write_outbox",
  text: "INSERT INTO outbox (kind, entry) SELECT 'orders.settle', entry FROM unnest($1::text[]) AS entry",
};
