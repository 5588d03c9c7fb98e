-- The chat with customer service: one thread per member, what each side wrote, and how far each has read. A thread
-- is open or closed; the member's next message opens it again.

CREATE TABLE support_threads (
  member_id bigint PRIMARY KEY REFERENCES members,
  opened_at bigint NOT NULL,
  closed_at bigint,
  assigned_to bigint REFERENCES operators,
  newest_id bigint NOT NULL,
  newest_at bigint NOT NULL,
  waiting_since bigint,
  member_read bigint NOT NULL DEFAULT 0,
  operator_read bigint NOT NULL DEFAULT 0
);
COMMENT ON TABLE support_threads IS 'The chat with customer service: one thread per member.';
COMMENT ON COLUMN support_threads.member_id IS 'The member';
COMMENT ON COLUMN support_threads.opened_at IS 'When it was opened, ms since 1970 UTC';
COMMENT ON COLUMN support_threads.closed_at IS 'When it was closed, ms since 1970 UTC; null while open. The member''s next message opens it again';
COMMENT ON COLUMN support_threads.assigned_to IS 'The operator who looks after it';
COMMENT ON COLUMN support_threads.newest_id IS 'Number of its newest message';
COMMENT ON COLUMN support_threads.newest_at IS 'When that was written, ms since 1970 UTC';
COMMENT ON COLUMN support_threads.waiting_since IS 'Since when the member waits for an answer, ms since 1970 UTC; null if not waiting';
COMMENT ON COLUMN support_threads.member_read IS 'Newest message the member has read';
COMMENT ON COLUMN support_threads.operator_read IS 'Newest message an operator has read';
CREATE INDEX support_threads_open ON support_threads (waiting_since NULLS LAST, newest_at DESC) WHERE closed_at IS NULL;
GRANT SELECT ON support_threads TO fairtick_sessions, fairtick_reader, fairtick_console;

CREATE TABLE support_messages (
  message_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES support_threads DEFERRABLE INITIALLY DEFERRED,
  operator_id bigint REFERENCES operators,
  body text CHECK (length(body) BETWEEN 1 AND 4000),
  file_id bigint REFERENCES files,
  topic text CHECK (topic IN ('cardDeposit', 'withdrawal', 'order', 'other')),
  amount bigint CHECK (amount >= 0),
  client_id text NOT NULL CHECK (client_id ~ '^[A-Za-z0-9_-]{8,64}$'),
  sent_at bigint NOT NULL,
  CHECK (body IS NOT NULL OR file_id IS NOT NULL),
  UNIQUE NULLS NOT DISTINCT (member_id, operator_id, client_id)
);
COMMENT ON TABLE support_messages IS 'Messages in the chat with customer service.';
COMMENT ON COLUMN support_messages.message_id IS 'Number of the message';
COMMENT ON COLUMN support_messages.member_id IS 'The member';
COMMENT ON COLUMN support_messages.operator_id IS 'The operator who wrote it; null for the member';
COMMENT ON COLUMN support_messages.body IS 'Text; card numbers were masked before it came here';
COMMENT ON COLUMN support_messages.file_id IS 'Attached file';
COMMENT ON COLUMN support_messages.topic IS 'What it is about';
COMMENT ON COLUMN support_messages.amount IS 'Amount it is about, micro-USD';
COMMENT ON COLUMN support_messages.client_id IS 'The client id: repeating it never does the same thing twice';
COMMENT ON COLUMN support_messages.sent_at IS 'When it was sent, ms since 1970 UTC';
CREATE INDEX support_messages_by_member ON support_messages (member_id, message_id DESC);
CALL write_once('support_messages');
GRANT SELECT ON support_messages TO fairtick_sessions, fairtick_reader, fairtick_console;

CREATE TABLE support_reads (
  member_id bigint NOT NULL REFERENCES support_threads,
  side text NOT NULL CHECK (side IN ('member', 'operator')),
  through_id bigint NOT NULL,
  read_at bigint NOT NULL,
  PRIMARY KEY (member_id, side, through_id)
);
COMMENT ON TABLE support_reads IS 'How far each side had read, and when.';
COMMENT ON COLUMN support_reads.member_id IS 'The member';
COMMENT ON COLUMN support_reads.side IS 'Member or operator';
COMMENT ON COLUMN support_reads.through_id IS 'Newest message read';
COMMENT ON COLUMN support_reads.read_at IS 'When it was read, ms since 1970 UTC';
CALL write_once('support_reads');
GRANT SELECT ON support_reads TO fairtick_sessions, fairtick_reader, fairtick_console;

