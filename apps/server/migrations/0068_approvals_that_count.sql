-- An approval counts while whoever gave it works in finance and his key is believed. A key is taken back by one person of finance or
-- one admin: it takes power away, and gives none.
CREATE TABLE revoked_keys (
  key_id text PRIMARY KEY REFERENCES operator_keys,
  operator_id bigint NOT NULL REFERENCES operators,
  session_id bigint NOT NULL,
  reason text NOT NULL CHECK (length(btrim(reason)) >= 3),
  at bigint NOT NULL,
  FOREIGN KEY (session_id, operator_id) REFERENCES operator_sessions (session_id, operator_id)
);
CALL write_once('revoked_keys');

CREATE FUNCTION revoke_payout_key(session bigint, key text, why text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO revoked_keys (key_id, operator_id, session_id, reason, at)
    VALUES (key, operator_with(session, '{finance,admin}'), session, why, epoch_ms()) ON CONFLICT DO NOTHING;
  RETURN FOUND;
END
$$;

CREATE VIEW approvals_that_count AS
  SELECT a.* FROM withdrawal_approvals a JOIN operators o USING (operator_id)
  WHERE o.disabled_at IS NULL AND EXISTS (SELECT FROM operator_roles r WHERE r.operator_id = a.operator_id AND r.role = 'finance')
    AND NOT EXISTS (SELECT FROM revoked_keys k WHERE k.key_id = a.key_id);

-- Beside what a withdrawal's steps take anyway.
CREATE FUNCTION count_approvals() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  given integer := (SELECT count(*) FROM withdrawal_approvals WHERE withdrawal_id = NEW.withdrawal_id AND digest = NEW.digest);
  good integer := (SELECT count(*) FROM approvals_that_count WHERE withdrawal_id = NEW.withdrawal_id AND digest = NEW.digest);
BEGIN
  IF (NEW.stage = 'reserved' AND good < given)
      OR (NEW.stage = 'approved' AND OLD.stage <> 'reserved' AND good < approvals_needed(NEW.amount, OLD.stage = 'review')) THEN
    RAISE EXCEPTION 'withdrawal % has not the approvals that it takes', NEW.withdrawal_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END
$$;
-- By its name it comes after step_withdrawal, whose reasons (frozen, no such step) are told first.
CREATE TRIGGER tally_approvals AFTER UPDATE OF stage ON withdrawals FOR EACH ROW
  WHEN (NEW.stage IN ('approved', 'reserved') AND OLD.stage <> NEW.stage) EXECUTE FUNCTION count_approvals();
ALTER TABLE withdrawals ENABLE ALWAYS TRIGGER tally_approvals;

-- As before, by the approvals that count.
CREATE OR REPLACE FUNCTION approve_withdrawal(session bigint, withdrawal bigint, of_digest bytea, with_key text, signed text, why text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who bigint := require_finance(session);
  at_time bigint := withdrawal_now();
  w withdrawals;
  have integer;
BEGIN
  SELECT * INTO w FROM withdrawals WHERE withdrawal_id = withdrawal FOR NO KEY UPDATE;
  IF NOT FOUND OR w.stage <> 'review' OR w.digest <> of_digest OR w.expires_at <= at_time THEN
    RETURN NULL;
  END IF;
  IF is_frozen(w.member_id) THEN
    RAISE EXCEPTION 'withdrawals of member % are frozen', w.member_id USING ERRCODE = 'check_violation';
  END IF;
  IF EXISTS (SELECT FROM revoked_keys WHERE key_id = with_key) THEN
    RAISE EXCEPTION 'key % is revoked', with_key USING ERRCODE = 'insufficient_privilege';
  END IF;
  INSERT INTO withdrawal_approvals (withdrawal_id, digest, operator_id, session_id, key_id, signature, reason, at)
    VALUES (withdrawal, of_digest, who, session, with_key, signed, why, at_time);
  SELECT count(*) INTO have FROM approvals_that_count WHERE withdrawal_id = withdrawal AND digest = of_digest;
  IF have < approvals_needed(w.amount, true) THEN
    RETURN w.stage;
  END IF;
  UPDATE withdrawals SET stage = 'approved', stage_at = at_time, reason = NULL WHERE withdrawal_id = withdrawal;
  RETURN 'approved';
END
$$;

REVOKE EXECUTE ON FUNCTION revoke_payout_key, count_approvals FROM PUBLIC;
GRANT EXECUTE ON FUNCTION revoke_payout_key TO fairtick_console;
GRANT SELECT ON revoked_keys TO fairtick_console, fairtick_jobs;
GRANT SELECT ON approvals_that_count TO fairtick_console, fairtick_payout, fairtick_jobs;
GRANT SELECT (withdrawal_id, digest) ON approvals_that_count TO fairtick_money, fairtick_reader;
