-- The chat takes documents beside pictures: PDF and plain text, told by their content. A picture is made anew from its pixels;
-- a document is kept as it came, handed out to be saved and never shown by a page of ours.
ALTER TABLE files ADD COLUMN media text NOT NULL DEFAULT 'image/jpeg' CHECK (media IN ('image/jpeg', 'application/pdf', 'text/plain'));
-- What its sender calls a document, made harmless; a picture has none.
ALTER TABLE files ADD COLUMN name text CHECK (length(name) BETWEEN 1 AND 100);
ALTER TABLE files ALTER COLUMN width DROP NOT NULL, ALTER COLUMN height DROP NOT NULL;
ALTER TABLE files ADD CONSTRAINT files_picture_or_document CHECK (CASE media WHEN 'image/jpeg'
  THEN width IS NOT NULL AND height IS NOT NULL AND name IS NULL
  ELSE width IS NULL AND height IS NULL AND name IS NOT NULL AND purpose = 'support' END);
GRANT INSERT (media, name) ON files TO fairtick_sessions;

-- As before, with what kind of file it is and what it is called.
DROP FUNCTION store_sent_file;
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
