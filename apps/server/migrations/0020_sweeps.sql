-- Sweeps: moving credited deposits from members' addresses to the paying wallet.
--
--   planned  → gas, collect, failed
--   gas      → collect, failed             coins for the fee are on their way to the address
--   collect  → done, failed                the tokens are on their way to the paying wallet
--
-- done and failed are final.

CREATE TABLE sweep_wallets (
  instance_id integer NOT NULL REFERENCES chain_instances,
  address text NOT NULL CHECK (address = lower(address)),
  next_nonce bigint NOT NULL CHECK (next_nonce >= 0),
  coin_balance numeric(78),
  seen_at bigint,
  PRIMARY KEY (instance_id, address)
);
COMMENT ON TABLE sweep_wallets IS 'The gas wallet and every address that was swept.';
COMMENT ON COLUMN sweep_wallets.instance_id IS 'The chain instance it belongs to';
COMMENT ON COLUMN sweep_wallets.address IS 'Address on the chain, lower case';
COMMENT ON COLUMN sweep_wallets.next_nonce IS 'The next nonce to give out; counted here, never asked of a node';
COMMENT ON COLUMN sweep_wallets.coin_balance IS 'Balance of the gas wallet''s coin when last seen, in its smallest unit';
COMMENT ON COLUMN sweep_wallets.seen_at IS 'When it was last seen, ms since 1970 UTC';
GRANT SELECT ON sweep_wallets TO fairtick_jobs, fairtick_console;
GRANT SELECT, INSERT ON sweep_wallets TO fairtick_payout;
-- Requests check with their own role whether an address is ours, because the payouts' pool has no connection to spare.
GRANT SELECT (address) ON sweep_wallets TO fairtick_money;
GRANT UPDATE (next_nonce, coin_balance, seen_at) ON sweep_wallets TO fairtick_payout;

CREATE TABLE sweep_deposits (
  sweep_id bigint NOT NULL REFERENCES sweeps,
  deposit_id bigint NOT NULL REFERENCES deposits,
  PRIMARY KEY (sweep_id, deposit_id)
);
COMMENT ON TABLE sweep_deposits IS 'Which deposits each sweep brings in.';
COMMENT ON COLUMN sweep_deposits.sweep_id IS 'The sweep';
COMMENT ON COLUMN sweep_deposits.deposit_id IS 'The deposit';
CALL write_once('sweep_deposits');
CREATE INDEX sweep_deposits_by_deposit ON sweep_deposits (deposit_id);
GRANT SELECT ON sweep_deposits TO fairtick_jobs, fairtick_console, fairtick_payout;

CREATE TABLE sweep_steps (
  sweep_id bigint NOT NULL REFERENCES sweeps,
  step text NOT NULL CHECK (step IN ('gas', 'collect')),
  instance_id integer NOT NULL,
  address text NOT NULL,
  nonce bigint NOT NULL,
  amount numeric(78) NOT NULL CHECK (amount > 0),
  PRIMARY KEY (sweep_id, step),
  UNIQUE (instance_id, address, nonce),
  FOREIGN KEY (instance_id, address) REFERENCES sweep_wallets
);
COMMENT ON TABLE sweep_steps IS 'The transactions a sweep takes: coins for gas, then collecting the tokens.';
COMMENT ON COLUMN sweep_steps.sweep_id IS 'The sweep';
COMMENT ON COLUMN sweep_steps.step IS 'Gas or collect';
COMMENT ON COLUMN sweep_steps.instance_id IS 'The chain instance it belongs to';
COMMENT ON COLUMN sweep_steps.address IS 'Address that signs it, lower case';
COMMENT ON COLUMN sweep_steps.nonce IS 'Nonce of the transaction';
COMMENT ON COLUMN sweep_steps.amount IS 'Amount, in the coin''s or the token''s smallest unit';
CALL write_once('sweep_steps');
GRANT SELECT ON sweep_steps TO fairtick_jobs, fairtick_console;
GRANT SELECT, INSERT ON sweep_steps TO fairtick_payout;

CREATE TABLE sweep_attempts (
  sweep_id bigint NOT NULL,
  step text NOT NULL,
  attempt integer NOT NULL CHECK (attempt > 0),
  max_fee numeric(78) NOT NULL,
  priority_fee numeric(78) NOT NULL,
  tx_hash text NOT NULL UNIQUE,
  raw text NOT NULL,
  made_at bigint NOT NULL,
  PRIMARY KEY (sweep_id, step, attempt),
  FOREIGN KEY (sweep_id, step) REFERENCES sweep_steps
);
COMMENT ON TABLE sweep_attempts IS 'Every transaction ever signed for a step, stored before it is sent. All attempts share the step''s nonce.';
COMMENT ON COLUMN sweep_attempts.sweep_id IS 'The sweep';
COMMENT ON COLUMN sweep_attempts.step IS 'Gas or collect';
COMMENT ON COLUMN sweep_attempts.attempt IS 'Number of the attempt, from 1';
COMMENT ON COLUMN sweep_attempts.max_fee IS 'Highest fee per unit of gas, wei';
COMMENT ON COLUMN sweep_attempts.priority_fee IS 'Priority fee per unit of gas, wei';
COMMENT ON COLUMN sweep_attempts.tx_hash IS 'Hash of the transaction on the chain';
COMMENT ON COLUMN sweep_attempts.raw IS 'The signed transaction, hexadecimal';
COMMENT ON COLUMN sweep_attempts.made_at IS 'When it was made, ms since 1970 UTC';
CALL write_once('sweep_attempts');
GRANT SELECT ON sweep_attempts TO fairtick_jobs, fairtick_console;
GRANT SELECT, INSERT ON sweep_attempts TO fairtick_payout;

