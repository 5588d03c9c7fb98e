-- Ticks, candles and the simulated market. One writer at a time makes the prices, under a lease.

CREATE TABLE ticks (
  symbol text NOT NULL,
  seq bigint NOT NULL,
  time bigint NOT NULL,
  price bigint NOT NULL CHECK (price > 0),
  seal_before bigint NOT NULL,
  late boolean NOT NULL DEFAULT false,
  pre_genesis boolean NOT NULL DEFAULT false,
  PRIMARY KEY (symbol, time),
  CHECK (time > seal_before)
) PARTITION BY RANGE (time);
COMMENT ON TABLE ticks IS 'Every price of every instrument, split by day.';
COMMENT ON COLUMN ticks.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN ticks.seq IS 'Number of the tick, counting up per instrument';
COMMENT ON COLUMN ticks.time IS 'Time of the tick, ms since 1970 UTC';
COMMENT ON COLUMN ticks.price IS 'Price, points';
COMMENT ON COLUMN ticks.seal_before IS 'The instrument''s seal when this tick was stored, ms since 1970 UTC: nothing at or below it is ever added';
COMMENT ON COLUMN ticks.late IS 'Whether it was stored later than its slot';
COMMENT ON COLUMN ticks.pre_genesis IS 'Whether it belongs to the made-up past before the first epoch';
CALL write_once('ticks');
GRANT SELECT ON ticks TO fairtick_orders, fairtick_settlement, fairtick_reader, fairtick_jobs, fairtick_log;
GRANT SELECT, INSERT ON ticks TO fairtick_market;

