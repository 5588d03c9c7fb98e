-- Approving withdrawals: the operators' keys, who approved what, and how many approvals it takes. The signer keeps
-- its own list of keys.

CREATE TABLE operator_keys (
  key_id text PRIMARY KEY,
  operator_id bigint NOT NULL REFERENCES operators,
  public_key text NOT NULL UNIQUE,
  proposal_id bigint NOT NULL UNIQUE REFERENCES proposals,
  enrolled_at bigint NOT NULL,
  signed_by text REFERENCES operator_keys,
  signature text,
  UNIQUE (key_id, operator_id)
);
COMMENT ON TABLE operator_keys IS 'Keys that operators sign approvals with. The signer keeps its own list; this one is for screens and early answers.';
COMMENT ON COLUMN operator_keys.key_id IS 'SHA-256 of the public key, hexadecimal';
COMMENT ON COLUMN operator_keys.operator_id IS 'The operator';
COMMENT ON COLUMN operator_keys.public_key IS 'P-256 public key, 65 bytes uncompressed, base64url';
COMMENT ON COLUMN operator_keys.proposal_id IS 'The proposal that enrolled it';
COMMENT ON COLUMN operator_keys.enrolled_at IS 'When it was enrolled, ms since 1970 UTC';
COMMENT ON COLUMN operator_keys.signed_by IS 'The approver''s own key; null for the very first one of a sandbox';
COMMENT ON COLUMN operator_keys.signature IS 'The approver''s signature over the enrolment, base64url';
CALL write_once('operator_keys');
GRANT SELECT ON operator_keys TO fairtick_console, fairtick_payout;

