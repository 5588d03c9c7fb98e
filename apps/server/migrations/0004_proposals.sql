-- What takes two people: one proposes, another decides. A proposal without a decision is open; approved and
-- rejected are final, and the effect of an approval happens once.

CREATE TABLE proposal_kinds (
  kind text PRIMARY KEY,
  maker_roles text[] NOT NULL,
  checker_roles text[] NOT NULL,
  one_of_each text[] NOT NULL DEFAULT '{}'
);
COMMENT ON TABLE proposal_kinds IS 'What takes two people, and which roles they need.';
COMMENT ON COLUMN proposal_kinds.kind IS 'Name of the kind';
COMMENT ON COLUMN proposal_kinds.maker_roles IS 'Roles that may propose it';
COMMENT ON COLUMN proposal_kinds.checker_roles IS 'Roles that may decide it';
COMMENT ON COLUMN proposal_kinds.one_of_each IS 'Maker and checker have to come from different roles of these; empty for no such rule';
INSERT INTO proposal_kinds (kind, maker_roles, checker_roles, one_of_each) VALUES
  ('correction', '{finance}', '{finance}', '{}'),
  ('config', '{admin}', '{admin}', '{}'),
  ('capital', '{admin,finance}', '{admin,finance}', '{admin,finance}'),
  ('operator', '{admin}', '{admin}', '{}'),
  ('lift', '{compliance}', '{compliance}', '{}'),
  -- The operators' public keys. The signer keeps its own list: the database's is for screens and for early answers.
  ('payout_key', '{finance}', '{finance,admin}', '{}'),
  ('card_deposit', '{support,finance}', '{finance}', '{}'),
  ('receiving_card', '{admin}', '{admin}', '{}'),
  ('identity', '{compliance}', '{compliance}', '{}'),
  ('referral', '{admin}', '{admin}', '{}'),
  ('deposit_reversal', '{finance}', '{finance}', '{}'),
  -- Closing an incident is for two people where it lets money move again: withdrawals that are frozen, a stopped wallet.
  ('incident', '{admin,finance}', '{admin,finance}', '{}'),
  ('regions', '{admin}', '{admin}', '{}'),
  ('withdrawals', '{admin}', '{admin}', '{}'),
  ('identity_revoke', '{compliance}', '{compliance}', '{}'),
  -- A member who lost every second factor is let in again by one person of support and one of compliance.
  ('second_factor', '{support,compliance}', '{support,compliance}', '{support,compliance}'),
  ('member_freeze', '{compliance}', '{compliance}', '{}');
CALL write_once('proposal_kinds');
GRANT SELECT ON proposal_kinds TO fairtick_console;

CREATE TABLE proposals (
  proposal_id bigint PRIMARY KEY,
  kind text NOT NULL REFERENCES proposal_kinds,
  made_by bigint NOT NULL,
  made_session bigint NOT NULL,
  made_at bigint NOT NULL,
  reason text NOT NULL CHECK (length(btrim(reason)) >= 3),
  member_id bigint REFERENCES members,
  body text NOT NULL,
  FOREIGN KEY (made_session, made_by) REFERENCES operator_sessions (session_id, operator_id),
  UNIQUE (proposal_id, made_by, made_session)
);
COMMENT ON TABLE proposals IS 'What one operator proposed for another to decide.';
COMMENT ON COLUMN proposals.proposal_id IS 'Number of the proposal';
COMMENT ON COLUMN proposals.kind IS 'What is proposed';
COMMENT ON COLUMN proposals.made_by IS 'The operator who proposed it';
COMMENT ON COLUMN proposals.made_session IS 'Their session';
COMMENT ON COLUMN proposals.made_at IS 'When it was proposed, ms since 1970 UTC';
COMMENT ON COLUMN proposals.reason IS 'Why, in the maker''s words';
COMMENT ON COLUMN proposals.member_id IS 'The member it is about, if any';
COMMENT ON COLUMN proposals.body IS 'What is proposed, as JSON by kind; amounts in micro-USD as digits';
CALL write_once('proposals');
CREATE INDEX proposals_by_kind ON proposals (kind, proposal_id);
GRANT SELECT, INSERT ON proposals TO fairtick_console;

