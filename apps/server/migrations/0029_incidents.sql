-- Closing incidents. One person can close an incident that blocks nothing; if closing it lets money move again, it takes
-- two.

-- What an open incident blocks: `withdrawals` of its member, or the paying `wallet` it names.
CREATE FUNCTION incident_holds(one incidents) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT array_remove(ARRAY[
    CASE WHEN EXISTS (SELECT FROM withdrawal_freezes f WHERE f.incident_id = one.incident_id AND f.lifted_at IS NULL) THEN 'withdrawals' END,
    CASE WHEN one.kind = 'payout_stopped' AND EXISTS (SELECT FROM payout_wallets w
      WHERE w.instance_id || ' ' || w.address = one.subject AND w.stopped_at IS NOT NULL) THEN 'wallet' END], NULL)
$$;

-- What an incident says, for a proposal to name.
CREATE FUNCTION incident_seen(one incidents) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT encode(sha256(convert_to(one.detail::text, 'UTF8')), 'hex')
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
REVOKE EXECUTE ON FUNCTION close_incident FROM PUBLIC;
GRANT EXECUTE ON FUNCTION close_incident TO fairtick_console;

-- Closes an incident as two people agreed, and releases what it blocked, nothing else. Returns false if it is already
-- closed, or if it says more by now than the proposal was about.
CREATE FUNCTION lift_incident(proposal bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  agreed proposals := approved_proposal(proposal, 'incident');
  at_time bigint := withdrawal_now();
  found_one incidents;
BEGIN
  SELECT * INTO found_one FROM incidents WHERE incident_id = (agreed.body::jsonb ->> 'incidentId')::bigint AND closed_at IS NULL FOR UPDATE;
  IF NOT FOUND OR coalesce(agreed.body::jsonb ->> 'seen', incident_seen(found_one)) <> incident_seen(found_one) THEN
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
REVOKE EXECUTE ON FUNCTION lift_incident FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lift_incident TO fairtick_console;
