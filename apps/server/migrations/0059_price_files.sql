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
GRANT SELECT, INSERT ON price_files TO fairtick_jobs;
GRANT SELECT ON price_files TO fairtick_reader;

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
