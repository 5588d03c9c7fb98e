-- Operators' own answers for the chat, beside the built-in ones of the catalogues; and pictures from operators to members.

CREATE TABLE canned_answers (
  answer_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- For operators alone.
  title text NOT NULL CHECK (length(btrim(title)) BETWEEN 1 AND 60),
  saved_by bigint NOT NULL REFERENCES operators,
  saved_at bigint NOT NULL,
  deleted_by bigint REFERENCES operators,
  deleted_at bigint,
  CHECK ((deleted_by IS NULL) = (deleted_at IS NULL))
);

CREATE TABLE canned_answer_texts (
  answer_id bigint NOT NULL REFERENCES canned_answers,
  language text NOT NULL CHECK (language IN ('en', 'zh', 'zhs', 'ri', 'han', 'de', 'xby', 'ydl', 'yue', 'fr')),
  body text NOT NULL CHECK (btrim(body) <> '' AND length(body) <= 4000),
  PRIMARY KEY (answer_id, language)
);

-- Who works in the chat: an open session of somebody in support. Answers who it is.
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

-- Keeps an answer: a new one where `answer` is null. `texts`: {language: words}; English is there, since it stands in for
-- a language that is not written.
CREATE FUNCTION save_canned_answer(session bigint, answer bigint, of_title text, texts jsonb) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who bigint := require_support(session);
  kept bigint := answer;
BEGIN
  IF NOT texts ? 'en' THEN
    RAISE EXCEPTION 'an answer without English' USING ERRCODE = 'check_violation';
  END IF;
  IF kept IS NULL THEN
    INSERT INTO canned_answers (title, saved_by, saved_at) VALUES (of_title, who, now_ms()) RETURNING answer_id INTO kept;
  ELSE
    UPDATE canned_answers SET title = of_title, saved_by = who, saved_at = now_ms() WHERE answer_id = kept AND deleted_at IS NULL;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'there is no answer %', kept USING ERRCODE = 'no_data_found';
    END IF;
    DELETE FROM canned_answer_texts WHERE answer_id = kept;
  END IF;
  INSERT INTO canned_answer_texts (answer_id, language, body) SELECT kept, key, value FROM jsonb_each_text(texts);
  RETURN kept;
END
$$;

CREATE FUNCTION delete_canned_answer(session bigint, answer bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who bigint := require_support(session);
BEGIN
  UPDATE canned_answers SET deleted_by = who, deleted_at = now_ms() WHERE answer_id = answer AND deleted_at IS NULL;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'there is no answer %', answer USING ERRCODE = 'no_data_found';
  END IF;
END
$$;

-- Null: the member handed it in himself. Otherwise it was sent to him, and he sees it through his own session.
ALTER TABLE files ADD COLUMN sent_by bigint REFERENCES operators;
ALTER TABLE files ADD CHECK (sent_by IS NULL OR purpose = 'support');
CREATE INDEX files_by_sender ON files (sent_by, made_at) WHERE sent_by IS NOT NULL;
-- Who keeps members' uploads cannot say that an operator sent one.
REVOKE INSERT ON files FROM fairtick_sessions;
GRANT INSERT (file_id, member_id, purpose, bytes, width, height, digest, made_at) ON files TO fairtick_sessions;

-- As before, and what was sent to him a member cannot hand in as his own.
CREATE OR REPLACE FUNCTION claim_file(file bigint, member bigint, of_purpose text, subject text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE files SET claimed_by = subject, claimed_at = coalesce(claimed_at, floor(extract(epoch FROM clock_timestamp()) * 1000))
    WHERE file_id = file AND member_id = member AND purpose = of_purpose AND sent_by IS NULL AND (claimed_by IS NULL OR claimed_by = subject);
  RETURN FOUND;
END
$$;

-- Keeps a picture that somebody of support is about to send to a member who wrote before.
CREATE FUNCTION store_sent_file(session bigint, file bigint, member bigint, of_bytes integer, of_width integer, of_height integer, of_digest bytea)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who bigint := require_support(session);
BEGIN
  PERFORM FROM support_threads WHERE member_id = member;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'member % has no thread', member USING ERRCODE = 'no_data_found';
  END IF;
  INSERT INTO files (file_id, member_id, purpose, bytes, width, height, digest, made_at, sent_by)
    VALUES (file, member, 'support', of_bytes, of_width, of_height, of_digest, now_ms(), who);
END
$$;

-- As before, with a picture that the same operator put there for this member; it belongs to the chat from then on.
DROP FUNCTION answer_member;
CREATE FUNCTION answer_member(session bigint, member bigint, said text, file bigint, client text, subject text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who bigint := require_support(session);
BEGIN
  PERFORM FROM support_threads WHERE member_id = member;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'member % has no thread', member USING ERRCODE = 'no_data_found';
  END IF;
  IF file IS NOT NULL THEN
    UPDATE files SET claimed_by = subject, claimed_at = coalesce(claimed_at, now_ms())
      WHERE file_id = file AND member_id = member AND sent_by = who AND (claimed_by IS NULL OR claimed_by = subject);
    IF NOT FOUND THEN
      RAISE EXCEPTION 'operator % has no picture % for member %', who, file, member USING ERRCODE = 'check_violation';
    END IF;
  END IF;
  RETURN write_support_message(member, who, said, file, NULL, NULL, client);
END
$$;

REVOKE EXECUTE ON FUNCTION require_support, save_canned_answer, delete_canned_answer, store_sent_file, answer_member FROM PUBLIC;
GRANT EXECUTE ON FUNCTION save_canned_answer, delete_canned_answer, store_sent_file, answer_member TO fairtick_console;
GRANT SELECT ON canned_answers, canned_answer_texts TO fairtick_console;
