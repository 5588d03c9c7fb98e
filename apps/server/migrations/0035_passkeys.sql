-- Passkeys: second factors of operators beside the authenticator app, or instead of it.

CREATE TABLE operator_passkeys (
  passkey_id bigint PRIMARY KEY,
  operator_id bigint NOT NULL REFERENCES operators,
  -- The authenticator's own name of it.
  credential_id bytea NOT NULL UNIQUE CHECK (octet_length(credential_id) BETWEEN 1 AND 1023),
  -- COSE.
  public_key bytea NOT NULL,
  name text NOT NULL,
  -- Of its signatures; 0 where the authenticator counts none. One that does not grow is a copy.
  counter bigint NOT NULL CHECK (counter >= 0),
  transports text[] NOT NULL,
  -- Whether its maker keeps copies of it on other devices.
  synced boolean NOT NULL,
  made_at bigint NOT NULL,
  used_at bigint,
  removed_at bigint
);
CREATE INDEX operator_passkeys_live ON operator_passkeys (operator_id) WHERE removed_at IS NULL;

-- What was asked of a session's browser, once and for minutes: a challenge for an authenticator, or the sealed secret of
-- an authenticator app that has yet to show its first code.
CREATE TABLE operator_challenges (
  session_id bigint NOT NULL REFERENCES operator_sessions,
  purpose text NOT NULL CHECK (purpose IN ('login', 'register', 'totp')),
  challenge bytea NOT NULL,
  expires_at bigint NOT NULL,
  PRIMARY KEY (session_id, purpose)
);

-- Nobody is left without a second factor. Recovery codes are none: they end.
CREATE FUNCTION require_second_factor(operator bigint, has_totp boolean, without_passkey bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT has_totp AND NOT EXISTS (SELECT FROM operator_passkeys
      WHERE operator_id = operator AND removed_at IS NULL AND passkey_id IS DISTINCT FROM without_passkey) THEN
    RAISE EXCEPTION 'the last second factor of operator % stays', operator USING ERRCODE = 'check_violation';
  END IF;
END
$$;

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
CREATE TRIGGER keep_second_factor BEFORE UPDATE ON operators FOR EACH ROW
  WHEN (OLD.totp_secret IS NOT NULL AND NEW.totp_secret IS NULL) EXECUTE FUNCTION keep_second_factor();
ALTER TABLE operators ENABLE ALWAYS TRIGGER keep_second_factor;
CREATE TRIGGER keep_second_factor BEFORE UPDATE ON operator_passkeys FOR EACH ROW EXECUTE FUNCTION keep_second_factor();
ALTER TABLE operator_passkeys ENABLE ALWAYS TRIGGER keep_second_factor;

REVOKE EXECUTE ON FUNCTION require_second_factor, keep_second_factor FROM PUBLIC;
GRANT SELECT, INSERT ON operator_passkeys TO fairtick_console;
GRANT UPDATE (counter, synced, used_at, removed_at) ON operator_passkeys TO fairtick_console;
GRANT SELECT, INSERT, DELETE ON operator_challenges TO fairtick_console;
GRANT UPDATE (challenge, expires_at) ON operator_challenges TO fairtick_console;
