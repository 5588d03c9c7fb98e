-- VIP managers and analysts of verified members, and rewards for inviting members.

CREATE TABLE vip_assignments (
  member_id bigint NOT NULL REFERENCES members,
  post text NOT NULL CHECK (post IN ('manager', 'analyst')),
  operator_id bigint NOT NULL REFERENCES operators,
  assigned_by bigint NOT NULL REFERENCES operators,
  assigned_at bigint NOT NULL,
  by_rule boolean NOT NULL DEFAULT false,
  PRIMARY KEY (member_id, post)
);
COMMENT ON TABLE vip_assignments IS 'The VIP manager and the analyst of each verified member.';
COMMENT ON COLUMN vip_assignments.member_id IS 'The member';
COMMENT ON COLUMN vip_assignments.post IS 'Manager or analyst';
COMMENT ON COLUMN vip_assignments.operator_id IS 'The operator who has the post';
COMMENT ON COLUMN vip_assignments.assigned_by IS 'The operator who assigned them';
COMMENT ON COLUMN vip_assignments.assigned_at IS 'When they were assigned, ms since 1970 UTC';
COMMENT ON COLUMN vip_assignments.by_rule IS 'Whether the rule chose them, not a person';
GRANT SELECT ON vip_assignments TO fairtick_console;

