-- Identity verification: what members submitted, who looked at it, and what was decided.
--
--   pending   → verified, rejected
--   verified  → revoked, expired, replaced
--
-- All other states are final: a new submission is a new case.

CREATE TABLE identity_basics (
  member_id bigint PRIMARY KEY REFERENCES members,
  family_name text NOT NULL CHECK (btrim(family_name) <> ''),
  given_name text NOT NULL CHECK (btrim(given_name) <> ''),
  gender text NOT NULL CHECK (gender IN ('male', 'female')),
  birth_date date NOT NULL,
  submitted_at bigint NOT NULL
);
COMMENT ON TABLE identity_basics IS 'Name, gender and birth date as each member last handed them in. Each case keeps what it was judged by.';
COMMENT ON COLUMN identity_basics.member_id IS 'The member';
COMMENT ON COLUMN identity_basics.family_name IS 'Family name';
COMMENT ON COLUMN identity_basics.given_name IS 'Given name';
COMMENT ON COLUMN identity_basics.gender IS 'Gender';
COMMENT ON COLUMN identity_basics.birth_date IS 'Birth date';
COMMENT ON COLUMN identity_basics.submitted_at IS 'When it was handed in, ms since 1970 UTC';
GRANT SELECT ON identity_basics TO fairtick_sessions;

CREATE TABLE identity_cases (
  case_id bigint PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES members,
  family_name text NOT NULL,
  given_name text NOT NULL,
  gender text NOT NULL,
  birth_date date NOT NULL,
  document_type text NOT NULL CHECK (document_type IN ('idCard', 'passport', 'driversLicense')),
  document_number bytea NOT NULL,
  number_hash bytea NOT NULL CHECK (length(number_hash) = 32),
  front_file_id bigint NOT NULL,
  back_file_id bigint NOT NULL CHECK (back_file_id <> front_file_id),
  submitted_at bigint NOT NULL,
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'verified', 'rejected', 'revoked', 'expired', 'replaced')),
  decided_at bigint,
  decided_by bigint REFERENCES operators,
  reason text,
  proposal_id bigint UNIQUE REFERENCES proposals,
  document_birth_date date,
  document_expires date,
  ended_at bigint,
  end_reason text,
  end_proposal bigint UNIQUE REFERENCES proposals,
  CHECK ((state = 'pending') = (decided_at IS NULL) AND (state = 'pending') = (decided_by IS NULL)),
  CHECK (state = 'pending' OR length(btrim(reason)) >= 3),
  CHECK (state <> 'verified' OR document_birth_date IS NOT NULL),
  CHECK ((state IN ('revoked', 'expired', 'replaced')) = (ended_at IS NOT NULL)),
  CHECK ((state = 'revoked') = (end_proposal IS NOT NULL) AND (state = 'revoked') = (end_reason IS NOT NULL)),
  CHECK (state <> 'expired' OR document_expires IS NOT NULL)
);
COMMENT ON TABLE identity_cases IS 'Identity verifications: one case per submission of documents.';
COMMENT ON COLUMN identity_cases.case_id IS 'Number of the case';
COMMENT ON COLUMN identity_cases.member_id IS 'The member';
COMMENT ON COLUMN identity_cases.family_name IS 'Family name as handed in';
COMMENT ON COLUMN identity_cases.given_name IS 'Given name as handed in';
COMMENT ON COLUMN identity_cases.gender IS 'Gender as handed in';
COMMENT ON COLUMN identity_cases.birth_date IS 'Birth date as handed in';
COMMENT ON COLUMN identity_cases.document_type IS 'Kind of document';
COMMENT ON COLUMN identity_cases.document_number IS 'Its number, encrypted with AES-256-GCM under a key derived from the deployment''s secret';
COMMENT ON COLUMN identity_cases.number_hash IS 'HMAC-SHA-256 of the number under another such key: finds it again without revealing it';
COMMENT ON COLUMN identity_cases.front_file_id IS 'First picture: the front, or a passport''s photo page';
COMMENT ON COLUMN identity_cases.back_file_id IS 'Second picture: the back, or the member holding the passport';
COMMENT ON COLUMN identity_cases.submitted_at IS 'When it was handed in, ms since 1970 UTC';
COMMENT ON COLUMN identity_cases.state IS 'Where it stands; keep_identity_case holds the transitions';
COMMENT ON COLUMN identity_cases.decided_at IS 'When it was decided, ms since 1970 UTC';
COMMENT ON COLUMN identity_cases.decided_by IS 'The operator who decided';
COMMENT ON COLUMN identity_cases.reason IS 'Why: a rejected member reads it';
COMMENT ON COLUMN identity_cases.proposal_id IS 'What two people agreed on; null where one was enough';
COMMENT ON COLUMN identity_cases.document_birth_date IS 'Birth date as the first reviewer read it on the document';
COMMENT ON COLUMN identity_cases.document_expires IS 'Last day the document is valid on, as a reviewer read it; null where it has none';
COMMENT ON COLUMN identity_cases.ended_at IS 'When a verified one ended, ms since 1970 UTC';
COMMENT ON COLUMN identity_cases.end_reason IS 'Why it was revoked: the member reads it';
COMMENT ON COLUMN identity_cases.end_proposal IS 'The proposal that revoked it';
CREATE UNIQUE INDEX identity_cases_pending ON identity_cases (member_id) WHERE state = 'pending';
CREATE UNIQUE INDEX identity_cases_verified ON identity_cases (member_id) WHERE state = 'verified';
CREATE INDEX identity_cases_by_member ON identity_cases (member_id, case_id);
CREATE INDEX identity_cases_by_number ON identity_cases (number_hash);
CREATE INDEX identity_cases_expiring ON identity_cases (document_expires) WHERE state = 'verified' AND document_expires IS NOT NULL;
-- Members see their own state; the encrypted number and the birth date on the document are for compliance only.
GRANT SELECT ON identity_cases TO fairtick_console;
GRANT SELECT (case_id, member_id, state, decided_at) ON identity_cases TO fairtick_money, fairtick_reader;
GRANT
  SELECT (case_id, member_id, document_type, submitted_at, state, decided_at, reason, document_expires, ended_at,
    end_reason)
  ON identity_cases TO fairtick_sessions;