CREATE TABLE decisions (
  proposal_id bigint PRIMARY KEY,
  made_by bigint NOT NULL,
  made_session bigint NOT NULL,
  decided_by bigint NOT NULL,
  decided_session bigint NOT NULL,
  decided_at bigint NOT NULL,
  decision text NOT NULL CHECK (decision IN ('approved', 'rejected')),
  reason text NOT NULL CHECK (length(btrim(reason)) >= 3),
  FOREIGN KEY (proposal_id, made_by, made_session) REFERENCES proposals (proposal_id, made_by, made_session),
  FOREIGN KEY (decided_session, decided_by) REFERENCES operator_sessions (session_id, operator_id),
  -- Two people with two sessions; makers may only take their own proposals back.
  CONSTRAINT maker_is_not_checker CHECK (decision = 'rejected' OR (made_by <> decided_by AND made_session <> decided_session))
);
COMMENT ON TABLE decisions IS 'How each proposal ended. One without a row is still open.';
COMMENT ON COLUMN decisions.proposal_id IS 'The proposal that is decided';
COMMENT ON COLUMN decisions.made_by IS 'The operator who proposed it, repeated for the checks';
COMMENT ON COLUMN decisions.made_session IS 'Their session, repeated for the checks';
COMMENT ON COLUMN decisions.decided_by IS 'The operator who decided';
COMMENT ON COLUMN decisions.decided_session IS 'Their session';
COMMENT ON COLUMN decisions.decided_at IS 'When it was decided, ms since 1970 UTC';
COMMENT ON COLUMN decisions.decision IS 'Approved or rejected';
COMMENT ON COLUMN decisions.reason IS 'Why, in the words of whoever decided';
CALL write_once('decisions');
GRANT SELECT, INSERT ON decisions TO fairtick_console;
GRANT SELECT (proposal_id, made_by, decided_by, decision) ON decisions TO fairtick_jobs;

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
REVOKE EXECUTE ON FUNCTION check_proposal FROM PUBLIC;

CREATE TRIGGER check_proposal BEFORE INSERT ON proposals FOR EACH ROW EXECUTE FUNCTION check_proposal();
ALTER TABLE proposals ENABLE ALWAYS TRIGGER check_proposal;

-- A decision needs someone whose role may decide this kind. Whoever made a proposal may always take it back.
CREATE FUNCTION check_decision() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  rule proposal_kinds;
BEGIN
  PERFORM require_session(NEW.decided_session);
  SELECT k.* INTO rule FROM proposals p JOIN proposal_kinds k USING (kind) WHERE p.proposal_id = NEW.proposal_id;
  PERFORM FROM operator_roles WHERE operator_id = NEW.decided_by AND (role = ANY (rule.checker_roles)
    OR (NEW.decision = 'rejected' AND NEW.made_by = NEW.decided_by AND role = ANY (rule.maker_roles)));
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
REVOKE EXECUTE ON FUNCTION check_decision FROM PUBLIC;

CREATE TRIGGER check_decision BEFORE INSERT ON decisions FOR EACH ROW EXECUTE FUNCTION check_decision();
ALTER TABLE decisions ENABLE ALWAYS TRIGGER check_decision;

-- The body of an approved proposal of a kind. Every function with an effect begins with this.
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
REVOKE EXECUTE ON FUNCTION approved_proposal FROM PUBLIC;

