-- A member who is verified gets a VIP manager and an analyst by the rule of packages/domain/src/members/choose-vip.ts. Somebody of
-- support who has set no hours keeps those of customer service.
ALTER TABLE vip_assignments ADD COLUMN by_rule boolean NOT NULL DEFAULT false;

-- Whether somebody may hold a post: an operator of support who has not left.
CREATE FUNCTION takes_members(person bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM operators o JOIN operator_roles r USING (operator_id)
    WHERE o.operator_id = person AND o.disabled_at IS NULL AND r.role = 'support')
$$;

CREATE OR REPLACE FUNCTION assign_vip(session bigint, member bigint, of_post text, person bigint) RETURNS void
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

-- Fills a post of a member whom compliance has just verified; one that somebody able holds stays. Answers whether it did.
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

-- `hours` is null for somebody who keeps those of customer service.
CREATE OR REPLACE FUNCTION vip_of(member bigint) RETURNS TABLE (post text, name text, hours text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT v.post, o.name, h.hours FROM vip_assignments v JOIN operators o USING (operator_id) LEFT JOIN operator_hours h USING (operator_id)
  WHERE v.member_id = member AND takes_members(v.operator_id)
    AND EXISTS (SELECT FROM identity_cases c WHERE c.member_id = member AND c.state = 'verified')
$$;

REVOKE EXECUTE ON FUNCTION takes_members, assign_vip_by_rule FROM PUBLIC;
GRANT EXECUTE ON FUNCTION assign_vip_by_rule TO fairtick_console;
