import { NONCE_BYTES } from "@fairtick/domain";
import type { Statement } from "../../platform/lane.ts";
import { PASS_TICK_GATE } from "../../platform/tick-gate.ts";

/** As much of a payload's hash as is kept: two payloads of one member are told apart, nobody gains by a collision. */
export const PAYLOAD_HASH_BYTES = 16;

/** As many running orders stand in one row at most, which then is small enough to stay in its page. */
export const OPEN_GROUP_MAX = 100;

/** Whatever changes these raises `members_money.terms_version`. */
export const READ_TERMS: Statement = {
  name: "orders_read_terms",
  text: `SELECT member_id, region, standing, standing_reason, excluded_until, trade_password_set
    FROM members WHERE member_id = ANY($1::bigint[])`,
};

export const READ_LIMITS: Statement = {
  name: "orders_read_limits",
  text: `SELECT member_id, name, effective_at, value FROM member_limits
    WHERE member_id = ANY($1::bigint[]) AND name IN ('dailyStake', 'dailyLoss', 'coolOffUntil')
    ORDER BY member_id, effective_at DESC`,
};

/** OFFSET 0 keeps the join's order: a plan made while order_keys was empty would scan it whole for each batch. */
export const READ_KNOWN: Statement = {
  name: "orders_read_known",
  text: `SELECT k.member_id, k.client_order_id, k.order_id, k.payload_hash
    FROM unnest($1::bigint[], $2::text[]) AS asked(member_id, client_order_id)
    CROSS JOIN LATERAL (SELECT * FROM order_keys k
      WHERE k.member_id = asked.member_id AND k.client_order_id = asked.client_order_id OFFSET 0) k`,
};

/** The database's time, the newest versions of configuration and regions, and the newest tick of each instrument in the batch. */
export const READ_CLOCK: Statement = {
  name: "orders_read_clock",
  text: `SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint,
      (SELECT max(version) FROM trading_configs), symbol, seq, time, price, (SELECT max(version) FROM policies WHERE name = 'regions')
    FROM (SELECT 1) AS one LEFT JOIN instrument_clock ON symbol = ANY($1::text[])`,
};

export const TAKE_TICK_GATE: Statement = { name: "orders_tick_gate", text: PASS_TICK_GATE };

/**
 * One statement after the gate is held: one acceptedAt for the batch, its number and root, and all rows.
 * $1 symbols, $2 and $3 the first and last acceptedAt it was judged for, $4 Merkle root, $5 commitments (base64),
 * $6 configuration version, $7 nonces and $8 payload hashes, one string of bytes each; $9… one array a column, of one length:
 * unnested side by side in the list, which needs no store for each as a join with unnest(…, …) does.
 */
export const WRITE_BATCH: Statement = {
  name: "orders_write_batch",
  text: `WITH stamp AS MATERIALIZED (
      SELECT nextval('acceptance_batch_no') AS batch_no, accept_within(greatest(
        floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint,
        (SELECT max(time) FROM instrument_clock WHERE symbol = ANY($1::text[]))), $2::bigint, $3::bigint) AS accepted_at
    ), batch AS (
      INSERT INTO acceptance_batches (batch_no, accepted_at, root)
      SELECT batch_no, accepted_at, sha256('\\x42415443483100'::bytea || int8send(batch_no) || int8send(accepted_at) || $4::bytea) FROM stamp
      RETURNING batch_no, accepted_at, root
    ), entry AS (
      INSERT INTO outbox (kind, entry)
      SELECT 'orders.accept', '{"acceptedAt":' || accepted_at || ',"batch":' || batch_no || ',"commitments":"' || $5::text
        || '","config":' || $6::integer || ',"kind":"orders.accept","v":1}' FROM stamp
    ), agreed AS MATERIALIZED (
      SELECT batch_no, accepted_at, generate_series(1, cardinality($9::bigint[])) AS number, unnest($9::bigint[]) AS order_id,
        unnest($10::bigint[]) AS member_id, unnest($11::bigint[]) AS member_seq, unnest($12::bigint[]) AS stake, unnest($13::bigint[]) AS fee,
        unnest($14::bigint[]) AS profit_if_won, unnest($15::bigint[]) AS limit_price, unnest($16::bigint[]) AS available_after,
        unnest($17::integer[]) AS payout_rate, unnest($18::integer[]) AS duration, unnest($19::wallet[]) AS wallet,
        unnest($20::direction[]) AS direction, unnest($21::text[]) AS symbol, unnest($22::text[]) AS client_order_id, unnest($23::integer[]) AS row_no
      FROM stamp
    ), inserted AS (
      INSERT INTO orders (order_id, member_id, member_seq, batch_no, accepted_at, stake, fee, profit_if_won, limit_price, available_after,
        payout_rate, duration, config_version, batch_place, wallet, direction, symbol, client_order_id, nonce)
      SELECT order_id, member_id, member_seq, batch_no, accepted_at, stake, fee, profit_if_won, limit_price, available_after,
        payout_rate, duration, $6::integer, number - 1, wallet, direction, symbol, client_order_id,
        substring($7::bytea FROM (number - 1) * ${NONCE_BYTES} + 1 FOR ${NONCE_BYTES}) FROM agreed
    ), keys AS (
      INSERT INTO order_keys (member_id, client_order_id, order_id, payload_hash)
      SELECT member_id, client_order_id, order_id, substring($8::bytea FROM (number - 1) * ${PAYLOAD_HASH_BYTES} + 1 FOR ${PAYLOAD_HASH_BYTES}) FROM agreed
    ), running AS (
      INSERT INTO open_groups (first_id, accepted_at, duration, symbol, limit_price, direction, order_ids, member_ids)
      SELECT min(order_id), accepted_at, duration, symbol, limit_price, min(direction) FILTER (WHERE limit_price IS NOT NULL),
        array_agg(order_id), array_agg(member_id)
      FROM agreed GROUP BY row_no, accepted_at, duration, symbol, limit_price
    )
    SELECT batch_no, accepted_at, root FROM batch`,
};
