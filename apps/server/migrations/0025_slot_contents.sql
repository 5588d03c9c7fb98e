-- What each slot head is made of, so that the head can be made again from public data and shown in a receipt: the batches
-- that it binds follow from through_batch, its ticks are `symbol,first,count` joined by semicolons, by symbol.
ALTER TABLE slot_heads ADD COLUMN from_time bigint NOT NULL DEFAULT 0, ADD COLUMN ticks text NOT NULL DEFAULT '';
CREATE INDEX slot_heads_by_time ON slot_heads (time);
CREATE INDEX slot_heads_by_batch ON slot_heads (through_batch, k);

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
