-- Where prices come from, the signed quotes behind them, and how old ticks move into files.

CREATE TABLE instrument_sources (
  symbol text NOT NULL,
  since bigint NOT NULL,
  source text NOT NULL CHECK (source ~ '^(SM1|[a-z]{1,20}(\+[a-z]{1,20}){0,8})$'),
  PRIMARY KEY (symbol, since)
);
COMMENT ON TABLE instrument_sources IS 'Where each instrument''s prices come from, and since when. The log says so before the first such price.';
COMMENT ON COLUMN instrument_sources.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN instrument_sources.since IS 'From when on, ms since 1970 UTC';
COMMENT ON COLUMN instrument_sources.source IS '`SM1`, or names of outside sources joined by +';
CALL write_once('instrument_sources');
GRANT SELECT ON instrument_sources TO fairtick_reader;
GRANT SELECT, INSERT ON instrument_sources TO fairtick_market;

CREATE TABLE pyth_updates (
  hash bytea PRIMARY KEY CHECK (length(hash) = 32),
  vaa bytea NOT NULL
);
COMMENT ON TABLE pyth_updates IS 'Signed updates from Pyth that ticks were made with, stored once each as they came, so that anyone can check who signed them.';
COMMENT ON COLUMN pyth_updates.hash IS 'SHA-256 of the VAA';
COMMENT ON COLUMN pyth_updates.vaa IS 'The signed message (VAA) as it came';
CALL write_once('pyth_updates');
GRANT SELECT ON pyth_updates TO fairtick_reader;
GRANT SELECT, INSERT ON pyth_updates TO fairtick_market;

CREATE TABLE pyth_quotes (
  hash bytea PRIMARY KEY CHECK (length(hash) = 32),
  update_hash bytea NOT NULL REFERENCES pyth_updates,
  message bytea NOT NULL,
  branch bytea NOT NULL CHECK (length(branch) % 20 = 0)
);
COMMENT ON TABLE pyth_quotes IS 'One instrument''s quote in a Pyth update, with its proof.';
COMMENT ON COLUMN pyth_quotes.hash IS 'SHA-256 of "QUOTE1\0", the VAA''s hash and the message';
COMMENT ON COLUMN pyth_quotes.update_hash IS 'The update it belongs to';
COMMENT ON COLUMN pyth_quotes.message IS 'The quote as it came';
COMMENT ON COLUMN pyth_quotes.branch IS 'Sibling hashes of 20 bytes, from the leaf up';
CALL write_once('pyth_quotes');
GRANT SELECT ON pyth_quotes TO fairtick_reader;
GRANT SELECT, INSERT ON pyth_quotes TO fairtick_market;

CREATE TABLE tick_quotes (
  symbol text NOT NULL,
  time bigint NOT NULL,
  seq bigint NOT NULL,
  sources text NOT NULL,
  quote_hash bytea NOT NULL REFERENCES pyth_quotes,
  PRIMARY KEY (symbol, time)
);
COMMENT ON TABLE tick_quotes IS 'What each tick from outside sources was made of.';
COMMENT ON COLUMN tick_quotes.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN tick_quotes.time IS 'Time of the tick, ms since 1970 UTC';
COMMENT ON COLUMN tick_quotes.seq IS 'Number of the tick, counting up per instrument';
COMMENT ON COLUMN tick_quotes.sources IS 'Prices the tick is the median of: name=points joined by +, by name';
COMMENT ON COLUMN tick_quotes.quote_hash IS 'The signed quote among them';
CALL write_once('tick_quotes');
GRANT SELECT ON tick_quotes TO fairtick_reader;
GRANT SELECT, INSERT ON tick_quotes TO fairtick_market;

