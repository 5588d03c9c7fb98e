-- The public log: entries in their final order, the checkpoints signed over them, and the daily proof of what the
-- house owes. Whoever writes it holds a lease; the lease's epoch locks out a writer that was replaced.

CREATE TABLE outbox (
  outbox_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  entry text NOT NULL,
  -- An entry's length is written in two bytes in the log's files.
  CONSTRAINT entry_fits_the_log CHECK (octet_length(entry) <= 65535)
);
COMMENT ON TABLE outbox IS 'Entries on their way into the public log. An event''s own transaction inserts its entry; the log''s one writer takes them in order.';
COMMENT ON COLUMN outbox.outbox_id IS 'Number of the entry, in the order of insertion';
COMMENT ON COLUMN outbox.kind IS 'What the entry is about';
COMMENT ON COLUMN outbox.entry IS 'JSON with sorted keys, integers and strings only: the exact bytes that are hashed';
CALL write_once('outbox');
-- Finds the newest entry that says whose signatures prices need.
CREATE INDEX outbox_pyth_params ON outbox (outbox_id) WHERE kind = 'params.pyth';
ALTER TABLE outbox ENABLE ROW LEVEL SECURITY;
CREATE POLICY by_grant ON outbox USING (true) WITH CHECK (true);
CREATE POLICY market_reads ON outbox AS RESTRICTIVE FOR SELECT TO fairtick_market USING (kind = 'params.pyth');
CREATE POLICY market_writes ON outbox AS RESTRICTIVE FOR INSERT TO fairtick_market
  WITH CHECK (
    kind IN ('params', 'params.pyth', 'source', 'epoch.commit', 'epoch.open', 'epoch.reveal', 'ticks', 'heads')
    -- The key it signs slots with, never one of the log's.
    OR kind = 'key.rotate' AND entry::json ->> 'role' = 'acceptance');
GRANT INSERT ON outbox TO fairtick_orders, fairtick_settlement, fairtick_money;
GRANT SELECT ON outbox TO fairtick_reader;
GRANT SELECT, INSERT ON outbox TO fairtick_market, fairtick_jobs, fairtick_log;

CREATE TABLE log_writer (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  epoch bigint NOT NULL,
  lease_until bigint NOT NULL,
  size bigint NOT NULL,
  decided_through bigint NOT NULL
) WITH (fillfactor = 50);
COMMENT ON TABLE log_writer IS 'The one process that writes the public log.';
COMMENT ON COLUMN log_writer.one IS 'Always true: the table has exactly one row';
COMMENT ON COLUMN log_writer.epoch IS 'Counts the writers: one that was replaced has a lower number and can write nothing';
COMMENT ON COLUMN log_writer.lease_until IS 'Until when it holds the log, ms since 1970 UTC';
COMMENT ON COLUMN log_writer.size IS 'Number of entries that have their place';
COMMENT ON COLUMN log_writer.decided_through IS 'Every outbox id up to here has its place, or was rolled back and never will have one';
INSERT INTO log_writer (one, epoch, lease_until, size, decided_through) VALUES (true, 0, 0, 0, 0);
GRANT SELECT ON log_writer TO fairtick_market, fairtick_reader, fairtick_jobs;
GRANT SELECT, UPDATE ON log_writer TO fairtick_log;

CREATE TABLE log_entries (
  log_index bigint PRIMARY KEY CHECK (log_index >= 0),
  outbox_id bigint NOT NULL UNIQUE,
  number bigint NOT NULL,
  kind text NOT NULL,
  about text NOT NULL
);
COMMENT ON TABLE log_entries IS 'The place of each entry in the public log, and what receipts find it by.';
COMMENT ON COLUMN log_entries.log_index IS 'Its place in the log, from 0';
COMMENT ON COLUMN log_entries.outbox_id IS 'Its entry for the public log';
COMMENT ON COLUMN log_entries.number IS 'Number by kind: batch, epoch, version, first slot head, minute or moment of settlement';
COMMENT ON COLUMN log_entries.kind IS 'What the entry is about';
COMMENT ON COLUMN log_entries.about IS 'Instrument it is about; empty where there is none';
CREATE INDEX log_entries_by_what ON log_entries (kind, about, number);
CALL write_once('log_entries');
GRANT SELECT ON log_entries TO fairtick_market, fairtick_reader, fairtick_jobs, fairtick_console;
GRANT SELECT, INSERT ON log_entries TO fairtick_log;

