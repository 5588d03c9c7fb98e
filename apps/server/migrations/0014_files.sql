-- Files that members and operators upload. Only their descriptions are here; the encrypted bytes are in a folder.

CREATE TABLE files (
  file_id bigint PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES members,
  purpose text NOT NULL CHECK (purpose IN ('receipt', 'identity', 'support')),
  bytes integer NOT NULL CHECK (bytes > 0),
  width integer CHECK (width > 0),
  height integer CHECK (height > 0),
  digest bytea NOT NULL CHECK (length(digest) = 32),
  made_at bigint NOT NULL,
  claimed_by text,
  claimed_at bigint,
  sent_by bigint REFERENCES operators,
  media text NOT NULL DEFAULT 'image/jpeg' CHECK (media IN ('image/jpeg', 'application/pdf', 'text/plain')),
  name text CHECK (length(name) BETWEEN 1 AND 100),
  CHECK ((claimed_by IS NULL) = (claimed_at IS NULL)),
  CHECK (sent_by IS NULL OR purpose = 'support'),
  CONSTRAINT files_picture_or_document CHECK (CASE media WHEN 'image/jpeg'
    THEN width IS NOT NULL AND height IS NOT NULL AND name IS NULL
    ELSE width IS NULL AND height IS NULL AND name IS NOT NULL AND purpose = 'support' END)
);
COMMENT ON TABLE files IS 'Descriptions of the files that members and operators handed in. The bytes are encrypted in a folder.';
COMMENT ON COLUMN files.file_id IS 'Number of the file';
COMMENT ON COLUMN files.member_id IS 'The member it belongs to';
COMMENT ON COLUMN files.purpose IS 'What it is for: a receipt, an identity document or the chat';
COMMENT ON COLUMN files.bytes IS 'Size as stored, bytes';
COMMENT ON COLUMN files.width IS 'Width, pixels; null for a document';
COMMENT ON COLUMN files.height IS 'Height, pixels; null for a document';
COMMENT ON COLUMN files.digest IS 'SHA-256 of the picture as stored: the same picture has the same digest, whatever was around it';
COMMENT ON COLUMN files.made_at IS 'When it was handed in, ms since 1970 UTC';
COMMENT ON COLUMN files.claimed_by IS 'Id of what it belongs to, such as `dep_…`. A file without one is removed after two days';
COMMENT ON COLUMN files.claimed_at IS 'When it was claimed, ms since 1970 UTC';
COMMENT ON COLUMN files.sent_by IS 'The operator who sent it; null where the member handed it in';
COMMENT ON COLUMN files.media IS 'Media type, told by the content. A picture is redrawn from its pixels; a document is kept as it came and only offered for download';
COMMENT ON COLUMN files.name IS 'Name of a document, made harmless; null for a picture';
CREATE INDEX files_by_member ON files (member_id, made_at);
CREATE INDEX files_by_digest ON files (digest);
CREATE INDEX files_unclaimed ON files (made_at) WHERE claimed_by IS NULL;
CREATE INDEX files_by_sender ON files (sent_by, made_at) WHERE sent_by IS NOT NULL;
GRANT SELECT ON files TO fairtick_money, fairtick_sessions, fairtick_reader, fairtick_console;
GRANT SELECT, DELETE ON files TO fairtick_jobs;
-- The role that stores members' uploads can't claim that an operator sent one.
GRANT
  INSERT (file_id, member_id, purpose, bytes, width, height, digest, made_at, media, name)
  ON files TO fairtick_sessions;

-- A file belongs to one thing forever; claiming it again for the same thing is allowed. Members can't submit a file that
-- was sent to them as their own.
CREATE FUNCTION claim_file(file bigint, member bigint, of_purpose text, subject text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE files SET claimed_by = subject, claimed_at = coalesce(claimed_at, floor(extract(epoch FROM clock_timestamp()) * 1000))
    WHERE file_id = file AND member_id = member AND purpose = of_purpose AND sent_by IS NULL AND (claimed_by IS NULL OR claimed_by = subject);
  RETURN FOUND;
END
$$;
REVOKE EXECUTE ON FUNCTION claim_file FROM PUBLIC;
GRANT EXECUTE ON FUNCTION claim_file TO fairtick_money, fairtick_sessions, fairtick_console;

-- A file that belongs to something can't be removed by any cleanup.
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

-- Requires an open session of someone in support. Returns who it is.
CREATE FUNCTION require_support(session bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  who bigint;
BEGIN
  PERFORM require_session(session);
  SELECT s.operator_id INTO who FROM operator_sessions s JOIN operator_roles r USING (operator_id)
    WHERE s.session_id = session AND r.role = 'support';
  IF NOT FOUND THEN
    RAISE EXCEPTION 'session % does not work in support', session USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN who;
END
$$;
REVOKE EXECUTE ON FUNCTION require_support FROM PUBLIC;

-- Stores a file that someone of support is about to send to a member who has already written.
CREATE FUNCTION store_sent_file(session bigint, file bigint, member bigint, of_bytes integer, of_width integer, of_height integer, of_digest bytea,
  of_media text, of_name text)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who bigint := require_support(session);
BEGIN
  PERFORM FROM support_threads WHERE member_id = member;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'member % has no thread', member USING ERRCODE = 'no_data_found';
  END IF;
  INSERT INTO files (file_id, member_id, purpose, bytes, width, height, digest, made_at, sent_by, media, name)
    VALUES (file, member, 'support', of_bytes, of_width, of_height, of_digest, now_ms(), who, of_media, of_name);
END
$$;
REVOKE EXECUTE ON FUNCTION store_sent_file FROM PUBLIC;
GRANT EXECUTE ON FUNCTION store_sent_file TO fairtick_console;
