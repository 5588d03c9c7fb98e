-- The back office: who works in it, what he did, and the money that moves only when a second person agrees.

DO $$
BEGIN
  BEGIN
    CREATE ROLE fairtick_console NOLOGIN;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
  END;
  IF NOT pg_has_role(current_user, 'fairtick_console', CASE WHEN current_setting('server_version_num')::integer >= 160000 THEN 'SET' ELSE 'MEMBER' END) THEN
    GRANT fairtick_console TO CURRENT_USER;
  END IF;
END
$$;
GRANT USAGE ON SCHEMA public TO fairtick_console;

CREATE TABLE operators (
  operator_id bigint PRIMARY KEY,
  login text NOT NULL UNIQUE CHECK (login ~ '^[a-z0-9][a-z0-9.-]{1,39}$'),
  name text NOT NULL,
  -- Null until the invitation is taken up.
  password_hash text,
  -- AES-256-GCM under a key derived from the deployment's secret: useless to a thief of the database.
  totp_secret bytea,
  -- Newest time step whose code was used: each code opens one session.
  totp_step bigint NOT NULL DEFAULT 0,
  invite_hash bytea UNIQUE,
  invite_expires_at bigint,
  created_at bigint NOT NULL,
  disabled_at bigint
);
CREATE TABLE operator_roles (
  operator_id bigint NOT NULL REFERENCES operators,
  role text NOT NULL CHECK (role IN ('support', 'finance', 'compliance', 'admin', 'auditor')),
  PRIMARY KEY (operator_id, role)
);
-- Codes for whoever lost his second factor; each works once.
CREATE TABLE operator_recovery_codes (
  operator_id bigint NOT NULL REFERENCES operators,
  code_hash bytea NOT NULL,
  used_at bigint,
  PRIMARY KEY (operator_id, code_hash)
);
CREATE TABLE operator_sessions (
  session_id bigint PRIMARY KEY,
  operator_id bigint NOT NULL REFERENCES operators,
  token_hash bytea NOT NULL UNIQUE,
  ip text NOT NULL,
  device text NOT NULL,
  created_at bigint NOT NULL,
  seen_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  -- Null while only the password was right.
  verified_at bigint,
  ended_at bigint,
  UNIQUE (session_id, operator_id)
);
CREATE INDEX operator_sessions_live ON operator_sessions (operator_id) WHERE ended_at IS NULL;
GRANT SELECT ON operators, operator_roles, operator_recovery_codes, operator_sessions TO fairtick_console;
GRANT UPDATE (password_hash, totp_secret, totp_step, invite_hash, invite_expires_at) ON operators TO fairtick_console;
GRANT INSERT ON operator_recovery_codes TO fairtick_console;
GRANT UPDATE (used_at) ON operator_recovery_codes TO fairtick_console;
GRANT INSERT ON operator_sessions TO fairtick_console;
GRANT UPDATE (token_hash, seen_at, expires_at, verified_at, ended_at) ON operator_sessions TO fairtick_console;
-- Tries at passwords and codes are counted where the members' are.
GRANT SELECT, INSERT, UPDATE ON attempts TO fairtick_console;
GRANT USAGE ON SEQUENCE order_id_nodes TO fairtick_console;

-- Who, when, from where, what, why. Each row's hash covers the one before: a row taken out or changed breaks the chain.
CREATE TABLE audit_trail (
  audit_no bigint PRIMARY KEY,
  at bigint NOT NULL,
  -- Null where nobody was known: a login that failed.
  operator_id bigint REFERENCES operators,
  session_id bigint REFERENCES operator_sessions,
  ip text NOT NULL,
  device text NOT NULL,
  action text NOT NULL,
  -- The id of what it was about.
  subject text,
  reason text,
  -- What was asked, as JSON, without secrets.
  detail text NOT NULL,
  -- `done` or the name of the refusal.
  outcome text NOT NULL,
  previous_hash bytea NOT NULL,
  hash bytea NOT NULL
);
CALL write_once('audit_trail');
CREATE INDEX audit_trail_by_operator ON audit_trail (operator_id, audit_no);
CREATE INDEX audit_trail_by_subject ON audit_trail (subject, audit_no);
CREATE TABLE audit_head (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  audit_no bigint NOT NULL,
  hash bytea NOT NULL
);
INSERT INTO audit_head (audit_no, hash) VALUES (0, decode(repeat('00', 32), 'hex'));

