-- Deposits on a chain: transfers as the watcher saw them, and transfers that a member reported.

CREATE TABLE sweeps (
  sweep_id bigint PRIMARY KEY,
  instance_id integer NOT NULL REFERENCES chain_instances,
  address text NOT NULL CHECK (address = lower(address)),
  child integer NOT NULL,
  units numeric(78) NOT NULL CHECK (units > 0),
  worth bigint NOT NULL CHECK (worth > 0),
  stage text NOT NULL CHECK (stage IN ('planned', 'gas', 'collect', 'done', 'failed')),
  created_at bigint NOT NULL,
  stage_at bigint NOT NULL,
  reason text,
  tx_hash text,
  transfer_id bigint UNIQUE REFERENCES transfers,
  CHECK ((stage = 'done') = (transfer_id IS NOT NULL))
);
COMMENT ON TABLE sweeps IS 'Bringing what lies at a member''s address to the wallet that pays.';
COMMENT ON COLUMN sweeps.sweep_id IS 'Number of the sweep';
COMMENT ON COLUMN sweeps.instance_id IS 'The chain instance it belongs to';
COMMENT ON COLUMN sweeps.address IS 'The member''s deposit address, lower case';
COMMENT ON COLUMN sweeps.child IS 'Number of the account''s key behind the address';
COMMENT ON COLUMN sweeps.units IS 'How much, in the token''s smallest unit';
COMMENT ON COLUMN sweeps.worth IS 'What its deposits took out of the chain''s clearing account, micro-USD';
COMMENT ON COLUMN sweeps.stage IS 'Where it stands; step_sweep lists the transitions';
COMMENT ON COLUMN sweeps.created_at IS 'When it was created, ms since 1970 UTC';
COMMENT ON COLUMN sweeps.stage_at IS 'When it reached its stage, ms since 1970 UTC';
COMMENT ON COLUMN sweeps.reason IS 'Why it failed';
COMMENT ON COLUMN sweeps.tx_hash IS 'Transaction that was seen in a block';
COMMENT ON COLUMN sweeps.transfer_id IS 'The transfer that booked it; null while none did';
CREATE UNIQUE INDEX sweeps_open ON sweeps (instance_id, address) WHERE stage NOT IN ('done', 'failed');
CREATE INDEX sweeps_by_stage_at ON sweeps (stage_at);
GRANT SELECT ON sweeps TO fairtick_jobs, fairtick_console, fairtick_payout;
GRANT UPDATE (stage, stage_at, reason) ON sweeps TO fairtick_payout;

CREATE TRIGGER keep_sweeps BEFORE DELETE ON sweeps FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE sweeps ENABLE ALWAYS TRIGGER keep_sweeps;