-- Stores a slot like store_tick_slot, and in the same transaction the signed quotes that its ticks were made with.
CREATE FUNCTION store_quoted_tick_slot(
  gate bigint, writer bigint,
  tick_symbols text[], tick_seqs bigint[], tick_times bigint[], tick_prices bigint[], tick_lates boolean[],
  seal_symbols text[], seals bigint[],
  quoted_symbols text[], quoted_seqs bigint[], quoted_times bigint[], quoted_sources text[],
  quoted_vaas bytea[], quoted_messages bytea[], quoted_branches bytea[],
  OUT head_k bigint, OUT head_hash bytea
) LANGUAGE plpgsql AS $$
BEGIN
  SELECT s.head_k, s.head_hash INTO head_k, head_hash
    FROM store_tick_slot(gate, writer, tick_symbols, tick_seqs, tick_times, tick_prices, tick_lates, seal_symbols, seals) s;
  INSERT INTO pyth_updates (hash, vaa) SELECT DISTINCT sha256(vaa), vaa FROM unnest(quoted_vaas) vaa ON CONFLICT DO NOTHING;
  INSERT INTO pyth_quotes (hash, update_hash, message, branch)
    SELECT DISTINCT ON (1) sha256('\x51554f54453100'::bytea || sha256(vaa) || message), sha256(vaa), message, branch
    FROM unnest(quoted_vaas, quoted_messages, quoted_branches) q(vaa, message, branch)
    ON CONFLICT DO NOTHING;
  INSERT INTO tick_quotes (symbol, time, seq, sources, quote_hash)
    SELECT symbol, time, seq, sources, sha256('\x51554f54453100'::bytea || sha256(vaa) || message)
    FROM unnest(quoted_symbols, quoted_times, quoted_seqs, quoted_sources, quoted_vaas, quoted_messages)
      q(symbol, time, seq, sources, vaa, message);
END
$$;
REVOKE EXECUTE ON FUNCTION store_quoted_tick_slot FROM PUBLIC;
GRANT EXECUTE ON FUNCTION store_quoted_tick_slot TO fairtick_market;

CREATE TABLE price_minutes (
  symbol text NOT NULL,
  time bigint NOT NULL,
  from_seq bigint NOT NULL,
  to_seq bigint NOT NULL,
  count integer NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (symbol, time)
);
COMMENT ON TABLE price_minutes IS 'One row per instrument and finished minute that has ticks. Its `ticks` entry goes into the outbox in the same transaction.';
COMMENT ON COLUMN price_minutes.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN price_minutes.time IS 'First moment of the minute, ms since 1970 UTC';
COMMENT ON COLUMN price_minutes.from_seq IS 'Number of its first tick';
COMMENT ON COLUMN price_minutes.to_seq IS 'Number of its last tick';
COMMENT ON COLUMN price_minutes.count IS 'Number of its ticks';
COMMENT ON COLUMN price_minutes.hash IS 'SHA-256 of its lines "seq,time,price" joined by newlines';
CALL write_once('price_minutes');
GRANT SELECT ON price_minutes TO fairtick_reader, fairtick_jobs, fairtick_log;
GRANT SELECT, INSERT ON price_minutes TO fairtick_market;

CREATE TABLE price_log_progress (
  name text PRIMARY KEY,
  through bigint NOT NULL
);
COMMENT ON TABLE price_log_progress IS 'How far prices have gone into the outbox.';
COMMENT ON COLUMN price_log_progress.name IS '`ticks:` and an instrument, or `heads` for the slot heads';
COMMENT ON COLUMN price_log_progress.through IS 'Everything up to here is in the outbox: ms since 1970 UTC for minutes, the slot''s number for heads';
GRANT SELECT, INSERT, UPDATE ON price_log_progress TO fairtick_market;

