-- What members handed in: receipts, documents, pictures in the chat. The bytes lie encrypted in a folder.

CREATE TABLE files (
  file_id bigint PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES members,
  purpose text NOT NULL CHECK (purpose IN ('receipt', 'identity', 'support')),
  -- As stored, after it was made anew.
  bytes integer NOT NULL CHECK (bytes > 0),
  width integer NOT NULL CHECK (width > 0),
  height integer NOT NULL CHECK (height > 0),
  -- SHA-256 of the picture as made anew: the same picture again has the same one, whatever was written around it.
  digest bytea NOT NULL CHECK (length(digest) = 32),
  made_at bigint NOT NULL,
  -- What it belongs to, `dep_…`; null until then. One that nothing claims is removed after two days.
  claimed_by text,
  claimed_at bigint,
  CHECK ((claimed_by IS NULL) = (claimed_at IS NULL))
);
CREATE INDEX files_by_member ON files (member_id, made_at);
CREATE INDEX files_by_digest ON files (digest);
CREATE INDEX files_unclaimed ON files (made_at) WHERE claimed_by IS NULL;

-- A file belongs to one thing for good; what it belongs to may be said again.
CREATE FUNCTION claim_file(file bigint, member bigint, of_purpose text, subject text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE files SET claimed_by = subject, claimed_at = coalesce(claimed_at, floor(extract(epoch FROM clock_timestamp()) * 1000))
    WHERE file_id = file AND member_id = member AND purpose = of_purpose AND (claimed_by IS NULL OR claimed_by = subject);
  RETURN FOUND;
END
$$;
REVOKE EXECUTE ON FUNCTION claim_file FROM PUBLIC;
GRANT EXECUTE ON FUNCTION claim_file TO fairtick_sessions, fairtick_money, fairtick_console;

GRANT SELECT, INSERT ON files TO fairtick_sessions;
GRANT SELECT ON files TO fairtick_money, fairtick_reader, fairtick_console;
GRANT SELECT, DELETE ON files TO fairtick_jobs;

-- What belongs to something stays, whoever sweeps.
CREATE FUNCTION keep_claimed_file() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.claimed_by IS NOT NULL THEN
    RAISE EXCEPTION 'file % belongs to %', OLD.file_id, OLD.claimed_by USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN OLD;
END
$$;
CREATE TRIGGER keep_claimed_file BEFORE DELETE ON files FOR EACH ROW EXECUTE FUNCTION keep_claimed_file();
ALTER TABLE files ENABLE ALWAYS TRIGGER keep_claimed_file;
