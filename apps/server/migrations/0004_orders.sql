-- Facts once: an order's row is its hold, its settlement's row is its settlement. Amounts in micro-USD,
-- rates in millionths, prices in points, times in milliseconds since 1970 UTC. Ids are time-ordered, so
-- both large tables are partitioned by id: a week of orders a partition.

CREATE SEQUENCE acceptance_batch_no;

CREATE TABLE acceptance_batches (
  batch_no bigint PRIMARY KEY,
  accepted_at bigint NOT NULL,
  -- sha256("BATCH1\0" || u64(number) || u64(acceptedAt) || Merkle root of the commitments)
  root bytea NOT NULL
);
CALL write_once('acceptance_batches');

CREATE TABLE orders (
  order_id bigint NOT NULL,
  member_id bigint NOT NULL,
  member_seq bigint NOT NULL,
  batch_no bigint NOT NULL,
  accepted_at bigint NOT NULL,
  stake bigint NOT NULL,
  fee bigint NOT NULL,
  profit_if_won bigint NOT NULL,
  limit_price bigint,
  -- available in its wallet after the hold
  available_after bigint NOT NULL,
  payout_rate integer NOT NULL,
  duration integer NOT NULL,
  config_version integer NOT NULL,
  batch_place integer NOT NULL,
  wallet wallet NOT NULL,
  direction direction NOT NULL,
  symbol text NOT NULL,
  client_order_id text NOT NULL,
  nonce bytea NOT NULL,
  PRIMARY KEY (member_id, order_id)
) PARTITION BY RANGE (order_id);
CALL write_once('orders');

-- Stands apart from orders, so that partitions of old orders can leave without freeing their client ids too early.
CREATE TABLE order_keys (
  member_id bigint NOT NULL,
  client_order_id text NOT NULL,
  order_id bigint NOT NULL,
  payload_hash bytea NOT NULL,
  PRIMARY KEY (member_id, client_order_id)
);
CALL write_once('order_keys');

-- The running orders: a row leaves when its order is settled and is never changed.
CREATE TABLE open_orders (
  order_id bigint NOT NULL,
  member_id bigint NOT NULL,
  accepted_at bigint NOT NULL,
  limit_price bigint,
  duration integer NOT NULL,
  direction direction NOT NULL,
  symbol text NOT NULL,
  -- Never written: a row lock needs the right to update something.
  touched boolean,
  PRIMARY KEY (member_id, order_id)
);
CREATE INDEX open_orders_due ON open_orders (symbol, duration, accepted_at);
CREATE INDEX open_orders_limits ON open_orders (symbol, accepted_at) WHERE limit_price IS NOT NULL;

CREATE TABLE settlements (
  order_id bigint NOT NULL,
  member_id bigint NOT NULL,
  member_seq bigint NOT NULL,
  settled_at bigint NOT NULL,
  entry_seq bigint,
  entry_at bigint,
  entry_price bigint,
  exit_seq bigint,
  exit_at bigint,
  exit_price bigint,
  -- net effect on the wallet
  profit bigint NOT NULL,
  -- what went back to available
  credit bigint NOT NULL,
  available_after bigint NOT NULL,
  outcome outcome NOT NULL,
  void_reason void_reason,
  PRIMARY KEY (member_id, order_id),
  CHECK ((outcome = 'voided') = (void_reason IS NOT NULL))
) PARTITION BY RANGE (order_id);
CALL write_once('settlements');

-- Worst-case net payouts of running orders, for the house's exposure. A lane of acceptance or settlement adds to rows of
-- its own stripe, so that no two batches wait for one row; the sum over the stripes counts, one stripe may be negative.
CREATE TABLE exposure (
  stripe smallint NOT NULL,
  wallet wallet NOT NULL,
  symbol text NOT NULL,
  profit bigint NOT NULL,
  PRIMARY KEY (stripe, wallet, symbol)
) WITH (fillfactor = 50);

-- The last word on time: a batch judged for acceptance up to valid_until is not written later than that.
CREATE FUNCTION accept_by(accepted_at bigint, valid_until bigint) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  IF accepted_at > valid_until THEN
    RAISE EXCEPTION 'accepted at %, judged for no later than %', accepted_at, valid_until USING ERRCODE = 'FT001';
  END IF;
  RETURN accepted_at;
END
$$;

-- How far each instrument's newly sealed ticks were examined for limit prices and for gaps without an entry.
CREATE TABLE settlement_progress (
  symbol text PRIMARY KEY,
  limits_through bigint NOT NULL
);

-- Heads of the tick slots: each binds every acceptance committed before it and the slot's ticks (4.3 of the fairness protocol).
CREATE TABLE slot_heads (
  k bigint PRIMARY KEY,
  hash bytea NOT NULL,
  -- newest acceptance batch that it binds
  through_batch bigint NOT NULL,
  time bigint NOT NULL
);
CALL write_once('slot_heads');

-- A week of ids from the order id's own time: 41 bits of milliseconds since 2020-01-01 above 22 bits.
CREATE FUNCTION ensure_order_partitions(from_time bigint, to_time bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  epoch_start constant bigint := 1577836800000;
  week constant bigint := 604800000;
  number bigint;
  parent text;
BEGIN
  FOR number IN SELECT generate_series((from_time - epoch_start) / week, (to_time - epoch_start) / week) LOOP
    FOREACH parent IN ARRAY ARRAY['orders', 'settlements'] LOOP
      EXECUTE format('CREATE TABLE IF NOT EXISTS %s_%s PARTITION OF %s FOR VALUES FROM (%s) TO (%s)',
        parent, number, parent, (number * week) << 22, ((number + 1) * week) << 22);
    END LOOP;
  END LOOP;
END
$$;
REVOKE EXECUTE ON FUNCTION ensure_order_partitions FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ensure_order_partitions TO fairtick_jobs;

GRANT SELECT, INSERT ON orders, order_keys, acceptance_batches, open_orders TO fairtick_orders;
GRANT USAGE ON SEQUENCE acceptance_batch_no TO fairtick_orders;
GRANT SELECT, INSERT, UPDATE ON exposure TO fairtick_orders, fairtick_settlement;
GRANT SELECT ON exposure TO fairtick_reader, fairtick_jobs;
GRANT SELECT ON acceptance_batches TO fairtick_market;
GRANT SELECT, INSERT ON slot_heads TO fairtick_market;
GRANT SELECT ON orders, acceptance_batches TO fairtick_settlement;
GRANT SELECT, INSERT ON settlements TO fairtick_settlement;
GRANT SELECT, DELETE, UPDATE (touched) ON open_orders TO fairtick_settlement;
GRANT SELECT, INSERT, UPDATE ON settlement_progress TO fairtick_settlement;
GRANT SELECT ON settlements TO fairtick_orders;
GRANT SELECT ON orders, order_keys, acceptance_batches, open_orders, settlements, slot_heads, settlement_progress TO fairtick_reader, fairtick_jobs;