CREATE TABLE price_files (
  day bigint NOT NULL,
  symbol text NOT NULL,
  hash bytea NOT NULL CHECK (length(hash) = 32),
  ticks bigint NOT NULL CHECK (ticks > 0),
  minutes integer[] NOT NULL,
  ends integer[] NOT NULL,
  PRIMARY KEY (day, symbol),
  CHECK (cardinality(minutes) > 0 AND cardinality(minutes) = cardinality(ends))
);
COMMENT ON TABLE price_files IS 'Files with old ticks: one per day and instrument, each minute compressed on its own. The digests in the log prove them as they proved the rows.';
COMMENT ON COLUMN price_files.day IS 'UTC days since 1970';
COMMENT ON COLUMN price_files.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN price_files.hash IS 'SHA-256 of the file, which is also its name';
COMMENT ON COLUMN price_files.ticks IS 'Number of ticks in it';
COMMENT ON COLUMN price_files.minutes IS 'Numbers of the minutes that have ticks, within the day';
COMMENT ON COLUMN price_files.ends IS 'Where each minute''s part of the file ends, bytes';
CALL write_once('price_files');
GRANT SELECT ON price_files TO fairtick_reader;
GRANT SELECT, INSERT ON price_files TO fairtick_jobs;

CREATE TABLE filed_days (
  day bigint PRIMARY KEY,
  dropped_at bigint NOT NULL
);
COMMENT ON TABLE filed_days IS 'Days whose ticks are only in files.';
COMMENT ON COLUMN filed_days.day IS 'UTC days since 1970';
COMMENT ON COLUMN filed_days.dropped_at IS 'When the rows were dropped, ms since 1970 UTC';
CALL write_once('filed_days');
GRANT SELECT ON filed_days TO fairtick_reader, fairtick_jobs;

-- Drops a day's ticks once a file has all of them and no running order can need them any more. Returns what prevents
-- it; null when they are dropped. Waiting for the lock would make others wait, so it soon gives up.
CREATE FUNCTION drop_filed_day(the_day bigint, at bigint) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '200ms' AS $$
DECLARE
  part regclass := to_regclass(format('ticks_%s', the_day));
  from_time bigint := the_day * 86400000;
  to_time bigint := (the_day + 1) * 86400000;
  found text;
BEGIN
  IF part IS NULL THEN
    RETURN 'there is no such day';
  END IF;
  SELECT string_agg(format('%s: %s ticks, %s in files, %s logged', t.symbol, t.count, coalesce(f.ticks, 0), coalesce(m.count, 0)), '; ') INTO found
    FROM (SELECT symbol, count(*) FROM ticks WHERE time >= from_time AND time < to_time AND NOT pre_genesis GROUP BY symbol) t
    LEFT JOIN price_files f ON f.day = the_day AND f.symbol = t.symbol
    LEFT JOIN (SELECT symbol, sum(count) AS count FROM price_minutes WHERE time >= from_time AND time < to_time GROUP BY symbol) m ON m.symbol = t.symbol
    WHERE f.ticks IS DISTINCT FROM t.count OR m.count IS DISTINCT FROM t.count;
  IF found IS NOT NULL THEN
    RETURN found;
  END IF;
  -- The newest tick of an instrument stays where it is, however old; and so does what a running order may be settled on.
  SELECT string_agg(c.symbol, ', ') INTO found FROM instrument_clock c
    WHERE c.time < to_time + 86400000 AND EXISTS (SELECT FROM ticks t WHERE t.symbol = c.symbol AND t.time >= from_time AND t.time < to_time);
  IF found IS NOT NULL THEN
    RETURN 'the newest ticks of ' || found;
  END IF;
  IF EXISTS (SELECT FROM open_orders WHERE accepted_at < to_time + 86400000) THEN
    RETURN 'orders that run';
  END IF;
  BEGIN
    EXECUTE format('DROP TABLE %s', part);
  EXCEPTION WHEN lock_not_available THEN
    RETURN 'somebody who reads or writes ticks just now';
  END;
  INSERT INTO filed_days (day, dropped_at) VALUES (the_day, at);
  RETURN NULL;
END
$$;
REVOKE EXECUTE ON FUNCTION drop_filed_day FROM PUBLIC;
GRANT EXECUTE ON FUNCTION drop_filed_day TO fairtick_jobs;
