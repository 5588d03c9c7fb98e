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
  -- The key of the device it runs on: each call has to come from there.
  device_hash bytea CHECK (length(device_hash) = 32),
  -- The key that its login gave away. The session is bound to it with the first call that brings it back.
  offered_hash bytea CHECK (length(offered_hash) = 32)
);
CREATE INDEX sessions_by_member ON sessions (member_id) WHERE ended_at IS NULL;
GRANT SELECT, INSERT, UPDATE ON sessions TO fairtick_sessions;
GRANT SELECT (session_id, expires_at, ended_at) ON sessions TO fairtick_jobs;
GRANT SELECT (session_id, member_id, expires_at, ended_at) ON sessions TO fairtick_reader;

-- Codes sent by mail or SMS: of each purpose and address the newest alone. Instants in milliseconds since 1970 UTC.
-- A row is written for unknown addresses too, so that asking tells nothing.
CREATE TABLE verification_codes (
  purpose text NOT NULL CHECK (purpose IN ('register', 'reset', 'tradePassword')),
  address text NOT NULL,
  code_hash bytea NOT NULL,
  sent_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  tries smallint NOT NULL DEFAULT 0,
  -- A code belongs to the device that asked for it: a stranger can neither replace the owner's code nor use up its tries.
  -- Empty for clients that keep no cookie.
  device bytea NOT NULL DEFAULT '\x',
  PRIMARY KEY (purpose, address, device)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON verification_codes TO fairtick_sessions;

-- Instants of the tries of the last 24 hours that failed or are under way. A row lives on disk, so that a restart forgives nothing.
CREATE TABLE attempts (
  kind text NOT NULL CHECK (kind IN ('login', 'code', 'tradePassword', 'send', 'factor')),
  -- `account:` or `address:` with a hash, `member:` with an id, `ip:` with a host or an IPv6 /64
  subject text NOT NULL,
  tries bigint[] NOT NULL,
  newest bigint NOT NULL,
  PRIMARY KEY (kind, subject)
);
CREATE INDEX attempts_by_newest ON attempts (newest);
-- Tries at passwords and codes are counted where the members' are.
-- Success clears the tries of its own device.
GRANT SELECT, INSERT, UPDATE, DELETE ON attempts TO fairtick_sessions, fairtick_console;

-- Second factors of members: an authenticator app, passkeys and recovery codes. Whoever has a password and a mailbox opens
-- neither a new device nor a withdrawal with them.
CREATE TABLE member_totp (
  member_id bigint PRIMARY KEY REFERENCES members,
  -- Under a key of the deployment's secret
  sealed_secret bytea NOT NULL,
  -- The newest step of thirty seconds whose code was used: no code opens anything twice.
  used_step bigint NOT NULL,
  -- Milliseconds since 1970 UTC
  made_at bigint NOT NULL,
  used_at bigint
);
GRANT SELECT, INSERT, UPDATE, DELETE ON member_totp TO fairtick_sessions;

CREATE TABLE member_passkeys (
  passkey_id bigint PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES members,
  -- The authenticator's own name for it
  credential_id bytea NOT NULL UNIQUE CHECK (octet_length(credential_id) BETWEEN 1 AND 1023),
  -- COSE
  public_key bytea NOT NULL,
  name text NOT NULL,
  -- Of its signatures; 0 where the authenticator counts none. One that does not grow is a copy.
  counter bigint NOT NULL CHECK (counter >= 0),
  transports text[] NOT NULL,
  -- Whether its maker keeps copies of it on other devices
  synced boolean NOT NULL,
  made_at bigint NOT NULL,
  used_at bigint
);
CREATE INDEX member_passkeys_by_member ON member_passkeys (member_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON member_passkeys TO fairtick_sessions;

-- Keyed hashes of codes that are left; a used one is gone.
CREATE TABLE member_recovery_codes (
  member_id bigint NOT NULL REFERENCES members,
  code_hash bytea NOT NULL CHECK (octet_length(code_hash) = 32),
  made_at bigint NOT NULL,
  PRIMARY KEY (member_id, code_hash)
);
GRANT SELECT, INSERT, DELETE ON member_recovery_codes TO fairtick_sessions;

-- What was asked of a member's authenticator, once and for minutes; and the sealed secret of an authenticator app that has
-- yet to show its first code. An answer counts for the purpose that it was asked for.
CREATE TABLE member_challenges (
  member_id bigint NOT NULL REFERENCES members,
  purpose text NOT NULL CHECK (purpose IN ('login', 'reset', 'tradePassword', 'export', 'withdrawal', 'settings', 'newPasskey', 'newTotp')),
  challenge bytea NOT NULL,
  -- The session that sets a factor up; null for questions
  session_id bigint REFERENCES sessions,
  expires_at bigint NOT NULL,
  PRIMARY KEY (member_id, challenge),
  CHECK ((session_id IS NOT NULL) = (purpose IN ('newPasskey', 'newTotp')))
);
GRANT SELECT, INSERT, DELETE ON member_challenges TO fairtick_sessions;

-- Factors are spent in the transaction that they allow, whichever role does it. Each answers whether it was first.
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

-- Recovery codes are no factor of their own: they end.
CREATE FUNCTION has_second_factor(member bigint) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM member_totp WHERE member_id = member) OR EXISTS (SELECT FROM member_passkeys WHERE member_id = member)
$$;
REVOKE EXECUTE ON FUNCTION has_second_factor FROM PUBLIC;
GRANT EXECUTE ON FUNCTION has_second_factor TO fairtick_money, fairtick_sessions, fairtick_reader, fairtick_console;

-- Since when a member has had a second factor; null without one. A new address waits all the same where the factor is as new as
-- the wait is long: whoever took an account over could add one and skip the wait.
CREATE FUNCTION second_factor_since(member bigint) RETURNS bigint LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT least((SELECT min(made_at) FROM member_totp WHERE member_id = member), (SELECT min(made_at) FROM member_passkeys WHERE member_id = member))
$$;
REVOKE EXECUTE ON FUNCTION second_factor_since FROM PUBLIC;
GRANT EXECUTE ON FUNCTION second_factor_since TO fairtick_money;

-- One agreement removes once: not what the member sets up afterwards.
CREATE TABLE factor_openings (
  proposal_id bigint PRIMARY KEY REFERENCES proposals,
  member_id bigint NOT NULL REFERENCES members,
  -- Milliseconds since 1970 UTC
  opened_at bigint NOT NULL
);
CALL write_once('factor_openings');

-- Removes a member's second factors as two operators agreed, and begins a withdrawal rest of so many hours (0: none).
-- Answers when it ends.
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