CREATE TRIGGER keep_identity_cases BEFORE DELETE ON identity_cases FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE identity_cases ENABLE ALWAYS TRIGGER keep_identity_cases;
CREATE TRIGGER keep_all_identity_cases BEFORE TRUNCATE ON identity_cases FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE identity_cases ENABLE ALWAYS TRIGGER keep_all_identity_cases;

CREATE TABLE identity_flags (
  case_id bigint NOT NULL REFERENCES identity_cases,
  flag text NOT NULL CHECK (flag IN ('number_seen', 'birth_date', 'payer_name')),
  other_case_id bigint REFERENCES identity_cases,
  raised_at bigint NOT NULL,
  PRIMARY KEY (case_id, flag)
);
COMMENT ON TABLE identity_flags IS 'What a rule found odd about a case. A flagged case is decided by two people.';
COMMENT ON COLUMN identity_flags.case_id IS 'The identity case';
COMMENT ON COLUMN identity_flags.flag IS 'What is odd';
COMMENT ON COLUMN identity_flags.other_case_id IS 'Another member''s case with the same document number';
COMMENT ON COLUMN identity_flags.raised_at IS 'When it was found, ms since 1970 UTC';
CALL write_once('identity_flags');
GRANT SELECT ON identity_flags TO fairtick_console;

CREATE TABLE identity_reminders (
  case_id bigint PRIMARY KEY REFERENCES identity_cases,
  sent_at bigint NOT NULL
);
COMMENT ON TABLE identity_reminders IS 'Members who were told that their document is about to expire; once per case.';
COMMENT ON COLUMN identity_reminders.case_id IS 'The identity case';
COMMENT ON COLUMN identity_reminders.sent_at IS 'When it was sent, ms since 1970 UTC';
CALL write_once('identity_reminders');

-- A member's state: verified while one of their cases is, also while they hand in a newer document; otherwise what
-- the newest case says. A revoked case counts as rejected, with its reason; after an expired one the member is
-- unverified.
CREATE FUNCTION identity_state(member bigint) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE state WHEN 'revoked' THEN 'rejected' WHEN 'expired' THEN 'unverified' ELSE state END
  FROM identity_cases WHERE member_id = member ORDER BY state = 'verified' DESC, case_id DESC LIMIT 1
$$;

