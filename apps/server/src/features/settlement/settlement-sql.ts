import type { Statement } from "../../platform/lane.ts";
import { SEALED_COLUMNS } from "../order-devices/index.ts";

/** Finds the instruments and durations of running orders by stepping through the index. Must follow WITH RECURSIVE. */
const KINDS = `kinds AS (
      (SELECT symbol, duration FROM open_groups ORDER BY symbol, duration LIMIT 1)
      UNION ALL
      SELECT n.symbol, n.duration FROM kinds k CROSS JOIN LATERAL (
        SELECT symbol, duration FROM open_groups WHERE (symbol, duration) > (k.symbol, k.duration) ORDER BY symbol, duration LIMIT 1) n
    )`;

/**
 * Finds the running orders that are due by rule (a): accepted before the newest tick that lies one duration below the
 * seal, so that both entry and expiry are sealed.
 */
export const FIND_DUE: Statement = {
  name: "settle_find_due",
  text: `WITH RECURSIVE ${KINDS}
    SELECT k.symbol, k.duration, 0::bigint, t.time - 1
    FROM kinds k JOIN instrument_clock c USING (symbol)
    CROSS JOIN LATERAL (SELECT time FROM ticks WHERE symbol = k.symbol AND time <= c.sealed_through - k.duration * 1000::bigint
      ORDER BY time DESC LIMIT 1) t
    WHERE EXISTS (SELECT 1 FROM open_groups g WHERE g.symbol = k.symbol AND g.duration = k.duration AND g.accepted_at < t.time)`,
};

/** Locks a symbol's progress so that only one worker moves it; other workers leave it alone. */
export const LOCK_PROGRESS: Statement = {
  name: "settle_lock_progress",
  text: `SELECT p.symbol, p.limits_through, c.sealed_through FROM settlement_progress p JOIN instrument_clock c USING (symbol)
    WHERE c.sealed_through > p.limits_through ORDER BY p.symbol FOR NO KEY UPDATE OF p SKIP LOCKED`,
};

/** Starts a new instrument's progress at its oldest running order, or at the seal if there is none. */
export const ADD_PROGRESS: Statement = {
  name: "settle_add_progress",
  text: `INSERT INTO settlement_progress (symbol, limits_through)
    SELECT c.symbol, coalesce((SELECT min(g.accepted_at) FROM open_groups g WHERE g.symbol = c.symbol), c.sealed_through)
    FROM instrument_clock c WHERE NOT EXISTS (SELECT 1 FROM settlement_progress p WHERE p.symbol = c.symbol)
    ON CONFLICT DO NOTHING`,
};

export const MOVE_PROGRESS: Statement = {
  name: "settle_move_progress",
  text: `UPDATE settlement_progress p SET limits_through = m.through FROM unnest($1::text[], $2::bigint[]) AS m(symbol, through)
    WHERE p.symbol = m.symbol`,
};

/** Columns of an order, with its group, the group's number of running orders, and the reveal of a sealed order. */
const ORDER_COLUMNS = `o.order_id, o.member_id, o.accepted_at, o.stake, o.fee, o.profit_if_won,
  coalesce(o.limit_price, r.limit_price) AS limit_price, o.payout_rate, o.duration, o.config_version, o.wallet,
  coalesce(o.direction, r.direction) AS direction, o.symbol, coalesce(o.client_order_id, o.client_key::text) AS client_order_id, o.batch_no, o.batch_place,
  t.first_id, t.size, o.nonce, ${SEALED_COLUMNS}, r.nonce AS opens, r.revealed_at`;

/** Joins the reveals of orders `o`; orders placed in the open are not looked up. */
const THEIR_REVEALS =
  "LEFT JOIN LATERAL (SELECT * FROM reveals v WHERE o.seal IS NOT NULL AND v.order_id = o.order_id OFFSET 0) r ON true";

const GROUP_COLUMNS = "first_id, order_ids, member_ids";

/**
 * The orders of locked groups. OFFSET 0 keeps the join order: a plan made while there were few orders would scan all of
 * them for each batch.
 */
const theirOrders = (groups: string) => `(
      SELECT g.first_id, cardinality(g.order_ids) AS size, each.order_id, each.member_id
      FROM ${groups} g CROSS JOIN LATERAL unnest(g.order_ids, g.member_ids) AS each(order_id, member_id)) t
    CROSS JOIN LATERAL (
      SELECT * FROM orders o WHERE o.member_id = t.member_id AND o.order_id = t.order_id OFFSET 0) o ${THEIR_REVEALS}`;

