-- Where prices come from, the signed quotes behind them, and how old ticks move into files.

-- What makes each instrument's prices, from when on. The market says so in the log before it makes the first of them, and each
-- minute of prices names it again: no price can be passed off as an outside source's afterwards.
CREATE TABLE instrument_sources (
  symbol text NOT NULL,
  since bigint NOT NULL,
  -- SM1, or the outside sources by name and joined by +.
  source text NOT NULL CHECK (source ~ '^(SM1|[a-z]{1,20}(\+[a-z]{1,20}){0,8})$'),
  PRIMARY KEY (symbol, since)
);
CALL write_once('instrument_sources');
GRANT SELECT ON instrument_sources TO fairtick_reader;
GRANT SELECT, INSERT ON instrument_sources TO fairtick_market;

-- Signed quotes that ticks were composed with, kept as they came, so that anybody can check who signed them. One update of
-- Pyth's serves all instruments of its moment and one quote several ticks: each is stored once, named by its hash.
CREATE TABLE pyth_updates (
  -- sha256 of the VAA
  hash bytea PRIMARY KEY CHECK (length(hash) = 32),
  vaa bytea NOT NULL
);
CALL write_once('pyth_updates');
GRANT SELECT ON pyth_updates TO fairtick_reader;
GRANT SELECT, INSERT ON pyth_updates TO fairtick_market;

CREATE TABLE pyth_quotes (
  -- sha256 of "QUOTE1\0" || sha256 of the VAA || message
  hash bytea PRIMARY KEY CHECK (length(hash) = 32),
  update_hash bytea NOT NULL REFERENCES pyth_updates,
  message bytea NOT NULL,
  -- Sibling hashes of 20 bytes, from the leaf up.
  branch bytea NOT NULL CHECK (length(branch) % 20 = 0)
);
CALL write_once('pyth_quotes');
GRANT SELECT ON pyth_quotes TO fairtick_reader;
GRANT SELECT, INSERT ON pyth_quotes TO fairtick_market;

CREATE TABLE tick_quotes (
  symbol text NOT NULL,
  time bigint NOT NULL,
  seq bigint NOT NULL,
  -- What the tick is the median of: name=points, joined by +, by name.
  sources text NOT NULL,
  quote_hash bytea NOT NULL REFERENCES pyth_quotes,
  PRIMARY KEY (symbol, time)
);
CALL write_once('tick_quotes');
GRANT SELECT ON tick_quotes TO fairtick_reader;
GRANT SELECT, INSERT ON tick_quotes TO fairtick_market;

-- A slot as in store_tick_slot, and in the same transaction the signed quotes that its ticks were composed with.
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

-- One row per instrument and finished minute that has ticks: sha256 of its lines "seq,time,price" joined by newlines.
-- Its "ticks" entry in the outbox is inserted in the same transaction.
CREATE TABLE price_minutes (
  symbol text NOT NULL,
  time bigint NOT NULL,
  from_seq bigint NOT NULL,
  to_seq bigint NOT NULL,
  count integer NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (symbol, time)
);
CALL write_once('price_minutes');
GRANT SELECT ON price_minutes TO fairtick_reader, fairtick_jobs, fairtick_log;
GRANT SELECT, INSERT ON price_minutes TO fairtick_market;

-- How far each instrument's minutes ('ticks:' || symbol) and the slot heads ('heads') have gone into the outbox.
CREATE TABLE price_log_progress (
  name text PRIMARY KEY,
  through bigint NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON price_log_progress TO fairtick_market;

-- Old ticks leave the table for files: a day of an instrument is one file, named by its hash, in which each minute's lines are
-- compressed for themselves. The digests of the log's `ticks` entries prove them as they proved the rows.
CREATE TABLE price_files (
  -- UTC days since 1970
  day bigint NOT NULL,
  symbol text NOT NULL,
  -- SHA-256 of the file, which is its name too
  hash bytea NOT NULL CHECK (length(hash) = 32),
  ticks bigint NOT NULL CHECK (ticks > 0),
  -- Of each minute that has ticks its number in the day, and where its part of the file ends.
  minutes integer[] NOT NULL,
  ends integer[] NOT NULL,
  PRIMARY KEY (day, symbol),
  CHECK (cardinality(minutes) > 0 AND cardinality(minutes) = cardinality(ends))
);
CALL write_once('price_files');
GRANT SELECT ON price_files TO fairtick_reader;
GRANT SELECT, INSERT ON price_files TO fairtick_jobs;

-- Days whose ticks are in files alone.
CREATE TABLE filed_days (
  day bigint PRIMARY KEY,
  dropped_at bigint NOT NULL
);
CALL write_once('filed_days');
GRANT SELECT ON filed_days TO fairtick_reader, fairtick_jobs;

-- Drops a day's ticks once each of them is told of by a file, and nothing that runs can need them any more. Answers what
-- stands against it, null when they are gone. Who waits for the lock makes others wait: so it is not waited for long.
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