CREATE TABLE chain_transfers (
  instance_id integer NOT NULL REFERENCES chain_instances,
  tx_hash text NOT NULL,
  log_index integer NOT NULL,
  deposit_id bigint NOT NULL UNIQUE REFERENCES deposits,
  token text NOT NULL,
  from_address text NOT NULL,
  to_address text NOT NULL,
  raw_amount numeric(78) NOT NULL,
  rate bigint NOT NULL,
  height bigint NOT NULL,
  block_hash text NOT NULL,
  lost_at_height bigint,
  lost_at bigint,
  sweep_id bigint REFERENCES sweeps,
  PRIMARY KEY (instance_id, tx_hash, log_index)
);
COMMENT ON TABLE chain_transfers IS 'Transfers to members'' addresses, of our token and of others.';
COMMENT ON COLUMN chain_transfers.instance_id IS 'The chain instance it belongs to';
COMMENT ON COLUMN chain_transfers.tx_hash IS 'Hash of the transaction on the chain';
COMMENT ON COLUMN chain_transfers.log_index IS 'Place among the logs of its own transaction. The block''s own numbering is no key: a reorganisation can change it, and one transfer would become two';
COMMENT ON COLUMN chain_transfers.deposit_id IS 'The deposit it became';
COMMENT ON COLUMN chain_transfers.token IS 'Contract address of the token, lower case';
COMMENT ON COLUMN chain_transfers.from_address IS 'Address it came from';
COMMENT ON COLUMN chain_transfers.to_address IS 'Address it went to, one of ours';
COMMENT ON COLUMN chain_transfers.raw_amount IS 'Amount, in the token''s smallest unit';
COMMENT ON COLUMN chain_transfers.rate IS 'Millionths of a USD per whole token when it was first seen';
COMMENT ON COLUMN chain_transfers.height IS 'Height of its block';
COMMENT ON COLUMN chain_transfers.block_hash IS 'Hash of its block';
COMMENT ON COLUMN chain_transfers.lost_at_height IS 'For a credited one: height at which its block was found to be gone';
COMMENT ON COLUMN chain_transfers.lost_at IS 'When its block was found to be gone, ms since 1970 UTC; an incident opened since then answers it';
COMMENT ON COLUMN chain_transfers.sweep_id IS 'The sweep that brought it in or is about to; null while it lies at its address';
CREATE INDEX chain_transfers_by_height ON chain_transfers (instance_id, height);
CREATE INDEX chain_transfers_lost ON chain_transfers (instance_id, lost_at_height) WHERE lost_at_height IS NOT NULL;
CREATE INDEX chain_transfers_unswept ON chain_transfers (instance_id, to_address) WHERE sweep_id IS NULL;
GRANT SELECT ON chain_transfers TO fairtick_money, fairtick_reader, fairtick_jobs, fairtick_console;
GRANT SELECT, INSERT, UPDATE ON chain_transfers TO fairtick_chain;

-- The chain's role books deposits into real wallets and nothing else.
CREATE FUNCTION restrict_chain_transfers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_user = 'fairtick_chain' AND NOT (NEW.kind = 'deposit' AND NEW.wallet = 'real' AND NEW.idempotency_key LIKE 'deposit:chain:%') THEN
    RAISE EXCEPTION 'the chain role books chain deposits only' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER restrict_chain_transfers BEFORE INSERT ON transfers FOR EACH ROW EXECUTE FUNCTION restrict_chain_transfers();
ALTER TABLE transfers ENABLE ALWAYS TRIGGER restrict_chain_transfers;

-- Credits a deposit that came below the minimum, if it is on the chain right now: the watcher keeps looking those
-- up too.
CREATE FUNCTION credit_below_minimum(session bigint, deposit bigint, new_transfer bigint) RETURNS bigint
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
REVOKE EXECUTE ON FUNCTION credit_below_minimum FROM PUBLIC;
GRANT EXECUTE ON FUNCTION credit_below_minimum TO fairtick_console;

CREATE TABLE chain_claims (
  deposit_id bigint PRIMARY KEY REFERENCES deposits,
  chain text NOT NULL,
  quantity numeric(78) NOT NULL CHECK (quantity > 0),
  tx_hash text CHECK (tx_hash ~ '^0x[0-9a-f]{64}$'),
  linked_deposit bigint UNIQUE REFERENCES deposits
);
COMMENT ON TABLE chain_claims IS 'Transfers that members say they made. What is credited is what the chain says.';
COMMENT ON COLUMN chain_claims.deposit_id IS 'The deposit';
COMMENT ON COLUMN chain_claims.chain IS 'Name of the chain in the settings';
COMMENT ON COLUMN chain_claims.quantity IS 'How much, by the member''s word, in the token''s smallest unit';
COMMENT ON COLUMN chain_claims.tx_hash IS 'Hash of the transaction, if the member gave one';
COMMENT ON COLUMN chain_claims.linked_deposit IS 'The deposit that the chain brought';
GRANT SELECT ON chain_claims TO fairtick_money, fairtick_reader, fairtick_jobs, fairtick_console;

