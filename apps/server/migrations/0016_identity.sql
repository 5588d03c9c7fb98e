-- Who members are: what they handed in, who looked at it, and what was decided.

-- Name, gender and birth date, as the member last handed them in; each case keeps what it was judged by.
CREATE TABLE identity_basics (
  member_id bigint PRIMARY KEY REFERENCES members,
  family_name text NOT NULL CHECK (btrim(family_name) <> ''),
  given_name text NOT NULL CHECK (btrim(given_name) <> ''),
  gender text NOT NULL CHECK (gender IN ('male', 'female')),
  birth_date date NOT NULL,
  submitted_at bigint NOT NULL
);

-- One case a submission of documents. A rejected one stays as it is: the next submission is a case of its own.
CREATE TABLE identity_cases (
  case_id bigint PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES members,
  family_name text NOT NULL,
  given_name text NOT NULL,
  gender text NOT NULL,
  birth_date date NOT NULL,
  document_type text NOT NULL CHECK (document_type IN ('idCard', 'passport', 'driversLicense')),
  -- AES-256-GCM under a key derived from the deployment's secret: useless to a thief of the database.
  document_number bytea NOT NULL,
  -- HMAC-SHA-256 under another such key: finds a number again without telling which it is.
  number_hash bytea NOT NULL CHECK (length(number_hash) = 32),
  front_file_id bigint NOT NULL,
  back_file_id bigint NOT NULL CHECK (back_file_id <> front_file_id),
  submitted_at bigint NOT NULL,
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'verified', 'rejected')),
  decided_at bigint,
  decided_by bigint REFERENCES operators,
  -- A rejected member reads it; of a verified one it is for the files.
  reason text,
  -- What two people agreed on; null where one was enough.
  proposal_id bigint UNIQUE REFERENCES proposals,
  -- Birth date as the first reviewer read it off the document.
  document_birth_date date,
  CHECK ((state = 'pending') = (decided_at IS NULL) AND (state = 'pending') = (decided_by IS NULL)),
  CHECK (state = 'pending' OR length(btrim(reason)) >= 3),
  CHECK (state <> 'verified' OR document_birth_date IS NOT NULL)
);
CREATE UNIQUE INDEX identity_cases_pending ON identity_cases (member_id) WHERE state = 'pending';
CREATE UNIQUE INDEX identity_cases_verified ON identity_cases (member_id) WHERE state = 'verified';
CREATE INDEX identity_cases_by_member ON identity_cases (member_id, case_id);
CREATE INDEX identity_cases_by_number ON identity_cases (number_hash);

-- What a rule found odd about a case. A flagged case is decided by two people.
CREATE TABLE identity_flags (
  case_id bigint NOT NULL REFERENCES identity_cases,
  flag text NOT NULL CHECK (flag IN ('number_seen', 'birth_date', 'payer_name')),
  -- Another member's case with the same document number.
  other_case_id bigint REFERENCES identity_cases,
  raised_at bigint NOT NULL,
  PRIMARY KEY (case_id, flag)
);
CALL write_once('identity_flags');

-- A case is decided once and keeps what was handed in.
CREATE FUNCTION keep_identity_case() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state <> 'pending' OR NEW.state = 'pending' THEN
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
CREATE TRIGGER keep_identity_case BEFORE UPDATE ON identity_cases FOR EACH ROW EXECUTE FUNCTION keep_identity_case();
CREATE TRIGGER keep_identity_cases BEFORE DELETE ON identity_cases FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER keep_all_identity_cases BEFORE TRUNCATE ON identity_cases FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE identity_cases ENABLE ALWAYS TRIGGER keep_identity_case;
ALTER TABLE identity_cases ENABLE ALWAYS TRIGGER keep_identity_cases;
ALTER TABLE identity_cases ENABLE ALWAYS TRIGGER keep_all_identity_cases;

-- Answers null, or the name of the refusal: who is being checked, or is verified, hands nothing in.
CREATE FUNCTION identity_is_open(member bigint) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  newest text;
BEGIN
  -- One submission of a member after another.
  PERFORM FROM members WHERE member_id = member FOR NO KEY UPDATE;
  SELECT state INTO newest FROM identity_cases WHERE member_id = member ORDER BY case_id DESC LIMIT 1;
  RETURN CASE newest WHEN 'pending' THEN 'IDENTITY_PENDING' WHEN 'verified' THEN 'CONFLICT' END;
END
$$;

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

-- Makes a case of what was handed in and raises the flags that the tables can tell. Two members who hand in the same
-- number at one moment come one after the other, so that the second is flagged.
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

-- A reviewer read another birth date off the document than the member gave: from then on two people decide.
CREATE FUNCTION flag_identity_birth_date(session bigint, of_case bigint, read_date date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM require_session(session);
  INSERT INTO identity_flags (case_id, flag, raised_at)
    SELECT case_id, 'birth_date', floor(extract(epoch FROM clock_timestamp()) * 1000) FROM identity_cases
    WHERE case_id = of_case AND state = 'pending' AND birth_date <> read_date
    ON CONFLICT DO NOTHING;
END
$$;

INSERT INTO proposal_kinds (kind, maker_roles, checker_roles) VALUES ('identity', '{compliance}', '{compliance}');

-- Decides a case: one of compliance by himself where nothing is flagged and the document bears the birth date that was
-- given; otherwise what two of them agreed on. Answers false where somebody has decided.
CREATE FUNCTION decide_identity(session bigint, of_case bigint, proposal bigint, verdict text, read_date date, why text) RETURNS boolean
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
  IF NOT FOUND OR judged.state <> 'pending' THEN
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
        OR (agreed.body::jsonb ->> 'caseId', agreed.body::jsonb ->> 'verdict', agreed.body::jsonb ->> 'birthDate')
          IS DISTINCT FROM (of_case::text, verdict, read_date::text) THEN
      RAISE EXCEPTION 'proposal % agreed on something else than on case %', proposal, of_case USING ERRCODE = 'insufficient_privilege';
    END IF;
  END IF;
  -- Nobody under age anywhere on earth; what a region asks for besides is the program's rule.
  IF verdict = 'verified' AND read_date > (clock_timestamp() AT TIME ZONE 'UTC' + interval '14 hours')::date - interval '18 years' THEN
    RAISE EXCEPTION 'identity case % is under age', of_case USING ERRCODE = 'check_violation';
  END IF;
  UPDATE identity_cases SET state = verdict, decided_at = floor(extract(epoch FROM clock_timestamp()) * 1000), decided_by = reviewer,
      reason = why, proposal_id = proposal, document_birth_date = read_date
    WHERE case_id = of_case;
  RETURN true;
END
$$;

REVOKE EXECUTE ON FUNCTION keep_identity_case, identity_is_open, submit_identity_basics, submit_identity_documents, flag_identity_birth_date, decide_identity FROM PUBLIC;
GRANT EXECUTE ON FUNCTION submit_identity_basics, submit_identity_documents TO fairtick_sessions;
GRANT EXECUTE ON FUNCTION flag_identity_birth_date, decide_identity TO fairtick_console;

-- Members see their own state; the sealed number and the birth date off the document are for compliance alone.
GRANT SELECT ON identity_basics TO fairtick_sessions;
GRANT SELECT (case_id, member_id, document_type, submitted_at, state, decided_at, reason) ON identity_cases TO fairtick_sessions;
GRANT SELECT (case_id, member_id, state, decided_at) ON identity_cases TO fairtick_reader, fairtick_money;
GRANT SELECT ON identity_cases, identity_flags TO fairtick_console;
