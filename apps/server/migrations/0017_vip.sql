-- Whom a verified member may turn to, and one more rule for identities: the name on his bank transfers.

-- When an operator is there, in UTC, as `24/7` or `Mo-Fr 08:00-16:00; Sa 10:00-14:00`. He says so himself.
CREATE TABLE operator_hours (
  operator_id bigint PRIMARY KEY REFERENCES operators,
  hours text NOT NULL CHECK (length(hours) <= 200 AND hours ~
    '^(24/7|(Mo|Tu|We|Th|Fr|Sa|Su)(-(Mo|Tu|We|Th|Fr|Sa|Su))? [0-2][0-9]:[0-5][0-9]-[0-2][0-9]:[0-5][0-9](; (Mo|Tu|We|Th|Fr|Sa|Su)(-(Mo|Tu|We|Th|Fr|Sa|Su))? [0-2][0-9]:[0-5][0-9]-[0-2][0-9]:[0-5][0-9])*)$'),
  set_at bigint NOT NULL
);
CREATE TABLE vip_assignments (
  member_id bigint NOT NULL REFERENCES members,
  post text NOT NULL CHECK (post IN ('manager', 'analyst')),
  operator_id bigint NOT NULL REFERENCES operators,
  assigned_by bigint NOT NULL REFERENCES operators,
  assigned_at bigint NOT NULL,
  PRIMARY KEY (member_id, post)
);

CREATE FUNCTION set_own_hours(session bigint, new_hours text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM require_session(session);
  INSERT INTO operator_hours (operator_id, hours, set_at)
    SELECT operator_id, new_hours, floor(extract(epoch FROM clock_timestamp()) * 1000) FROM operator_sessions WHERE session_id = session
    ON CONFLICT (operator_id) DO UPDATE SET hours = EXCLUDED.hours, set_at = EXCLUDED.set_at;
END
$$;

-- Puts somebody of support on a post, or nobody where `person` is null. Only a verified member has such a post, and only
-- somebody whose hours are known takes one.
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
  PERFORM FROM operators o JOIN operator_hours USING (operator_id) JOIN operator_roles r USING (operator_id)
    WHERE o.operator_id = person AND o.disabled_at IS NULL AND r.role = 'support';
  IF NOT FOUND THEN
    RAISE EXCEPTION 'operator % takes no members', person USING ERRCODE = 'check_violation';
  END IF;
  INSERT INTO vip_assignments (member_id, post, operator_id, assigned_by, assigned_at)
    VALUES (member, of_post, person, assigner, floor(extract(epoch FROM clock_timestamp()) * 1000))
    ON CONFLICT (member_id, post) DO UPDATE SET operator_id = person, assigned_by = assigner, assigned_at = EXCLUDED.assigned_at;
END
$$;

-- What a verified member is shown: nobody who has left, or no longer works in support.
CREATE FUNCTION vip_of(member bigint) RETURNS TABLE (post text, name text, hours text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT v.post, o.name, h.hours FROM vip_assignments v JOIN operators o USING (operator_id) JOIN operator_hours h USING (operator_id)
  WHERE v.member_id = member AND o.disabled_at IS NULL
    AND EXISTS (SELECT FROM operator_roles r WHERE r.operator_id = v.operator_id AND r.role = 'support')
    AND EXISTS (SELECT FROM identity_cases c WHERE c.member_id = member AND c.state = 'verified')
$$;

REVOKE EXECUTE ON FUNCTION set_own_hours, assign_vip, vip_of FROM PUBLIC;
GRANT EXECUTE ON FUNCTION set_own_hours, assign_vip TO fairtick_console;
GRANT EXECUTE ON FUNCTION vip_of TO fairtick_sessions;
GRANT SELECT ON operator_hours, vip_assignments TO fairtick_console;

-- Letters alone, without their marks and in one case: `Müller-Lüdenscheidt` and `MULLER LUDENSCHEIDT` are one.
CREATE FUNCTION bare_name(name text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT lower(regexp_replace(regexp_replace(normalize(name, NFD), '[\u0300-\u036f]', '', 'g'), '[^[:alpha:]]', '', 'g'))
$$;

-- Whether a bank transfer that was matched to a deposit of the case's member came from somebody of another name: one in
-- which the last name, or the first of the first names, is not found.
CREATE FUNCTION identity_payer_differs(of_case bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM identity_cases c JOIN deposits d ON d.member_id = c.member_id JOIN bank_deposits b USING (deposit_id)
      JOIN statement_entries e ON e.entry_id = b.matched_entry
    WHERE c.case_id = of_case AND (position(bare_name(c.family_name) IN bare_name(e.debtor)) = 0
      OR position(bare_name(split_part(c.given_name, ' ', 1)) IN bare_name(e.debtor)) = 0))
$$;

-- Raises what the tables say at the moment of a decision, and what a reviewer read off the document.
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
DROP FUNCTION flag_identity_birth_date;

-- As decide_identity before, which a case that this rule finds odd does not pass either.
CREATE FUNCTION refuse_odd_payer() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF NEW.state = 'verified' AND NEW.proposal_id IS NULL AND identity_payer_differs(NEW.case_id) THEN
    RAISE EXCEPTION 'identity case % has a transfer from another name: two people decide', NEW.case_id USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER refuse_odd_payer BEFORE UPDATE ON identity_cases FOR EACH ROW EXECUTE FUNCTION refuse_odd_payer();
ALTER TABLE identity_cases ENABLE ALWAYS TRIGGER refuse_odd_payer;

REVOKE EXECUTE ON FUNCTION bare_name, identity_payer_differs, flag_identity, refuse_odd_payer FROM PUBLIC;
GRANT EXECUTE ON FUNCTION flag_identity TO fairtick_console;