-- Whether a verified member may submit their next document: from 30 days before the last day of the current one.
CREATE FUNCTION renewal_opens(expires date) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce(expires <= (clock_timestamp() AT TIME ZONE 'UTC')::date + 30, false)
$$;

-- Returns null, or the name of the refusal. Nothing can be submitted while a check is under way, or while verified, except
-- shortly before the document's last day.
CREATE FUNCTION identity_is_open(member bigint) RETURNS text LANGUAGE plpgsql AS $$
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
REVOKE EXECUTE ON FUNCTION identity_is_open FROM PUBLIC;

-- A case is decided once, and a verified one ends once. What was handed in and how it was decided never changes.
CREATE FUNCTION keep_identity_case() RETURNS trigger LANGUAGE plpgsql AS $$
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
REVOKE EXECUTE ON FUNCTION keep_identity_case FROM PUBLIC;

CREATE TRIGGER keep_identity_case BEFORE UPDATE ON identity_cases FOR EACH ROW EXECUTE FUNCTION keep_identity_case();
ALTER TABLE identity_cases ENABLE ALWAYS TRIGGER keep_identity_case;

CREATE FUNCTION submit_identity_basics(member bigint, family text, given text, of_gender text, born date) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  now_ms bigint := floor(extract(epoch FROM clock_timestamp()) * 1000);
  refusal text := identity_is_open(member);
BEGIN
  IF refusal IS NULL THEN
    INSERT INTO identity_basics (member_id, family_name, given_name, gender, birth_date, submitted_at) VALUES (member, family, given, of_gender, born, now_ms)
      ON CONFLICT (member_id) DO UPDATE SET family_name = family, given_name = given, gender = of_gender, birth_date = born, submitted_at = now_ms;
  END IF;
  RETURN refusal;
END
$$;
REVOKE EXECUTE ON FUNCTION submit_identity_basics FROM PUBLIC;
GRANT EXECUTE ON FUNCTION submit_identity_basics TO fairtick_sessions;

-- Opens a case with the submitted document, and flags it if another member has submitted the same number. Two members
-- who submit the same number at the same moment are handled one after the other, so that the second is flagged.
CREATE FUNCTION submit_identity_documents(new_case bigint, member bigint, of_type text, sealed_number bytea, hash bytea, front bigint, back bigint) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  now_ms bigint := floor(extract(epoch FROM clock_timestamp()) * 1000);
  refusal text := identity_is_open(member);
  basics identity_basics;
  seen bigint;
BEGIN
  IF refusal IS NOT NULL THEN
    RETURN refusal;
  END IF;
  SELECT * INTO basics FROM identity_basics WHERE member_id = member;
  IF NOT FOUND THEN
    RETURN 'FIELD_MISSING';
  END IF;
  PERFORM pg_advisory_xact_lock(6270016, hashtext(encode(hash, 'hex')));
  SELECT case_id INTO seen FROM identity_cases WHERE number_hash = hash AND member_id <> member ORDER BY case_id DESC LIMIT 1;
  INSERT INTO identity_cases (case_id, member_id, family_name, given_name, gender, birth_date, document_type, document_number, number_hash,
      front_file_id, back_file_id, submitted_at)
    VALUES (new_case, member, basics.family_name, basics.given_name, basics.gender, basics.birth_date, of_type, sealed_number, hash, front, back, now_ms);
  IF seen IS NOT NULL THEN
    INSERT INTO identity_flags (case_id, flag, other_case_id, raised_at) VALUES (new_case, 'number_seen', seen, now_ms);
  END IF;
  RETURN NULL;
END
$$;
REVOKE EXECUTE ON FUNCTION submit_identity_documents FROM PUBLIC;
GRANT EXECUTE ON FUNCTION submit_identity_documents TO fairtick_sessions;

