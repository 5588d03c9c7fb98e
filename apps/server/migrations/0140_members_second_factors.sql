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

-- Keyed hashes of codes that are left; a used one is gone.
CREATE TABLE member_recovery_codes (
  member_id bigint NOT NULL REFERENCES members,
  code_hash bytea NOT NULL CHECK (octet_length(code_hash) = 32),
  made_at bigint NOT NULL,
  PRIMARY KEY (member_id, code_hash)
);

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

GRANT SELECT, INSERT, UPDATE, DELETE ON member_totp, member_passkeys TO fairtick_sessions;
GRANT SELECT, INSERT, DELETE ON member_recovery_codes, member_challenges TO fairtick_sessions;

-- Factors are spent in the transaction that they allow, whichever role does it. Each answers whether it was first.
CREATE FUNCTION spend_totp_step(member bigint, step bigint, at_time bigint) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH spent AS (
    UPDATE member_totp SET used_step = step, used_at = at_time WHERE member_id = member AND used_step < step RETURNING 1
  ) SELECT EXISTS (SELECT FROM spent)
$$;
CREATE FUNCTION spend_recovery_code(member bigint, hash bytea) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH spent AS (DELETE FROM member_recovery_codes WHERE member_id = member AND code_hash = hash RETURNING 1)
  SELECT EXISTS (SELECT FROM spent)
$$;
CREATE FUNCTION spend_passkey(member bigint, passkey bigint, new_counter bigint, is_synced boolean, at_time bigint) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH spent AS (
    UPDATE member_passkeys SET counter = new_counter, synced = is_synced, used_at = at_time
    WHERE passkey_id = passkey AND member_id = member AND (counter < new_counter OR (counter = 0 AND new_counter = 0)) RETURNING 1
  ) SELECT EXISTS (SELECT FROM spent)
$$;

-- Recovery codes are no factor of their own: they end.
CREATE FUNCTION has_second_factor(member bigint) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM member_totp WHERE member_id = member) OR EXISTS (SELECT FROM member_passkeys WHERE member_id = member)
$$;

REVOKE EXECUTE ON FUNCTION spend_totp_step, spend_recovery_code, spend_passkey, has_second_factor FROM PUBLIC;
GRANT EXECUTE ON FUNCTION spend_totp_step, spend_recovery_code, spend_passkey TO fairtick_sessions, fairtick_money;
GRANT EXECUTE ON FUNCTION has_second_factor TO fairtick_sessions, fairtick_money, fairtick_reader, fairtick_console;

-- Wrong factors are counted like wrong codes, and apart from them.
ALTER TABLE attempts DROP CONSTRAINT attempts_kind_check,
  ADD CONSTRAINT attempts_kind_check CHECK (kind IN ('login', 'code', 'tradePassword', 'send', 'factor'));

-- Whoever removes the last second factor waits as long as whoever resets a password.
ALTER TABLE withdrawal_rests DROP CONSTRAINT withdrawal_rests_password_check,
  ADD CONSTRAINT withdrawal_rests_password_check CHECK (password IN ('login', 'transaction', 'factor'));
COMMENT ON COLUMN withdrawal_rests.password IS 'What was reset: a password, or the second factor that was removed';