CREATE TABLE log_checkpoints (
  size bigint PRIMARY KEY,
  root bytea NOT NULL CHECK (length(root) = 32),
  made_at bigint NOT NULL
);
COMMENT ON TABLE log_checkpoints IS 'Sizes of the log and their roots, written before anything is signed, so that no size ever gets a second root.';
COMMENT ON COLUMN log_checkpoints.size IS 'Number of entries';
COMMENT ON COLUMN log_checkpoints.root IS 'Root of the log''s Merkle tree at that size';
COMMENT ON COLUMN log_checkpoints.made_at IS 'When it was made, ms since 1970 UTC';
CALL write_once('log_checkpoints');
GRANT SELECT ON log_checkpoints TO fairtick_reader, fairtick_jobs;
GRANT SELECT, INSERT ON log_checkpoints TO fairtick_log;

CREATE TABLE log_published (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  size bigint NOT NULL,
  note text NOT NULL,
  covers_at bigint NOT NULL,
  signed_size bigint NOT NULL,
  signed_note text NOT NULL,
  signed_at bigint NOT NULL,
  witnesses jsonb NOT NULL
) WITH (fillfactor = 50);
COMMENT ON TABLE log_published IS 'What is served of the log: the newest checkpoint with the cosignatures it needs, and the newest signed one, which no witness may have seen yet.';
COMMENT ON COLUMN log_published.one IS 'Always true: the table has exactly one row';
COMMENT ON COLUMN log_published.size IS 'Size of the served checkpoint';
COMMENT ON COLUMN log_published.note IS 'The served checkpoint with its signatures';
COMMENT ON COLUMN log_published.covers_at IS 'Everything committed by then is in the served checkpoint, ms since 1970 UTC';
COMMENT ON COLUMN log_published.signed_size IS 'Size of the newest signed checkpoint';
COMMENT ON COLUMN log_published.signed_note IS 'The newest signed checkpoint';
COMMENT ON COLUMN log_published.signed_at IS 'When it was signed, ms since 1970 UTC';
COMMENT ON COLUMN log_published.witnesses IS 'One {name, key, size, at} per configured witness; size and at are null before its first cosignature';
GRANT SELECT ON log_published TO fairtick_market, fairtick_orders, fairtick_reader, fairtick_jobs;
GRANT SELECT, INSERT, UPDATE ON log_published TO fairtick_log;

CREATE TABLE log_keys (
  key text PRIMARY KEY,
  role text NOT NULL CHECK (role IN ('log', 'acceptance')),
  since bigint NOT NULL,
  older_until bigint NOT NULL
);
COMMENT ON TABLE log_keys IS 'Every key that the house has ever signed with. Each has its key.rotate entry in the log.';
COMMENT ON COLUMN log_keys.key IS 'The public key, in the form verifiers read';
COMMENT ON COLUMN log_keys.role IS 'What it signs: the log, or acceptances';
COMMENT ON COLUMN log_keys.since IS 'From when it signs, ms since 1970 UTC';
COMMENT ON COLUMN log_keys.older_until IS 'When older keys of the same name stop, ms since 1970 UTC';
CALL write_once('log_keys');
GRANT SELECT ON log_keys TO fairtick_reader;
GRANT SELECT, INSERT ON log_keys TO fairtick_market, fairtick_jobs, fairtick_log;

CREATE TABLE house_keys (
  name text NOT NULL,
  fingerprint text NOT NULL CHECK (fingerprint ~ '^[0-9a-f]{64}$'),
  since timestamptz NOT NULL DEFAULT now(),
  given_up_at timestamptz,
  PRIMARY KEY (name, fingerprint)
);
COMMENT ON TABLE house_keys IS 'Fingerprints of the keys this house signs and seals with. A process that holds none of a name''s keys doesn''t start: a second data folder on this database would sign another log.';
COMMENT ON COLUMN house_keys.name IS 'What the key is for';
COMMENT ON COLUMN house_keys.fingerprint IS 'SHA-256 of the public key, hexadecimal';
COMMENT ON COLUMN house_keys.since IS 'When it was first held';
COMMENT ON COLUMN house_keys.given_up_at IS 'When someone declared its data folder lost; null while it is good';
GRANT SELECT ON house_keys TO fairtick_jobs;
GRANT SELECT, INSERT ON house_keys TO fairtick_market, fairtick_log;
GRANT UPDATE (given_up_at) ON house_keys TO fairtick_market, fairtick_log;

-- For statements that write a known number of rows and are sent together with their COMMIT: a missing row rolls
-- everything back.
CREATE FUNCTION all_written(written bigint, meant integer) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF written <> meant THEN
    RAISE EXCEPTION '% of % rows were written', written, meant USING ERRCODE = 'data_exception';
  END IF;
  RETURN true;
