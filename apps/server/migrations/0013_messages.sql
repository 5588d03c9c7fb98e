-- Announcements, messages to members, price alerts and push.

CREATE TABLE announcements (
  announcement_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  saved_by bigint NOT NULL REFERENCES operators,
  saved_at bigint NOT NULL,
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
COMMENT ON TABLE announcements IS 'Announcements to all members.';
COMMENT ON COLUMN announcements.announcement_id IS 'Number of the announcement';
COMMENT ON COLUMN announcements.saved_by IS 'The operator who saved it last';
COMMENT ON COLUMN announcements.saved_at IS 'When it was saved, ms since 1970 UTC';
COMMENT ON COLUMN announcements.publish_at IS 'From when it is shown, ms since 1970 UTC; null for from its publication';
COMMENT ON COLUMN announcements.ends_at IS 'Until when it is shown, ms since 1970 UTC; null for no end';
COMMENT ON COLUMN announcements.published_by IS 'The operator who published it; null for a draft';
COMMENT ON COLUMN announcements.published_at IS 'When it was published, ms since 1970 UTC';
COMMENT ON COLUMN announcements.withdrawn_by IS 'The operator who withdrew it';
COMMENT ON COLUMN announcements.withdrawn_at IS 'When it was withdrawn, ms since 1970 UTC';
COMMENT ON COLUMN announcements.withdraw_reason IS 'Why it was withdrawn';
CREATE INDEX announcements_shown ON announcements (publish_at DESC, announcement_id DESC) WHERE published_at IS NOT NULL AND withdrawn_at IS NULL;
GRANT SELECT ON announcements TO fairtick_sessions, fairtick_reader, fairtick_console;

CREATE TABLE announcement_texts (
  announcement_id bigint NOT NULL REFERENCES announcements,
  language text NOT NULL CHECK (language IN ('en', 'zh', 'zhs', 'ri', 'han', 'de', 'xby', 'ydl', 'yue', 'fr')),
  title text NOT NULL CHECK (length(title) <= 120),
  body text NOT NULL CHECK (length(body) <= 8000),
  PRIMARY KEY (announcement_id, language)
);
COMMENT ON TABLE announcement_texts IS 'Announcements in each language. A draft may lack a title or a text.';
COMMENT ON COLUMN announcement_texts.announcement_id IS 'The announcement';
COMMENT ON COLUMN announcement_texts.language IS 'Language of the text';
COMMENT ON COLUMN announcement_texts.title IS 'Title';
COMMENT ON COLUMN announcement_texts.body IS 'Text';
GRANT SELECT ON announcement_texts TO fairtick_reader, fairtick_console;

CREATE TABLE announcement_reads (
  member_id bigint NOT NULL REFERENCES members,
  announcement_id bigint NOT NULL REFERENCES announcements,
  read_at bigint NOT NULL,
  PRIMARY KEY (member_id, announcement_id)
);
COMMENT ON TABLE announcement_reads IS 'Which members have read which announcements.';
COMMENT ON COLUMN announcement_reads.member_id IS 'The member';
COMMENT ON COLUMN announcement_reads.announcement_id IS 'The announcement';
COMMENT ON COLUMN announcement_reads.read_at IS 'When they read it, ms since 1970 UTC';
CALL write_once('announcement_reads');
GRANT SELECT ON announcement_reads TO fairtick_reader, fairtick_console;
GRANT SELECT, INSERT ON announcement_reads TO fairtick_sessions;

-- Saves a draft: a new one when `announcement` is null. `texts`: {language: {title, body}}.
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

-- Publishes an announcement, only when it is written in all ten languages. It doesn't change afterwards, but it can
-- be withdrawn.
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
  message_key text CHECK (message_key ~ '^[a-z][A-Za-z]{2,39}$'),
  params jsonb,
  written_by bigint REFERENCES operators,
  title text,
  body text,
  CHECK (CASE WHEN message_key IS NULL
    THEN written_by IS NOT NULL AND length(btrim(title)) BETWEEN 1 AND 120 AND length(btrim(body)) BETWEEN 1 AND 8000 AND params IS NULL
    ELSE written_by IS NULL AND title IS NULL AND body IS NULL AND jsonb_typeof(params) = 'object' END)
);
COMMENT ON TABLE member_messages IS 'Messages to single members: from the system, or written by an operator.';
COMMENT ON COLUMN member_messages.message_id IS 'Number of the message';
COMMENT ON COLUMN member_messages.member_id IS 'The member';
COMMENT ON COLUMN member_messages.sent_at IS 'When it was sent, ms since 1970 UTC';
COMMENT ON COLUMN member_messages.read_at IS 'When the member read it, ms since 1970 UTC; null while unread';
COMMENT ON COLUMN member_messages.message_key IS 'From the system: name of the text, which is put into words when it is read';
COMMENT ON COLUMN member_messages.params IS 'From the system: the figures in the text';
COMMENT ON COLUMN member_messages.written_by IS 'The operator who wrote it; null for the system''s';
COMMENT ON COLUMN member_messages.title IS 'Title, from an operator';
COMMENT ON COLUMN member_messages.body IS 'Text, from an operator';
CREATE INDEX member_messages_by_member ON member_messages (member_id, message_id DESC);
CREATE INDEX member_messages_unread ON member_messages (member_id) WHERE read_at IS NULL;
CREATE INDEX member_messages_by_time ON member_messages (sent_at);
GRANT SELECT ON member_messages TO fairtick_reader, fairtick_console;
GRANT SELECT (message_id, member_id, read_at), UPDATE (read_at) ON member_messages TO fairtick_sessions;

