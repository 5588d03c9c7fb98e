-- How a verified identity ends: revoked by two of compliance, expired with the document, or replaced by a newer document.

ALTER TABLE identity_cases
  -- The last day that the document is valid on, as a reviewer read it; null where it bears none.
  ADD COLUMN document_expires date,
  ADD COLUMN ended_at bigint,
  -- Why it was revoked: the member reads it.
  ADD COLUMN end_reason text,
  ADD COLUMN end_proposal bigint UNIQUE REFERENCES proposals,
  DROP CONSTRAINT identity_cases_state_check,
  ADD CONSTRAINT identity_cases_state_check CHECK (state IN ('pending', 'verified', 'rejected', 'revoked', 'expired', 'replaced')),
  ADD CHECK ((state IN ('revoked', 'expired', 'replaced')) = (ended_at IS NOT NULL)),
  ADD CHECK ((state = 'revoked') = (end_proposal IS NOT NULL) AND (state = 'revoked') = (end_reason IS NOT NULL)),
  ADD CHECK (state <> 'expired' OR document_expires IS NOT NULL);
CREATE INDEX identity_cases_expiring ON identity_cases (document_expires) WHERE state = 'verified' AND document_expires IS NOT NULL;

-- That a member was told of his document's last day; once for each.
CREATE TABLE identity_reminders (
  case_id bigint PRIMARY KEY REFERENCES identity_cases,
  sent_at bigint NOT NULL
);
CALL write_once('identity_reminders');

-- Decided once, and a verified one ends once; what was handed in and how it was decided stays.
CREATE OR REPLACE FUNCTION keep_identity_case() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state = 'verified' AND NEW.state IN ('revoked', 'expired', 'replaced') THEN
    IF to_jsonb(OLD) - '{state,ended_at,end_reason,end_proposal}'::text[] <> to_jsonb(NEW) - '{state,ended_at,end_reason,end_proposal}'::text[] THEN
      RAISE EXCEPTION 'identity case % keeps what was handed in and decided', OLD.case_id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF OLD.state <> 'pending' OR NEW.state NOT IN ('verified', 'rejected') THEN
    RAISE EXCEPTION 'identity case % is decided once', OLD.case_id USING ERRCODE = 'check_violation';
  END IF;
  IF (OLD.case_id, OLD.member_id, OLD.family_name, OLD.given_name, OLD.gender, OLD.birth_date, OLD.document_type, OLD.document_number,
      OLD.number_hash, OLD.front_file_id, OLD.back_file_id, OLD.submitted_at)
    IS DISTINCT FROM (NEW.case_id, NEW.member_id, NEW.family_name, NEW.given_name, NEW.gender, NEW.birth_date, NEW.document_type, NEW.document_number,
      NEW.number_hash, NEW.front_file_id, NEW.back_file_id, NEW.submitted_at) THEN
    RAISE EXCEPTION 'identity case % keeps what was handed in', OLD.case_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$$;

-- What a member is: verified while a case of his is, also while he hands in a newer document; otherwise what the newest
-- case says. A revoked one is rejected, with its reason; an expired one leaves him unverified.
CREATE FUNCTION identity_state(member bigint) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE state WHEN 'revoked' THEN 'rejected' WHEN 'expired' THEN 'unverified' ELSE state END
  FROM identity_cases WHERE member_id = member ORDER BY state = 'verified' DESC, case_id DESC LIMIT 1
$$;

-- From when a verified member may hand in his next document.
CREATE FUNCTION renewal_opens(expires date) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce(expires <= (clock_timestamp() AT TIME ZONE 'UTC')::date + 30, false)
$$;

-- As before; a verified member hands in when his document's last day is near.
CREATE OR REPLACE FUNCTION identity_is_open(member bigint) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  -- One submission of a member after another.
  PERFORM FROM members WHERE member_id = member FOR NO KEY UPDATE;
  IF EXISTS (SELECT FROM identity_cases WHERE member_id = member AND state = 'pending') THEN
    RETURN 'IDENTITY_PENDING';
  END IF;
  IF EXISTS (SELECT FROM identity_cases WHERE member_id = member AND state = 'verified' AND NOT renewal_opens(document_expires)) THEN
    RETURN 'CONFLICT';
  END IF;
  RETURN NULL;
END
$$;

