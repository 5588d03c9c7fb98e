-- The public log: entries of the outbox in their final order, and the checkpoints that were signed over them. Whoever writes
-- it holds a lease; its epoch fences a writer that was taken over out of everything below.

DO $$
BEGIN
  BEGIN
    CREATE ROLE fairtick_log NOLOGIN;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
  END;
  IF NOT pg_has_role(current_user, 'fairtick_log', CASE WHEN current_setting('server_version_num')::integer >= 160000 THEN 'SET' ELSE 'MEMBER' END) THEN
    GRANT fairtick_log TO CURRENT_USER;
  END IF;
END
$$;
GRANT USAGE ON SCHEMA public TO fairtick_log;

-- An entry's length is written in two bytes in the log's files.
ALTER TABLE outbox ADD CONSTRAINT entry_fits_the_log CHECK (octet_length(entry) <= 65535);
GRANT SELECT, INSERT ON outbox TO fairtick_log;
GRANT SELECT ON outbox TO fairtick_reader;

CREATE TABLE log_writer (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  epoch bigint NOT NULL,
  lease_until bigint NOT NULL,
  -- How many entries have their place.
  size bigint NOT NULL,
  -- Every outbox id up to here has its place, or was rolled back and never will have one.
  decided_through bigint NOT NULL
) WITH (fillfactor = 50);
INSERT INTO log_writer VALUES (true, 0, 0, 0, 0);
GRANT SELECT, UPDATE ON log_writer TO fairtick_log;
GRANT SELECT ON log_writer TO fairtick_reader, fairtick_jobs, fairtick_market;

-- The place of each entry, and by what it is found again for receipts: kind, symbol where it has one, and a number of its
-- own (batch, epoch, version, first head, minute, moment of settling).
CREATE TABLE log_entries (
  log_index bigint PRIMARY KEY CHECK (log_index >= 0),
  outbox_id bigint NOT NULL UNIQUE,
  number bigint NOT NULL,
  kind text NOT NULL,
  about text NOT NULL
);
CREATE INDEX log_entries_by_what ON log_entries (kind, about, number);
CALL write_once('log_entries');
GRANT SELECT, INSERT ON log_entries TO fairtick_log;
GRANT SELECT ON log_entries TO fairtick_reader, fairtick_jobs, fairtick_market;

-- Written before anything is signed: never a second root for one size.
CREATE TABLE log_checkpoints (
  size bigint PRIMARY KEY,
  root bytea NOT NULL CHECK (length(root) = 32),
  made_at bigint NOT NULL
);
CALL write_once('log_checkpoints');
GRANT SELECT, INSERT ON log_checkpoints TO fairtick_log;
GRANT SELECT ON log_checkpoints TO fairtick_reader, fairtick_jobs;

-- What is served: the newest checkpoint with the cosignatures it needs, and the newest signed one, which no witness may
-- have seen yet. covers_at: all that was committed by then is in the served one.
CREATE TABLE log_published (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  size bigint NOT NULL,
  note text NOT NULL,
  covers_at bigint NOT NULL,
  signed_size bigint NOT NULL,
  signed_note text NOT NULL,
  signed_at bigint NOT NULL,
  -- Of each configured witness: {name, key, size, at}, size and at null before its first cosignature.
  witnesses jsonb NOT NULL
) WITH (fillfactor = 50);
GRANT SELECT, INSERT, UPDATE ON log_published TO fairtick_log;
GRANT SELECT ON log_published TO fairtick_reader, fairtick_jobs, fairtick_market, fairtick_orders;

-- Every key that the house ever signed with; each has its key.rotate entry.
CREATE TABLE log_keys (
  key text PRIMARY KEY,
  role text NOT NULL CHECK (role IN ('log', 'acceptance')),
  since bigint NOT NULL,
  -- When older keys of the same name stop.
  older_until bigint NOT NULL
);
CALL write_once('log_keys');
GRANT SELECT, INSERT ON log_keys TO fairtick_log, fairtick_market, fairtick_jobs;
GRANT SELECT ON log_keys TO fairtick_reader;

-- For prices and configurations as the log serves them.
GRANT SELECT ON trading_configs, ticks, price_minutes TO fairtick_log;
