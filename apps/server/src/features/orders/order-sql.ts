import { ORDER_NONCES_BYTES } from "@fairtick/domain";
import type { Statement } from "../../platform/lane.ts";
import { SEALED_COLUMNS } from "../order-devices/index.ts";
import { namedStatement } from "../../platform/named-statement.ts";
import { PASS_TICK_GATE } from "../../platform/tick-gate.ts";

/** The most running orders that one row holds, so that a row is small enough to stay in its page. */
export const OPEN_GROUP_MAX = 100;

/** Reads members' terms. Every change of terms raises `members_money.terms_version`. */
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
 * Reads the orders that client keys are bound to. OFFSET 0 keeps the order of the join: otherwise a plan made while the
 * table was empty would read the whole table for each batch.
 */
export const READ_KNOWN: Statement = {
  name: "orders_read_known",
  text: `SELECT o.member_id, o.client_key, o.order_id, o.wallet, o.symbol, o.direction, o.stake, o.duration, o.limit_price,
      o.payout_rate, o.fee, ${SEALED_COLUMNS}
    FROM unnest($1::bigint[], $2::uuid[]) AS asked(member_id, client_key)
    CROSS JOIN LATERAL (SELECT * FROM orders o
      WHERE o.client_key = asked.client_key AND o.member_id = asked.member_id OFFSET 0) o`,
};

/** Reads the database's time, the newest versions of configuration and regions, and each instrument's newest tick. */
export const READ_CLOCK: Statement = {
  name: "orders_read_clock",
  text: `SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint,
      (SELECT max(version) FROM trading_configs), symbol, seq, time, price, (SELECT max(version) FROM policies WHERE name = 'regions')
    FROM (SELECT 1) AS one LEFT JOIN instrument_clock ON symbol = ANY($1::text[])`,
};

/**
 * Reads the heads of slots $1 that wishes for symbols $2 name. Each has its hash and the time from which the wish counts:
 * that of the slot's newest tick of the symbol, or of any symbol if the slot has none of this one. Receipts are judged
 * by the same time, and a slot whose ticks all have one time needs no look at them. Slots without a head are left out.
 *
 * The arrays come by sub-selects so that the planner can't count them. It would otherwise plan the statement anew for
 * each batch, which takes longer than to run it, because ticks have a partition for each day.
 */
export const READ_SEEN: Statement = {
  name: "orders_read_seen",
  text: `SELECT seen.k, seen.symbol, h.hash, coalesce(own.time, h.time)
    FROM unnest((SELECT $1::bigint[]), (SELECT $2::text[])) AS seen(k, symbol) JOIN slot_heads h ON h.k = seen.k
    LEFT JOIN LATERAL (
      SELECT t.time FROM string_to_table(h.ticks, ';') AS part JOIN ticks t ON t.symbol = seen.symbol
        AND t.time >= h.from_time AND t.time <= h.time
        AND t.seq = split_part(part, ',', 2)::bigint + split_part(part, ',', 3)::bigint - 1
      WHERE h.from_time < h.time AND split_part(part, ',', 1) = seen.symbol
    ) own ON true`,
};

export const TAKE_TICK_GATE: Statement = { name: "orders_tick_gate", text: PASS_TICK_GATE };

/** Gives the batch its number, its acceptedAt and its root, and writes its log entry. Sent only while the tick gate is held. */
export const writeBatch = namedStatement(
  {
    name: "orders_write_batch",
    text: `WITH stamp AS MATERIALIZED (
        SELECT nextval('acceptance_batch_no') AS batch_no, accept_within(greatest(
          floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint,
          (SELECT max(time) FROM instrument_clock WHERE symbol = ANY($symbols::text[]))), $valid_from::bigint, $valid_until::bigint) AS accepted_at
      ), entry AS (
        INSERT INTO outbox (kind, entry)
        SELECT 'orders.accept', '{"acceptedAt":' || accepted_at || ',"batch":' || batch_no || ',"commitments":"' || $commitments::text
          || '","config":' || $config_version::integer || ',"kind":"orders.accept","open":' || $open_orders::integer
          || ',"reasons":' || $reasons::text || ',"refusals":"' || $refusals::text || '","v":2}' FROM stamp
      )
      INSERT INTO acceptance_batches (batch_no, accepted_at, root)
      SELECT batch_no, accepted_at, sha256('\\x42415443483200'::bytea || int8send(batch_no) || int8send(accepted_at)
        || int4send($orders::integer) || $merkle_root::bytea) FROM stamp
      RETURNING batch_no, accepted_at, root`,
  },
  [
    "symbols",
    "valid_from",
    "valid_until",
    "commitments",
    "config_version",
    "open_orders",
    "reasons",
    "refusals",
    "orders",
    "merkle_root",
  ],
);