END
$$;

CREATE TABLE approval_entries (
  subject text NOT NULL,
  number bigint NOT NULL,
  at bigint NOT NULL,
  nonce bytea NOT NULL CHECK (length(nonce) = 16),
  body text NOT NULL,
  outbox_id bigint NOT NULL UNIQUE REFERENCES outbox,
  -- A withdrawal can be approved again after its approvals expired.
  PRIMARY KEY (subject, number, at)
);
COMMENT ON TABLE approval_entries IS 'Operators'' approvals in the public log, each as a hash over a nonce kept here. The log tells nothing about members, amounts or people, and the approval can still be proved to whoever may see it.';
COMMENT ON COLUMN approval_entries.subject IS 'A kind of proposal, or `withdrawal`';
COMMENT ON COLUMN approval_entries.number IS 'Number of the proposal or withdrawal';
COMMENT ON COLUMN approval_entries.at IS 'When it happened, ms since 1970 UTC';
COMMENT ON COLUMN approval_entries.nonce IS '16 random bytes that come first in the hash';
COMMENT ON COLUMN approval_entries.body IS 'What follows the nonce in the hash';
COMMENT ON COLUMN approval_entries.outbox_id IS 'Its entry for the public log';
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

CREATE TABLE liability_days (
  day integer PRIMARY KEY,
  read_at bigint NOT NULL,
  members integer NOT NULL CHECK (members > 0),
  sum bigint NOT NULL CHECK (sum > 0),
  root bytea NOT NULL CHECK (length(root) = 32)
);
COMMENT ON TABLE liability_days IS 'What the house owed to all real wallets, once per UTC day: a Merkle sum tree whose root and sum are in the public log.';
COMMENT ON COLUMN liability_days.day IS 'UTC days since 1970';
COMMENT ON COLUMN liability_days.read_at IS 'When the balances were read, all in one snapshot, ms since 1970 UTC';
COMMENT ON COLUMN liability_days.members IS 'Number of members with a balance above zero';
COMMENT ON COLUMN liability_days.sum IS 'What the house owed in total, micro-USD';
COMMENT ON COLUMN liability_days.root IS 'Root of the tree';
CALL write_once('liability_days');
GRANT SELECT ON liability_days TO fairtick_reader, fairtick_console;
GRANT SELECT, INSERT ON liability_days TO fairtick_jobs;

CREATE TABLE liability_nodes (
  day integer NOT NULL REFERENCES liability_days,
  level smallint NOT NULL,
  place integer NOT NULL,
  sum bigint NOT NULL CHECK (sum >= 0),
  hash bytea NOT NULL CHECK (length(hash) = 32),
  PRIMARY KEY (day, level, place)
);
COMMENT ON TABLE liability_nodes IS 'Every node of each day''s tree. Level 0 holds the leaves; the top level has only the root.';
COMMENT ON COLUMN liability_nodes.day IS 'UTC days since 1970';
COMMENT ON COLUMN liability_nodes.level IS 'Level in the tree, from the leaves up';
COMMENT ON COLUMN liability_nodes.place IS 'Place within its level, from 0';
COMMENT ON COLUMN liability_nodes.sum IS 'Sum of the leaves below it, micro-USD';
COMMENT ON COLUMN liability_nodes.hash IS 'Hash of the node';
CALL write_once('liability_nodes');
GRANT SELECT ON liability_nodes TO fairtick_reader;
GRANT SELECT, INSERT ON liability_nodes TO fairtick_jobs;

CREATE TABLE liability_leaves (
  day integer NOT NULL REFERENCES liability_days,
  member_id bigint NOT NULL REFERENCES members,
  place integer NOT NULL,
  nonce bytea NOT NULL CHECK (length(nonce) = 16),
  PRIMARY KEY (day, member_id),
  UNIQUE (day, place)
);
COMMENT ON TABLE liability_leaves IS 'Whose leaf is where in each day''s tree. The amount is the sum of the leaf''s node.';
COMMENT ON COLUMN liability_leaves.day IS 'UTC days since 1970';
COMMENT ON COLUMN liability_leaves.member_id IS 'The member';
COMMENT ON COLUMN liability_leaves.place IS 'Place among the leaves, from 0';
COMMENT ON COLUMN liability_leaves.nonce IS '16 random bytes in the leaf''s hash';
CALL write_once('liability_leaves');
GRANT SELECT ON liability_leaves TO fairtick_reader;
GRANT SELECT, INSERT ON liability_leaves TO fairtick_jobs;