/**
 * Takes orders in the given ranges (symbol, duration, first and last accepted_at) that no one else has locked: whole
 * groups until they hold $5 orders, without the orders in $6.
 */
export const TAKE_DUE: Statement = {
  name: "settle_take_due",
  text: `WITH taken AS MATERIALIZED (
      SELECT ${GROUP_COLUMNS} FROM take_groups($1::text[], $2::integer[], $3::bigint[], $4::bigint[], $5::integer, $6::bigint[])
    )
    SELECT ${ORDER_COLUMNS} FROM ${theirOrders("taken")} WHERE t.order_id <> ALL($6::bigint[])`,
};

/**
 * Takes orders that newly sealed ticks (after $2, through $3 for each symbol $1) void before their expiry: (b) there is
 * no tick within ten seconds of acceptance, because the gap between two ticks, or from the newest tick to the seal, is
 * that long; (c) the entry tick is beyond the limit price. Takes groups until they hold $4 orders of each kind, without
 * the orders in $5.
 */
export const TAKE_VOID: Statement = {
  name: "settle_take_void",
  text: `WITH RECURSIVE ${KINDS}, moved AS MATERIALIZED (
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
      SELECT ${GROUP_COLUMNS} FROM (
        SELECT array_agg(symbol) AS symbols, array_agg(duration) AS durations, array_agg(first) AS firsts, array_agg(last) AS lasts
        FROM gaps JOIN kinds USING (symbol) HAVING count(*) > 0) g
      CROSS JOIN LATERAL take_groups(g.symbols, g.durations, g.firsts, g.lasts, $4::integer, $5::bigint[])
    ), passed AS MATERIALIZED (
      SELECT o.* FROM steps s CROSS JOIN LATERAL (
        SELECT ${GROUP_COLUMNS} FROM open_groups
        WHERE symbol = s.symbol AND limit_price IS NOT NULL AND accepted_at >= s.previous AND accepted_at < s.time AND first_id <> ALL($5::bigint[])
          AND CASE direction WHEN 'up' THEN s.price > limit_price ELSE s.price < limit_price END
        LIMIT $4::integer FOR UPDATE SKIP LOCKED) o
      WHERE s.previous IS NOT NULL
      LIMIT $4::integer
    )
    SELECT ${ORDER_COLUMNS} FROM ${theirOrders("(SELECT * FROM entryless UNION SELECT * FROM passed)")}
    WHERE t.order_id <> ALL($5::bigint[])`,
};

/**
 * Takes those of the given orders ($1, with their members $2) that still run and whose groups no one else has locked.
 */
export const TAKE_GIVEN: Statement = {
  name: "settle_take_given",
  text: `WITH given AS MATERIALIZED (
      SELECT DISTINCT o.symbol, o.duration, o.accepted_at FROM unnest($1::bigint[], $2::bigint[]) AS t(order_id, member_id)
      CROSS JOIN LATERAL (
        SELECT * FROM orders o WHERE o.member_id = t.member_id AND o.order_id = t.order_id OFFSET 0) o
    ), taken AS MATERIALIZED (
      SELECT g.* FROM given CROSS JOIN LATERAL (
        SELECT ${GROUP_COLUMNS} FROM open_groups g
        WHERE g.symbol = given.symbol AND g.duration = given.duration AND g.accepted_at = given.accepted_at AND g.order_ids && $1::bigint[]
        FOR UPDATE SKIP LOCKED) g
    )
    SELECT ${ORDER_COLUMNS} FROM ${theirOrders("taken")} WHERE t.order_id = ANY($1::bigint[])`,
};

/** Stores orders that are due and wait for their reveal: order ids $1, their members $2, and the deadlines $3. */
export const WRITE_AWAITING: Statement = {
  name: "settle_write_awaiting",
  text: `INSERT INTO awaiting_reveals (order_id, member_id, accepted_at, duration, symbol, reveal_by)
    SELECT o.order_id, o.member_id, o.accepted_at, o.duration, o.symbol, w.reveal_by
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS w(order_id, member_id, reveal_by)
    CROSS JOIN LATERAL (SELECT * FROM orders o WHERE o.member_id = w.member_id AND o.order_id = w.order_id OFFSET 0) o`,
};

/**
 * Until when ($1: the boards, $2: ms) all reveals that came in time are stored: now, or the moment up to which the board
 * that is furthest behind was read. A board that didn't answer for $2 ms while it was asked is not waited for.
 */
