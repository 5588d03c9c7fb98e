-- Incidents are closed by people: by one where nothing hangs on them; by two, one proposing and another approving, where closing
-- lets money move again: a member's withdrawals that are frozen, a paying wallet that is stopped.
INSERT INTO proposal_kinds (kind, maker_roles, checker_roles) VALUES ('incident', '{admin,finance}', '{admin,finance}');

-- What was closed may happen again: of one kind and subject one stands open, the others are history.
ALTER TABLE incidents DROP CONSTRAINT incidents_kind_subject_key;
CREATE UNIQUE INDEX incidents_one_open ON incidents (kind, subject) WHERE closed_at IS NULL;
ALTER TABLE incidents
  ADD COLUMN closed_by bigint REFERENCES operators,
  ADD COLUMN close_reason text CHECK (length(btrim(close_reason)) >= 3),
  -- Where two people closed it.
  ADD COLUMN proposal_id bigint UNIQUE REFERENCES proposals,
  ADD CONSTRAINT closed_with_a_reason CHECK ((closed_by IS NULL) = (close_reason IS NULL) AND (closed_by IS NULL OR closed_at IS NOT NULL));

-- What stands still while it is open: `withdrawals` of its member, the paying `wallet` that it names.
CREATE FUNCTION incident_holds(one incidents) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT array_remove(ARRAY[
    CASE WHEN EXISTS (SELECT FROM withdrawal_freezes f WHERE f.incident_id = one.incident_id AND f.lifted_at IS NULL) THEN 'withdrawals' END,
    CASE WHEN one.kind = 'payout_stopped' AND EXISTS (SELECT FROM payout_wallets w
      WHERE w.instance_id || ' ' || w.address = one.subject AND w.stopped_at IS NOT NULL) THEN 'wallet' END], NULL)
$$;

CREATE FUNCTION close_incident(session bigint, incident bigint, why text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  found_one incidents;
  who bigint;
BEGIN
  PERFORM require_session(session);
  SELECT s.operator_id INTO who FROM operator_sessions s JOIN operator_roles r USING (operator_id)
    WHERE s.session_id = session AND r.role IN ('admin', 'finance') LIMIT 1;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'session % may close no incident', session USING ERRCODE = 'insufficient_privilege';
  END IF;
  SELECT * INTO found_one FROM incidents WHERE incident_id = incident AND closed_at IS NULL FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF cardinality(incident_holds(found_one)) > 0 THEN
    RAISE EXCEPTION 'incident % is closed by two people: it holds %', incident, incident_holds(found_one) USING ERRCODE = 'insufficient_privilege';
  END IF;
  UPDATE incidents SET closed_at = withdrawal_now(), closed_by = who, close_reason = why WHERE incident_id = incident;
  RETURN true;
END
$$;

-- Closes what two people agreed on, and sets free what it held: that and nothing else. False where it is closed already.
CREATE FUNCTION lift_incident(proposal bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  agreed proposals := approved_proposal(proposal, 'incident');
  at_time bigint := withdrawal_now();
  found_one incidents;
BEGIN
  SELECT * INTO found_one FROM incidents WHERE incident_id = (agreed.body::jsonb ->> 'incidentId')::bigint AND closed_at IS NULL FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE withdrawal_freezes SET lifted_at = at_time WHERE incident_id = found_one.incident_id AND lifted_at IS NULL;
  IF found_one.kind = 'payout_stopped' THEN
    UPDATE payout_wallets SET stopped_at = NULL, stop_reason = NULL WHERE instance_id || ' ' || address = found_one.subject;
  END IF;
  UPDATE incidents i SET closed_at = at_time, closed_by = d.decided_by, close_reason = d.reason, proposal_id = proposal
    FROM decisions d WHERE i.incident_id = found_one.incident_id AND d.proposal_id = proposal;
  RETURN true;
END
$$;

REVOKE EXECUTE ON FUNCTION close_incident, lift_incident FROM PUBLIC;
GRANT EXECUTE ON FUNCTION close_incident, lift_incident TO fairtick_console;
