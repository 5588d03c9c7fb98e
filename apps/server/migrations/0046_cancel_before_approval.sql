-- The member cancels while nobody has approved it: of two operators the first one's word ends that.

-- By the member, while nobody has approved it. False where that is over.
CREATE OR REPLACE FUNCTION cancel_withdrawal(member bigint, withdrawal bigint, end_transfer bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  w withdrawals;
BEGIN
  SELECT * INTO w FROM withdrawals WHERE withdrawal_id = withdrawal AND member_id = member FOR NO KEY UPDATE;
  IF NOT FOUND OR w.stage NOT IN ('requested', 'review')
      OR EXISTS (SELECT FROM withdrawal_approvals a WHERE a.withdrawal_id = w.withdrawal_id AND a.digest = w.digest) THEN
    RETURN false;
  END IF;
  PERFORM end_withdrawal(w, end_transfer, 'canceled', NULL);
  RETURN true;
END
$$;
REVOKE EXECUTE ON FUNCTION cancel_withdrawal FROM PUBLIC;
GRANT EXECUTE ON FUNCTION cancel_withdrawal TO fairtick_money;
-- Whether somebody has, for what the member is shown.
GRANT SELECT (withdrawal_id, digest) ON withdrawal_approvals TO fairtick_money, fairtick_reader;
