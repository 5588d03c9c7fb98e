-- A payment whose nonce was never signed for can go back: by a freeze, or where the signer does not sign it. Its nonce is the next
-- one's then, so that nothing waits behind it. What is signed may be public, and goes on.

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

-- A nonce stays for good once anything was signed with it, by the tables; before that it goes back with its payment alone.
CREATE FUNCTION keep_signed_nonces() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'DELETE' AND EXISTS (SELECT FROM withdrawals w WHERE w.withdrawal_id = OLD.withdrawal_id AND w.stage = 'reserved')
      AND NOT EXISTS (SELECT FROM withdrawal_attempts a WHERE a.withdrawal_id = OLD.withdrawal_id) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'nonce % of % stays', OLD.nonce, OLD.address USING ERRCODE = 'restrict_violation';
END
$$;
DROP TRIGGER refuse_row_change ON payout_nonces;
CREATE TRIGGER refuse_row_change BEFORE UPDATE OR DELETE ON payout_nonces FOR EACH ROW EXECUTE FUNCTION keep_signed_nonces();
ALTER TABLE payout_nonces ENABLE ALWAYS TRIGGER refuse_row_change;

-- Takes a payment and all behind it back from their nonces: it is put before people, those behind it are given theirs anew. Of a
-- nonce that is `burnt`, since the signer has signed something else with it, nothing is given out again. Answers what moved; null
-- where the payment or one behind it is signed. The caller holds the lock of the wallet's row.
CREATE FUNCTION return_nonces(withdrawal bigint, burnt boolean) RETURNS TABLE (withdrawal_id bigint, member_id bigint, stage text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  from_one payout_nonces;
  back bigint[];
BEGIN
  SELECT * INTO from_one FROM payout_nonces n WHERE n.withdrawal_id = withdrawal;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  PERFORM FROM payout_wallets p WHERE p.instance_id = from_one.instance_id AND p.address = from_one.address FOR NO KEY UPDATE;
  SELECT array_agg(n.withdrawal_id) INTO back FROM payout_nonces n
    WHERE n.instance_id = from_one.instance_id AND n.address = from_one.address AND n.nonce >= from_one.nonce;
  PERFORM FROM withdrawals w WHERE w.withdrawal_id = ANY (back) ORDER BY w.withdrawal_id FOR NO KEY UPDATE;
  IF EXISTS (SELECT FROM withdrawals w WHERE w.withdrawal_id = ANY (back) AND w.stage <> 'reserved') THEN
    RETURN;
  END IF;
  DELETE FROM payout_nonces n WHERE n.withdrawal_id = ANY (back);
  UPDATE payout_wallets p SET next_nonce = from_one.nonce + CASE WHEN burnt THEN 1 ELSE 0 END
    WHERE p.instance_id = from_one.instance_id AND p.address = from_one.address;
  RETURN QUERY UPDATE withdrawals w SET stage_at = withdrawal_now(),
      stage = CASE WHEN w.withdrawal_id = withdrawal OR is_frozen(w.member_id) THEN 'review' ELSE 'approved' END
    WHERE w.withdrawal_id = ANY (back) RETURNING w.withdrawal_id, w.member_id, w.stage;
END
$$;
REVOKE EXECUTE ON FUNCTION keep_signed_nonces, return_nonces FROM PUBLIC;
GRANT EXECUTE ON FUNCTION return_nonces TO fairtick_payout;
