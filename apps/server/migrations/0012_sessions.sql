-- Sessions of members, codes sent to them, failed attempts, and second factors. Someone with a member's password
-- and mailbox still can't open a new device or a withdrawal without a second factor.

CREATE TABLE sessions (
  session_id bigint PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES members,
  token_hash bytea NOT NULL UNIQUE,
  device text NOT NULL,
  place text NOT NULL,
  created_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  device_hash bytea CHECK (length(device_hash) = 32),
  offered_hash bytea CHECK (length(offered_hash) = 32)
);
COMMENT ON TABLE sessions IS 'Sessions of members.';
COMMENT ON COLUMN sessions.session_id IS 'Number of the session';
COMMENT ON COLUMN sessions.member_id IS 'The member';
COMMENT ON COLUMN sessions.token_hash IS 'SHA-256 of the session''s token';
COMMENT ON COLUMN sessions.device IS 'Browser and system, as shown to the member';
COMMENT ON COLUMN sessions.place IS 'Where it was opened from, as shown to the member';
COMMENT ON COLUMN sessions.created_at IS 'When it was opened';
COMMENT ON COLUMN sessions.seen_at IS 'When it was last used';
COMMENT ON COLUMN sessions.expires_at IS 'When it expires';
COMMENT ON COLUMN sessions.ended_at IS 'When it ended; null while it lasts';
COMMENT ON COLUMN sessions.device_hash IS 'SHA-256 of the key of the device it runs on: every call has to come from there';
COMMENT ON COLUMN sessions.offered_hash IS 'SHA-256 of the key its login handed out. The first call that brings it back binds the session to it';
CREATE INDEX sessions_by_member ON sessions (member_id) WHERE ended_at IS NULL;
GRANT SELECT, INSERT, UPDATE ON sessions TO fairtick_sessions;
GRANT SELECT (session_id, expires_at, ended_at) ON sessions TO fairtick_jobs;
GRANT SELECT (session_id, member_id, expires_at, ended_at) ON sessions TO fairtick_reader;

CREATE TABLE verification_codes (
  purpose text NOT NULL CHECK (purpose IN ('register', 'reset', 'tradePassword')),
  address text NOT NULL,
  code_hash bytea NOT NULL,
  sent_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  tries smallint NOT NULL DEFAULT 0,
  device bytea NOT NULL DEFAULT '\x',
  PRIMARY KEY (purpose, address, device)
);
COMMENT ON TABLE verification_codes IS 'Codes sent by e-mail or SMS: only the newest per purpose, address and device. Unknown addresses get a row too, so that asking tells nothing.';
COMMENT ON COLUMN verification_codes.purpose IS 'What the code is for';
COMMENT ON COLUMN verification_codes.address IS 'E-mail address or phone number';
COMMENT ON COLUMN verification_codes.code_hash IS 'SHA-256 over purpose, address and code';
COMMENT ON COLUMN verification_codes.sent_at IS 'When it was sent, ms since 1970 UTC';
COMMENT ON COLUMN verification_codes.expires_at IS 'When it expires, ms since 1970 UTC';
COMMENT ON COLUMN verification_codes.tries IS 'Number of wrong tries';
COMMENT ON COLUMN verification_codes.device IS 'Hash of the device that asked for it, so a stranger can''t replace the code or use up its tries; empty for clients without a cookie';
GRANT SELECT, INSERT, UPDATE, DELETE ON verification_codes TO fairtick_sessions;

CREATE TABLE attempts (
  kind text NOT NULL CHECK (kind IN ('login', 'code', 'tradePassword', 'send', 'factor')),
  subject text NOT NULL,
  tries bigint[] NOT NULL,
  newest bigint NOT NULL,
  PRIMARY KEY (kind, subject)
);
COMMENT ON TABLE attempts IS 'Attempts of the last 24 hours that failed or are under way. They are on disk, so a restart forgives nothing.';
COMMENT ON COLUMN attempts.kind IS 'What was tried';
COMMENT ON COLUMN attempts.subject IS 'Who tried: `account:` or `address:` with a hash, `member:` with an id, `ip:` with a host or an IPv6 /64';
COMMENT ON COLUMN attempts.tries IS 'When each was made, ms since 1970 UTC';
COMMENT ON COLUMN attempts.newest IS 'When the newest was made, ms since 1970 UTC';
CREATE INDEX attempts_by_newest ON attempts (newest);
-- Operators' attempts are counted here too; a success clears the attempts of its own device.
GRANT SELECT, INSERT, UPDATE, DELETE ON attempts TO fairtick_sessions, fairtick_console;