-- Writes a message from either side and moves its thread; null when this client id was used before. `operator` is
-- null for the member. The thread's row is locked first, so that a message and its reading have one order.
CREATE FUNCTION write_support_message(member bigint, operator bigint, said text, file bigint, about text, about_amount bigint, client text)
RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  written bigint;
  now_at bigint;
BEGIN
  INSERT INTO support_threads (member_id, opened_at, newest_id, newest_at) VALUES (member, now_ms(), 0, now_ms()) ON CONFLICT DO NOTHING;
  PERFORM FROM support_threads WHERE member_id = member FOR NO KEY UPDATE;
  now_at := now_ms();
  INSERT INTO support_messages (member_id, operator_id, body, file_id, topic, amount, client_id, sent_at)
    VALUES (member, operator, said, file, about, about_amount, client, now_at)
    ON CONFLICT DO NOTHING RETURNING message_id INTO written;
  IF written IS NULL THEN
    RETURN NULL;
  END IF;
  UPDATE support_threads SET newest_id = written, newest_at = now_at, closed_at = NULL,
      waiting_since = CASE WHEN operator IS NULL THEN coalesce(waiting_since, now_at) END,
      assigned_to = coalesce(assigned_to, operator)
    WHERE member_id = member;
  RETURN written;
END
$$;
REVOKE EXECUTE ON FUNCTION write_support_message FROM PUBLIC;

CREATE FUNCTION say_to_support(member bigint, said text, file bigint, about text, about_amount bigint, client text) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT write_support_message(member, NULL, said, file, about, about_amount, client)
$$;
REVOKE EXECUTE ON FUNCTION say_to_support FROM PUBLIC;
GRANT EXECUTE ON FUNCTION say_to_support TO fairtick_sessions;

-- Only someone who is logged in answers, and only a member who wrote before.
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
REVOKE EXECUTE ON FUNCTION answer_member FROM PUBLIC;
GRANT EXECUTE ON FUNCTION answer_member TO fairtick_console;

