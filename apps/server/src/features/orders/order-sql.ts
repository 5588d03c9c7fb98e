import { ORDER_NONCES_BYTES } from "@fairtick/domain";
import type { Statement } from "../../platform/lane.ts";
import { SEALED_COLUMNS } from "../order-devices/index.ts";
import { PASS_TICK_GATE } from "../../platform/tick-gate.ts";

/** As many running orders stand in one row at most, which then is small enough to stay in its page. */
export const OPEN_GROUP_MAX = 100;

/** Whatever changes these raises `members_money.terms_version`. */
export const READ_TERMS: Statement = {
  name: "orders_read_terms",
  text: `SELECT member_id, region, standing, standing_reason, excluded_until, trade_password_set,
      (SELECT string_agg(d.device_id::text, ',') FROM order_devices d WHERE d.member_id = m.member_id AND d.removed_at IS NULL) AS devices
    FROM members m WHERE member_id = ANY($1::bigint[])`,
};

export const READ_LIMITS: Statement = {
  name: "orders_read_limits",
  text: `SELECT member_id, name, effective_at, value FROM member_limits
    WHERE member_id = ANY($1::bigint[]) AND name IN ('dailyStake', 'dailyLoss', 'coolOffUntil')
    ORDER BY member_id, effective_at DESC`,
};

/**
 * The orders that client keys are bound to. OFFSET 0 keeps the join's order: a plan made while the table was empty would
 * scan it whole for each batch.
 */
export const READ_KNOWN: Statement = {
  name: "orders_read_known",
  text: `SELECT o.member_id, o.client_key, o.order_id, o.wallet, o.symbol, o.direction, o.stake, o.duration, o.limit_price,
      o.payout_rate, o.fee, ${SEALED_COLUMNS}
    FROM unnest($1::bigint[], $2::uuid[]) AS asked(member_id, client_key)
    CROSS JOIN LATERAL (SELECT * FROM orders o
      WHERE o.client_key = asked.client_key AND o.member_id = asked.member_id OFFSET 0) o`,
};

/** The database's time, the newest versions of configuration and regions, and the newest tick of each instrument in the batch. */
export const READ_CLOCK: Statement = {
  name: "orders_read_clock",
  text: `SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint,
      (SELECT max(version) FROM trading_configs), symbol, seq, time, price, (SELECT max(version) FROM policies WHERE name = 'regions')
    FROM (SELECT 1) AS one LEFT JOIN instrument_clock ON symbol = ANY($1::text[])`,
};

/** Of the heads of slots $1 that there are, hash and time of the newest tick. */
export const READ_SEEN: Statement = {
  name: "orders_read_seen",
  text: "SELECT k, hash, time FROM slot_heads WHERE k = ANY($1::bigint[])",
};

export const TAKE_TICK_GATE: Statement = { name: "orders_tick_gate", text: PASS_TICK_GATE };

/**
 * One statement after the gate is held: one acceptedAt for the batch, its number and root, and all rows.
 * $1 symbols, $2 and $3 the first and last acceptedAt it was judged for, $4 Merkle root, $5 commitments (base64),
 * $6 configuration version, $7 nonces, one string of bytes; $8 to $16, $22 and $23 one array a column, of one length (but
 * empty: $14 where no order has a limit price, $23 where all client ids are UUIDs): unnested side by side in the list, which
 * needs no store for each as a join with unnest(…, …) does. $16 is the number of each order's kind, $17 to $21 one array a
 * column of the kinds. $24 and $25 the same orders and members by the rows that they stand in while they run, each row a
 * stretch of them, $26 to $31 one array a column of those rows: grouped here, all that is written would be stored in between. $32 the
 * commitments of refusals (base64) and $33 how many each reason has, as canonical JSON. $34 to $36 again one array a column, empty
 * where no order is sealed: seal, seen hash and signature in one string of bytes each, devices, and slots seen. $37 how many
 * orders are not sealed.
 */
export const WRITE_BATCH: Statement = {
  name: "orders_write_batch",
  text: `WITH stamp AS MATERIALIZED (
      SELECT nextval('acceptance_batch_no') AS batch_no, accept_within(greatest(
        floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint,
        (SELECT max(time) FROM instrument_clock WHERE symbol = ANY($1::text[]))), $2::bigint, $3::bigint) AS accepted_at
    ), batch AS (
      INSERT INTO acceptance_batches (batch_no, accepted_at, root)
      SELECT batch_no, accepted_at, sha256('\\x42415443483200'::bytea || int8send(batch_no) || int8send(accepted_at) || int4send(cardinality($8::bigint[])) || $4::bytea) FROM stamp
      RETURNING batch_no, accepted_at, root
    ), entry AS (
      INSERT INTO outbox (kind, entry)
      SELECT 'orders.accept', '{"acceptedAt":' || accepted_at || ',"batch":' || batch_no || ',"commitments":"' || $5::text
        || '","config":' || $6::integer || ',"kind":"orders.accept","open":' || $37::integer || ',"reasons":' || $33::text
        || ',"refusals":"' || $32::text || '","v":2}' FROM stamp
    ), inserted AS (
      INSERT INTO orders (order_id, member_id, member_seq, batch_no, accepted_at, stake, fee, profit_if_won, limit_price, available_after,
        payout_rate, duration, config_version, batch_place, wallet, direction, client_key, symbol, nonce, client_order_id,
        seal, device_id, seen_slot, seen_hash, signature)
      SELECT order_id, member_id, member_seq, batch_no, accepted_at, stake, fee, profit_if_won, limit_price, available_after,
        ($17::integer[])[kind], ($18::integer[])[kind], $6::integer, number - 1, ($19::wallet[])[kind], ($20::direction[])[kind],
        client_key, ($21::text[])[kind],
        substring($7::bytea FROM (number - 1) * ${ORDER_NONCES_BYTES} + 1 FOR ${ORDER_NONCES_BYTES}), client_order_id,
        substring(sealing FOR 32), device_id, seen_slot, substring(sealing FROM 33 FOR 32), substring(sealing FROM 65)
      FROM (SELECT batch_no, accepted_at, generate_series(1, cardinality($8::bigint[])) AS number, unnest($8::bigint[]) AS order_id,
        unnest($9::bigint[]) AS member_id, unnest($10::bigint[]) AS member_seq, unnest($11::bigint[]) AS stake, unnest($12::bigint[]) AS fee,
        unnest($13::bigint[]) AS profit_if_won, unnest($14::bigint[]) AS limit_price, unnest($15::bigint[]) AS available_after,
        unnest($16::integer[]) AS kind, unnest($22::uuid[]) AS client_key, unnest($23::text[]) AS client_order_id,
        unnest($34::bytea[]) AS sealing, unnest($35::bigint[]) AS device_id, unnest($36::bigint[]) AS seen_slot FROM stamp) AS agreed
    ), running AS (
      INSERT INTO open_groups (first_id, accepted_at, duration, symbol, limit_price, direction, order_ids, member_ids)
      SELECT ($24::bigint[])[first], accepted_at, duration, symbol, limit_price, direction, ($24::bigint[])[first:last], ($25::bigint[])[first:last]
      FROM (SELECT accepted_at, unnest($26::integer[]) AS first, unnest($27::integer[]) AS last, unnest($28::integer[]) AS duration,
        unnest($29::text[]) AS symbol, unnest($30::bigint[]) AS limit_price, unnest($31::direction[]) AS direction FROM stamp) AS open_rows
    )
    SELECT batch_no, accepted_at, root FROM batch`,
};
