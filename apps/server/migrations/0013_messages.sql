-- Announcements, messages to members, price alerts and push.

CREATE TABLE announcements (
  announcement_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  saved_by bigint NOT NULL REFERENCES operators,
  saved_at bigint NOT NULL,
  -- From when and until when it is shown; null: from its publication, without an end.
  publish_at bigint,
  ends_at bigint,
  published_by bigint REFERENCES operators,
  published_at bigint,
  withdrawn_by bigint REFERENCES operators,
  withdrawn_at bigint,
  withdraw_reason text,
  CHECK (ends_at > publish_at),
  CHECK ((published_by IS NULL) = (published_at IS NULL) AND (published_at IS NULL OR publish_at IS NOT NULL)),
  CHECK (withdrawn_at IS NULL OR (published_at IS NOT NULL AND withdrawn_by IS NOT NULL AND length(btrim(withdraw_reason)) >= 3))
);
CREATE INDEX announcements_shown ON announcements (publish_at DESC, announcement_id DESC) WHERE published_at IS NOT NULL AND withdrawn_at IS NULL;
GRANT SELECT ON announcements TO fairtick_sessions, fairtick_reader, fairtick_console;

CREATE TABLE announcement_texts (
  announcement_id bigint NOT NULL REFERENCES announcements,
  language text NOT NULL CHECK (language IN ('en', 'zh', 'zhs', 'ri', 'han', 'de', 'xby', 'ydl', 'yue', 'fr')),
  -- A draft may lack either.
  title text NOT NULL CHECK (length(title) <= 120),
  body text NOT NULL CHECK (length(body) <= 8000),
  PRIMARY KEY (announcement_id, language)
);
GRANT SELECT ON announcement_texts TO fairtick_reader, fairtick_console;

CREATE TABLE announcement_reads (
  member_id bigint NOT NULL REFERENCES members,
  announcement_id bigint NOT NULL REFERENCES announcements,
  read_at bigint NOT NULL,
  PRIMARY KEY (member_id, announcement_id)
);
CALL write_once('announcement_reads');
GRANT SELECT ON announcement_reads TO fairtick_reader, fairtick_console;
GRANT SELECT, INSERT ON announcement_reads TO fairtick_sessions;

