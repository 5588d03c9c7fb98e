-- The quotes behind outside prices move into files day by day, as the prices do. So their three tables are partitioned by day,
-- like ticks, and the quotes of a day's ticks are stored with that day, so that no other day refers to them.

CREATE TEMPORARY TABLE old_tick_quotes ON COMMIT DROP AS SELECT symbol, time, seq, sources, quote_hash FROM tick_quotes;
CREATE TEMPORARY TABLE old_pyth_quotes ON COMMIT DROP AS
  SELECT DISTINCT time / 86400000 AS day, q.* FROM tick_quotes t JOIN pyth_quotes q ON q.hash = t.quote_hash;
CREATE TEMPORARY TABLE old_pyth_updates ON COMMIT DROP AS
  SELECT DISTINCT day, u.* FROM old_pyth_quotes q JOIN pyth_updates u ON u.hash = q.update_hash;
DROP TABLE tick_quotes, pyth_quotes, pyth_updates;

CREATE TABLE pyth_updates (
  day bigint NOT NULL,
  hash bytea NOT NULL CHECK (length(hash) = 32),
  vaa bytea NOT NULL,
  PRIMARY KEY (day, hash)
) PARTITION BY RANGE (day);
COMMENT ON TABLE pyth_updates IS 'Signed updates from Pyth that a day''s ticks were made with, stored once each as they came, so that anyone can check who signed them.';
COMMENT ON COLUMN pyth_updates.day IS 'UTC days since 1970, of the ticks';
COMMENT ON COLUMN pyth_updates.hash IS 'SHA-256 of the VAA';
COMMENT ON COLUMN pyth_updates.vaa IS 'The signed message (VAA) as it came';
CALL write_once('pyth_updates');
GRANT SELECT ON pyth_updates TO fairtick_reader, fairtick_jobs;
GRANT SELECT, INSERT ON pyth_updates TO fairtick_market;

CREATE TABLE pyth_quotes (
  day bigint NOT NULL,
  hash bytea NOT NULL CHECK (length(hash) = 32),
  update_hash bytea NOT NULL,
  message bytea NOT NULL,
  branch bytea NOT NULL CHECK (length(branch) % 20 = 0),
  PRIMARY KEY (day, hash)
) PARTITION BY RANGE (day);
COMMENT ON TABLE pyth_quotes IS 'One instrument''s quote in a Pyth update, with its proof.';
COMMENT ON COLUMN pyth_quotes.day IS 'UTC days since 1970, of the ticks';
COMMENT ON COLUMN pyth_quotes.hash IS 'SHA-256 of "QUOTE1\0", the VAA''s hash and the message';
COMMENT ON COLUMN pyth_quotes.update_hash IS 'The update of the same day that it belongs to';
COMMENT ON COLUMN pyth_quotes.message IS 'The quote as it came';
COMMENT ON COLUMN pyth_quotes.branch IS 'Sibling hashes of 20 bytes, from the leaf up';
CALL write_once('pyth_quotes');
GRANT SELECT ON pyth_quotes TO fairtick_reader, fairtick_jobs;
GRANT SELECT, INSERT ON pyth_quotes TO fairtick_market;

CREATE TABLE tick_quotes (
  symbol text NOT NULL,
  time bigint NOT NULL,
  seq bigint NOT NULL,
  sources text NOT NULL,
  quote_hash bytea,
  PRIMARY KEY (symbol, time)
) PARTITION BY RANGE (time);
COMMENT ON TABLE tick_quotes IS 'What each tick from outside sources was made of, split by day.';
COMMENT ON COLUMN tick_quotes.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN tick_quotes.time IS 'Time of the tick, ms since 1970 UTC';
COMMENT ON COLUMN tick_quotes.seq IS 'Number of the tick, counting up per instrument';
COMMENT ON COLUMN tick_quotes.sources IS 'Prices the tick is the median of: name=points joined by +, by name; name~points of sources that were fresh and too far from the others';
COMMENT ON COLUMN tick_quotes.quote_hash IS 'The signed quote of the same day among them; null without one';
CALL write_once('tick_quotes');
GRANT SELECT ON tick_quotes TO fairtick_reader, fairtick_jobs;
GRANT SELECT, INSERT ON tick_quotes TO fairtick_market;

