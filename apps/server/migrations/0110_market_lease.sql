-- Whose the market is, and until when. The age of the seals said it before: after an outage longer than the lease every seal was
-- old, so that each standby took the market from the one that was just starting, over and over.
CREATE TABLE market_writer (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  epoch bigint NOT NULL,
  lease_until bigint NOT NULL,
  lease_ms bigint NOT NULL
) WITH (fillfactor = 50);
INSERT INTO market_writer SELECT true, coalesce(max(writer_epoch), 0), 0, 0 FROM instrument_clock;
GRANT SELECT, UPDATE ON market_writer TO fairtick_market;
GRANT SELECT ON market_writer TO fairtick_reader;

-- Gives the market to a new writer once nobody's lease runs, or to the process that held it last (`former`, its epoch then).
-- Answers the new writer's epoch, null while another one's lease runs. A lease that lies further ahead than a lease can is from
-- before the database's clock was set back: it holds nobody up.
DROP FUNCTION take_market;
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

-- As before, and each slot renews its writer's lease.
CREATE OR REPLACE FUNCTION store_tick_slot(
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