-- The operator of a live session who has one of the roles. Everything finance does asks for this, whoever calls.
CREATE FUNCTION operator_with(session bigint, roles text[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  who bigint;
BEGIN
  PERFORM require_session(session);
  SELECT s.operator_id INTO who FROM operator_sessions s JOIN operator_roles r USING (operator_id)
    WHERE s.session_id = session AND r.role = ANY (roles) LIMIT 1;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'session % is of none of %', session, roles USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN who;
END
$$;
REVOKE EXECUTE ON FUNCTION operator_with FROM PUBLIC;

CREATE TABLE operator_changes (
  proposal_id bigint PRIMARY KEY REFERENCES proposals
);
COMMENT ON TABLE operator_changes IS 'Proposals about operators that have taken effect, so that each does so once.';
COMMENT ON COLUMN operator_changes.proposal_id IS 'The approved proposal it came from';
CALL write_once('operator_changes');

-- Operators and their roles change only by approved proposals: {do: invite|roles|disable, operatorId, login, name,
-- roles}. Each proposal applies once. Returns the sessions that end because of it.
CREATE FUNCTION apply_operator_change(proposal bigint, new_invite_hash bytea) RETURNS bigint[]
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  agreed jsonb := (approved_proposal(proposal, 'operator')).body::jsonb;
  now_ms bigint := floor(extract(epoch FROM clock_timestamp()) * 1000);
  who bigint := (agreed ->> 'operatorId')::bigint;
  ended bigint[] := '{}';
BEGIN
  INSERT INTO operator_changes (proposal_id) VALUES (proposal) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'proposal % has had its effect', proposal USING ERRCODE = 'insufficient_privilege';
  END IF;
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
REVOKE EXECUTE ON FUNCTION apply_operator_change FROM PUBLIC;
GRANT EXECUTE ON FUNCTION apply_operator_change TO fairtick_console;

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
COMMENT ON TABLE suspensions IS 'Suspensions of members. One person suspends for 24 hours, then a second one reviews; lifting takes an approved proposal.';
COMMENT ON COLUMN suspensions.suspension_id IS 'Number of the suspension';
COMMENT ON COLUMN suspensions.member_id IS 'The member';
COMMENT ON COLUMN suspensions.standing_before IS 'The member''s standing before';
COMMENT ON COLUMN suspensions.suspended_by IS 'The operator who suspended';
COMMENT ON COLUMN suspensions.suspended_at IS 'When they suspended, ms since 1970 UTC';
COMMENT ON COLUMN suspensions.reason IS 'Why, in their words';
COMMENT ON COLUMN suspensions.reviewed_by IS 'The second operator, who reviewed it';
COMMENT ON COLUMN suspensions.reviewed_at IS 'When it was reviewed, ms since 1970 UTC';
COMMENT ON COLUMN suspensions.review_reason IS 'What the reviewer said';
COMMENT ON COLUMN suspensions.lifted_by IS 'The operator who lifted it';
COMMENT ON COLUMN suspensions.lifted_at IS 'When it was lifted, ms since 1970 UTC; null while it lasts';
COMMENT ON COLUMN suspensions.lift_reason IS 'Why it was lifted';
CREATE UNIQUE INDEX suspensions_open ON suspensions (member_id) WHERE lifted_at IS NULL;
GRANT SELECT ON suspensions TO fairtick_console;

-- Suspends a member. The database checks the role itself, in addition to the session.
CREATE FUNCTION suspend_member(new_suspension bigint, session bigint, member bigint, why text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  before text;
BEGIN
  PERFORM operator_with(session, '{compliance}');
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
REVOKE EXECUTE ON FUNCTION suspend_member FROM PUBLIC;
GRANT EXECUTE ON FUNCTION suspend_member TO fairtick_console;

CREATE FUNCTION review_suspension(session bigint, member bigint, why text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM operator_with(session, '{compliance}');
  UPDATE suspensions SET reviewed_by = (SELECT operator_id FROM operator_sessions WHERE session_id = session),
      reviewed_at = floor(extract(epoch FROM clock_timestamp()) * 1000), review_reason = why
    WHERE member_id = member AND lifted_at IS NULL AND reviewed_at IS NULL;
  RETURN FOUND;
END
$$;
REVOKE EXECUTE ON FUNCTION review_suspension FROM PUBLIC;
GRANT EXECUTE ON FUNCTION review_suspension TO fairtick_console;

-- Lifts a suspension. `proposal` may be null for the first 24 hours.
CREATE FUNCTION lift_suspension(session bigint, member bigint, proposal bigint, why text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  now_ms bigint := floor(extract(epoch FROM clock_timestamp()) * 1000);
  open_one suspensions;
BEGIN
  PERFORM operator_with(session, '{compliance}');
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
REVOKE EXECUTE ON FUNCTION lift_suspension FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lift_suspension TO fairtick_console;

-- Whether someone can hold a post: an operator in support who has not left.
CREATE FUNCTION takes_members(person bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM operators o JOIN operator_roles r USING (operator_id)
    WHERE o.operator_id = person AND o.disabled_at IS NULL AND r.role = 'support')
$$;
REVOKE EXECUTE ON FUNCTION takes_members FROM PUBLIC;