-- Creates the daily partitions of ticks and their quotes ahead of time, for the market, which doesn't own the tables.
CREATE OR REPLACE FUNCTION ensure_tick_partitions(from_time bigint, to_time bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  day bigint;
BEGIN
  FOR day IN SELECT generate_series(from_time / 86400000, to_time / 86400000) LOOP
    EXECUTE format('CREATE TABLE IF NOT EXISTS ticks_%s PARTITION OF ticks FOR VALUES FROM (%s) TO (%s)', day, day * 86400000, (day + 1) * 86400000);
    EXECUTE format('CREATE TABLE IF NOT EXISTS tick_quotes_%s PARTITION OF tick_quotes FOR VALUES FROM (%s) TO (%s)', day, day * 86400000, (day + 1) * 86400000);
    EXECUTE format('CREATE TABLE IF NOT EXISTS pyth_quotes_%s PARTITION OF pyth_quotes FOR VALUES FROM (%s) TO (%s)', day, day, day + 1);
    EXECUTE format('CREATE TABLE IF NOT EXISTS pyth_updates_%s PARTITION OF pyth_updates FOR VALUES FROM (%s) TO (%s)', day, day, day + 1);
  END LOOP;
END
$$;

SELECT ensure_tick_partitions(day * 86400000, day * 86400000) FROM (
  SELECT DISTINCT time / 86400000 AS day FROM old_tick_quotes
  UNION SELECT substr(c.relname, 7)::bigint FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'ticks'::regclass) days;
INSERT INTO pyth_updates SELECT day, hash, vaa FROM old_pyth_updates;
INSERT INTO pyth_quotes SELECT day, hash, update_hash, message, branch FROM old_pyth_quotes;
INSERT INTO tick_quotes SELECT symbol, time, seq, sources, quote_hash FROM old_tick_quotes;

-- Replaces the function, so that each update and quote is stored under the day of its ticks.
CREATE OR REPLACE FUNCTION store_quoted_tick_slot(
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
  INSERT INTO pyth_updates (day, hash, vaa)
    SELECT DISTINCT time / 86400000, sha256(vaa), vaa FROM unnest(quoted_times, quoted_vaas) u(time, vaa)
    WHERE vaa IS NOT NULL ON CONFLICT DO NOTHING;
  INSERT INTO pyth_quotes (day, hash, update_hash, message, branch)
    SELECT DISTINCT ON (1, 2) time / 86400000, sha256('\x51554f54453100'::bytea || sha256(vaa) || message), sha256(vaa), message, branch
    FROM unnest(quoted_times, quoted_vaas, quoted_messages, quoted_branches) q(time, vaa, message, branch)
    WHERE vaa IS NOT NULL
    ON CONFLICT DO NOTHING;
  INSERT INTO tick_quotes (symbol, time, seq, sources, quote_hash)
    SELECT symbol, time, seq, sources, sha256('\x51554f54453100'::bytea || sha256(vaa) || message)
    FROM unnest(quoted_symbols, quoted_times, quoted_seqs, quoted_sources, quoted_vaas, quoted_messages)
      q(symbol, time, seq, sources, vaa, message);
END
$$;

CREATE TABLE quote_files (
  hour bigint PRIMARY KEY,
  hash bytea NOT NULL CHECK (length(hash) = 32),
  ticks bigint NOT NULL CHECK (ticks > 0),
  minutes integer[] NOT NULL,
  ends integer[] NOT NULL,
  CHECK (cardinality(minutes) > 0 AND cardinality(minutes) = cardinality(ends))
);
COMMENT ON TABLE quote_files IS 'Files with what old ticks were made of: one per hour, each minute compressed on its own. The roots in the log prove them as they proved the rows.';
COMMENT ON COLUMN quote_files.hour IS 'UTC hours since 1970';
COMMENT ON COLUMN quote_files.hash IS 'SHA-256 of the file, which is also its name';
COMMENT ON COLUMN quote_files.ticks IS 'Number of ticks that it tells of';
COMMENT ON COLUMN quote_files.minutes IS 'Numbers of the minutes that it tells of, within the hour';
COMMENT ON COLUMN quote_files.ends IS 'Where each minute''s part of the file ends, bytes';
CALL write_once('quote_files');
GRANT SELECT ON quote_files TO fairtick_reader;
GRANT SELECT, INSERT ON quote_files TO fairtick_jobs;

-- Drops the quotes of a day's ticks once files have all of them and the ticks are only in files. Returns what prevents it; null
-- when the rows are dropped. Waiting for the lock would make the market wait, so it soon gives up.
CREATE FUNCTION drop_filed_quotes(the_day bigint) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '200ms' AS $$
DECLARE
  told bigint;
  filed bigint;
BEGIN
  IF to_regclass(format('tick_quotes_%s', the_day)) IS NULL THEN
    RETURN 'there is no such day';
  END IF;
  IF NOT EXISTS (SELECT FROM filed_days WHERE day = the_day) THEN
    RETURN 'its ticks';
  END IF;
  SELECT count(*) INTO told FROM tick_quotes WHERE time >= the_day * 86400000 AND time < (the_day + 1) * 86400000;
  SELECT coalesce(sum(ticks), 0) INTO filed FROM quote_files WHERE hour >= the_day * 24 AND hour < (the_day + 1) * 24;
  IF told <> filed THEN
    RETURN format('%s ticks, %s in files', told, filed);
  END IF;
  BEGIN
    EXECUTE format('DROP TABLE tick_quotes_%s, pyth_quotes_%s, pyth_updates_%s', the_day, the_day, the_day);
  EXCEPTION WHEN lock_not_available THEN
    RETURN 'somebody who reads or writes quotes just now';
  END;
  RETURN NULL;
END
$$;
REVOKE EXECUTE ON FUNCTION drop_filed_quotes FROM PUBLIC;
GRANT EXECUTE ON FUNCTION drop_filed_quotes TO fairtick_jobs;