CREATE TRIGGER keep_member_messages BEFORE DELETE ON member_messages FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE member_messages ENABLE ALWAYS TRIGGER keep_member_messages;
CREATE TRIGGER keep_all_member_messages BEFORE TRUNCATE ON member_messages FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE member_messages ENABLE ALWAYS TRIGGER keep_all_member_messages;

-- A message never changes, except for being read once.
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

-- The only way the system writes to a member: whatever books an event sends its message in the same transaction.
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

CREATE TABLE price_alerts (
  alert_id bigint PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES members,
  symbol text NOT NULL,
  direction direction NOT NULL,
  price bigint NOT NULL CHECK (price > 0),
  client_id text NOT NULL,
  created_at bigint NOT NULL,
  fired_at bigint,
  fired_price bigint,
  UNIQUE (member_id, client_id),
  CHECK ((fired_at IS NULL) = (fired_price IS NULL))
);
COMMENT ON TABLE price_alerts IS 'Prices members want to be told about.';
COMMENT ON COLUMN price_alerts.alert_id IS 'Number of the alert';
COMMENT ON COLUMN price_alerts.member_id IS 'The member';
COMMENT ON COLUMN price_alerts.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN price_alerts.direction IS 'Up: at or above the price. Down: at or below it';
COMMENT ON COLUMN price_alerts.price IS 'The price, points';
COMMENT ON COLUMN price_alerts.client_id IS 'The client id: repeating it never does the same thing twice';
COMMENT ON COLUMN price_alerts.created_at IS 'When it was created, ms since 1970 UTC';
COMMENT ON COLUMN price_alerts.fired_at IS 'When it was reached, ms since 1970 UTC; null while waiting';
COMMENT ON COLUMN price_alerts.fired_price IS 'The price that reached it, points';
CREATE INDEX price_alerts_waiting ON price_alerts (symbol) WHERE fired_at IS NULL;
GRANT SELECT ON price_alerts TO fairtick_reader, fairtick_jobs;
GRANT SELECT, INSERT, DELETE ON price_alerts TO fairtick_sessions;
GRANT UPDATE (fired_at, fired_price) ON price_alerts TO fairtick_jobs;

CREATE TABLE alert_progress (
  symbol text PRIMARY KEY,
  checked_through bigint NOT NULL
);
COMMENT ON TABLE alert_progress IS 'How far each instrument''s sealed ticks were compared with waiting alerts.';
COMMENT ON COLUMN alert_progress.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN alert_progress.checked_through IS 'Compared up to here, ms since 1970 UTC';
GRANT SELECT, INSERT, UPDATE ON alert_progress TO fairtick_jobs;

CREATE TABLE push_subscriptions (
  endpoint text PRIMARY KEY,
  session_id bigint NOT NULL REFERENCES sessions,
  member_id bigint NOT NULL REFERENCES members,
  p256dh text NOT NULL,
  auth text NOT NULL,
  created_at bigint NOT NULL
);
COMMENT ON TABLE push_subscriptions IS 'Browsers that receive messages while the app is closed. Each belongs to the session that asked for it and ends with it.';
COMMENT ON COLUMN push_subscriptions.endpoint IS 'Address of the browser''s push service';
COMMENT ON COLUMN push_subscriptions.session_id IS 'The session that asked for it';
COMMENT ON COLUMN push_subscriptions.member_id IS 'The member';
COMMENT ON COLUMN push_subscriptions.p256dh IS 'The browser''s public key, base64url';
COMMENT ON COLUMN push_subscriptions.auth IS 'The browser''s shared secret, base64url';
COMMENT ON COLUMN push_subscriptions.created_at IS 'When it was created, ms since 1970 UTC';
CREATE INDEX push_subscriptions_by_member ON push_subscriptions (member_id);
GRANT SELECT, DELETE ON push_subscriptions TO fairtick_jobs;
GRANT SELECT, INSERT, UPDATE, DELETE ON push_subscriptions TO fairtick_sessions;

CREATE TABLE push_claims (
  kind text NOT NULL CHECK (kind IN ('alert', 'order', 'security')),
  id bigint NOT NULL,
  claimed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (kind, id)
);
COMMENT ON TABLE push_claims IS 'Which messages were taken for sending to browsers. Every server hears every event; the first to claim it sends.';
COMMENT ON COLUMN push_claims.kind IS 'What the message is about';
COMMENT ON COLUMN push_claims.id IS 'Number of the alert, order or message';
COMMENT ON COLUMN push_claims.claimed_at IS 'When a server claimed it';
CREATE INDEX push_claims_by_age ON push_claims (claimed_at);
GRANT SELECT, INSERT, DELETE ON push_claims TO fairtick_jobs;