-- Assigns someone of support to a member's post, or nobody if `person` is null. Only verified members have such posts.
CREATE FUNCTION assign_vip(session bigint, member bigint, of_post text, person bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  assigner bigint;
BEGIN
  PERFORM require_session(session);
  SELECT s.operator_id INTO assigner FROM operator_sessions s JOIN operator_roles r USING (operator_id)
    WHERE s.session_id = session AND r.role IN ('support', 'admin') LIMIT 1;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'session % may not assign', session USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF person IS NULL THEN
    DELETE FROM vip_assignments WHERE member_id = member AND post = of_post;
    RETURN;
  END IF;
  IF NOT EXISTS (SELECT FROM identity_cases WHERE member_id = member AND state = 'verified') THEN
    RAISE EXCEPTION 'member % is not verified', member USING ERRCODE = 'check_violation';
  END IF;
  IF NOT takes_members(person) THEN
    RAISE EXCEPTION 'operator % takes no members', person USING ERRCODE = 'check_violation';
  END IF;
  INSERT INTO vip_assignments (member_id, post, operator_id, assigned_by, assigned_at)
    VALUES (member, of_post, person, assigner, epoch_ms())
    ON CONFLICT (member_id, post) DO UPDATE
      SET operator_id = person, assigned_by = assigner, assigned_at = EXCLUDED.assigned_at, by_rule = false;
END
$$;
REVOKE EXECUTE ON FUNCTION assign_vip FROM PUBLIC;
GRANT EXECUTE ON FUNCTION assign_vip TO fairtick_console;

-- Fills a post for a member whom compliance has just verified, unless someone who still can has it already. Returns
-- whether it did.
CREATE FUNCTION assign_vip_by_rule(session bigint, member bigint, of_post text, person bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  verifier bigint;
BEGIN
  PERFORM require_session(session);
  SELECT s.operator_id INTO verifier FROM operator_sessions s JOIN operator_roles r USING (operator_id)
    WHERE s.session_id = session AND r.role = 'compliance';
  IF NOT FOUND THEN
    RAISE EXCEPTION 'session % verifies nobody', session USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF NOT EXISTS (SELECT FROM identity_cases WHERE member_id = member AND state = 'verified') THEN
    RAISE EXCEPTION 'member % is not verified', member USING ERRCODE = 'check_violation';
  END IF;
  IF NOT takes_members(person) THEN
    RAISE EXCEPTION 'operator % takes no members', person USING ERRCODE = 'check_violation';
  END IF;
  INSERT INTO vip_assignments AS v (member_id, post, operator_id, assigned_by, assigned_at, by_rule)
    VALUES (member, of_post, person, verifier, epoch_ms(), true)
    ON CONFLICT (member_id, post) DO UPDATE
      SET operator_id = person, assigned_by = verifier, assigned_at = EXCLUDED.assigned_at, by_rule = true
      WHERE NOT takes_members(v.operator_id);
  RETURN FOUND;
END
$$;
REVOKE EXECUTE ON FUNCTION assign_vip_by_rule FROM PUBLIC;
GRANT EXECUTE ON FUNCTION assign_vip_by_rule TO fairtick_console;

-- What a verified member is shown: nobody who has left or no longer works in support. `hours` is null for someone
-- who keeps the hours of customer service.
CREATE FUNCTION vip_of(member bigint) RETURNS TABLE (post text, name text, hours text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT v.post, o.name, h.hours FROM vip_assignments v JOIN operators o USING (operator_id) LEFT JOIN operator_hours h USING (operator_id)
  WHERE v.member_id = member AND takes_members(v.operator_id)
    AND EXISTS (SELECT FROM identity_cases c WHERE c.member_id = member AND c.state = 'verified')
$$;
REVOKE EXECUTE ON FUNCTION vip_of FROM PUBLIC;
GRANT EXECUTE ON FUNCTION vip_of TO fairtick_sessions;

CREATE TABLE referral_rates (
  rate_no integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  from_day integer NOT NULL,
  rate integer NOT NULL CHECK (rate BETWEEN 0 AND 500000),
  proposal_id bigint UNIQUE REFERENCES proposals
);
COMMENT ON TABLE referral_rates IS 'Rates of the reward for inviting members. The newest row whose from_day has come is in force; a rate is set before its day begins.';
COMMENT ON COLUMN referral_rates.rate_no IS 'Number of the rate';
COMMENT ON COLUMN referral_rates.from_day IS 'First day it holds, UTC days since 1970';
COMMENT ON COLUMN referral_rates.rate IS 'Share of the fees, millionths; at most a half';
COMMENT ON COLUMN referral_rates.proposal_id IS 'The proposal it came from; null for a sandbox''s first rate';
CALL write_once('referral_rates');
GRANT SELECT ON referral_rates TO fairtick_money, fairtick_reader, fairtick_console;

-- Sets the rate that was agreed on, from the next UTC day on.
CREATE FUNCTION set_referral_rate(proposal bigint) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  agreed proposals := approved_proposal(proposal, 'referral');
  next_day integer := floor(extract(epoch FROM clock_timestamp()) / 86400) + 1;
BEGIN
  INSERT INTO referral_rates (from_day, rate, proposal_id) VALUES (next_day, (agreed.body::jsonb ->> 'rate')::integer, proposal);
  RETURN next_day;
END
$$;
REVOKE EXECUTE ON FUNCTION set_referral_rate FROM PUBLIC;
GRANT EXECUTE ON FUNCTION set_referral_rate TO fairtick_console;

CREATE FUNCTION found_referral_rate(first_rate integer) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  LOCK TABLE referral_rates IN SHARE ROW EXCLUSIVE MODE;
  IF EXISTS (SELECT FROM referral_rates) THEN
    RETURN false;
  END IF;
  INSERT INTO referral_rates (from_day, rate) VALUES (floor(extract(epoch FROM clock_timestamp()) / 86400), first_rate);
  RETURN true;
END
$$;
REVOKE EXECUTE ON FUNCTION found_referral_rate FROM PUBLIC;
GRANT EXECUTE ON FUNCTION found_referral_rate TO fairtick_console;

CREATE TABLE referral_shares (
  day integer NOT NULL,
  member_id bigint NOT NULL REFERENCES members,
  inviter_id bigint NOT NULL REFERENCES members,
  fees bigint NOT NULL CHECK (fees > 0),
  share bigint NOT NULL CHECK (share > 0),
  PRIMARY KEY (day, member_id)
);
COMMENT ON TABLE referral_shares IS 'What an invited member''s fees of a day earned. Their sum for an inviter, rounded up to the cent, is the transfer of that day.';
COMMENT ON COLUMN referral_shares.day IS 'UTC days since 1970';
COMMENT ON COLUMN referral_shares.member_id IS 'The invited member';
COMMENT ON COLUMN referral_shares.inviter_id IS 'The member who invited them';
COMMENT ON COLUMN referral_shares.fees IS 'Fees paid with the real wallet that day, micro-USD';
COMMENT ON COLUMN referral_shares.share IS 'Their part of it, not rounded to cents, micro-USD';
CALL write_once('referral_shares');
CREATE INDEX referral_shares_by_member ON referral_shares (member_id);
GRANT SELECT ON referral_shares TO fairtick_reader, fairtick_console;
GRANT SELECT, INSERT ON referral_shares TO fairtick_money;

CREATE TABLE referral_days (
  day integer PRIMARY KEY,
  paid_at bigint NOT NULL
);
COMMENT ON TABLE referral_days IS 'Days whose rewards are all paid.';
COMMENT ON COLUMN referral_days.day IS 'UTC days since 1970';
COMMENT ON COLUMN referral_days.paid_at IS 'When the last was paid, ms since 1970 UTC';
CALL write_once('referral_days');
GRANT SELECT ON referral_days TO fairtick_reader, fairtick_console;
GRANT SELECT, INSERT ON referral_days TO fairtick_money;
