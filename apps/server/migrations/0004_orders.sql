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
-- Rows lie in the order of their time, so a few bytes a page are enough to find what is new: for the running checks.
CREATE INDEX orders_by_time ON orders USING brin (accepted_at);

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

-- By order id alone: rows come in that order, so that a large expiry fills few pages of the index. A member's own are found
-- through his orders.
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
  PRIMARY KEY (order_id),
  CHECK ((outcome = 'voided') = (void_reason IS NOT NULL))
) PARTITION BY RANGE (order_id);
CALL write_once('settlements');
CREATE INDEX settlements_by_time ON settlements USING brin (settled_at);

-- Worst-case net payouts of running orders, for the house's exposure. A lane of acceptance or settlement adds to rows of
-- its own stripe, so that no two batches wait for one row; the sum over the stripes counts, one stripe may be negative.
CREATE TABLE exposure (
  stripe smallint NOT NULL,
  wallet wallet NOT NULL,
  symbol text NOT NULL,
  profit bigint NOT NULL,
  PRIMARY KEY (stripe, wallet, symbol)
) WITH (fillfactor = 50);

-- The last word on time: a batch judged for acceptance from valid_from to valid_until is written at no other time.
CREATE FUNCTION accept_within(accepted_at bigint, valid_from bigint, valid_until bigint) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  IF accepted_at < valid_from OR accepted_at > valid_until THEN
    RAISE EXCEPTION 'accepted at %, judged for % to %', accepted_at, valid_from, valid_until USING ERRCODE = 'FT002';
  END IF;
  RETURN accepted_at;
END
$$;

-- Each process that makes order ids takes a number of its own, which stands in its ids.
CREATE SEQUENCE order_id_nodes MINVALUE 0 MAXVALUE 1023 START 0 CYCLE;

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

-- The market's writer goes to whoever finds all seals standing still for the lease (or given back: epoch 0).
-- Answers the new writer's epoch, null while another one is at work.
CREATE FUNCTION take_market(gate bigint, lease_ms bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  taken bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(gate);
  PERFORM FROM instrument_clock
    WHERE writer_epoch <> 0 AND sealed_through > floor(extract(epoch FROM clock_timestamp()) * 1000) - lease_ms;
  IF FOUND THEN
    RETURN NULL;
  END IF;
  taken := nextval('market_writer_epoch');
  UPDATE instrument_clock SET writer_epoch = taken;
  RETURN taken;
END
$$;

-- One slot of the market (at most 100 ms, or a stretch of late ticks), whole: gate, ticks, seals, head. Being one statement
-- it commits by itself, so the gate never waits for its caller. Each statement in here has its own snapshot, taken after
-- the gate is held. The row count of the clock's update is fence and monotonicity in one: a stale writer, a seal
-- that would not move forward, a tick out of order leave nothing behind.
CREATE FUNCTION store_tick_slot(
  gate bigint, writer bigint,
  tick_symbols text[], tick_seqs bigint[], tick_times bigint[], tick_prices bigint[], tick_lates boolean[],
  seal_symbols text[], seals bigint[],
  OUT head_k bigint, OUT head_hash bytea
) LANGUAGE plpgsql AS $$
DECLARE
  moved integer;
  head slot_heads;
  roots bytea;
  through bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(gate);
  SELECT count(*) INTO moved FROM instrument_clock WHERE symbol = ANY (seal_symbols) AND writer_epoch = writer;
  IF moved <> cardinality(seal_symbols) THEN
    RAISE EXCEPTION 'writer % holds % of % instruments: stale', writer, moved, cardinality(seal_symbols) USING ERRCODE = 'FT001';
  END IF;
  INSERT INTO ticks (symbol, seq, time, price, seal_before, late)
    SELECT t.symbol, t.seq, t.time, t.price, c.sealed_through, t.late
    FROM unnest(tick_symbols, tick_seqs, tick_times, tick_prices, tick_lates) t(symbol, seq, time, price, late)
    JOIN instrument_clock c USING (symbol);
  UPDATE instrument_clock c SET
      seq = coalesce(t.seqs[t.count], c.seq), time = coalesce(t.times[t.count], c.time),
      price = coalesce(t.prices[t.count], c.price), sealed_through = s.seal
    FROM unnest(seal_symbols, seals) s(symbol, seal)
    LEFT JOIN (
      SELECT symbol, count(*) AS count, array_agg(seq ORDER BY time) AS seqs, array_agg(time ORDER BY time) AS times,
        array_agg(price ORDER BY time) AS prices
      FROM unnest(tick_symbols, tick_seqs, tick_times, tick_prices) u(symbol, seq, time, price) GROUP BY symbol
    ) t USING (symbol)
    WHERE c.symbol = s.symbol AND c.writer_epoch = writer AND c.sealed_through < s.seal
      AND (t.symbol IS NULL OR (t.seqs[1] = c.seq + 1 AND t.seqs[t.count] = c.seq + t.count AND t.times[1] > c.time AND t.times[t.count] <= s.seal));
  GET DIAGNOSTICS moved = ROW_COUNT;
  IF moved <> cardinality(seal_symbols) OR NOT tick_symbols <@ seal_symbols THEN
    RAISE EXCEPTION 'writer % moved % of % instruments: stale, or out of order', writer, moved, cardinality(seal_symbols) USING ERRCODE = 'FT001';
  END IF;
  IF cardinality(tick_symbols) = 0 THEN
    RETURN;
  END IF;
  SELECT * INTO head FROM slot_heads ORDER BY k DESC LIMIT 1;
  IF NOT FOUND THEN
    head := (0, decode(repeat('00', 32), 'hex'), 0, 0);
  END IF;
  SELECT coalesce(string_agg(b.root, ''::bytea ORDER BY b.batch_no), ''::bytea), coalesce(max(b.batch_no), head.through_batch)
    INTO roots, through FROM acceptance_batches b WHERE b.batch_no > head.through_batch;
  head_k := head.k + 1;
  -- "SLOT1\0" || previous head || roots || sha256 of the slot's lines "symbol,seq,time,price" joined by newlines
  SELECT sha256('\x534c4f543100'::bytea || head.hash || roots || sha256(convert_to(
      string_agg(concat_ws(',', symbol, seq, time, price), E'\n' ORDER BY symbol COLLATE "C", seq), 'UTF8')))
    INTO head_hash FROM unnest(tick_symbols, tick_seqs, tick_times, tick_prices) u(symbol, seq, time, price);
  INSERT INTO slot_heads (k, hash, through_batch, time) SELECT head_k, head_hash, through, max(u) FROM unnest(tick_times) u;
END
$$;
REVOKE EXECUTE ON FUNCTION take_market, store_tick_slot FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_market, store_tick_slot TO fairtick_market;

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
GRANT USAGE ON SEQUENCE acceptance_batch_no, order_id_nodes TO fairtick_orders;
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