CREATE FUNCTION enrol_payout_key(proposal bigint, colleague_key text, colleague_signature text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  agreed proposals := approved_proposal(proposal, 'payout_key');
  given jsonb := agreed.body::jsonb;
BEGIN
  INSERT INTO operator_keys (key_id, operator_id, public_key, proposal_id, enrolled_at, signed_by, signature)
    VALUES (given ->> 'keyId', agreed.made_by, given ->> 'publicKey', proposal,
      floor(extract(epoch FROM clock_timestamp()) * 1000), colleague_key, colleague_signature);
  RETURN given ->> 'keyId';
END
$$;
REVOKE EXECUTE ON FUNCTION enrol_payout_key FROM PUBLIC;
GRANT EXECUTE ON FUNCTION enrol_payout_key TO fairtick_console;

CREATE TABLE revoked_keys (
  key_id text PRIMARY KEY REFERENCES operator_keys,
  operator_id bigint NOT NULL REFERENCES operators,
  session_id bigint NOT NULL,
  reason text NOT NULL CHECK (length(btrim(reason)) >= 3),
  at bigint NOT NULL,
  FOREIGN KEY (session_id, operator_id) REFERENCES operator_sessions (session_id, operator_id)
);
COMMENT ON TABLE revoked_keys IS 'Keys that were taken back by one person of finance or one admin: that takes power away and gives none.';
COMMENT ON COLUMN revoked_keys.key_id IS 'SHA-256 of the public key, hexadecimal';
COMMENT ON COLUMN revoked_keys.operator_id IS 'The operator who took it back';
COMMENT ON COLUMN revoked_keys.session_id IS 'Their session';
COMMENT ON COLUMN revoked_keys.reason IS 'Why, in the words of whoever did it';
COMMENT ON COLUMN revoked_keys.at IS 'When it happened, ms since 1970 UTC';
CALL write_once('revoked_keys');
GRANT SELECT ON revoked_keys TO fairtick_jobs, fairtick_console;

CREATE FUNCTION revoke_payout_key(session bigint, key text, why text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO revoked_keys (key_id, operator_id, session_id, reason, at)
    VALUES (key, operator_with(session, '{finance,admin}'), session, why, epoch_ms()) ON CONFLICT DO NOTHING;
  RETURN FOUND;
END
$$;
REVOKE EXECUTE ON FUNCTION revoke_payout_key FROM PUBLIC;
GRANT EXECUTE ON FUNCTION revoke_payout_key TO fairtick_console;

CREATE TABLE withdrawal_approvals (
  withdrawal_id bigint NOT NULL REFERENCES withdrawals,
  digest bytea NOT NULL,
  operator_id bigint NOT NULL,
  session_id bigint NOT NULL,
  key_id text NOT NULL,
  signature text NOT NULL,
  reason text NOT NULL CHECK (length(btrim(reason)) >= 3),
  at bigint NOT NULL,
  PRIMARY KEY (withdrawal_id, digest, operator_id),
  -- Two people with two sessions, each with their own key.
  UNIQUE (withdrawal_id, digest, session_id),
  UNIQUE (withdrawal_id, digest, key_id),
  FOREIGN KEY (session_id, operator_id) REFERENCES operator_sessions (session_id, operator_id),
  FOREIGN KEY (key_id, operator_id) REFERENCES operator_keys (key_id, operator_id)
);
COMMENT ON TABLE withdrawal_approvals IS 'Which operator approved exactly which payment.';
COMMENT ON COLUMN withdrawal_approvals.withdrawal_id IS 'The withdrawal';
COMMENT ON COLUMN withdrawal_approvals.digest IS 'What they signed, as in the withdrawal';
COMMENT ON COLUMN withdrawal_approvals.operator_id IS 'The operator';
COMMENT ON COLUMN withdrawal_approvals.session_id IS 'Their session';
COMMENT ON COLUMN withdrawal_approvals.key_id IS 'The key they signed with';
COMMENT ON COLUMN withdrawal_approvals.signature IS 'Signature over it, raw r and s, base64url';
COMMENT ON COLUMN withdrawal_approvals.reason IS 'Why, in their words';
COMMENT ON COLUMN withdrawal_approvals.at IS 'When they approved, ms since 1970 UTC';
CALL write_once('withdrawal_approvals');
GRANT SELECT ON withdrawal_approvals TO fairtick_jobs, fairtick_console, fairtick_payout;
-- Whether someone has approved, for what the member is shown.
GRANT SELECT (withdrawal_id, digest) ON withdrawal_approvals TO fairtick_money, fairtick_reader;

CREATE TABLE withdrawal_releases (
  withdrawal_id bigint NOT NULL REFERENCES withdrawals,
  operator_id bigint NOT NULL,
  session_id bigint NOT NULL,
  reason text NOT NULL CHECK (length(btrim(reason)) >= 3),
  at bigint NOT NULL,
  PRIMARY KEY (withdrawal_id, operator_id),
  UNIQUE (withdrawal_id, session_id),
  FOREIGN KEY (session_id, operator_id) REFERENCES operator_sessions (session_id, operator_id)
);
COMMENT ON TABLE withdrawal_releases IS 'Operators who agreed to release the hold of a payment whose every attempt is dead.';
COMMENT ON COLUMN withdrawal_releases.withdrawal_id IS 'The withdrawal';
COMMENT ON COLUMN withdrawal_releases.operator_id IS 'The operator';
COMMENT ON COLUMN withdrawal_releases.session_id IS 'Their session';
COMMENT ON COLUMN withdrawal_releases.reason IS 'Why, in their words';
COMMENT ON COLUMN withdrawal_releases.at IS 'When they agreed, ms since 1970 UTC';
CALL write_once('withdrawal_releases');
GRANT SELECT ON withdrawal_releases TO fairtick_console;
-- The invariants' checks count the people who agreed.
GRANT SELECT (withdrawal_id, operator_id) ON withdrawal_releases TO fairtick_jobs;

CREATE VIEW approvals_that_count AS
  SELECT a.* FROM withdrawal_approvals a JOIN operators o USING (operator_id)
  WHERE o.disabled_at IS NULL AND EXISTS (SELECT FROM operator_roles r WHERE r.operator_id = a.operator_id AND r.role = 'finance')
    AND NOT EXISTS (SELECT FROM revoked_keys k WHERE k.key_id = a.key_id);
COMMENT ON VIEW approvals_that_count IS 'Approvals of operators who work in finance and whose key was not taken back.';
COMMENT ON COLUMN approvals_that_count.withdrawal_id IS 'The withdrawal';
COMMENT ON COLUMN approvals_that_count.digest IS 'What they signed, as in the withdrawal';
COMMENT ON COLUMN approvals_that_count.operator_id IS 'The operator';
COMMENT ON COLUMN approvals_that_count.session_id IS 'Their session';
COMMENT ON COLUMN approvals_that_count.key_id IS 'The key they signed with';
COMMENT ON COLUMN approvals_that_count.signature IS 'Signature over it, raw r and s, base64url';
COMMENT ON COLUMN approvals_that_count.reason IS 'Why, in their words';
COMMENT ON COLUMN approvals_that_count.at IS 'When they approved, ms since 1970 UTC';
GRANT SELECT ON approvals_that_count TO fairtick_jobs, fairtick_console, fairtick_payout;
GRANT SELECT (withdrawal_id, digest) ON approvals_that_count TO fairtick_money, fairtick_reader;

-- Checks the approvals that count, besides what step_withdrawal checks.
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
REVOKE EXECUTE ON FUNCTION count_approvals FROM PUBLIC;

-- By its name it runs after step_withdrawal, whose reasons (frozen, no such step) come first.
CREATE TRIGGER tally_approvals AFTER UPDATE OF stage ON withdrawals FOR EACH ROW
  WHEN (NEW.stage IN ('approved', 'reserved') AND OLD.stage <> NEW.stage) EXECUTE FUNCTION count_approvals();
ALTER TABLE withdrawals ENABLE ALWAYS TRIGGER tally_approvals;

-- How many operators have to approve a withdrawal, by the two limits in force right now. A small one that the
-- signer wants seen takes one as well.
CREATE FUNCTION approvals_needed(amount bigint, reviewed boolean) RETURNS integer
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT CASE WHEN amount > coalesce((t.body ->> 'singleMax')::bigint, r.single_max) THEN 2
    WHEN amount > coalesce((t.body ->> 'automaticMax')::bigint, r.automatic_max) OR reviewed THEN 1 ELSE 0 END
  FROM withdrawal_rules r LEFT JOIN (SELECT body::jsonb AS body FROM withdrawal_terms_now) t ON true
$$;
REVOKE EXECUTE ON FUNCTION approvals_needed FROM PUBLIC;
GRANT EXECUTE ON FUNCTION approvals_needed TO fairtick_console, fairtick_payout;

CREATE FUNCTION require_finance(session bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  who bigint;
BEGIN
  PERFORM require_session(session);
  SELECT s.operator_id INTO who FROM operator_sessions s JOIN operator_roles r USING (operator_id) WHERE s.session_id = session AND r.role = 'finance';
  IF NOT FOUND THEN
    RAISE EXCEPTION 'session % is not one of finance', session USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN who;
END
$$;
REVOKE EXECUTE ON FUNCTION require_finance FROM PUBLIC;

-- Stores an operator's signed approval; the one that completes the number moves the withdrawal on. Only approvals
-- that count are counted, and none is taken before the address is usable. Returns the stage afterwards, or null
-- when there was nothing to approve.
CREATE FUNCTION approve_withdrawal(session bigint, withdrawal bigint, of_digest bytea, with_key text, signed text, why text) RETURNS text
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
  IF w.pays_from > at_time THEN
    RAISE EXCEPTION 'withdrawal % waits for its address', withdrawal USING ERRCODE = 'check_violation';
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
REVOKE EXECUTE ON FUNCTION approve_withdrawal FROM PUBLIC;
GRANT EXECUTE ON FUNCTION approve_withdrawal TO fairtick_console;

CREATE FUNCTION reject_withdrawal(session bigint, withdrawal bigint, end_transfer bigint, why text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  w withdrawals;
BEGIN
  PERFORM require_finance(session);
  SELECT * INTO w FROM withdrawals WHERE withdrawal_id = withdrawal FOR NO KEY UPDATE;
  IF NOT FOUND OR w.stage NOT IN ('requested', 'review', 'approved') THEN
    RETURN false;
  END IF;
  PERFORM end_withdrawal(w, end_transfer, 'rejected', why);
  RETURN true;
END
$$;
REVOKE EXECUTE ON FUNCTION reject_withdrawal FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reject_withdrawal TO fairtick_console;

-- Releases the hold of a payment that can no longer happen; above the limit, two people have to agree. Returns the
-- stage afterwards, or null when it may not be released.
CREATE FUNCTION release_withdrawal(session bigint, withdrawal bigint, end_transfer bigint, why text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who bigint := require_finance(session);
  w withdrawals;
  have integer;
BEGIN
  SELECT * INTO w FROM withdrawals WHERE withdrawal_id = withdrawal FOR NO KEY UPDATE;
  IF NOT FOUND OR w.stage <> 'needs_review' OR w.dead_at IS NULL THEN
    RETURN NULL;
  END IF;
  INSERT INTO withdrawal_releases (withdrawal_id, operator_id, session_id, reason, at) VALUES (withdrawal, who, session, why, withdrawal_now());
  SELECT count(*) INTO have FROM withdrawal_releases WHERE withdrawal_id = withdrawal;
  IF have < approvals_needed(w.amount, true) THEN
    RETURN w.stage;
  END IF;
  PERFORM end_withdrawal(w, end_transfer, 'reverted', w.reason);
  RETURN 'reverted';
END
$$;
REVOKE EXECUTE ON FUNCTION release_withdrawal FROM PUBLIC;
GRANT EXECUTE ON FUNCTION release_withdrawal TO fairtick_console;

CREATE FUNCTION log_approved_withdrawal() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  people text;
BEGIN
  SELECT string_agg(operator_id::text, ',' ORDER BY operator_id) INTO people
    FROM withdrawal_approvals WHERE withdrawal_id = NEW.withdrawal_id AND digest = NEW.digest;
  PERFORM log_approval('withdrawal', NEW.withdrawal_id, NEW.stage_at,
    concat_ws(E'\n', 'withdrawal', NEW.withdrawal_id, coalesce(people, '-'), NEW.stage_at, encode(NEW.digest, 'hex')));
  RETURN NULL;
END
$$;
REVOKE EXECUTE ON FUNCTION log_approved_withdrawal FROM PUBLIC;

CREATE TRIGGER log_approved_withdrawal AFTER UPDATE OF stage ON withdrawals FOR EACH ROW
  WHEN (NEW.stage = 'approved' AND OLD.stage <> 'approved') EXECUTE FUNCTION log_approved_withdrawal();
ALTER TABLE withdrawals ENABLE ALWAYS TRIGGER log_approved_withdrawal;