CREATE FUNCTION step_sweep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.sweep_id, OLD.instance_id, OLD.address, OLD.child, OLD.units, OLD.worth, OLD.created_at)
      IS DISTINCT FROM (NEW.sweep_id, NEW.instance_id, NEW.address, NEW.child, NEW.units, NEW.worth, NEW.created_at) THEN
    RAISE EXCEPTION 'what sweep % brings stays', OLD.sweep_id USING ERRCODE = 'check_violation';
  END IF;
  IF OLD.stage <> NEW.stage AND NOT (CASE OLD.stage
      WHEN 'planned' THEN NEW.stage IN ('gas', 'collect', 'failed')
      WHEN 'gas' THEN NEW.stage IN ('collect', 'failed')
      WHEN 'collect' THEN NEW.stage IN ('done', 'failed')
      ELSE false END) THEN
    RAISE EXCEPTION 'sweep % cannot go from % to %', OLD.sweep_id, OLD.stage, NEW.stage USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER step_sweep AFTER UPDATE ON sweeps FOR EACH ROW EXECUTE FUNCTION step_sweep();
ALTER TABLE sweeps ENABLE ALWAYS TRIGGER step_sweep;

CREATE VIEW unswept_deposits AS
  SELECT t.instance_id, t.to_address AS address, d.deposit_id, t.raw_amount AS units,
    (SELECT sum(p.amount) FROM postings p WHERE p.transfer_id = d.transfer_id AND p.from_account = 'chain_clearing')::bigint AS worth
  FROM deposits d JOIN chain_transfers t USING (deposit_id) JOIN chain_instances i USING (instance_id)
  WHERE d.method = 'crypto' AND d.stage = 'credited' AND t.lost_at_height IS NULL AND t.token = i.token AND i.ended_at IS NULL
    AND t.sweep_id IS NULL;
COMMENT ON VIEW unswept_deposits IS 'Credited deposits that still lie at their addresses.';
COMMENT ON COLUMN unswept_deposits.instance_id IS 'The chain instance it belongs to';
COMMENT ON COLUMN unswept_deposits.address IS 'The member''s deposit address, lower case';
COMMENT ON COLUMN unswept_deposits.deposit_id IS 'The deposit';
COMMENT ON COLUMN unswept_deposits.units IS 'How much, in the token''s smallest unit';
COMMENT ON COLUMN unswept_deposits.worth IS 'What it took out of the chain''s clearing account, micro-USD';
GRANT SELECT ON unswept_deposits TO fairtick_jobs, fairtick_console, fairtick_payout;

-- Plans to sweep everything at an address if it is more than `above`. Returns false if there is less, or if the address
-- is already being swept.
CREATE FUNCTION plan_sweep(new_sweep bigint, instance integer, of_address text, of_child integer, above numeric) RETURNS boolean
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
REVOKE EXECUTE ON FUNCTION plan_sweep FROM PUBLIC;
GRANT EXECUTE ON FUNCTION plan_sweep TO fairtick_payout;

-- Books a sweep once it is found on the chain, final and with its transfer of the token. False when it is booked
-- already.
CREATE FUNCTION finish_sweep(sweep bigint, new_transfer bigint, by_tx text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  s sweeps;
BEGIN
  SELECT * INTO STRICT s FROM sweeps WHERE sweep_id = sweep FOR NO KEY UPDATE;
  IF s.stage <> 'collect' THEN
    RETURN false;
  END IF;
  PERFORM FROM sweep_attempts WHERE sweep_id = sweep AND step = 'collect' AND tx_hash = by_tx;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'sweep % was not made by %', sweep, by_tx USING ERRCODE = 'check_violation';
  END IF;
  INSERT INTO transfers (transfer_id, kind, wallet, made_at, idempotency_key, remark) VALUES (new_transfer, 'sweep', 'real', epoch_ms(), 'sweep:' || sweep, 'sweep');
  INSERT INTO postings (transfer_id, line, from_account, to_account, amount) VALUES (new_transfer, 1, 'withdrawal_clearing', 'chain_clearing', s.worth);
  UPDATE house_accounts SET balance = balance + s.worth WHERE wallet = 'real' AND account = 'chain_clearing';
  UPDATE house_accounts SET balance = balance - s.worth WHERE wallet = 'real' AND account = 'withdrawal_clearing';
  UPDATE sweeps SET stage = 'done', stage_at = epoch_ms(), tx_hash = by_tx, transfer_id = new_transfer WHERE sweep_id = sweep;
  RETURN true;
END
$$;
REVOKE EXECUTE ON FUNCTION finish_sweep FROM PUBLIC;
GRANT EXECUTE ON FUNCTION finish_sweep TO fairtick_chain;

-- Deposits of a failed sweep can be part of the next one.
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