-- Text fields are quoted as JSON, so that no two rows have the same bytes.
CREATE FUNCTION audit_hash(previous bytea, row_no bigint, row_at bigint, operator bigint, session bigint, from_ip text, from_device text,
  what text, about text, why text, asked text, ended text) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT sha256('\x41554449543100'::bytea || previous ||
    convert_to(json_build_array(row_no, row_at, operator, session, from_ip, from_device, what, about, why, asked, ended)::text, 'UTF8'))
$$;

-- The one way to write the trail: its head is locked till the commit, so that the chain has no forks and no gaps.
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

-- The first number at which the chain does not hold; null where it holds to its head.
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
GRANT SELECT ON audit_trail TO fairtick_console;
REVOKE EXECUTE ON FUNCTION write_audit, first_broken_audit FROM PUBLIC;
GRANT EXECUTE ON FUNCTION write_audit, first_broken_audit TO fairtick_console;

-- What takes two people: a proposal, and the decision of another one. A new kind is a row here and a line in the console.
CREATE TABLE proposal_kinds (
  kind text PRIMARY KEY,
  maker_roles text[] NOT NULL,
  checker_roles text[] NOT NULL,
  -- Maker and checker come from different ones of these roles: of `{admin,finance}` one each.
  one_of_each text[] NOT NULL DEFAULT '{}'
);
CALL write_once('proposal_kinds');
INSERT INTO proposal_kinds (kind, maker_roles, checker_roles, one_of_each) VALUES
  ('correction', '{finance}', '{finance}', '{}'),
  ('config', '{admin}', '{admin}', '{}'),
  ('capital', '{admin,finance}', '{admin,finance}', '{admin,finance}'),
  ('operator', '{admin}', '{admin}', '{}'),
  ('lift', '{compliance}', '{compliance}', '{}');

CREATE TABLE proposals (
  proposal_id bigint PRIMARY KEY,
  kind text NOT NULL REFERENCES proposal_kinds,
  made_by bigint NOT NULL,
  made_session bigint NOT NULL,
  made_at bigint NOT NULL,
  reason text NOT NULL CHECK (length(btrim(reason)) >= 3),
  member_id bigint REFERENCES members,
  -- JSON by kind; amounts in micro-USD as digits.
  body text NOT NULL,
  FOREIGN KEY (made_session, made_by) REFERENCES operator_sessions (session_id, operator_id),
  UNIQUE (proposal_id, made_by, made_session)
);
CALL write_once('proposals');
CREATE INDEX proposals_by_kind ON proposals (kind, proposal_id);

CREATE TABLE decisions (
  proposal_id bigint PRIMARY KEY,
  -- The proposal's own, held by the foreign key, so that the checks below need no other table.
  made_by bigint NOT NULL,
  made_session bigint NOT NULL,
  decided_by bigint NOT NULL,
  decided_session bigint NOT NULL,
  decided_at bigint NOT NULL,
  decision text NOT NULL CHECK (decision IN ('approved', 'rejected')),
  reason text NOT NULL CHECK (length(btrim(reason)) >= 3),
  FOREIGN KEY (proposal_id, made_by, made_session) REFERENCES proposals (proposal_id, made_by, made_session),
  FOREIGN KEY (decided_session, decided_by) REFERENCES operator_sessions (session_id, operator_id),
  -- Two people with two sessions; a maker may only take his own proposal back.
  CONSTRAINT maker_is_not_checker CHECK (decision = 'rejected' OR (made_by <> decided_by AND made_session <> decided_session))
);
CALL write_once('decisions');

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

CREATE FUNCTION check_proposal() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM require_session(NEW.made_session);
  PERFORM FROM proposal_kinds k JOIN operator_roles r ON r.role = ANY (k.maker_roles) WHERE k.kind = NEW.kind AND r.operator_id = NEW.made_by;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'operator % may not propose a %', NEW.made_by, NEW.kind USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER check_proposal BEFORE INSERT ON proposals FOR EACH ROW EXECUTE FUNCTION check_proposal();
ALTER TABLE proposals ENABLE ALWAYS TRIGGER check_proposal;