-- Keeps a draft: a new one where `announcement` is null. `texts`: {language: {title, body}}.
CREATE FUNCTION save_announcement(session bigint, announcement bigint, texts jsonb, from_when bigint, until_when bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who bigint;
  kept bigint := announcement;
BEGIN
  PERFORM require_session(session);
  SELECT operator_id INTO who FROM operator_sessions WHERE session_id = session;
  IF kept IS NULL THEN
    INSERT INTO announcements (saved_by, saved_at, publish_at, ends_at) VALUES (who, now_ms(), from_when, until_when)
      RETURNING announcement_id INTO kept;
  ELSE
    UPDATE announcements SET saved_by = who, saved_at = now_ms(), publish_at = from_when, ends_at = until_when
      WHERE announcement_id = kept AND published_at IS NULL;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'announcement % is no draft', kept USING ERRCODE = 'check_violation';
    END IF;
    DELETE FROM announcement_texts WHERE announcement_id = kept;
  END IF;
  INSERT INTO announcement_texts (announcement_id, language, title, body)
    SELECT kept, key, value ->> 'title', value ->> 'body' FROM jsonb_each(texts);
  RETURN kept;
END
$$;
REVOKE EXECUTE ON FUNCTION save_announcement FROM PUBLIC;
GRANT EXECUTE ON FUNCTION save_announcement TO fairtick_console;

-- Published only when written in all ten languages; nothing of it changes afterwards, but it can be withdrawn.
CREATE FUNCTION publish_announcement(session bigint, announcement bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM require_session(session);
  IF (SELECT count(*) FROM announcement_texts WHERE announcement_id = announcement AND btrim(title) <> '' AND btrim(body) <> '') < 10 THEN
    RAISE EXCEPTION 'announcement % lacks a language', announcement USING ERRCODE = 'check_violation';
  END IF;
  UPDATE announcements SET published_by = (SELECT operator_id FROM operator_sessions WHERE session_id = session),
      published_at = now_ms(), publish_at = greatest(publish_at, now_ms())
    WHERE announcement_id = announcement AND published_at IS NULL;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'announcement % is no draft', announcement USING ERRCODE = 'check_violation';
  END IF;
END
$$;
REVOKE EXECUTE ON FUNCTION publish_announcement FROM PUBLIC;
GRANT EXECUTE ON FUNCTION publish_announcement TO fairtick_console;

CREATE FUNCTION withdraw_announcement(session bigint, announcement bigint, why text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM require_session(session);
  UPDATE announcements SET withdrawn_by = (SELECT operator_id FROM operator_sessions WHERE session_id = session),
      withdrawn_at = now_ms(), withdraw_reason = why
    WHERE announcement_id = announcement AND published_at IS NOT NULL AND withdrawn_at IS NULL;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'announcement % is not published', announcement USING ERRCODE = 'check_violation';
  END IF;
END
$$;
REVOKE EXECUTE ON FUNCTION withdraw_announcement FROM PUBLIC;
GRANT EXECUTE ON FUNCTION withdraw_announcement TO fairtick_console;

CREATE TABLE member_messages (
  message_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES members,
  sent_at bigint NOT NULL,
  read_at bigint,
  -- By the system: the name of a text in the catalogues, and its figures. It is put into words when it is read.
  message_key text CHECK (message_key ~ '^[a-z][A-Za-z]{2,39}$'),
  params jsonb,
  -- By an operator, as he wrote it.
  written_by bigint REFERENCES operators,
  title text,
  body text,
  CHECK (CASE WHEN message_key IS NULL
    THEN written_by IS NOT NULL AND length(btrim(title)) BETWEEN 1 AND 120 AND length(btrim(body)) BETWEEN 1 AND 8000 AND params IS NULL
    ELSE written_by IS NULL AND title IS NULL AND body IS NULL AND jsonb_typeof(params) = 'object' END)
);
CREATE INDEX member_messages_by_member ON member_messages (member_id, message_id DESC);
CREATE INDEX member_messages_unread ON member_messages (member_id) WHERE read_at IS NULL;
CREATE INDEX member_messages_by_time ON member_messages (sent_at);
GRANT SELECT ON member_messages TO fairtick_reader, fairtick_console;
GRANT SELECT (message_id, member_id, read_at), UPDATE (read_at) ON member_messages TO fairtick_sessions;

CREATE TRIGGER keep_member_messages BEFORE DELETE ON member_messages FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE member_messages ENABLE ALWAYS TRIGGER keep_member_messages;
CREATE TRIGGER keep_all_member_messages BEFORE TRUNCATE ON member_messages FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE member_messages ENABLE ALWAYS TRIGGER keep_all_member_messages;

-- What a member was told stays as it was; it is read once.
CREATE FUNCTION keep_member_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF to_jsonb(OLD) - 'read_at' <> to_jsonb(NEW) - 'read_at' OR OLD.read_at IS NOT NULL THEN
    RAISE EXCEPTION 'message % is kept as it was sent', OLD.message_id USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER keep_member_message BEFORE UPDATE ON member_messages FOR EACH ROW EXECUTE FUNCTION keep_member_message();
ALTER TABLE member_messages ENABLE ALWAYS TRIGGER keep_member_message;

-- The one way in which the system writes to a member: whoever books an event says so in the same transaction.
CREATE FUNCTION tell_member(member bigint, message text, figures jsonb) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  INSERT INTO member_messages (member_id, sent_at, message_key, params) VALUES (member, now_ms(), message, figures) RETURNING message_id
$$;
REVOKE EXECUTE ON FUNCTION tell_member FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tell_member TO
  fairtick_money, fairtick_sessions, fairtick_jobs, fairtick_chain, fairtick_console;

CREATE FUNCTION write_to_member(session bigint, member bigint, of_title text, of_body text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  sent bigint;
BEGIN
  PERFORM require_session(session);
  INSERT INTO member_messages (member_id, sent_at, written_by, title, body)
    SELECT member, now_ms(), operator_id, of_title, of_body FROM operator_sessions WHERE session_id = session
    RETURNING message_id INTO sent;
  RETURN sent;
END
$$;
REVOKE EXECUTE ON FUNCTION write_to_member FROM PUBLIC;
GRANT EXECUTE ON FUNCTION write_to_member TO fairtick_console;

-- Messages that members asked for: when a price is reached. Prices in points, instants in milliseconds since 1970 UTC.
CREATE TABLE price_alerts (
  alert_id bigint PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES members,
  symbol text NOT NULL,
  -- up: at or above the price; down: at or below it
  direction direction NOT NULL,
  price bigint NOT NULL CHECK (price > 0),
  client_id text NOT NULL,
  created_at bigint NOT NULL,
  fired_at bigint,
  fired_price bigint,
  UNIQUE (member_id, client_id),
  CHECK ((fired_at IS NULL) = (fired_price IS NULL))
);
CREATE INDEX price_alerts_waiting ON price_alerts (symbol) WHERE fired_at IS NULL;
GRANT SELECT ON price_alerts TO fairtick_reader, fairtick_jobs;
GRANT SELECT, INSERT, DELETE ON price_alerts TO fairtick_sessions;
GRANT UPDATE (fired_at, fired_price) ON price_alerts TO fairtick_jobs;

-- How far the sealed ticks of an instrument were held against the alerts that wait.
CREATE TABLE alert_progress (
  symbol text PRIMARY KEY,
  checked_through bigint NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON alert_progress TO fairtick_jobs;

-- Browsers that take messages while the app is closed. One belongs to the session in which it asked for them, and ends
-- with it: a device that was logged out is told nothing.
CREATE TABLE push_subscriptions (
  endpoint text PRIMARY KEY,
  session_id bigint NOT NULL REFERENCES sessions,
  member_id bigint NOT NULL REFERENCES members,
  p256dh text NOT NULL,
  auth text NOT NULL,
  created_at bigint NOT NULL
);
CREATE INDEX push_subscriptions_by_member ON push_subscriptions (member_id);
GRANT SELECT, DELETE ON push_subscriptions TO fairtick_jobs;
GRANT SELECT, INSERT, UPDATE, DELETE ON push_subscriptions TO fairtick_sessions;

-- Which server sends a message to browsers: the first that claims it. Every server hears every event, so each would send it.
CREATE TABLE push_claims (
  kind text NOT NULL CHECK (kind IN ('alert', 'order', 'security')),
  id bigint NOT NULL,
  claimed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (kind, id)
);
CREATE INDEX push_claims_by_age ON push_claims (claimed_at);
GRANT SELECT, INSERT, DELETE ON push_claims TO fairtick_jobs;
