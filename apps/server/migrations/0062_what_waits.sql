-- What the server looks at again and again costs by what waits, not by all that ever was.

-- Which sweep brought a transfer in, or is about to; null while it lies at its address.
ALTER TABLE chain_transfers ADD COLUMN sweep_id bigint REFERENCES sweeps;
UPDATE chain_transfers t SET sweep_id = s.sweep_id FROM sweep_deposits s JOIN sweeps w USING (sweep_id)
  WHERE s.deposit_id = t.deposit_id AND w.stage <> 'failed';
CREATE INDEX chain_transfers_unswept ON chain_transfers (instance_id, to_address) WHERE sweep_id IS NULL;

CREATE OR REPLACE VIEW unswept_deposits AS
  SELECT t.instance_id, t.to_address AS address, d.deposit_id, t.raw_amount AS units,
    (SELECT sum(p.amount) FROM postings p WHERE p.transfer_id = d.transfer_id AND p.from_account = 'chain_clearing')::bigint AS worth
  FROM deposits d JOIN chain_transfers t USING (deposit_id) JOIN chain_instances i USING (instance_id)
  WHERE d.method = 'crypto' AND d.stage = 'credited' AND t.lost_at_height IS NULL AND t.token = i.token AND i.ended_at IS NULL
    AND t.sweep_id IS NULL;

CREATE OR REPLACE FUNCTION plan_sweep(new_sweep bigint, instance integer, of_address text, of_child integer, above numeric) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  found_ids bigint[];
  sum_units numeric;
  sum_worth bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('sweep:' || instance || ':' || of_address, 0));
  SELECT array_agg(deposit_id), sum(units), sum(worth) INTO found_ids, sum_units, sum_worth FROM unswept_deposits
    WHERE instance_id = instance AND address = of_address;
  IF found_ids IS NULL OR sum_units < above OR EXISTS (SELECT FROM incidents WHERE kind = 'sweep_failed' AND subject = instance || ' ' || of_address AND closed_at IS NULL)
      OR EXISTS (SELECT FROM sweeps WHERE instance_id = instance AND address = of_address AND stage NOT IN ('done', 'failed')) THEN
    RETURN false;
  END IF;
  INSERT INTO sweeps (sweep_id, instance_id, address, child, units, worth, stage, created_at, stage_at)
    VALUES (new_sweep, instance, of_address, of_child, sum_units, sum_worth, 'planned', epoch_ms(), epoch_ms());
  INSERT INTO sweep_deposits (sweep_id, deposit_id) SELECT new_sweep, unnest(found_ids);
  UPDATE chain_transfers SET sweep_id = new_sweep WHERE deposit_id = ANY (found_ids);
  RETURN true;
END
$$;

-- What a sweep that failed was to bring lies where it lay.
CREATE FUNCTION free_unswept() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE chain_transfers t SET sweep_id = NULL FROM sweep_deposits s
    WHERE s.sweep_id = NEW.sweep_id AND t.deposit_id = s.deposit_id AND t.sweep_id = NEW.sweep_id;
  RETURN NULL;
END
$$;
REVOKE EXECUTE ON FUNCTION free_unswept FROM PUBLIC;
CREATE TRIGGER free_unswept AFTER UPDATE OF stage ON sweeps FOR EACH ROW WHEN (NEW.stage = 'failed' AND OLD.stage <> 'failed')
  EXECUTE FUNCTION free_unswept();
ALTER TABLE sweeps ENABLE ALWAYS TRIGGER free_unswept;

-- The books' checks of what moved lately, and of who owes.
CREATE INDEX deposits_by_stage_at ON deposits (stage_at);
CREATE INDEX sweeps_by_stage_at ON sweeps (stage_at);
CREATE INDEX members_in_debt ON members_money (member_id) WHERE real_debt > 0;

-- Who was paid to an address before.
CREATE INDEX withdrawals_by_address ON withdrawals (address);

-- Whether an address is one of ours is asked with the request's own role: the pool that pays has no connection to spare.
GRANT SELECT (address) ON sweep_wallets TO fairtick_money;