-- Reduces a name to lowercase letters without accents: `Müller-Lüdenscheidt` and `MULLER LUDENSCHEIDT` become equal.
CREATE FUNCTION bare_name(name text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT lower(regexp_replace(regexp_replace(normalize(name, NFD), '[\u0300-\u036f]', '', 'g'), '[^[:alpha:]]', '', 'g'))
$$;
REVOKE EXECUTE ON FUNCTION bare_name FROM PUBLIC;

-- Whether a bank transfer matched to one of the member's deposits came from someone of another name: one that lacks
-- the last name, or the first of the first names.
CREATE FUNCTION identity_payer_differs(of_case bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM identity_cases c JOIN deposits d ON d.member_id = c.member_id JOIN bank_deposits b USING (deposit_id)
      JOIN statement_entries e ON e.entry_id = b.matched_entry
    WHERE c.case_id = of_case AND (position(bare_name(c.family_name) IN bare_name(e.debtor)) = 0
      OR position(bare_name(split_part(c.given_name, ' ', 1)) IN bare_name(e.debtor)) = 0))
$$;
REVOKE EXECUTE ON FUNCTION identity_payer_differs FROM PUBLIC;

-- Flags a case before its decision if the payer's name differs, or the birth date that the reviewer read on the document.
CREATE FUNCTION flag_identity(session bigint, of_case bigint, read_date date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM require_session(session);
  INSERT INTO identity_flags (case_id, flag, raised_at)
    SELECT case_id, flag, floor(extract(epoch FROM clock_timestamp()) * 1000) FROM identity_cases
      CROSS JOIN LATERAL (SELECT 'birth_date' AS flag WHERE birth_date <> read_date UNION ALL SELECT 'payer_name' WHERE identity_payer_differs(of_case)) found
    WHERE case_id = of_case AND state = 'pending'
    ON CONFLICT DO NOTHING;
END
$$;
REVOKE EXECUTE ON FUNCTION flag_identity FROM PUBLIC;
GRANT EXECUTE ON FUNCTION flag_identity TO fairtick_console;

-- A case that the payer rule flags can't be decided by one person.
CREATE FUNCTION refuse_odd_payer() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF NEW.state = 'verified' AND NEW.proposal_id IS NULL AND identity_payer_differs(NEW.case_id) THEN
    RAISE EXCEPTION 'identity case % has a transfer from another name: two people decide', NEW.case_id USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$$;
REVOKE EXECUTE ON FUNCTION refuse_odd_payer FROM PUBLIC;

CREATE TRIGGER refuse_odd_payer BEFORE UPDATE ON identity_cases FOR EACH ROW EXECUTE FUNCTION refuse_odd_payer();
ALTER TABLE identity_cases ENABLE ALWAYS TRIGGER refuse_odd_payer;

-- Decides a case. One person of compliance is enough if nothing is flagged and the document has the birth date that was
-- given; otherwise two of them have to agree. Returns false if it is already decided.
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
REVOKE EXECUTE ON FUNCTION decide_identity FROM PUBLIC;
GRANT EXECUTE ON FUNCTION decide_identity TO fairtick_console;

-- Ends a verified identity as two people of compliance agreed; the member reads the proposal's reason. Returns
-- false if it is no longer verified. Nothing else changes: money, orders and withdrawals stay.
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
REVOKE EXECUTE ON FUNCTION revoke_identity FROM PUBLIC;
GRANT EXECUTE ON FUNCTION revoke_identity TO fairtick_console;

-- Ends identities whose document's last day is over in every time zone. Returns their members.
CREATE FUNCTION expire_identities() RETURNS TABLE (member bigint, last_day date)
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE identity_cases SET state = 'expired', ended_at = now_ms()
    WHERE state = 'verified' AND document_expires < (clock_timestamp() AT TIME ZONE 'UTC' - interval '12 hours')::date
    RETURNING member_id, document_expires
$$;
REVOKE EXECUTE ON FUNCTION expire_identities FROM PUBLIC;
GRANT EXECUTE ON FUNCTION expire_identities TO fairtick_jobs;

-- Returns the members whose document is about to expire and who were not told yet, each of them once.
CREATE FUNCTION remind_of_expiry() RETURNS TABLE (member bigint, last_day date)
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH told AS (
    INSERT INTO identity_reminders (case_id, sent_at)
      SELECT case_id, now_ms() FROM identity_cases WHERE state = 'verified' AND document_expires IS NOT NULL AND renewal_opens(document_expires)
      ON CONFLICT DO NOTHING RETURNING case_id)
  SELECT member_id, document_expires FROM told JOIN identity_cases USING (case_id)
$$;
REVOKE EXECUTE ON FUNCTION remind_of_expiry FROM PUBLIC;
GRANT EXECUTE ON FUNCTION remind_of_expiry TO fairtick_jobs;