CREATE FUNCTION check_decision() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  rule proposal_kinds;
BEGIN
  PERFORM require_session(NEW.decided_session);
  SELECT k.* INTO rule FROM proposals p JOIN proposal_kinds k USING (kind) WHERE p.proposal_id = NEW.proposal_id;
  PERFORM FROM operator_roles WHERE operator_id = NEW.decided_by AND role = ANY (rule.checker_roles);
  IF NOT FOUND THEN
    RAISE EXCEPTION 'operator % may not decide on a %', NEW.decided_by, rule.kind USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF NEW.decision = 'approved' AND cardinality(rule.one_of_each) > 0 THEN
    PERFORM FROM operator_roles m JOIN operator_roles c ON c.role <> m.role
      WHERE m.operator_id = NEW.made_by AND c.operator_id = NEW.decided_by AND m.role = ANY (rule.one_of_each) AND c.role = ANY (rule.one_of_each);
    IF NOT FOUND THEN
      RAISE EXCEPTION 'a % takes one of each of %', rule.kind, rule.one_of_each USING ERRCODE = 'insufficient_privilege';
    END IF;
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER check_decision BEFORE INSERT ON decisions FOR EACH ROW EXECUTE FUNCTION check_decision();
ALTER TABLE decisions ENABLE ALWAYS TRIGGER check_decision;
GRANT SELECT ON proposal_kinds TO fairtick_console;
GRANT SELECT, INSERT ON proposals, decisions TO fairtick_console;

-- The body of an approved proposal of a kind; every function that has an effect begins with it.
CREATE FUNCTION approved_proposal(proposal bigint, of_kind text) RETURNS proposals LANGUAGE plpgsql AS $$
DECLARE
  agreed proposals;
BEGIN
  SELECT p.* INTO agreed FROM proposals p JOIN decisions d USING (proposal_id)
    WHERE p.proposal_id = proposal AND p.kind = of_kind AND d.decision = 'approved';
  IF NOT FOUND THEN
    RAISE EXCEPTION 'proposal % is no approved %', proposal, of_kind USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN agreed;
END
$$;