const REVEALS_KNOWN_THROUGH = `(SELECT least(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint, min(
        CASE WHEN r.asked_at - r.failing_since >= $2::bigint THEN r.asked_at ELSE coalesce(r.read_through, 0) END))
      FROM unnest($1::text[]) AS b(board) LEFT JOIN board_readings r USING (board))`;

/** Reads until when all reveals that came in time are stored. Must be read before the reveals themselves. */
export const READ_KNOWN_THROUGH: Statement = {
  name: "settle_read_known_through",
  text: `SELECT ${REVEALS_KNOWN_THROUGH}`,
};

/** Finds up to $3 waiting orders that have been revealed, or can't be any more, without the orders in $4. */
export const FIND_AWAITED: Statement = {
  name: "settle_find_awaited",
  text: `SELECT a.order_id, a.member_id FROM awaiting_reveals a
    WHERE (a.reveal_by <= ${REVEALS_KNOWN_THROUGH} OR EXISTS (SELECT FROM reveals v WHERE v.order_id = a.order_id))
      AND a.order_id <> ALL($4::bigint[])
    LIMIT $3::integer`,
};

/** Locks those of $1 that wait and that no one else has locked; a reveal in progress also locks its order. */
export const LOCK_AWAITED: Statement = {
  name: "settle_lock_awaited",
  text: "SELECT order_id, member_id FROM awaiting_reveals WHERE order_id = ANY($1::bigint[]) FOR UPDATE SKIP LOCKED",
};

/** Reads the orders $1 of members $2 after their rows were locked, so that a reveal written until then is seen. */
export const READ_AWAITED: Statement = {
  name: "settle_read_awaited",
  text: `SELECT ${ORDER_COLUMNS} FROM (
      SELECT order_id, member_id, NULL::bigint AS first_id, 1 AS size FROM unnest($1::bigint[], $2::bigint[]) AS each(order_id, member_id)) t
    CROSS JOIN LATERAL (
      SELECT * FROM orders o WHERE o.member_id = t.member_id AND o.order_id = t.order_id OFFSET 0) o ${THEIR_REVEALS}`,
};

export const DELETE_AWAITED: Statement = {
  name: "settle_delete_awaited",
  text: "DELETE FROM awaiting_reveals WHERE order_id = ANY($1::bigint[])",
};

/** Reads entry and exit tick of each key (symbol, accepted_at, duration): number, now, seal, entry, exit. */
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
 * Deletes groups in which every order is settled. Rows are found by key and deleted by ctid, which is safe because they
 * are locked and cannot move. A join would be planned by the number of rows, and this table keeps filling and emptying.
 */
export const DELETE_GROUPS: Statement = {
  name: "settle_delete_groups",
  text: `DELETE FROM open_groups WHERE ctid = ANY(ARRAY(
    SELECT g.ctid FROM unnest($1::bigint[]) AS s(first_id)
    CROSS JOIN LATERAL (SELECT ctid FROM open_groups g WHERE g.first_id = s.first_id OFFSET 0) g))`,
};

/** Removes the settled orders $2 from groups $1 in which other orders stay. */
export const SHRINK_GROUPS: Statement = {
  name: "settle_shrink_groups",
  text: `UPDATE open_groups g SET (order_ids, member_ids) = (
      SELECT array_agg(order_id ORDER BY place), array_agg(member_id ORDER BY place)
      FROM unnest(g.order_ids, g.member_ids) WITH ORDINALITY AS each(order_id, member_id, place) WHERE order_id <> ALL($2::bigint[]))
    WHERE g.first_id = ANY($1::bigint[])`,
};

/** Writes the house accounts, in order of wallet and account; these are the last locks taken. */
export const WRITE_HOUSE: Statement = {
  name: "settle_write_house",
  text: `UPDATE house_accounts h SET balance = h.balance + c.change
    FROM (SELECT * FROM unnest($1::wallet[], $2::text[], $3::bigint[]) AS u(wallet, account, change) ORDER BY wallet, account) c
    WHERE h.wallet = c.wallet AND h.account = c.account`,
};

/** Writes the incident before the settlements that it explains. */
export const WRITE_INCIDENT: Statement = {
  name: "settle_write_incident",
  text: "INSERT INTO outbox (kind, entry) VALUES ('incident', $1::text)",
};

export const WRITE_OUTBOX: Statement = {
  name: "settle_write_outbox",
  text: "INSERT INTO outbox (kind, entry) SELECT 'orders.settle', entry FROM unnest($1::text[]) AS entry",
};
