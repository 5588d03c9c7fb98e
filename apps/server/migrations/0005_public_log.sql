-- The public log: entries in their final order, the checkpoints signed over them, and the daily proof of what the
-- house owes. Whoever writes it holds a lease; the lease's epoch locks out a writer that was replaced.

-- Outbox of the public log: an event's own transaction inserts its entry; the log's one writer takes them in order.
CREATE TABLE outbox (
  outbox_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  -- JSON with sorted keys, integers and strings only; kept as the very bytes that will be hashed.
  entry text NOT NULL,
  -- An entry's length is written in two bytes in the log's files.
  CONSTRAINT entry_fits_the_log CHECK (octet_length(entry) <= 65535)
);
CALL write_once('outbox');
-- Who must have signed, as it was written last.
CREATE INDEX outbox_pyth_params ON outbox (outbox_id) WHERE kind = 'params.pyth';
ALTER TABLE outbox ENABLE ROW LEVEL SECURITY;
CREATE POLICY by_grant ON outbox USING (true) WITH CHECK (true);
CREATE POLICY market_reads ON outbox AS RESTRICTIVE FOR SELECT TO fairtick_market USING (kind = 'params.pyth');
CREATE POLICY market_writes ON outbox AS RESTRICTIVE FOR INSERT TO fairtick_market
  WITH CHECK (
    kind IN ('params', 'params.pyth', 'source', 'epoch.commit', 'epoch.open', 'epoch.reveal', 'ticks', 'heads')
    -- The key that it signs slots with; never one of the log.
    OR kind = 'key.rotate' AND entry::json ->> 'role' = 'acceptance');
GRANT INSERT ON outbox TO fairtick_orders, fairtick_settlement, fairtick_money;
GRANT SELECT ON outbox TO fairtick_reader;
GRANT SELECT, INSERT ON outbox TO fairtick_market, fairtick_jobs, fairtick_log;

CREATE TABLE log_writer (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  epoch bigint NOT NULL,
  lease_until bigint NOT NULL,
  -- How many entries have their place.
  size bigint NOT NULL,
  -- Every outbox id up to here has its place, or was rolled back and never will have one.
  decided_through bigint NOT NULL
) WITH (fillfactor = 50);
INSERT INTO log_writer (one, epoch, lease_until, size, decided_through) VALUES (true, 0, 0, 0, 0);
GRANT SELECT ON log_writer TO fairtick_market, fairtick_reader, fairtick_jobs;
GRANT SELECT, UPDATE ON log_writer TO fairtick_log;

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
GRANT SELECT ON log_entries TO fairtick_market, fairtick_reader, fairtick_jobs, fairtick_console;
GRANT SELECT, INSERT ON log_entries TO fairtick_log;

-- Written before anything is signed: never a second root for one size.
CREATE TABLE log_checkpoints (
  size bigint PRIMARY KEY,
  root bytea NOT NULL CHECK (length(root) = 32),
  made_at bigint NOT NULL
);
CALL write_once('log_checkpoints');
GRANT SELECT ON log_checkpoints TO fairtick_reader, fairtick_jobs;
GRANT SELECT, INSERT ON log_checkpoints TO fairtick_log;

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
GRANT SELECT ON log_published TO fairtick_market, fairtick_orders, fairtick_reader, fairtick_jobs;
GRANT SELECT, INSERT, UPDATE ON log_published TO fairtick_log;

-- Every key that the house ever signed with; each has its key.rotate entry.
CREATE TABLE log_keys (
  key text PRIMARY KEY,
  role text NOT NULL CHECK (role IN ('log', 'acceptance')),
  since bigint NOT NULL,
  -- When older keys of the same name stop.
  older_until bigint NOT NULL
);
CALL write_once('log_keys');
GRANT SELECT ON log_keys TO fairtick_reader;
GRANT SELECT, INSERT ON log_keys TO fairtick_market, fairtick_jobs, fairtick_log;

-- Fingerprints of the keys that this house signs and seals with: SHA-256 in hexadecimal, by what the key is for. The keys lie in
-- data folders, never here. A process that holds none of the keys of a name does not start: a second data folder on this
-- database would sign another log, and could not make the prices that running orders wait for.
CREATE TABLE house_keys (
  name text NOT NULL,
  fingerprint text NOT NULL CHECK (fingerprint ~ '^[0-9a-f]{64}$'),
  since timestamptz NOT NULL DEFAULT now(),
  -- Somebody said that the data folder is lost: another folder's keys took its place.
  given_up_at timestamptz,
  PRIMARY KEY (name, fingerprint)
);
GRANT SELECT ON house_keys TO fairtick_jobs;
GRANT SELECT, INSERT ON house_keys TO fairtick_market, fairtick_log;
GRANT UPDATE (given_up_at) ON house_keys TO fairtick_market, fairtick_log;