-- As before, with the document's last day; a case that is verified takes the place of the one before it.
DROP FUNCTION decide_identity;
CREATE FUNCTION decide_identity(session bigint, of_case bigint, proposal bigint, verdict text, read_date date, expires date, why text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  reviewer bigint;
  judged identity_cases;
  agreed proposals;
BEGIN
  PERFORM require_session(session);
  SELECT s.operator_id INTO reviewer FROM operator_sessions s JOIN operator_roles r USING (operator_id)
    WHERE s.session_id = session AND r.role = 'compliance';
  IF NOT FOUND THEN
    RAISE EXCEPTION 'session % may not decide on identities', session USING ERRCODE = 'insufficient_privilege';
  END IF;
  SELECT * INTO judged FROM identity_cases WHERE case_id = of_case FOR UPDATE;
  IF NOT FOUND OR judged.state <> 'pending' OR verdict NOT IN ('verified', 'rejected') THEN
    RETURN false;
  END IF;
  IF proposal IS NULL THEN
    IF EXISTS (SELECT FROM identity_flags WHERE case_id = of_case) THEN
      RAISE EXCEPTION 'identity case % is flagged: two people decide', of_case USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF verdict = 'verified' AND read_date IS DISTINCT FROM judged.birth_date THEN
      RAISE EXCEPTION 'identity case % bears another birth date: two people decide', of_case USING ERRCODE = 'insufficient_privilege';
    END IF;
  ELSE
    agreed := approved_proposal(proposal, 'identity');
    IF agreed.member_id <> judged.member_id
        OR (agreed.body::jsonb ->> 'caseId', agreed.body::jsonb ->> 'verdict', agreed.body::jsonb ->> 'birthDate', agreed.body::jsonb ->> 'expiresOn')
          IS DISTINCT FROM (of_case::text, verdict, read_date::text, expires::text) THEN
      RAISE EXCEPTION 'proposal % agreed on something else than on case %', proposal, of_case USING ERRCODE = 'insufficient_privilege';
    END IF;
  END IF;
  -- Nobody under age anywhere on earth; what a region asks for besides is the program's rule.
  IF verdict = 'verified' AND read_date > (clock_timestamp() AT TIME ZONE 'UTC' + interval '14 hours')::date - interval '18 years' THEN
    RAISE EXCEPTION 'identity case % is under age', of_case USING ERRCODE = 'check_violation';
  END IF;
  -- Nor a document whose last day is over everywhere on earth.
  IF verdict = 'verified' AND expires < (clock_timestamp() AT TIME ZONE 'UTC' - interval '12 hours')::date THEN
    RAISE EXCEPTION 'the document of identity case % has expired', of_case USING ERRCODE = 'check_violation';
  END IF;
  IF verdict = 'verified' THEN
    UPDATE identity_cases SET state = 'replaced', ended_at = now_ms() WHERE member_id = judged.member_id AND state = 'verified';
  END IF;
  UPDATE identity_cases SET state = verdict, decided_at = floor(extract(epoch FROM clock_timestamp()) * 1000), decided_by = reviewer,
      reason = why, proposal_id = proposal, document_birth_date = read_date, document_expires = expires
    WHERE case_id = of_case;
  RETURN true;
END
$$;

INSERT INTO proposal_kinds (kind, maker_roles, checker_roles) VALUES ('identity_revoke', '{compliance}', '{compliance}');

-- Ends a verified identity as two of compliance agreed; the member reads the reason of whoever proposed it. Answers false
-- where it is verified no more. It takes nothing but the identity: money, orders and withdrawals are other tables' business.
CREATE FUNCTION revoke_identity(proposal bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  agreed proposals := approved_proposal(proposal, 'identity_revoke');
BEGIN
  UPDATE identity_cases SET state = 'revoked', ended_at = now_ms(), end_reason = agreed.reason, end_proposal = proposal
    WHERE case_id = (agreed.body::jsonb ->> 'caseId')::bigint AND member_id = agreed.member_id AND state = 'verified';
  RETURN FOUND;
END
$$;

-- Ends what the documents' last days have ended everywhere on earth; answers whose.
CREATE FUNCTION expire_identities() RETURNS TABLE (member bigint, last_day date)
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE identity_cases SET state = 'expired', ended_at = now_ms()
    WHERE state = 'verified' AND document_expires < (clock_timestamp() AT TIME ZONE 'UTC' - interval '12 hours')::date
    RETURNING member_id, document_expires
$$;

-- Whose document's last day is near and who was not told of it yet; each is answered once.
CREATE FUNCTION remind_of_expiry() RETURNS TABLE (member bigint, last_day date)
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH told AS (
    INSERT INTO identity_reminders (case_id, sent_at)
      SELECT case_id, now_ms() FROM identity_cases WHERE state = 'verified' AND document_expires IS NOT NULL AND renewal_opens(document_expires)
      ON CONFLICT DO NOTHING RETURNING case_id)
  SELECT member_id, document_expires FROM told JOIN identity_cases USING (case_id)
$$;

REVOKE EXECUTE ON FUNCTION decide_identity, revoke_identity, expire_identities, remind_of_expiry FROM PUBLIC;
GRANT EXECUTE ON FUNCTION decide_identity, revoke_identity TO fairtick_console;
GRANT EXECUTE ON FUNCTION expire_identities, remind_of_expiry TO fairtick_jobs;
GRANT SELECT (document_expires, ended_at, end_reason) ON identity_cases TO fairtick_sessions;