CREATE TABLE member_totp (
  member_id bigint PRIMARY KEY REFERENCES members,
  sealed_secret bytea NOT NULL,
  used_step bigint NOT NULL,
  made_at bigint NOT NULL,
  used_at bigint
);
COMMENT ON TABLE member_totp IS 'Authenticator apps of members.';
COMMENT ON COLUMN member_totp.member_id IS 'The member';
COMMENT ON COLUMN member_totp.sealed_secret IS 'Its secret, encrypted under a key derived from the deployment''s secret';
COMMENT ON COLUMN member_totp.used_step IS 'Newest step of 30 seconds whose code was used: no code works twice';
COMMENT ON COLUMN member_totp.made_at IS 'When it was made, ms since 1970 UTC';
COMMENT ON COLUMN member_totp.used_at IS 'When it was last used, ms since 1970 UTC; null if never';
GRANT SELECT, INSERT, UPDATE, DELETE ON member_totp TO fairtick_sessions;

CREATE TABLE member_passkeys (
  passkey_id bigint PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES members,
  credential_id bytea NOT NULL UNIQUE CHECK (octet_length(credential_id) BETWEEN 1 AND 1023),
  public_key bytea NOT NULL,
  name text NOT NULL,
  counter bigint NOT NULL CHECK (counter >= 0),
  transports text[] NOT NULL,
  synced boolean NOT NULL,
  made_at bigint NOT NULL,
  used_at bigint
);
COMMENT ON TABLE member_passkeys IS 'Passkeys of members.';
COMMENT ON COLUMN member_passkeys.passkey_id IS 'Number of the passkey';
COMMENT ON COLUMN member_passkeys.member_id IS 'The member';
COMMENT ON COLUMN member_passkeys.credential_id IS 'The authenticator''s own id for it';
COMMENT ON COLUMN member_passkeys.public_key IS 'Public key, in COSE';
COMMENT ON COLUMN member_passkeys.name IS 'Name the member gave it';
COMMENT ON COLUMN member_passkeys.counter IS 'The authenticator''s signature counter; 0 where it has none. One that does not grow is a copy';
COMMENT ON COLUMN member_passkeys.transports IS 'How the authenticator can be reached, as it said itself';
COMMENT ON COLUMN member_passkeys.synced IS 'Whether its maker keeps copies on other devices';
COMMENT ON COLUMN member_passkeys.made_at IS 'When it was made, ms since 1970 UTC';
COMMENT ON COLUMN member_passkeys.used_at IS 'When it was last used, ms since 1970 UTC; null if never';
CREATE INDEX member_passkeys_by_member ON member_passkeys (member_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON member_passkeys TO fairtick_sessions;

CREATE TABLE member_recovery_codes (
  member_id bigint NOT NULL REFERENCES members,
  code_hash bytea NOT NULL CHECK (octet_length(code_hash) = 32),
  made_at bigint NOT NULL,
  PRIMARY KEY (member_id, code_hash)
);
COMMENT ON TABLE member_recovery_codes IS 'Recovery codes that members have left. A used one is deleted.';
COMMENT ON COLUMN member_recovery_codes.member_id IS 'The member';
COMMENT ON COLUMN member_recovery_codes.code_hash IS 'Keyed hash of the code';
COMMENT ON COLUMN member_recovery_codes.made_at IS 'When it was made, ms since 1970 UTC';
GRANT SELECT, INSERT, DELETE ON member_recovery_codes TO fairtick_sessions;

CREATE TABLE member_challenges (
  member_id bigint NOT NULL REFERENCES members,
  purpose text NOT NULL CHECK (purpose IN ('login', 'reset', 'tradePassword', 'export', 'withdrawal', 'settings', 'newPasskey', 'newTotp')),
  challenge bytea NOT NULL,
  session_id bigint REFERENCES sessions,
  expires_at bigint NOT NULL,
  PRIMARY KEY (member_id, challenge),
  CHECK ((session_id IS NOT NULL) = (purpose IN ('newPasskey', 'newTotp')))
);
COMMENT ON TABLE member_challenges IS 'What a member''s authenticator was asked, once and for a few minutes, and sealed secrets of authenticator apps that have not shown their first code yet.';
COMMENT ON COLUMN member_challenges.member_id IS 'The member';
COMMENT ON COLUMN member_challenges.purpose IS 'What an answer counts for';
COMMENT ON COLUMN member_challenges.challenge IS 'The challenge, or the sealed secret';
COMMENT ON COLUMN member_challenges.session_id IS 'The session that sets up a factor; null otherwise';
COMMENT ON COLUMN member_challenges.expires_at IS 'When it expires, ms since 1970 UTC';
GRANT SELECT, INSERT, DELETE ON member_challenges TO fairtick_sessions;

-- Factors are spent in the transaction they allow, whichever role runs it. Each of these functions returns
-- whether it was first.
CREATE FUNCTION spend_totp_step(member bigint, step bigint, at_time bigint) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH spent AS (
    UPDATE member_totp SET used_step = step, used_at = at_time WHERE member_id = member AND used_step < step RETURNING 1
  ) SELECT EXISTS (SELECT FROM spent)
$$;
REVOKE EXECUTE ON FUNCTION spend_totp_step FROM PUBLIC;
GRANT EXECUTE ON FUNCTION spend_totp_step TO fairtick_money, fairtick_sessions;

CREATE FUNCTION spend_recovery_code(member bigint, hash bytea) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH spent AS (DELETE FROM member_recovery_codes WHERE member_id = member AND code_hash = hash RETURNING 1)
  SELECT EXISTS (SELECT FROM spent)
$$;
REVOKE EXECUTE ON FUNCTION spend_recovery_code FROM PUBLIC;
GRANT EXECUTE ON FUNCTION spend_recovery_code TO fairtick_money, fairtick_sessions;

CREATE FUNCTION spend_passkey(member bigint, passkey bigint, new_counter bigint, is_synced boolean, at_time bigint) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH spent AS (
    UPDATE member_passkeys SET counter = new_counter, synced = is_synced, used_at = at_time
    WHERE passkey_id = passkey AND member_id = member AND (counter < new_counter OR (counter = 0 AND new_counter = 0)) RETURNING 1
  ) SELECT EXISTS (SELECT FROM spent)
$$;
REVOKE EXECUTE ON FUNCTION spend_passkey FROM PUBLIC;
GRANT EXECUTE ON FUNCTION spend_passkey TO fairtick_money, fairtick_sessions;

-- Recovery codes are not a factor: they run out.
CREATE FUNCTION has_second_factor(member bigint) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM member_totp WHERE member_id = member) OR EXISTS (SELECT FROM member_passkeys WHERE member_id = member)
$$;
REVOKE EXECUTE ON FUNCTION has_second_factor FROM PUBLIC;
GRANT EXECUTE ON FUNCTION has_second_factor TO fairtick_money, fairtick_sessions, fairtick_reader, fairtick_console;

