-- The chat with customer service: one thread a member, what either side wrote in it, and how far each has read.

CREATE TABLE support_threads (
  member_id bigint PRIMARY KEY REFERENCES members,
  opened_at bigint NOT NULL,
  -- Null while it is open; the member's next message opens it again.
  closed_at bigint,
  assigned_to bigint REFERENCES operators,
  newest_id bigint NOT NULL,
  newest_at bigint NOT NULL,
  -- Since when the member waits for an answer; null where he has one.
  waiting_since bigint,
  member_read bigint NOT NULL DEFAULT 0,
  operator_read bigint NOT NULL DEFAULT 0
);
CREATE INDEX support_threads_open ON support_threads (waiting_since NULLS LAST, newest_at DESC) WHERE closed_at IS NULL;

CREATE TABLE support_messages (
  message_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES support_threads DEFERRABLE INITIALLY DEFERRED,
  -- Null: the member himself.
  operator_id bigint REFERENCES operators,
  -- Card numbers in it were masked before it came here.
  body text CHECK (length(body) BETWEEN 1 AND 4000),
  file_id bigint REFERENCES files,
  topic text CHECK (topic IN ('cardDeposit', 'withdrawal', 'order', 'other')),
  -- What it is about, in micro-USD.
  amount bigint CHECK (amount >= 0),
  client_id text NOT NULL CHECK (client_id ~ '^[A-Za-z0-9_-]{8,64}$'),
  sent_at bigint NOT NULL,
  CHECK (body IS NOT NULL OR file_id IS NOT NULL),
  UNIQUE NULLS NOT DISTINCT (member_id, operator_id, client_id)
);
CREATE INDEX support_messages_by_member ON support_messages (member_id, message_id DESC);
CALL write_once('support_messages');

-- Through which message a side had read, and when.
CREATE TABLE support_reads (
  member_id bigint NOT NULL REFERENCES support_threads,
  side text NOT NULL CHECK (side IN ('member', 'operator')),
  through_id bigint NOT NULL,
  read_at bigint NOT NULL,
  PRIMARY KEY (member_id, side, through_id)
);
CALL write_once('support_reads');

-- Writes a message of either side and moves its thread; null where this client id was used before. `operator` is null
-- for the member himself. The thread's row is locked first, so that a message and its reading have one order.
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

CREATE FUNCTION say_to_support(member bigint, said text, file bigint, about text, about_amount bigint, client text) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT write_support_message(member, NULL, said, file, about, about_amount, client)
$$;

-- Only who is logged in answers, and only somebody who wrote before.
CREATE FUNCTION answer_member(session bigint, member bigint, said text, client text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM require_session(session);
  PERFORM FROM support_threads WHERE member_id = member;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'member % has no thread', member USING ERRCODE = 'no_data_found';
  END IF;
  RETURN write_support_message(member, (SELECT operator_id FROM operator_sessions WHERE session_id = session), said, NULL, NULL, NULL, client);
END
$$;

-- Marks all that a side was sent as read; true where there was anything.
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
CREATE FUNCTION read_as_member(member bigint) RETURNS boolean LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT read_support(member, 'member')
$$;
CREATE FUNCTION read_as_operator(session bigint, member bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM require_session(session);
  RETURN read_support(member, 'operator');
END
$$;

-- Takes a thread, or gives it back where `mine` is false.
CREATE FUNCTION assign_support(session bigint, member bigint, mine boolean) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM require_session(session);
  UPDATE support_threads SET assigned_to = CASE WHEN mine THEN (SELECT operator_id FROM operator_sessions WHERE session_id = session) END
    WHERE member_id = member;
  RETURN FOUND;
END
$$;

CREATE FUNCTION close_support(session bigint, member bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM require_session(session);
  UPDATE support_threads SET closed_at = now_ms(), waiting_since = NULL WHERE member_id = member AND closed_at IS NULL;
  RETURN FOUND;
END
$$;

-- Whether somebody of support has used the console in the last ten minutes; who, nobody is told.
CREATE FUNCTION support_is_there() RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM operator_sessions s JOIN operators o USING (operator_id) JOIN operator_roles r USING (operator_id)
    WHERE r.role = 'support' AND o.disabled_at IS NULL AND s.ended_at IS NULL AND s.verified_at IS NOT NULL
      AND s.expires_at > now_ms() AND s.seen_at > now_ms() - 600000)
$$;

-- An operator is known to members by his first name alone.
CREATE FUNCTION support_name(operator bigint) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT split_part(btrim(name), ' ', 1) FROM operators WHERE operator_id = operator
$$;

REVOKE EXECUTE ON FUNCTION write_support_message, say_to_support, answer_member, read_support, read_as_member, read_as_operator, assign_support,
  close_support, support_is_there, support_name FROM PUBLIC;
GRANT EXECUTE ON FUNCTION say_to_support, read_as_member TO fairtick_sessions;
GRANT EXECUTE ON FUNCTION answer_member, read_as_operator, assign_support, close_support TO fairtick_console;
GRANT EXECUTE ON FUNCTION support_is_there, support_name TO fairtick_sessions, fairtick_reader, fairtick_console;
GRANT SELECT ON support_threads, support_messages, support_reads TO fairtick_sessions, fairtick_reader, fairtick_console;
