-- The back office: who works in it, how they log in, and the audit trail of everything they do.

CREATE TABLE operators (
  operator_id bigint PRIMARY KEY,
  login text NOT NULL UNIQUE CHECK (login ~ '^[a-z0-9][a-z0-9.-]{1,39}$'),
  name text NOT NULL,
  password_hash text,
  totp_secret bytea,
  totp_step bigint NOT NULL DEFAULT 0,
  invite_hash bytea UNIQUE,
  invite_expires_at bigint,
  created_at bigint NOT NULL,
  disabled_at bigint
);
COMMENT ON TABLE operators IS 'People who work in the back office.';
COMMENT ON COLUMN operators.operator_id IS 'Number of the operator';
COMMENT ON COLUMN operators.login IS 'Login name';
COMMENT ON COLUMN operators.name IS 'Full name';
COMMENT ON COLUMN operators.password_hash IS 'Hash of the password; null until the invitation is accepted';
COMMENT ON COLUMN operators.totp_secret IS 'Secret of the authenticator app, encrypted with AES-256-GCM under a key derived from the deployment''s secret';
COMMENT ON COLUMN operators.totp_step IS 'Newest time step whose code was used: each code opens one session';
COMMENT ON COLUMN operators.invite_hash IS 'Hash of the invitation''s token; null once it is accepted';
COMMENT ON COLUMN operators.invite_expires_at IS 'When the invitation expires, ms since 1970 UTC';
COMMENT ON COLUMN operators.created_at IS 'When it was created, ms since 1970 UTC';
COMMENT ON COLUMN operators.disabled_at IS 'When the operator was disabled, ms since 1970 UTC; null while active';
GRANT SELECT ON operators TO fairtick_console;
GRANT UPDATE (password_hash, totp_secret, totp_step, invite_hash, invite_expires_at) ON operators TO fairtick_console;

CREATE TABLE operator_roles (
  operator_id bigint NOT NULL REFERENCES operators,
  role text NOT NULL CHECK (role IN ('support', 'finance', 'compliance', 'admin', 'auditor')),
  PRIMARY KEY (operator_id, role)
);
COMMENT ON TABLE operator_roles IS 'Which roles each operator has.';
COMMENT ON COLUMN operator_roles.operator_id IS 'The operator';
COMMENT ON COLUMN operator_roles.role IS 'The role';
GRANT SELECT ON operator_roles TO fairtick_console;

CREATE TABLE operator_hours (
  operator_id bigint PRIMARY KEY REFERENCES operators,
  hours text NOT NULL CHECK (length(hours) <= 200 AND hours ~
    '^(24/7|(Mo|Tu|We|Th|Fr|Sa|Su)(-(Mo|Tu|We|Th|Fr|Sa|Su))? [0-2][0-9]:[0-5][0-9]-[0-2][0-9]:[0-5][0-9](; (Mo|Tu|We|Th|Fr|Sa|Su)(-(Mo|Tu|We|Th|Fr|Sa|Su))? [0-2][0-9]:[0-5][0-9]-[0-2][0-9]:[0-5][0-9])*)$'),
  set_at bigint NOT NULL
);
COMMENT ON TABLE operator_hours IS 'When each operator is available. Operators set their own hours.';
COMMENT ON COLUMN operator_hours.operator_id IS 'The operator';
COMMENT ON COLUMN operator_hours.hours IS 'Hours in UTC, such as `24/7` or `Mo-Fr 08:00-16:00; Sa 10:00-14:00`';
COMMENT ON COLUMN operator_hours.set_at IS 'When they set them, ms since 1970 UTC';
GRANT SELECT ON operator_hours TO fairtick_console;