-- Marks everything a side was sent as read; true when there was anything.
CREATE FUNCTION read_support(member bigint, by_side text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  thread support_threads;
BEGIN
  SELECT * INTO thread FROM support_threads WHERE member_id = member FOR NO KEY UPDATE;
  IF NOT FOUND OR thread.newest_id <= (CASE by_side WHEN 'member' THEN thread.member_read ELSE thread.operator_read END) THEN
    RETURN false;
  END IF;
  UPDATE support_threads SET member_read = CASE by_side WHEN 'member' THEN thread.newest_id ELSE member_read END,
      operator_read = CASE by_side WHEN 'operator' THEN thread.newest_id ELSE operator_read END
    WHERE member_id = member;
  INSERT INTO support_reads (member_id, side, through_id, read_at) VALUES (member, by_side, thread.newest_id, now_ms());
  RETURN true;
END
$$;
REVOKE EXECUTE ON FUNCTION read_support FROM PUBLIC;

CREATE FUNCTION read_as_member(member bigint) RETURNS boolean LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT read_support(member, 'member')
$$;
REVOKE EXECUTE ON FUNCTION read_as_member FROM PUBLIC;
GRANT EXECUTE ON FUNCTION read_as_member TO fairtick_sessions;

CREATE FUNCTION read_as_operator(session bigint, member bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM require_session(session);
  RETURN read_support(member, 'operator');
END
$$;
REVOKE EXECUTE ON FUNCTION read_as_operator FROM PUBLIC;
GRANT EXECUTE ON FUNCTION read_as_operator TO fairtick_console;

-- Takes a thread, or gives it back when `mine` is false.
CREATE FUNCTION assign_support(session bigint, member bigint, mine boolean) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM require_session(session);
  UPDATE support_threads SET assigned_to = CASE WHEN mine THEN (SELECT operator_id FROM operator_sessions WHERE session_id = session) END
    WHERE member_id = member;
  RETURN FOUND;
END
$$;
REVOKE EXECUTE ON FUNCTION assign_support FROM PUBLIC;
GRANT EXECUTE ON FUNCTION assign_support TO fairtick_console;

CREATE FUNCTION close_support(session bigint, member bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM require_session(session);
  UPDATE support_threads SET closed_at = now_ms(), waiting_since = NULL WHERE member_id = member AND closed_at IS NULL;
  RETURN FOUND;
END
$$;
REVOKE EXECUTE ON FUNCTION close_support FROM PUBLIC;
GRANT EXECUTE ON FUNCTION close_support TO fairtick_console;

-- Whether someone in support has used the console in the last ten minutes. Nobody is told who.
CREATE FUNCTION support_is_there() RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM operator_sessions s JOIN operators o USING (operator_id) JOIN operator_roles r USING (operator_id)
    WHERE r.role = 'support' AND o.disabled_at IS NULL AND s.ended_at IS NULL AND s.verified_at IS NOT NULL
      AND s.expires_at > now_ms() AND s.seen_at > now_ms() - 600000)
$$;
REVOKE EXECUTE ON FUNCTION support_is_there FROM PUBLIC;
GRANT EXECUTE ON FUNCTION support_is_there TO fairtick_sessions, fairtick_reader, fairtick_console;

-- Members know an operator by their first name only.
CREATE FUNCTION support_name(operator bigint) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT split_part(btrim(name), ' ', 1) FROM operators WHERE operator_id = operator
$$;
REVOKE EXECUTE ON FUNCTION support_name FROM PUBLIC;
GRANT EXECUTE ON FUNCTION support_name TO fairtick_sessions, fairtick_reader, fairtick_console;

CREATE TABLE canned_answers (
  answer_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  title text NOT NULL CHECK (length(btrim(title)) BETWEEN 1 AND 60),
  saved_by bigint NOT NULL REFERENCES operators,
  saved_at bigint NOT NULL,
  deleted_by bigint REFERENCES operators,
  deleted_at bigint,
  CHECK ((deleted_by IS NULL) = (deleted_at IS NULL))
);
COMMENT ON TABLE canned_answers IS 'Answers that operators saved for the chat.';
COMMENT ON COLUMN canned_answers.answer_id IS 'Number of the answer';
COMMENT ON COLUMN canned_answers.title IS 'Title, for operators only';
COMMENT ON COLUMN canned_answers.saved_by IS 'The operator who saved it';
COMMENT ON COLUMN canned_answers.saved_at IS 'When it was saved, ms since 1970 UTC';
COMMENT ON COLUMN canned_answers.deleted_by IS 'The operator who deleted it';
COMMENT ON COLUMN canned_answers.deleted_at IS 'When it was deleted, ms since 1970 UTC';
GRANT SELECT ON canned_answers TO fairtick_console;

CREATE TABLE canned_answer_texts (
  answer_id bigint NOT NULL REFERENCES canned_answers,
  language text NOT NULL CHECK (language IN ('en', 'zh', 'zhs', 'ri', 'han', 'de', 'xby', 'ydl', 'yue', 'fr')),
  body text NOT NULL CHECK (btrim(body) <> '' AND length(body) <= 4000),
  PRIMARY KEY (answer_id, language)
);
COMMENT ON TABLE canned_answer_texts IS 'Saved answers in each language.';
COMMENT ON COLUMN canned_answer_texts.answer_id IS 'The answer';
COMMENT ON COLUMN canned_answer_texts.language IS 'Language of the text';
COMMENT ON COLUMN canned_answer_texts.body IS 'Text';
GRANT SELECT ON canned_answer_texts TO fairtick_console;

-- Saves an answer: a new one when `answer` is null. `texts`: {language: words}; English is required, since it is
-- used for every language that is not written.
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
REVOKE EXECUTE ON FUNCTION save_canned_answer FROM PUBLIC;
GRANT EXECUTE ON FUNCTION save_canned_answer TO fairtick_console;

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
REVOKE EXECUTE ON FUNCTION delete_canned_answer FROM PUBLIC;
GRANT EXECUTE ON FUNCTION delete_canned_answer TO fairtick_console;
