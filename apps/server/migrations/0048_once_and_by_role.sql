-- What two people agreed on about an operator happens once: an old approval must not give back what was taken since.
CREATE TABLE operator_changes (
  proposal_id bigint PRIMARY KEY REFERENCES proposals
);
CALL write_once('operator_changes');
INSERT INTO operator_changes (proposal_id)
  SELECT proposal_id FROM proposals JOIN decisions USING (proposal_id) WHERE kind = 'operator' AND decision = 'approved';

-- As before, once for each proposal.
CREATE OR REPLACE FUNCTION apply_operator_change(proposal bigint, new_invite_hash bytea) RETURNS bigint[]
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

-- As before; the database too asks for the role, not for a session alone.
CREATE OR REPLACE FUNCTION suspend_member(new_suspension bigint, session bigint, member bigint, why text) RETURNS boolean
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

CREATE OR REPLACE FUNCTION review_suspension(session bigint, member bigint, why text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM operator_with(session, '{compliance}');
  UPDATE suspensions SET reviewed_by = (SELECT operator_id FROM operator_sessions WHERE session_id = session),
      reviewed_at = floor(extract(epoch FROM clock_timestamp()) * 1000), review_reason = why
    WHERE member_id = member AND lifted_at IS NULL AND reviewed_at IS NULL;
  RETURN FOUND;
END
$$;

CREATE OR REPLACE FUNCTION lift_suspension(session bigint, member bigint, proposal bigint, why text) RETURNS boolean
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

-- What came below the minimum is not lost: finance may credit it, as the watcher would have, under the watcher's own key. What came
-- in another token waits until finance has looked at it; it is never credited.
CREATE OR REPLACE FUNCTION step_deposit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF (OLD.deposit_id, OLD.member_id, OLD.method, OLD.created_at) IS DISTINCT FROM (NEW.deposit_id, NEW.member_id, NEW.method, NEW.created_at) THEN
      RAISE EXCEPTION 'a deposit stays its member''s' USING ERRCODE = 'check_violation';
    END IF;
    IF OLD.stage IN ('credited', 'reversed') AND (OLD.amount, OLD.transfer_id) IS DISTINCT FROM (NEW.amount, NEW.transfer_id) THEN
      RAISE EXCEPTION 'deposit % is credited and stays so', OLD.deposit_id USING ERRCODE = 'check_violation';
    END IF;
    IF OLD.stage = NEW.stage THEN
      RETURN NULL;
    END IF;
    IF NEW.stage = 'reversed' AND NOT EXISTS (SELECT FROM deposit_reversals r WHERE r.deposit_id = NEW.deposit_id) THEN
      RAISE EXCEPTION 'deposit % is credited and stays so', OLD.deposit_id USING ERRCODE = 'check_violation';
    END IF;
    IF NOT (CASE OLD.stage
      WHEN 'confirming' THEN NEW.stage IN ('below_minimum', 'orphaned', 'credited', 'rejected')
      WHEN 'orphaned' THEN NEW.stage IN ('confirming', 'rejected')
      WHEN 'below_minimum' THEN NEW.stage IN ('credited', 'rejected')
      WHEN 'awaiting_transfer' THEN NEW.stage IN ('in_review', 'credited', 'rejected', 'expired')
      WHEN 'expired' THEN NEW.stage = 'credited'
      WHEN 'wrong_token' THEN NEW.stage = 'rejected'
      WHEN 'in_review' THEN NEW.stage IN ('credited', 'rejected')
      WHEN 'claimed' THEN NEW.stage IN ('linked', 'rejected')
      WHEN 'credited' THEN NEW.stage = 'reversed'
      ELSE false END) THEN
      RAISE EXCEPTION 'deposit % cannot go from % to %', OLD.deposit_id, OLD.stage, NEW.stage USING ERRCODE = 'check_violation';
    END IF;
  END IF;
  INSERT INTO deposit_steps (deposit_id, step, stage, at)
    SELECT NEW.deposit_id, count(*) + 1, NEW.stage, NEW.stage_at FROM deposit_steps WHERE deposit_id = NEW.deposit_id;
  RETURN NULL;
END
$$;

CREATE FUNCTION credit_below_minimum(session bigint, deposit bigint, new_transfer bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  kept record;
  value bigint;
  credited bigint;
  seq bigint;
  after bigint;
BEGIN
  PERFORM operator_with(session, '{finance}');
  SELECT d.member_id, t.instance_id, t.tx_hash, t.log_index, t.raw_amount, t.rate INTO kept FROM deposits d JOIN chain_transfers t USING (deposit_id)
    JOIN chain_instances i USING (instance_id)
    WHERE d.deposit_id = deposit AND d.stage = 'below_minimum' AND t.token = i.token FOR NO KEY UPDATE OF d;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'deposit % is none below the minimum', deposit USING ERRCODE = 'check_violation';
  END IF;
  -- Both rounded up: the part of a cent is the house's.
  value := ceil(kept.raw_amount * kept.rate / 1000000);
  credited := ceil(value::numeric / 10000) * 10000;
  UPDATE members_money SET member_seq = member_seq + 1, real_available = real_available + credited
    WHERE member_id = kept.member_id RETURNING member_seq, real_available INTO STRICT seq, after;
  INSERT INTO transfers (transfer_id, kind, wallet, member_id, member_seq, available_after, made_at, idempotency_key, remark)
    VALUES (new_transfer, 'deposit', 'real', kept.member_id, seq, after, epoch_ms(),
      'deposit:chain:' || kept.instance_id || ':' || kept.tx_hash || ':' || kept.log_index, 'deposit');
  INSERT INTO postings (transfer_id, line, from_account, to_account, amount) VALUES (new_transfer, 1, 'chain_clearing', 'available', value);
  IF credited > value THEN
    INSERT INTO postings (transfer_id, line, from_account, to_account, amount) VALUES (new_transfer, 2, 'capital', 'available', credited - value);
    UPDATE house_accounts SET balance = balance - (credited - value) WHERE wallet = 'real' AND account = 'capital';
  END IF;
  UPDATE house_accounts SET balance = balance - value WHERE wallet = 'real' AND account = 'chain_clearing';
  UPDATE deposits SET stage = 'credited', amount = credited, reason = NULL, transfer_id = new_transfer, stage_at = epoch_ms() WHERE deposit_id = deposit;
  RETURN credited;
END
$$;

-- As before; what came in another token is ended by it too.
CREATE OR REPLACE FUNCTION reject_deposit(session bigint, deposit bigint, why text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM operator_with(session, '{finance}');
  UPDATE deposits SET stage = 'rejected', reason = why, stage_at = epoch_ms()
    WHERE deposit_id = deposit
      AND ((method = 'bank' AND stage IN ('awaiting_transfer', 'in_review')) OR stage IN ('claimed', 'below_minimum', 'wrong_token'));
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE bank_deposits SET matched_entry = NULL, matched_by = NULL WHERE deposit_id = deposit AND matched_entry IS NOT NULL;
  RETURN true;
END
$$;

REVOKE EXECUTE ON FUNCTION credit_below_minimum FROM PUBLIC;
GRANT EXECUTE ON FUNCTION credit_below_minimum TO fairtick_console;