/** Selects the batch that this transaction has just written. */
const THIS_BATCH =
  "SELECT batch_no, accepted_at FROM acceptance_batches WHERE batch_no = currval('acceptance_batch_no')";

/**
 * Writes the orders of this batch, one row for each element of the arrays. Nonces and sealings are byte strings of
 * fixed length, one after another (see OrderToWrite). `sealings` and the two parameters after it are empty if no order
 * is sealed; `limit_prices` and `client_order_ids` are empty if no order has one.
 */
export const writeOrders = namedStatement(
  {
    name: "orders_write_orders",
    text: `INSERT INTO orders (order_id, member_id, member_seq, batch_no, accepted_at, batch_place, config_version, nonce, wallet, symbol,
        direction, stake, fee, payout_rate, profit_if_won, duration, limit_price, available_after, client_key, client_order_id,
        seal, seen_hash, signature, device_id, seen_slot)
      SELECT order_id, member_id, member_seq, batch_no, accepted_at, number - 1, $config_version::integer,
        substring($nonces::bytea FROM (number - 1) * ${ORDER_NONCES_BYTES} + 1 FOR ${ORDER_NONCES_BYTES}), wallet, symbol,
        direction, stake, fee, payout_rate, profit_if_won, duration, limit_price, available_after, client_key, client_order_id,
        substring(sealing FOR 32), substring(sealing FROM 33 FOR 32), substring(sealing FROM 65), device_id, seen_slot
      FROM (SELECT batch_no, accepted_at,
          generate_series(1, cardinality($order_ids::bigint[])) AS number,
          unnest($order_ids::bigint[]) AS order_id,
          unnest($member_ids::bigint[]) AS member_id,
          unnest($member_seqs::bigint[]) AS member_seq,
          unnest($wallets::wallet[]) AS wallet,
          unnest($symbols::text[]) AS symbol,
          unnest($directions::direction[]) AS direction,
          unnest($stakes::bigint[]) AS stake,
          unnest($fees::bigint[]) AS fee,
          unnest($payout_rates::integer[]) AS payout_rate,
          unnest($profits_if_won::bigint[]) AS profit_if_won,
          unnest($durations::integer[]) AS duration,
          unnest($limit_prices::bigint[]) AS limit_price,
          unnest($available_after::bigint[]) AS available_after,
          unnest($client_keys::uuid[]) AS client_key,
          unnest($client_order_ids::text[]) AS client_order_id,
          unnest($sealings::bytea[]) AS sealing,
          unnest($device_ids::bigint[]) AS device_id,
          unnest($seen_slots::bigint[]) AS seen_slot
        FROM (${THIS_BATCH}) AS batch) AS agreed`,
  },
  [
    "config_version",
    "nonces",
    "order_ids",
    "member_ids",
    "member_seqs",
    "wallets",
    "symbols",
    "directions",
    "stakes",
    "fees",
    "payout_rates",
    "profits_if_won",
    "durations",
    "limit_prices",
    "available_after",
    "client_keys",
    "client_order_ids",
    "sealings",
    "device_ids",
    "seen_slots",
  ],
);

/**
 * Writes the rows that hold this batch's orders while they run. Each row holds consecutive orders: the elements
 * `firsts` to `lasts` of `order_ids` and `member_ids`, which are sorted by row.
 */
export const writeOpenGroups = namedStatement(
  {
    name: "orders_write_open_groups",
    text: `INSERT INTO open_groups (first_id, accepted_at, duration, symbol, limit_price, direction, order_ids, member_ids)
      SELECT ($order_ids::bigint[])[first], accepted_at, duration, symbol, limit_price, direction,
        ($order_ids::bigint[])[first:last], ($member_ids::bigint[])[first:last]
      FROM (${THIS_BATCH}) AS batch, unnest($firsts::integer[], $lasts::integer[], $durations::integer[], $symbols::text[],
        $limit_prices::bigint[], $directions::direction[]) AS open_rows (first, last, duration, symbol, limit_price, direction)`,
  },
  ["order_ids", "member_ids", "firsts", "lasts", "durations", "symbols", "limit_prices", "directions"],
);