-- Links a claim to its transfer: by the hash, if the member gave one. Without a hash it looks for the quantity, and only
-- among transfers that aren't credited, since a credited one isn't the one the member is missing. Operators are shown
-- credited ones next to the claim.
CREATE FUNCTION link_claim(claim bigint) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  said record;
  found_one bigint;
BEGIN
  SELECT c.*, d.member_id, d.created_at INTO said FROM chain_claims c JOIN deposits d USING (deposit_id)
    WHERE c.deposit_id = claim AND d.stage = 'claimed' FOR NO KEY UPDATE OF d;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  SELECT d.deposit_id INTO found_one FROM deposits d JOIN chain_transfers t USING (deposit_id) JOIN chain_instances i USING (instance_id)
    WHERE d.member_id = said.member_id AND i.chain = said.chain
      AND CASE WHEN said.tx_hash IS NOT NULL THEN t.tx_hash = said.tx_hash
        ELSE t.token = i.token AND t.raw_amount = said.quantity AND d.stage IN ('confirming', 'below_minimum', 'orphaned')
          AND d.created_at > said.created_at - 2592000000 END
      AND NOT EXISTS (SELECT FROM chain_claims o WHERE o.linked_deposit = d.deposit_id)
    ORDER BY d.deposit_id DESC LIMIT 1;
  IF found_one IS NOT NULL THEN
    UPDATE chain_claims SET linked_deposit = found_one WHERE deposit_id = claim;
    UPDATE deposits SET stage = 'linked', stage_at = epoch_ms() WHERE deposit_id = claim;
  END IF;
END
$$;
REVOKE EXECUTE ON FUNCTION link_claim FROM PUBLIC;

-- Links a transfer that has just arrived to a claim that waits for it.
CREATE FUNCTION link_waiting_claims() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  claim bigint;
BEGIN
  FOR claim IN SELECT c.deposit_id FROM chain_claims c JOIN deposits d USING (deposit_id)
      JOIN deposits arrived ON arrived.deposit_id = NEW.deposit_id AND arrived.member_id = d.member_id
      WHERE d.stage = 'claimed' ORDER BY c.deposit_id LOOP
    PERFORM link_claim(claim);
  END LOOP;
  RETURN NULL;
END
$$;
REVOKE EXECUTE ON FUNCTION link_waiting_claims FROM PUBLIC;

CREATE TRIGGER link_waiting_claims AFTER INSERT ON chain_transfers FOR EACH ROW EXECUTE FUNCTION link_waiting_claims();
ALTER TABLE chain_transfers ENABLE ALWAYS TRIGGER link_waiting_claims;

CREATE FUNCTION claim_transfer(member bigint, client text, payload bytea, new_deposit bigint, of_chain text, units numeric, hash text, usd bigint, file bigint, subject text)
RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT bind_deposit_request(member, client, payload, new_deposit) THEN
    RETURN false;
  END IF;
  -- The amount is what the member would get; a claim is never credited itself.
  INSERT INTO deposits (deposit_id, member_id, method, stage, amount, created_at, stage_at)
    VALUES (new_deposit, member, 'crypto', 'claimed', usd, epoch_ms(), epoch_ms());
  INSERT INTO chain_claims (deposit_id, chain, quantity, tx_hash) VALUES (new_deposit, of_chain, units, hash);
  IF NOT claim_file(file, member, 'receipt', subject) THEN
    RAISE EXCEPTION 'file % is not free for %', file, subject USING ERRCODE = 'no_data_found';
  END IF;
  INSERT INTO deposit_receipts (deposit_id, file_id, put_at) VALUES (new_deposit, file, epoch_ms());
  PERFORM link_claim(new_deposit);
  RETURN true;
END
$$;
REVOKE EXECUTE ON FUNCTION claim_transfer FROM PUBLIC;
GRANT EXECUTE ON FUNCTION claim_transfer TO fairtick_money;