-- A correction of money: a transfer between a member's available and the house's capital, at most 1,000,000.00, once.
-- The member reads the proposal's reason in his fund records. A member who has less is refused by the CHECK of his row.
CREATE FUNCTION apply_correction(proposal bigint, new_transfer bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  agreed proposals := approved_proposal(proposal, 'correction');
  change bigint := (agreed.body::jsonb ->> 'amount')::bigint;
  of_wallet wallet := (agreed.body::jsonb ->> 'wallet')::wallet;
  seq bigint;
  after bigint;
BEGIN
  IF change = 0 OR abs(change) > 1000000000000 OR change % 10000 <> 0 THEN
    RAISE EXCEPTION 'a correction of % is outside its bounds', change USING ERRCODE = 'check_violation';
  END IF;
  UPDATE members_money SET member_seq = member_seq + 1,
      practice_available = practice_available + CASE of_wallet WHEN 'practice' THEN change ELSE 0 END,
      real_available = real_available + CASE of_wallet WHEN 'real' THEN change ELSE 0 END
    WHERE member_id = agreed.member_id
    RETURNING member_seq, CASE of_wallet WHEN 'practice' THEN practice_available ELSE real_available END INTO STRICT seq, after;
  INSERT INTO transfers (transfer_id, kind, wallet, member_id, member_seq, available_after, made_at, idempotency_key, remark)
    VALUES (new_transfer, 'correction', of_wallet, agreed.member_id, seq, after, floor(extract(epoch FROM clock_timestamp()) * 1000),
      'correction:' || proposal, agreed.reason);
  INSERT INTO postings (transfer_id, line, from_account, to_account, amount) VALUES
    (new_transfer, 1, CASE WHEN change > 0 THEN 'capital' ELSE 'available' END, CASE WHEN change > 0 THEN 'available' ELSE 'capital' END, abs(change));
  UPDATE house_accounts SET balance = balance - change WHERE wallet = of_wallet AND account = 'capital';
END
$$;

-- House capital into the pool, at most 1,000,000,000.00, once.
CREATE FUNCTION apply_capital(proposal bigint, new_transfer bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  agreed proposals := approved_proposal(proposal, 'capital');
  added bigint := (agreed.body::jsonb ->> 'amount')::bigint;
  of_wallet wallet := (agreed.body::jsonb ->> 'wallet')::wallet;
BEGIN
  IF added <= 0 OR added > 1000000000000000 OR added % 10000 <> 0 THEN
    RAISE EXCEPTION 'a capital of % is outside its bounds', added USING ERRCODE = 'check_violation';
  END IF;
  INSERT INTO transfers (transfer_id, kind, wallet, made_at, idempotency_key, remark)
    VALUES (new_transfer, 'house_capital', of_wallet, floor(extract(epoch FROM clock_timestamp()) * 1000), 'house_capital:' || proposal, agreed.reason);
  INSERT INTO postings (transfer_id, line, from_account, to_account, amount) VALUES (new_transfer, 1, 'capital', 'pool', added);
  UPDATE house_accounts SET balance = balance - added WHERE wallet = of_wallet AND account = 'capital';
  UPDATE house_accounts SET balance = balance + added WHERE wallet = of_wallet AND account = 'pool';
END
$$;

-- A new configuration version, exactly the one that was agreed, in the public log's outbox at least five seconds before
-- it binds: a batch of orders that was judged by the old one is written or refused by then. Dates only grow.
CREATE FUNCTION publish_config(proposal bigint, config text) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  agreed jsonb := (approved_proposal(proposal, 'config')).body::jsonb;
  given jsonb := config::jsonb;
  new_version integer := (given ->> 'version')::integer;
  binds_at bigint := (given ->> 'effectiveAt')::bigint;
  newest trading_configs;
  digest bytea := sha256(convert_to(config, 'UTF8'));
BEGIN
  LOCK TABLE trading_configs IN SHARE ROW EXCLUSIVE MODE;
  SELECT * INTO STRICT newest FROM trading_configs ORDER BY version DESC LIMIT 1;
  IF given - 'effectiveAt' <> (agreed -> 'config') - 'effectiveAt'
      OR (agreed ->> 'effectiveAt' IS NOT NULL AND (agreed ->> 'effectiveAt')::bigint <> binds_at) THEN
    RAISE EXCEPTION 'configuration % is not the one that proposal % agreed on', new_version, proposal USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF new_version <> newest.version + 1 OR binds_at <= newest.effective_at
      OR binds_at < floor(extract(epoch FROM clock_timestamp()) * 1000) + 5000 THEN
    RAISE EXCEPTION 'configuration % cannot bind from % on', new_version, binds_at USING ERRCODE = 'check_violation';
  END IF;
  INSERT INTO trading_configs (version, effective_at, body, body_hash) VALUES (new_version, binds_at, given, digest);
  INSERT INTO outbox (kind, entry) VALUES ('config',
    format('{"effectiveAt":%s,"hash":"%s","kind":"config","v":1,"version":%s}', binds_at, encode(digest, 'hex'), new_version));
  RETURN new_version;
END
$$;

-- A suspension is one person's for 24 hours: then a second one reviews it, and lifting it takes an approved proposal.
CREATE TABLE suspensions (
  suspension_id bigint PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES members,
  standing_before text NOT NULL,
  suspended_by bigint NOT NULL REFERENCES operators,
  suspended_at bigint NOT NULL,
  reason text NOT NULL CHECK (length(btrim(reason)) >= 3),
  reviewed_by bigint REFERENCES operators,
  reviewed_at bigint,
  review_reason text,
  lifted_by bigint REFERENCES operators,
  lifted_at bigint,
  lift_reason text,
  CONSTRAINT reviewer_is_not_suspender CHECK (reviewed_by <> suspended_by)
);
CREATE UNIQUE INDEX suspensions_open ON suspensions (member_id) WHERE lifted_at IS NULL;

CREATE FUNCTION suspend_member(new_suspension bigint, session bigint, member bigint, why text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  before text;
BEGIN
  PERFORM require_session(session);
  SELECT standing INTO before FROM members WHERE member_id = member FOR NO KEY UPDATE;
  IF NOT FOUND OR before IN ('suspended', 'closed') THEN
    RETURN false;
  END IF;
  INSERT INTO suspensions (suspension_id, member_id, standing_before, suspended_by, suspended_at, reason)
    SELECT new_suspension, member, before, operator_id, floor(extract(epoch FROM clock_timestamp()) * 1000), why
    FROM operator_sessions WHERE session_id = session;
  UPDATE members SET standing = 'suspended', standing_reason = why WHERE member_id = member;
  RETURN true;
END
$$;

CREATE FUNCTION review_suspension(session bigint, member bigint, why text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM require_session(session);
  UPDATE suspensions SET reviewed_by = (SELECT operator_id FROM operator_sessions WHERE session_id = session),
      reviewed_at = floor(extract(epoch FROM clock_timestamp()) * 1000), review_reason = why
    WHERE member_id = member AND lifted_at IS NULL AND reviewed_at IS NULL;
  RETURN FOUND;
END
$$;

-- `proposal` may be null for the first 24 hours of a suspension.
CREATE FUNCTION lift_suspension(session bigint, member bigint, proposal bigint, why text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  now_ms bigint := floor(extract(epoch FROM clock_timestamp()) * 1000);
  open_one suspensions;
BEGIN
  PERFORM require_session(session);
  SELECT * INTO open_one FROM suspensions WHERE member_id = member AND lifted_at IS NULL FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF proposal IS NOT NULL THEN
    PERFORM FROM approved_proposal(proposal, 'lift') agreed
      WHERE agreed.member_id = member AND (agreed.body::jsonb ->> 'suspensionId')::bigint = open_one.suspension_id;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'proposal % is about another suspension', proposal USING ERRCODE = 'insufficient_privilege';
    END IF;
  ELSIF now_ms - open_one.suspended_at > 86400000 THEN
    RAISE EXCEPTION 'a suspension older than 24 hours is lifted by two people' USING ERRCODE = 'insufficient_privilege';
  END IF;
  UPDATE suspensions SET lifted_by = (SELECT operator_id FROM operator_sessions WHERE session_id = session), lifted_at = now_ms, lift_reason = why
    WHERE suspension_id = open_one.suspension_id;
  UPDATE members SET standing = open_one.standing_before, standing_reason = NULL WHERE member_id = member AND standing = 'suspended';
  RETURN true;
END
$$;

-- Operators and their roles change by approved proposals alone: {do: invite|roles|disable, operatorId, login, name, roles}.
-- Answers the sessions that end by it.
CREATE FUNCTION apply_operator_change(proposal bigint, new_invite_hash bytea) RETURNS bigint[]
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  agreed jsonb := (approved_proposal(proposal, 'operator')).body::jsonb;
  now_ms bigint := floor(extract(epoch FROM clock_timestamp()) * 1000);
  who bigint := (agreed ->> 'operatorId')::bigint;
  ended bigint[] := '{}';
BEGIN
  IF agreed ->> 'do' = 'invite' THEN
    INSERT INTO operators (operator_id, login, name, created_at, invite_hash, invite_expires_at)
      VALUES (who, agreed ->> 'login', agreed ->> 'name', now_ms, new_invite_hash, now_ms + 172800000);
  ELSE
    PERFORM FROM operators WHERE operator_id = who AND disabled_at IS NULL FOR UPDATE;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'operator % is not there', who USING ERRCODE = 'no_data_found';
    END IF;
    -- What somebody may do is asked for at each call, yet whoever is trusted anew should also log in anew.
    WITH gone AS (UPDATE operator_sessions SET ended_at = now_ms WHERE operator_id = who AND ended_at IS NULL RETURNING session_id)
      SELECT coalesce(array_agg(session_id), '{}') INTO ended FROM gone;
    DELETE FROM operator_roles WHERE operator_id = who;
  END IF;
  IF agreed ->> 'do' = 'disable' THEN
    UPDATE operators SET disabled_at = now_ms, invite_hash = NULL WHERE operator_id = who;
  ELSE
    INSERT INTO operator_roles (operator_id, role) SELECT who, jsonb_array_elements_text(agreed -> 'roles');
  END IF;
  IF (SELECT count(DISTINCT operator_id) FROM operator_roles WHERE role = 'admin') < 2 THEN
    RAISE EXCEPTION 'fewer than two admins could agree on nothing' USING ERRCODE = 'check_violation';
  END IF;
  RETURN ended;
END
$$;

-- The first operators, while there are none: from then on only two people can make another.
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

REVOKE EXECUTE ON FUNCTION require_session, check_proposal, check_decision, approved_proposal, apply_correction, apply_capital, publish_config,
  suspend_member, review_suspension, lift_suspension, apply_operator_change, found_operators FROM PUBLIC;
GRANT EXECUTE ON FUNCTION apply_correction, apply_capital, publish_config,
  suspend_member, review_suspension, lift_suspension, apply_operator_change, found_operators TO fairtick_console;
GRANT SELECT ON suspensions TO fairtick_console;

-- What operators may look at; nothing of it may they write.
GRANT SELECT (member_id, region, standing, standing_reason, excluded_until, trade_password_set, username, phone, email, language, wallet, created_at, invite_code, invited_by)
  ON members TO fairtick_console;
GRANT SELECT ON members_money, house_accounts, transfers, postings, orders, open_orders, settlements, exposure, trading_configs, instrument_clock TO fairtick_console;
