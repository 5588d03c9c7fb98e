-- A credited deposit whose block is gone holds its member's withdrawals from the moment that it is seen, until it is back on the chain
-- or people have closed the incident that it becomes once the chain is as final again as it was.

-- When its block was found to be gone; a loss is answered by an incident that was opened since.
ALTER TABLE chain_transfers ADD COLUMN lost_at bigint;
CREATE INDEX chain_transfers_lost ON chain_transfers (instance_id, lost_at_height) WHERE lost_at_height IS NOT NULL;

-- Under the name that it has: a later change adds other reasons to this one and names it anew.
DO $do$
DECLARE
  called text := CASE WHEN to_regprocedure('is_frozen_by_incident(bigint)') IS NULL THEN 'is_frozen' ELSE 'is_frozen_by_incident' END;
BEGIN
  EXECUTE format($sql$
CREATE OR REPLACE FUNCTION %I(member bigint) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM withdrawal_freezes WHERE member_id = member AND lifted_at IS NULL)
    OR EXISTS (SELECT FROM chain_transfers t JOIN deposits d USING (deposit_id) JOIN chain_instances i USING (instance_id)
      WHERE t.lost_at_height IS NOT NULL AND d.member_id = member AND d.stage = 'credited' AND i.ended_at IS NULL
        AND NOT EXISTS (SELECT FROM incidents o WHERE o.kind = 'credited_reorg' AND o.subject = d.deposit_id::text
          AND o.closed_at IS NOT NULL AND o.opened_at >= coalesce(t.lost_at, 0)))
$$
  $sql$, called);
  EXECUTE format('REVOKE EXECUTE ON FUNCTION %I(bigint) FROM PUBLIC', called);
END
$do$;

-- As before, of what is on the chain now alone: the watcher looks that up, for these too.
CREATE OR REPLACE FUNCTION credit_below_minimum(session bigint, deposit bigint, new_transfer bigint) RETURNS bigint
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
    WHERE d.deposit_id = deposit AND d.stage = 'below_minimum' AND t.token = i.token AND t.lost_at_height IS NULL AND i.ended_at IS NULL
    FOR NO KEY UPDATE OF d, t;
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