-- Creates the daily partitions of ticks ahead of time, for the market, which doesn't own the table.
CREATE FUNCTION ensure_tick_partitions(from_time bigint, to_time bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  day bigint;
BEGIN
  FOR day IN SELECT generate_series(from_time / 86400000, to_time / 86400000) LOOP
    EXECUTE format('CREATE TABLE IF NOT EXISTS ticks_%s PARTITION OF ticks FOR VALUES FROM (%s) TO (%s)', day, day * 86400000, (day + 1) * 86400000);
  END LOOP;
END
$$;
REVOKE EXECUTE ON FUNCTION ensure_tick_partitions FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ensure_tick_partitions TO fairtick_market;

CREATE TABLE candles (
  symbol text NOT NULL,
  time bigint NOT NULL,
  open bigint NOT NULL,
  high bigint NOT NULL,
  low bigint NOT NULL,
  close bigint NOT NULL,
  pre_genesis boolean NOT NULL DEFAULT false,
  PRIMARY KEY (symbol, time)
);
COMMENT ON TABLE candles IS 'One-minute candles, made from sealed ticks. Longer intervals are made from these.';
COMMENT ON COLUMN candles.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN candles.time IS 'First moment of the minute, ms since 1970 UTC';
COMMENT ON COLUMN candles.open IS 'First price, points';
COMMENT ON COLUMN candles.high IS 'Highest price, points';
COMMENT ON COLUMN candles.low IS 'Lowest price, points';
COMMENT ON COLUMN candles.close IS 'Last price, points';
COMMENT ON COLUMN candles.pre_genesis IS 'Whether it belongs to the made-up past before the first epoch';
GRANT SELECT ON candles TO fairtick_reader;
GRANT SELECT, INSERT ON candles TO fairtick_market;
GRANT SELECT, INSERT, UPDATE ON candles TO fairtick_jobs;

CREATE TABLE instrument_clock (
  symbol text PRIMARY KEY,
  seq bigint NOT NULL,
  time bigint NOT NULL,
  price bigint NOT NULL,
  sealed_through bigint NOT NULL,
  writer_epoch bigint NOT NULL
) WITH (fillfactor = 50);
COMMENT ON TABLE instrument_clock IS 'The newest tick of each instrument and how far it is sealed. The row is the lock of the market''s writer. Before the first tick, seq, time and price are 0.';
COMMENT ON COLUMN instrument_clock.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN instrument_clock.seq IS 'Number of the tick, counting up per instrument';
COMMENT ON COLUMN instrument_clock.time IS 'Time of the newest tick, ms since 1970 UTC';
COMMENT ON COLUMN instrument_clock.price IS 'Its price, points';
COMMENT ON COLUMN instrument_clock.sealed_through IS 'Nothing at or below this moment is ever added, ms since 1970 UTC';
COMMENT ON COLUMN instrument_clock.writer_epoch IS 'Epoch of the writer: a stale one can write nothing';
GRANT SELECT ON instrument_clock TO
  fairtick_orders, fairtick_settlement, fairtick_reader, fairtick_jobs, fairtick_console;
GRANT SELECT, INSERT, UPDATE ON instrument_clock TO fairtick_market;

CREATE TABLE market_writer (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  epoch bigint NOT NULL,
  lease_until bigint NOT NULL,
  lease_ms bigint NOT NULL
) WITH (fillfactor = 50);
COMMENT ON TABLE market_writer IS 'The one process that makes prices. It has a lease of its own, because the age of the seals can''t tell: after a long outage every seal is old.';
COMMENT ON COLUMN market_writer.one IS 'Always true: the table has exactly one row';
COMMENT ON COLUMN market_writer.epoch IS 'Number of the writer; a new one gets the next';
COMMENT ON COLUMN market_writer.lease_until IS 'Until when it holds the market, ms since 1970 UTC';
COMMENT ON COLUMN market_writer.lease_ms IS 'Length of its lease, ms';
INSERT INTO market_writer (one, epoch, lease_ms, lease_until) VALUES (true, 0, 0, 0);
GRANT SELECT ON market_writer TO fairtick_reader;
GRANT SELECT, UPDATE ON market_writer TO fairtick_market;

CREATE SEQUENCE market_writer_epoch;
GRANT USAGE ON SEQUENCE market_writer_epoch TO fairtick_market;

-- Takes the market's lease if it has expired or was given back (epoch 0). Returns the new writer's epoch, or null while
-- another one is writing.
CREATE FUNCTION take_market(gate bigint, lease bigint, former bigint DEFAULT 0) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  held market_writer;
  present bigint;
  taken bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(gate);
  SELECT * INTO held FROM market_writer FOR UPDATE;
  present := floor(extract(epoch FROM clock_timestamp()) * 1000);
  IF held.epoch <> former AND held.lease_until > present AND held.lease_until <= present + held.lease_ms THEN
    RETURN NULL;
  END IF;
  taken := nextval('market_writer_epoch');
  UPDATE market_writer SET epoch = taken, lease_ms = lease, lease_until = present + lease;
  UPDATE instrument_clock SET writer_epoch = taken;
  RETURN taken;
END
$$;
REVOKE EXECUTE ON FUNCTION take_market FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_market TO fairtick_market;

CREATE TABLE sm1_params (
  params_hash bytea PRIMARY KEY,
  entry text NOT NULL
);
COMMENT ON TABLE sm1_params IS 'Parameters of the simulated market.';
COMMENT ON COLUMN sm1_params.params_hash IS 'SHA-256 of the entry';
COMMENT ON COLUMN sm1_params.entry IS 'Parameters as the log shows them, canonical JSON';
CALL write_once('sm1_params');
GRANT SELECT ON sm1_params TO fairtick_reader, fairtick_jobs;
GRANT SELECT, INSERT ON sm1_params TO fairtick_market;

CREATE TABLE sm1_epochs (
  epoch bigint PRIMARY KEY,
  commit bytea NOT NULL,
  params_hash bytea NOT NULL REFERENCES sm1_params,
  mix bytea,
  start_at bigint,
  starts_from jsonb,
  seed bytea,
  digests jsonb
);
COMMENT ON TABLE sm1_epochs IS 'Epochs of the simulated market. The seed stays with the market process until it is revealed.';
COMMENT ON COLUMN sm1_epochs.epoch IS 'Number of the epoch';
COMMENT ON COLUMN sm1_epochs.commit IS 'Commitment to the seed, published before the epoch';
COMMENT ON COLUMN sm1_epochs.params_hash IS 'The parameters it runs under';
COMMENT ON COLUMN sm1_epochs.mix IS 'What is mixed into the seed from outside; null until known';
COMMENT ON COLUMN sm1_epochs.start_at IS 'First moment of the epoch, ms since 1970 UTC; null until it is open';
COMMENT ON COLUMN sm1_epochs.starts_from IS 'State each instrument started from, once revealed: symbol → [x, r]';
COMMENT ON COLUMN sm1_epochs.seed IS 'The seed, once revealed';
COMMENT ON COLUMN sm1_epochs.digests IS 'Digest of each instrument''s prices, by symbol, once revealed';
GRANT SELECT ON sm1_epochs TO fairtick_reader, fairtick_jobs;
GRANT SELECT, INSERT ON sm1_epochs TO fairtick_market;
GRANT UPDATE (mix, start_at, starts_from, seed, digests) ON sm1_epochs TO fairtick_market;

CREATE TABLE mix_notes (
  size bigint NOT NULL,
  is_final boolean NOT NULL,
  note text NOT NULL,
  source bytea NOT NULL,
  PRIMARY KEY (size, is_final)
);
COMMENT ON TABLE mix_notes IS 'Checkpoints that end with each commitment of the simulated market: as signed, and again once the witness whose signature makes the epoch''s mix has answered. The log''s writer places nothing behind one before that.';
COMMENT ON COLUMN mix_notes.size IS 'Size of the log at the checkpoint';
COMMENT ON COLUMN mix_notes.is_final IS 'Whether nothing better comes: the witness has signed, or gives no signature';
COMMENT ON COLUMN mix_notes.note IS 'The checkpoint with its signatures';
COMMENT ON COLUMN mix_notes.source IS 'What is mixed in: the witness''s signature without its time, or else the checkpoint''s root';
CALL write_once('mix_notes');
GRANT SELECT ON mix_notes TO fairtick_market, fairtick_reader, fairtick_jobs;
GRANT SELECT, INSERT ON mix_notes TO fairtick_log;

CREATE TABLE slot_heads (
  k bigint PRIMARY KEY,
  hash bytea NOT NULL,
  through_batch bigint NOT NULL,
  time bigint NOT NULL,
  from_time bigint NOT NULL DEFAULT 0,
  ticks text NOT NULL DEFAULT ''
);
COMMENT ON TABLE slot_heads IS 'Heads of the tick slots. Each binds every acceptance committed before it and the slot''s ticks.';
COMMENT ON COLUMN slot_heads.k IS 'Number of the slot';
COMMENT ON COLUMN slot_heads.hash IS 'The head: a hash chained to the one before';
COMMENT ON COLUMN slot_heads.through_batch IS 'Newest acceptance batch that it binds';
COMMENT ON COLUMN slot_heads.time IS 'Time of its newest tick, ms since 1970 UTC';
COMMENT ON COLUMN slot_heads.from_time IS 'Time of its oldest tick, ms since 1970 UTC';
COMMENT ON COLUMN slot_heads.ticks IS 'The slot''s ticks, as `symbol,first,count` joined by semicolons, by symbol';
CALL write_once('slot_heads');
CREATE INDEX slot_heads_by_time ON slot_heads (time);
CREATE INDEX slot_heads_by_batch ON slot_heads (through_batch, k);
GRANT SELECT ON slot_heads TO fairtick_reader, fairtick_jobs;
GRANT SELECT, INSERT ON slot_heads TO fairtick_market;

-- Stores one complete slot of the market (at most 100 ms, or a stretch of late ticks): gate, ticks, seals and head. A
-- single statement commits on its own, so the gate never waits for the caller. Each statement in here has its own
-- snapshot, taken after the gate is locked. The row count of the clock's update checks the writer and the order at
-- once: if the writer is stale, a seal would not move forward, or a tick is out of order, nothing is stored. Each slot
-- renews its writer's lease.
CREATE FUNCTION store_tick_slot(
  gate bigint, writer bigint,
  tick_symbols text[], tick_seqs bigint[], tick_times bigint[], tick_prices bigint[], tick_lates boolean[],
  seal_symbols text[], seals bigint[],
  OUT head_k bigint, OUT head_hash bytea
) LANGUAGE plpgsql AS $$
DECLARE
  moved integer;
  last_k bigint;
  last_hash bytea;
  last_through bigint;
  roots bytea;
  through bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(gate);
  SELECT count(*) INTO moved FROM instrument_clock WHERE symbol = ANY (seal_symbols) AND writer_epoch = writer;
  IF moved <> cardinality(seal_symbols) THEN
    RAISE EXCEPTION 'writer % holds % of % instruments: stale', writer, moved, cardinality(seal_symbols) USING ERRCODE = 'FT001';
  END IF;
  UPDATE market_writer w SET lease_until = floor(extract(epoch FROM clock_timestamp()) * 1000) + w.lease_ms WHERE w.epoch = writer;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'writer % holds no lease: stale', writer USING ERRCODE = 'FT001';
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
  SELECT h.k, h.hash, h.through_batch INTO last_k, last_hash, last_through FROM slot_heads h ORDER BY h.k DESC LIMIT 1;
  IF NOT FOUND THEN
    last_k := 0;
    last_hash := decode(repeat('00', 32), 'hex');
    last_through := 0;
  END IF;
  SELECT coalesce(string_agg(b.root, ''::bytea ORDER BY b.batch_no), ''::bytea), coalesce(max(b.batch_no), last_through)
    INTO roots, through FROM acceptance_batches b WHERE b.batch_no > last_through;
  head_k := last_k + 1;
  -- "SLOT1\0" || previous head || roots || sha256 of the slot's lines "symbol,seq,time,price" joined by newlines
  SELECT sha256('\x534c4f543100'::bytea || last_hash || roots || sha256(convert_to(
      string_agg(concat_ws(',', symbol, seq, time, price), E'\n' ORDER BY symbol COLLATE "C", seq), 'UTF8')))
    INTO head_hash FROM unnest(tick_symbols, tick_seqs, tick_times, tick_prices) u(symbol, seq, time, price);
  INSERT INTO slot_heads (k, hash, through_batch, time, from_time, ticks)
    SELECT head_k, head_hash, through, max(last), min(first), string_agg(concat_ws(',', symbol, seq, count), ';' ORDER BY symbol COLLATE "C")
    FROM (
      SELECT symbol, min(seq) AS seq, count(*) AS count, min(time) AS first, max(time) AS last
      FROM unnest(tick_symbols, tick_seqs, tick_times) u(symbol, seq, time) GROUP BY symbol
    ) grouped;
END
$$;
REVOKE EXECUTE ON FUNCTION store_tick_slot FROM PUBLIC;
GRANT EXECUTE ON FUNCTION store_tick_slot TO fairtick_market;