-- Operators set their own hours. Without any, they keep customer service's hours.
CREATE FUNCTION set_own_hours(session bigint, new_hours text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM require_session(session);
  IF new_hours IS NULL THEN
    DELETE FROM operator_hours WHERE operator_id = (SELECT operator_id FROM operator_sessions WHERE session_id = session);
    RETURN;
  END IF;
  INSERT INTO operator_hours (operator_id, hours, set_at)
    SELECT operator_id, new_hours, floor(extract(epoch FROM clock_timestamp()) * 1000) FROM operator_sessions WHERE session_id = session
    ON CONFLICT (operator_id) DO UPDATE SET hours = EXCLUDED.hours, set_at = EXCLUDED.set_at;
END
$$;
REVOKE EXECUTE ON FUNCTION set_own_hours FROM PUBLIC;
GRANT EXECUTE ON FUNCTION set_own_hours TO fairtick_console;

CREATE TABLE operator_recovery_codes (
  operator_id bigint NOT NULL REFERENCES operators,
  code_hash bytea NOT NULL,
  used_at bigint,
  PRIMARY KEY (operator_id, code_hash)
);
COMMENT ON TABLE operator_recovery_codes IS 'Codes for operators who lost their second factor. Each works once.';
COMMENT ON COLUMN operator_recovery_codes.operator_id IS 'The operator';
COMMENT ON COLUMN operator_recovery_codes.code_hash IS 'SHA-256 of the code';
COMMENT ON COLUMN operator_recovery_codes.used_at IS 'When it was used, ms since 1970 UTC; null while unused';
GRANT SELECT, INSERT ON operator_recovery_codes TO fairtick_console;
GRANT UPDATE (used_at) ON operator_recovery_codes TO fairtick_console;

CREATE TABLE operator_passkeys (
  passkey_id bigint PRIMARY KEY,
  operator_id bigint NOT NULL REFERENCES operators,
  credential_id bytea NOT NULL UNIQUE CHECK (octet_length(credential_id) BETWEEN 1 AND 1023),
  public_key bytea NOT NULL,
  name text NOT NULL,
  counter bigint NOT NULL CHECK (counter >= 0),
  transports text[] NOT NULL,
  synced boolean NOT NULL,
  made_at bigint NOT NULL,
  used_at bigint,
  removed_at bigint
);
COMMENT ON TABLE operator_passkeys IS 'Passkeys of operators: second factors beside the authenticator app, or instead of it.';
COMMENT ON COLUMN operator_passkeys.passkey_id IS 'Number of the passkey';
COMMENT ON COLUMN operator_passkeys.operator_id IS 'The operator';
COMMENT ON COLUMN operator_passkeys.credential_id IS 'The authenticator''s own id for it';
COMMENT ON COLUMN operator_passkeys.public_key IS 'Public key, in COSE';
COMMENT ON COLUMN operator_passkeys.name IS 'Name the operator gave it';
COMMENT ON COLUMN operator_passkeys.counter IS 'The authenticator''s signature counter; 0 where it has none. One that does not grow is a copy';
COMMENT ON COLUMN operator_passkeys.transports IS 'How the authenticator can be reached, as it said itself';
COMMENT ON COLUMN operator_passkeys.synced IS 'Whether its maker keeps copies on other devices';
COMMENT ON COLUMN operator_passkeys.made_at IS 'When it was made, ms since 1970 UTC';
COMMENT ON COLUMN operator_passkeys.used_at IS 'When it was last used, ms since 1970 UTC; null if never';
COMMENT ON COLUMN operator_passkeys.removed_at IS 'When it was removed, ms since 1970 UTC; null while it works';
CREATE INDEX operator_passkeys_live ON operator_passkeys (operator_id) WHERE removed_at IS NULL;
GRANT SELECT, INSERT ON operator_passkeys TO fairtick_console;
GRANT UPDATE (counter, synced, used_at, removed_at) ON operator_passkeys TO fairtick_console;

CREATE TABLE operator_sessions (
  session_id bigint PRIMARY KEY,
  operator_id bigint NOT NULL REFERENCES operators,
  token_hash bytea NOT NULL UNIQUE,
  ip text NOT NULL,
  device text NOT NULL,
  created_at bigint NOT NULL,
  seen_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  verified_at bigint,
  ended_at bigint,
  UNIQUE (session_id, operator_id)
);
COMMENT ON TABLE operator_sessions IS 'Sessions in the console.';
COMMENT ON COLUMN operator_sessions.session_id IS 'Number of the session';
COMMENT ON COLUMN operator_sessions.operator_id IS 'The operator';
COMMENT ON COLUMN operator_sessions.token_hash IS 'SHA-256 of the session''s token';
COMMENT ON COLUMN operator_sessions.ip IS 'Address it was opened from';
COMMENT ON COLUMN operator_sessions.device IS 'Browser and system it was opened with';
COMMENT ON COLUMN operator_sessions.created_at IS 'When it was created, ms since 1970 UTC';
COMMENT ON COLUMN operator_sessions.seen_at IS 'When it was last used, ms since 1970 UTC';
COMMENT ON COLUMN operator_sessions.expires_at IS 'When it expires, ms since 1970 UTC';
COMMENT ON COLUMN operator_sessions.verified_at IS 'When the second factor was right, ms since 1970 UTC; null while only the password was';
COMMENT ON COLUMN operator_sessions.ended_at IS 'When it ended, ms since 1970 UTC; null while it lasts';
CREATE INDEX operator_sessions_live ON operator_sessions (operator_id) WHERE ended_at IS NULL;
GRANT SELECT, INSERT ON operator_sessions TO fairtick_console;
GRANT UPDATE (token_hash, seen_at, expires_at, verified_at, ended_at) ON operator_sessions TO fairtick_console;

CREATE TABLE operator_challenges (
  session_id bigint NOT NULL REFERENCES operator_sessions,
  purpose text NOT NULL CHECK (purpose IN ('login', 'register', 'totp')),
  challenge bytea NOT NULL,
  expires_at bigint NOT NULL,
  PRIMARY KEY (session_id, purpose)
);
COMMENT ON TABLE operator_challenges IS 'What a session''s browser was asked, once and for a few minutes: a challenge for an authenticator, or the sealed secret of an authenticator app that has not shown its first code yet.';
COMMENT ON COLUMN operator_challenges.session_id IS 'The session';
COMMENT ON COLUMN operator_challenges.purpose IS 'What an answer counts for';
COMMENT ON COLUMN operator_challenges.challenge IS 'The challenge, or the sealed secret';
COMMENT ON COLUMN operator_challenges.expires_at IS 'When it expires, ms since 1970 UTC';
GRANT SELECT, INSERT, DELETE ON operator_challenges TO fairtick_console;
GRANT UPDATE (challenge, expires_at) ON operator_challenges TO fairtick_console;

CREATE TABLE operator_devices (
  operator_id bigint NOT NULL REFERENCES operators,
  device_hash bytea NOT NULL CHECK (length(device_hash) = 32),
  made_at bigint NOT NULL,
  seen_at bigint NOT NULL,
  PRIMARY KEY (operator_id, device_hash)
);
COMMENT ON TABLE operator_devices IS 'Devices that operators have logged in on; their failed attempts are counted apart from strangers''.';
COMMENT ON COLUMN operator_devices.operator_id IS 'The operator';
COMMENT ON COLUMN operator_devices.device_hash IS 'SHA-256 of the key in the device''s cookie';
COMMENT ON COLUMN operator_devices.made_at IS 'When it was first used, ms since 1970 UTC';
COMMENT ON COLUMN operator_devices.seen_at IS 'When it was last used, ms since 1970 UTC';
GRANT SELECT, INSERT, UPDATE, DELETE ON operator_devices TO fairtick_console;

CREATE FUNCTION require_session(session bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM operator_sessions s JOIN operators o USING (operator_id)
    WHERE s.session_id = session AND s.ended_at IS NULL AND s.verified_at IS NOT NULL AND o.disabled_at IS NULL
      AND s.expires_at > floor(extract(epoch FROM clock_timestamp()) * 1000);
  IF NOT FOUND THEN
    RAISE EXCEPTION 'session % is not one that may propose or decide', session USING ERRCODE = 'insufficient_privilege';
  END IF;
END
$$;
REVOKE EXECUTE ON FUNCTION require_session FROM PUBLIC;

-- No operator is left without a second factor. Recovery codes don't count: they run out.
CREATE FUNCTION require_second_factor(operator bigint, has_totp boolean, without_passkey bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT has_totp AND NOT EXISTS (SELECT FROM operator_passkeys
      WHERE operator_id = operator AND removed_at IS NULL AND passkey_id IS DISTINCT FROM without_passkey) THEN
    RAISE EXCEPTION 'the last second factor of operator % stays', operator USING ERRCODE = 'check_violation';
  END IF;
END
$$;
REVOKE EXECUTE ON FUNCTION require_second_factor FROM PUBLIC;

CREATE FUNCTION keep_second_factor() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  has_totp boolean;
BEGIN
  IF TG_TABLE_NAME = 'operators' THEN
    PERFORM require_second_factor(OLD.operator_id, false, NULL);
  ELSIF OLD.removed_at IS NOT NULL THEN
    RAISE EXCEPTION 'passkey % is gone for good', OLD.passkey_id USING ERRCODE = 'check_violation';
  ELSIF NEW.removed_at IS NOT NULL THEN
    -- Whoever takes two away at once waits here for the first.
    SELECT totp_secret IS NOT NULL INTO STRICT has_totp FROM operators WHERE operator_id = OLD.operator_id FOR UPDATE;
    PERFORM require_second_factor(OLD.operator_id, has_totp, OLD.passkey_id);
  END IF;
  RETURN NEW;
END
$$;
REVOKE EXECUTE ON FUNCTION keep_second_factor FROM PUBLIC;

CREATE TRIGGER keep_second_factor BEFORE UPDATE ON operators FOR EACH ROW
  WHEN (OLD.totp_secret IS NOT NULL AND NEW.totp_secret IS NULL) EXECUTE FUNCTION keep_second_factor();
ALTER TABLE operators ENABLE ALWAYS TRIGGER keep_second_factor;
CREATE TRIGGER keep_second_factor BEFORE UPDATE ON operator_passkeys FOR EACH ROW EXECUTE FUNCTION keep_second_factor();
ALTER TABLE operator_passkeys ENABLE ALWAYS TRIGGER keep_second_factor;

CREATE TABLE audit_trail (
  audit_no bigint PRIMARY KEY,
  at bigint NOT NULL,
  operator_id bigint REFERENCES operators,
  session_id bigint REFERENCES operator_sessions,
  ip text NOT NULL,
  device text NOT NULL,
  action text NOT NULL,
  subject text,
  reason text,
  detail text NOT NULL,
  outcome text NOT NULL,
  previous_hash bytea NOT NULL,
  hash bytea NOT NULL
);
COMMENT ON TABLE audit_trail IS 'Everything operators did: who, when, from where, what and why. Each row''s hash covers the row before, so a missing or changed row breaks the chain.';
COMMENT ON COLUMN audit_trail.audit_no IS 'Number of the row, without gaps';
COMMENT ON COLUMN audit_trail.at IS 'When it happened, ms since 1970 UTC';
COMMENT ON COLUMN audit_trail.operator_id IS 'Who did it; null where nobody was known, such as a failed login';
COMMENT ON COLUMN audit_trail.session_id IS 'The session it was done in';
COMMENT ON COLUMN audit_trail.ip IS 'Address it came from';
COMMENT ON COLUMN audit_trail.device IS 'Browser and system it came from';
COMMENT ON COLUMN audit_trail.action IS 'What was done';
COMMENT ON COLUMN audit_trail.subject IS 'Id of what it was about';
COMMENT ON COLUMN audit_trail.reason IS 'Why, in the operator''s words';
COMMENT ON COLUMN audit_trail.detail IS 'What was asked, as JSON without secrets';
COMMENT ON COLUMN audit_trail.outcome IS '`done`, or the name of the refusal';
COMMENT ON COLUMN audit_trail.previous_hash IS 'Hash of the row before';
COMMENT ON COLUMN audit_trail.hash IS 'SHA-256 over this row and previous_hash';
CALL write_once('audit_trail');
CREATE INDEX audit_trail_by_operator ON audit_trail (operator_id, audit_no);
CREATE INDEX audit_trail_by_subject ON audit_trail (subject, audit_no);
GRANT SELECT ON audit_trail TO fairtick_console;

CREATE TABLE audit_head (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  audit_no bigint NOT NULL,
  hash bytea NOT NULL
);
COMMENT ON TABLE audit_head IS 'The newest row of the audit trail. Its lock keeps the trail without forks or gaps.';
COMMENT ON COLUMN audit_head.one IS 'Always true: the table has exactly one row';
COMMENT ON COLUMN audit_head.audit_no IS 'Number of the newest row; 0 before the first';
COMMENT ON COLUMN audit_head.hash IS 'Hash of the newest row';
INSERT INTO audit_head (audit_no, hash) VALUES (0, decode(repeat('00', 32), 'hex'));

-- Text fields are quoted as JSON, so that no two rows have the same bytes.
CREATE FUNCTION audit_hash(previous bytea, row_no bigint, row_at bigint, operator bigint, session bigint, from_ip text, from_device text,
  what text, about text, why text, asked text, ended text) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT sha256('\x41554449543100'::bytea || previous ||
    convert_to(json_build_array(row_no, row_at, operator, session, from_ip, from_device, what, about, why, asked, ended)::text, 'UTF8'))
$$;

-- The only way to write the audit trail. Its head is locked until the commit, so the chain has no forks and no
-- gaps.
CREATE FUNCTION write_audit(operator bigint, session bigint, from_ip text, from_device text, what text, about text, why text, asked text, ended text)
RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  head audit_head;
  now_ms bigint;
  link bytea;
BEGIN
  SELECT * INTO STRICT head FROM audit_head FOR UPDATE;
  now_ms := floor(extract(epoch FROM clock_timestamp()) * 1000);
  link := audit_hash(head.hash, head.audit_no + 1, now_ms, operator, session, from_ip, from_device, what, about, why, asked, ended);
  INSERT INTO audit_trail (audit_no, at, operator_id, session_id, ip, device, action, subject, reason, detail, outcome, previous_hash, hash)
    VALUES (head.audit_no + 1, now_ms, operator, session, from_ip, from_device, what, about, why, asked, ended, head.hash, link);
  UPDATE audit_head SET audit_no = head.audit_no + 1, hash = link;
  RETURN head.audit_no + 1;
END
$$;
REVOKE EXECUTE ON FUNCTION write_audit FROM PUBLIC;
GRANT EXECUTE ON FUNCTION write_audit TO fairtick_console;

-- The first number at which the chain doesn't hold; null when it holds to its head.
CREATE FUNCTION first_broken_audit() RETURNS bigint LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT min(broken) FROM (
    SELECT audit_no AS broken FROM (
      SELECT *, lag(hash, 1, decode(repeat('00', 32), 'hex')) OVER (ORDER BY audit_no) AS before, row_number() OVER (ORDER BY audit_no) AS place FROM audit_trail) t
      WHERE place <> audit_no OR previous_hash <> before
        OR hash <> audit_hash(previous_hash, audit_no, at, operator_id, session_id, ip, device, action, subject, reason, detail, outcome)
    UNION ALL
    SELECT h.audit_no FROM audit_head h LEFT JOIN audit_trail t ON t.audit_no = h.audit_no WHERE h.audit_no > 0 AND t.hash IS DISTINCT FROM h.hash
  ) found
$$;
REVOKE EXECUTE ON FUNCTION first_broken_audit FROM PUBLIC;
GRANT EXECUTE ON FUNCTION first_broken_audit TO fairtick_console;

-- The first number from `first` to `last` at which the chain doesn't hold, a missing row included; null when it
-- holds. The hash is written out here because calling audit_hash() once per row costs most of the time.
CREATE FUNCTION broken_audit_between(first bigint, last bigint) RETURNS bigint LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = public, pg_temp AS $$
  WITH rows AS MATERIALIZED (
    SELECT audit_no, row_number() OVER w AS place, previous_hash, lag(hash) OVER w AS before, hash,
      sha256('\x41554449543100'::bytea || previous_hash || convert_to(json_build_array(
        audit_no, at, operator_id, session_id, ip, device, action, subject, reason, detail, outcome)::text, 'UTF8')) AS right_hash
    FROM audit_trail WHERE audit_no >= first AND audit_no <= last WINDOW w AS (ORDER BY audit_no)
  )
  SELECT min(broken) FROM (
    SELECT least(audit_no, first + place - 1) AS broken FROM rows
      WHERE audit_no <> first + place - 1 OR hash <> right_hash OR previous_hash IS DISTINCT FROM CASE
        WHEN place > 1 THEN before
        WHEN audit_no = 1 THEN decode(repeat('00', 32), 'hex')
        ELSE (SELECT hash FROM audit_trail t WHERE t.audit_no = rows.audit_no - 1) END
    UNION ALL
    SELECT first + n FROM (SELECT count(*) AS n FROM rows) counted WHERE n < last - first + 1
  ) found
$$;
REVOKE EXECUTE ON FUNCTION broken_audit_between FROM PUBLIC;
GRANT EXECUTE ON FUNCTION broken_audit_between TO fairtick_jobs;

-- The length of the trail by its head, that head's hash, and the hash that row `at_no` has now; null when there is
-- no such row.
CREATE FUNCTION audit_standing(at_no bigint, OUT length bigint, OUT head bytea, OUT hash_there bytea) LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = public, pg_temp AS $$
  SELECT h.audit_no, h.hash, (SELECT t.hash FROM audit_trail t WHERE t.audit_no = at_no) FROM audit_head h
$$;
REVOKE EXECUTE ON FUNCTION audit_standing FROM PUBLIC;
GRANT EXECUTE ON FUNCTION audit_standing TO fairtick_jobs;

-- Creates the first operators while there are none. From then on, only two people can create another.
CREATE FUNCTION found_operators(founders jsonb) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  LOCK TABLE operators IN SHARE ROW EXCLUSIVE MODE;
  IF EXISTS (SELECT FROM operators) THEN
    RETURN false;
  END IF;
  INSERT INTO operators (operator_id, login, name, created_at, password_hash, totp_secret, invite_hash, invite_expires_at)
    SELECT (f ->> 'operatorId')::bigint, f ->> 'login', f ->> 'name', (f ->> 'createdAt')::bigint, f ->> 'passwordHash',
      decode(f ->> 'totpSecret', 'hex'), decode(f ->> 'inviteHash', 'hex'), (f ->> 'createdAt')::bigint + 172800000
    FROM jsonb_array_elements(founders) f;
  INSERT INTO operator_roles (operator_id, role)
    SELECT (f ->> 'operatorId')::bigint, r FROM jsonb_array_elements(founders) f, jsonb_array_elements_text(f -> 'roles') r;
  RETURN true;
END
$$;
REVOKE EXECUTE ON FUNCTION found_operators FROM PUBLIC;
GRANT EXECUTE ON FUNCTION found_operators TO fairtick_console;