-- For statements that write a known number of rows and whose COMMIT travels with them: one that was not found undoes all.
CREATE FUNCTION all_written(written bigint, meant integer) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF written <> meant THEN
    RAISE EXCEPTION '% of % rows were written', written, meant USING ERRCODE = 'data_exception';
  END IF;
  RETURN true;
END
$$;

-- That operators agreed to something stands in the public log before anybody reads what came of it: as a hash over a nonce that
-- stays here, so that it tells nothing of members, amounts or people, and can be shown to hold whenever somebody may see them.
CREATE TABLE approval_entries (
  -- A kind of proposals, or `withdrawal`.
  subject text NOT NULL,
  -- The proposal's number, or the withdrawal's.
  number bigint NOT NULL,
  at bigint NOT NULL,
  nonce bytea NOT NULL CHECK (length(nonce) = 16),
  -- What the hash is made of after the nonce.
  body text NOT NULL,
  outbox_id bigint NOT NULL UNIQUE REFERENCES outbox,
  -- A withdrawal may be approved anew when its approvals ran out.
  PRIMARY KEY (subject, number, at)
);
CALL write_once('approval_entries');
GRANT SELECT ON approval_entries TO fairtick_console;

-- hash = SHA256("APPROVAL1\0" || nonce || body)
CREATE FUNCTION log_approval(of_subject text, of_number bigint, at_time bigint, of_body text) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  blind bytea := uuid_send(gen_random_uuid());
  placed bigint;
BEGIN
  INSERT INTO outbox (kind, entry) VALUES ('approval', format('{"at":%s,"hash":"%s","kind":"approval","subject":%s,"v":1}', at_time,
    encode(sha256('\x415050524f56414c3100'::bytea || blind || convert_to(of_body, 'UTF8')), 'hex'), to_json(of_subject)))
    RETURNING outbox_id INTO placed;
  INSERT INTO approval_entries (subject, number, at, nonce, body, outbox_id) VALUES (of_subject, of_number, at_time, blind, of_body, placed);
END
$$;
REVOKE EXECUTE ON FUNCTION log_approval FROM PUBLIC;

CREATE FUNCTION log_decision() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  p proposals;
BEGIN
  SELECT * INTO p FROM proposals WHERE proposal_id = NEW.proposal_id;
  PERFORM log_approval(p.kind, p.proposal_id, NEW.decided_at,
    concat_ws(E'\n', p.kind, p.proposal_id, NEW.made_by, NEW.decided_by, NEW.decided_at, coalesce(p.member_id::text, '-'), p.body));
  RETURN NULL;
END
$$;
REVOKE EXECUTE ON FUNCTION log_decision FROM PUBLIC;

CREATE TRIGGER log_decision AFTER INSERT ON decisions FOR EACH ROW WHEN (NEW.decision = 'approved') EXECUTE FUNCTION log_decision();
ALTER TABLE decisions ENABLE ALWAYS TRIGGER log_decision;

-- What the house owed to all real wallets, once a UTC day: a Merkle sum tree, whose root and sum stand in the public log.
CREATE TABLE liability_days (
  -- UTC days since 1970.
  day integer PRIMARY KEY,
  -- When the balances were read, all in one snapshot.
  read_at bigint NOT NULL,
  -- Members with a balance above zero.
  members integer NOT NULL CHECK (members > 0),
  sum bigint NOT NULL CHECK (sum > 0),
  root bytea NOT NULL CHECK (length(root) = 32)
);
CALL write_once('liability_days');
-- For the console's report of what is owed.
GRANT SELECT ON liability_days TO fairtick_reader, fairtick_console;
GRANT SELECT, INSERT ON liability_days TO fairtick_jobs;

-- Every node of the tree; level 0 holds the leaves. The topmost level has the root alone.
CREATE TABLE liability_nodes (
  day integer NOT NULL REFERENCES liability_days,
  level smallint NOT NULL,
  place integer NOT NULL,
  sum bigint NOT NULL CHECK (sum >= 0),
  hash bytea NOT NULL CHECK (length(hash) = 32),
  PRIMARY KEY (day, level, place)
);
CALL write_once('liability_nodes');
GRANT SELECT ON liability_nodes TO fairtick_reader;
GRANT SELECT, INSERT ON liability_nodes TO fairtick_jobs;

-- Whose leaf it is; its amount is its node's sum.
CREATE TABLE liability_leaves (
  day integer NOT NULL REFERENCES liability_days,
  member_id bigint NOT NULL REFERENCES members,
  place integer NOT NULL,
  nonce bytea NOT NULL CHECK (length(nonce) = 16),
  PRIMARY KEY (day, member_id),
  UNIQUE (day, place)
);
CALL write_once('liability_leaves');
GRANT SELECT ON liability_leaves TO fairtick_reader;
GRANT SELECT, INSERT ON liability_leaves TO fairtick_jobs;
