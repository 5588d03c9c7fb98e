-- Every reason for which a paying wallet stands still is written down, and people lift what they have seen: a reason that comes after
-- their proposal is not lifted with it.

-- Stops a paying wallet, or adds another reason to one that is stopped, and calls a person. False where that reason is known.
CREATE FUNCTION stop_payout_wallet(instance integer, of_address text, on_chain text, why text, at_time bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  w payout_wallets;
  reasons text;
BEGIN
  SELECT * INTO STRICT w FROM payout_wallets WHERE instance_id = instance AND address = of_address FOR NO KEY UPDATE;
  IF w.stopped_at IS NOT NULL AND why = ANY (string_to_array(w.stop_reason, E'\n')) THEN
    RETURN false;
  END IF;
  reasons := concat_ws(E'\n', CASE WHEN w.stopped_at IS NOT NULL THEN w.stop_reason END, why);
  UPDATE payout_wallets SET stopped_at = coalesce(stopped_at, at_time), stop_reason = reasons WHERE instance_id = instance AND address = of_address;
  INSERT INTO incidents (kind, subject, detail, opened_at)
    VALUES ('payout_stopped', instance || ' ' || of_address, jsonb_build_object('chain', on_chain, 'reason', reasons), at_time)
    ON CONFLICT (kind, subject) WHERE closed_at IS NULL DO UPDATE SET detail = excluded.detail;
  RETURN true;
END
$$;
REVOKE EXECUTE ON FUNCTION stop_payout_wallet FROM PUBLIC;
GRANT EXECUTE ON FUNCTION stop_payout_wallet TO fairtick_payout;
REVOKE UPDATE (stopped_at, stop_reason) ON payout_wallets FROM fairtick_payout;

-- What an incident says, for a proposal to name.
CREATE FUNCTION incident_seen(one incidents) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT encode(sha256(convert_to(one.detail::text, 'UTF8')), 'hex')
$$;

-- As before; false also where the incident says more by now than the proposal was about.
CREATE OR REPLACE FUNCTION lift_incident(proposal bigint) RETURNS boolean
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

