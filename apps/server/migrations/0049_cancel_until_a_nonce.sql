-- A member may cancel a withdrawal until it gets a nonce of the paying wallet. Nothing is signed before that, so approvals
-- don't end it: an approved payment can wait for days for a fuller wallet.

-- As in 0018, and an approved withdrawal without a nonce may be canceled.
CREATE OR REPLACE FUNCTION step_withdrawal() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.stage <> 'requested' THEN
      RAISE EXCEPTION 'a withdrawal begins as requested' USING ERRCODE = 'check_violation';
    END IF;
  ELSE
    IF (OLD.withdrawal_id, OLD.member_id, OLD.client_id, OLD.request_hash, OLD.chain, OLD.address, OLD.amount, OLD.fee, OLD.units, OLD.created_at, OLD.hold_id)
        IS DISTINCT FROM (NEW.withdrawal_id, NEW.member_id, NEW.client_id, NEW.request_hash, NEW.chain, NEW.address, NEW.amount, NEW.fee, NEW.units, NEW.created_at, NEW.hold_id) THEN
      RAISE EXCEPTION 'what withdrawal % asked for stays', OLD.withdrawal_id USING ERRCODE = 'check_violation';
    END IF;
    IF OLD.end_id IS NOT NULL THEN
      RAISE EXCEPTION 'withdrawal % is over', OLD.withdrawal_id USING ERRCODE = 'check_violation';
    END IF;
    -- What approvals cover may be renewed only while nothing was reserved for it.
    IF (OLD.instance_id, OLD.expires_at, OLD.digest) IS DISTINCT FROM (NEW.instance_id, NEW.expires_at, NEW.digest)
        AND NOT (OLD.stage IN ('requested', 'review', 'approved') AND NEW.stage IN ('requested', 'review')) THEN
      RAISE EXCEPTION 'withdrawal % cannot be renewed any more', OLD.withdrawal_id USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.dead_at IS DISTINCT FROM OLD.dead_at AND (OLD.dead_at IS NOT NULL OR NEW.stage <> 'needs_review') THEN
      RAISE EXCEPTION 'withdrawal % is not found dead in stage %', OLD.withdrawal_id, NEW.stage USING ERRCODE = 'check_violation';
    END IF;
    IF OLD.stage = NEW.stage THEN
      RETURN NULL;
    END IF;
    IF NOT (CASE OLD.stage
      WHEN 'requested' THEN NEW.stage IN ('review', 'approved', 'canceled', 'rejected')
      WHEN 'review' THEN NEW.stage IN ('approved', 'canceled', 'rejected')
      WHEN 'approved' THEN NEW.stage IN ('review', 'reserved', 'rejected')
        OR (NEW.stage = 'canceled' AND NOT EXISTS (SELECT FROM payout_nonces n WHERE n.withdrawal_id = NEW.withdrawal_id))
      WHEN 'reserved' THEN NEW.stage IN ('signed', 'needs_review')
        OR (NEW.stage IN ('review', 'approved') AND NOT EXISTS (SELECT FROM payout_nonces n WHERE n.withdrawal_id = NEW.withdrawal_id))
      WHEN 'signed' THEN NEW.stage IN ('broadcast', 'confirmed', 'needs_review')
      WHEN 'broadcast' THEN NEW.stage IN ('confirmed', 'needs_review')
      WHEN 'needs_review' THEN NEW.stage IN ('confirmed', 'reverted')
      ELSE false END) THEN
      RAISE EXCEPTION 'withdrawal % cannot go from % to %', OLD.withdrawal_id, OLD.stage, NEW.stage USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.stage IN ('approved', 'reserved') AND is_frozen(NEW.member_id) THEN
      RAISE EXCEPTION 'withdrawals of member % are frozen', NEW.member_id USING ERRCODE = 'check_violation';
    END IF;
    -- One that comes back had them when it was approved, by the figures of that time.
    IF NEW.stage = 'approved' AND OLD.stage <> 'reserved' AND (SELECT count(*) FROM withdrawal_approvals a WHERE a.withdrawal_id = NEW.withdrawal_id AND a.digest = NEW.digest)
        < approvals_needed(NEW.amount, OLD.stage = 'review') THEN
      RAISE EXCEPTION 'withdrawal % has not the approvals that it takes', NEW.withdrawal_id USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.stage = 'reserved' AND NOT EXISTS (SELECT FROM payout_nonces n WHERE n.withdrawal_id = NEW.withdrawal_id AND n.instance_id = NEW.instance_id) THEN
      RAISE EXCEPTION 'withdrawal % has no nonce', NEW.withdrawal_id USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.stage IN ('signed', 'confirmed') AND NOT EXISTS (SELECT FROM withdrawal_attempts a WHERE a.withdrawal_id = NEW.withdrawal_id) THEN
      RAISE EXCEPTION 'withdrawal % was never signed', NEW.withdrawal_id USING ERRCODE = 'check_violation';
    END IF;
  END IF;
  INSERT INTO withdrawal_steps (withdrawal_id, step, stage, at)
    SELECT NEW.withdrawal_id, count(*) + 1, NEW.stage, NEW.stage_at FROM withdrawal_steps WHERE withdrawal_id = NEW.withdrawal_id;
  RETURN NULL;
END
$$;

-- Cancels a withdrawal for its member, until it has a nonce. Returns false if it is too late. The payout looks at the stage
-- again under the lock on the same row before it gives out a nonce.
CREATE OR REPLACE FUNCTION cancel_withdrawal(member bigint, withdrawal bigint, end_transfer bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  w withdrawals;
BEGIN
  SELECT * INTO w FROM withdrawals WHERE withdrawal_id = withdrawal AND member_id = member FOR NO KEY UPDATE;
  IF NOT FOUND OR w.stage NOT IN ('requested', 'review', 'approved')
      OR EXISTS (SELECT FROM payout_nonces n WHERE n.withdrawal_id = w.withdrawal_id) THEN
    RETURN false;
  END IF;
  PERFORM end_withdrawal(w, end_transfer, 'canceled', NULL);
  RETURN true;
END
$$;