-- Since when a member has had a second factor; null without one. A new withdrawal address still waits when the
-- factor is newer than the wait is long: someone who took over an account could otherwise add one and skip the
-- wait.
CREATE FUNCTION second_factor_since(member bigint) RETURNS bigint LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT least((SELECT min(made_at) FROM member_totp WHERE member_id = member), (SELECT min(made_at) FROM member_passkeys WHERE member_id = member))
$$;
REVOKE EXECUTE ON FUNCTION second_factor_since FROM PUBLIC;
GRANT EXECUTE ON FUNCTION second_factor_since TO fairtick_money;

CREATE TABLE factor_openings (
  proposal_id bigint PRIMARY KEY REFERENCES proposals,
  member_id bigint NOT NULL REFERENCES members,
  opened_at bigint NOT NULL
);
COMMENT ON TABLE factor_openings IS 'Members whose lost second factors were removed by two operators. One agreement removes once.';
COMMENT ON COLUMN factor_openings.proposal_id IS 'The proposal that was approved';
COMMENT ON COLUMN factor_openings.member_id IS 'The member';
COMMENT ON COLUMN factor_openings.opened_at IS 'When they were removed, ms since 1970 UTC';
CALL write_once('factor_openings');

-- Removes a member's second factors as two operators agreed, and begins a withdrawal rest of the given number of
-- hours (0 for none). Returns when it ends.
CREATE FUNCTION open_lost_factor(proposal bigint, hours integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  agreed proposals := approved_proposal(proposal, 'second_factor');
BEGIN
  INSERT INTO factor_openings (proposal_id, member_id, opened_at)
    VALUES (proposal, agreed.member_id, floor(extract(epoch FROM clock_timestamp()) * 1000));
  DELETE FROM member_totp WHERE member_id = agreed.member_id;
  DELETE FROM member_passkeys WHERE member_id = agreed.member_id;
  DELETE FROM member_recovery_codes WHERE member_id = agreed.member_id;
  DELETE FROM member_challenges WHERE member_id = agreed.member_id;
  RETURN CASE WHEN hours > 0 THEN begin_withdrawal_rest(agreed.member_id, 'factor', hours) END;
END
$$;
REVOKE EXECUTE ON FUNCTION open_lost_factor FROM PUBLIC;
GRANT EXECUTE ON FUNCTION open_lost_factor TO fairtick_console;
