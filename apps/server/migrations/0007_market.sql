-- Ticks, candles and the simulated market. One writer at a time makes the prices, under a lease.

-- Prices are points (the instrument's smallest step), times are milliseconds since 1970 UTC.
CREATE TABLE ticks (
  symbol text NOT NULL,
  seq bigint NOT NULL,
  time bigint NOT NULL,
  price bigint NOT NULL CHECK (price > 0),
  -- The seal as it stood when this tick was stored: nothing at or below it is ever added.
  seal_before bigint NOT NULL,
  late boolean NOT NULL DEFAULT false,
  pre_genesis boolean NOT NULL DEFAULT false,
  PRIMARY KEY (symbol, time),
  CHECK (time > seal_before)
) PARTITION BY RANGE (time);
CALL write_once('ticks');
GRANT SELECT ON ticks TO fairtick_orders, fairtick_settlement, fairtick_reader, fairtick_jobs, fairtick_log;
GRANT SELECT, INSERT ON ticks TO fairtick_market;

-- Daily partitions of ticks, made ahead by the market without its owning the table.
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

-- One-minute candles from sealed ticks; larger intervals are made of them.
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
GRANT SELECT ON candles TO fairtick_reader;
GRANT SELECT, INSERT ON candles TO fairtick_market;
GRANT SELECT, INSERT, UPDATE ON candles TO fairtick_jobs;

-- The newest tick of each instrument and how far it is sealed; the row is fence and lock of the market's writer.
CREATE TABLE instrument_clock (
  symbol text PRIMARY KEY,
  seq bigint NOT NULL,
  time bigint NOT NULL,
  price bigint NOT NULL,
  sealed_through bigint NOT NULL,
  writer_epoch bigint NOT NULL
) WITH (fillfactor = 50);
-- An instrument without a tick yet has seq, time and price 0.
GRANT SELECT ON instrument_clock TO
  fairtick_orders, fairtick_settlement, fairtick_reader, fairtick_jobs, fairtick_console;
GRANT SELECT, INSERT, UPDATE ON instrument_clock TO fairtick_market;

-- Who may write the market, and until when. A lease of its own, since the age of the seals can't say it: after an
-- outage longer than the lease every seal is old, and each standby would take the market from the one that was just
-- starting.
CREATE TABLE market_writer (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  epoch bigint NOT NULL,
  lease_until bigint NOT NULL,
  lease_ms bigint NOT NULL
) WITH (fillfactor = 50);
INSERT INTO market_writer (one, epoch, lease_ms, lease_until) VALUES (true, 0, 0, 0);
GRANT SELECT ON market_writer TO fairtick_reader;
GRANT SELECT, UPDATE ON market_writer TO fairtick_market;

CREATE SEQUENCE market_writer_epoch;
GRANT USAGE ON SEQUENCE market_writer_epoch TO fairtick_market;

-- The market goes to the process that finds the lease run out, or given back (epoch 0). Answers the new writer's
-- epoch, or null while another one is at work.
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

-- Epochs of the simulated market. The seed itself stays with the market process until it is revealed.
CREATE TABLE sm1_params (
  params_hash bytea PRIMARY KEY,
  entry text NOT NULL
);
CALL write_once('sm1_params');
GRANT SELECT ON sm1_params TO fairtick_reader, fairtick_jobs;
GRANT SELECT, INSERT ON sm1_params TO fairtick_market;

CREATE TABLE sm1_epochs (
  epoch bigint PRIMARY KEY,
  commit bytea NOT NULL,
  params_hash bytea NOT NULL REFERENCES sm1_params,
  mix bytea,
  start_at bigint,
  -- symbol → [x, r] the epoch starts from
  starts_from jsonb,
  seed bytea,
  digests jsonb
);
GRANT SELECT ON sm1_epochs TO fairtick_reader, fairtick_jobs;
GRANT SELECT, INSERT ON sm1_epochs TO fairtick_market;
GRANT UPDATE (mix, start_at, starts_from, seed, digests) ON sm1_epochs TO fairtick_market;

-- The checkpoint that ends with each commitment of the simulated market: as it was signed, and again once the witness whose
-- signature makes the epoch's mix has answered (or none is named). The writer places nothing behind it before that.
CREATE TABLE mix_notes (
  size bigint NOT NULL,
  -- Nothing better comes: the note bears his signature, or he gives none.
  is_final boolean NOT NULL,
  note text NOT NULL,
  -- What is mixed in: his signature without a time, else the checkpoint's root.
  source bytea NOT NULL,
  PRIMARY KEY (size, is_final)
);
CALL write_once('mix_notes');
GRANT SELECT ON mix_notes TO fairtick_market, fairtick_reader, fairtick_jobs;
GRANT SELECT, INSERT ON mix_notes TO fairtick_log;

-- Heads of the tick slots: each binds every acceptance committed before it and the slot's ticks (4.3 of the fairness protocol).
CREATE TABLE slot_heads (
  k bigint PRIMARY KEY,
  hash bytea NOT NULL,
  -- newest acceptance batch that it binds
  through_batch bigint NOT NULL,
  time bigint NOT NULL,
  -- What each slot head is made of, so that the head can be made again from public data and shown in a receipt: the batches
  -- that it binds follow from through_batch, its ticks are `symbol,first,count` joined by semicolons, by symbol.
  from_time bigint NOT NULL DEFAULT 0,
  ticks text NOT NULL DEFAULT ''
);
CALL write_once('slot_heads');
CREATE INDEX slot_heads_by_time ON slot_heads (time);
CREATE INDEX slot_heads_by_batch ON slot_heads (through_batch, k);
GRANT SELECT ON slot_heads TO fairtick_reader, fairtick_jobs;
GRANT SELECT, INSERT ON slot_heads TO fairtick_market;

-- Stores one slot of the market whole (at most 100 ms, or a stretch of late ticks): gate, ticks, seals, head. As a
-- single statement it commits on its own, so the gate never waits for the caller. Each statement in here has its
-- own snapshot, taken after the gate is held. The row count of the clock's update is fence and monotonicity in one:
-- a stale writer, a seal that would not move forward, or a tick out of order leaves nothing behind. Each slot
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
