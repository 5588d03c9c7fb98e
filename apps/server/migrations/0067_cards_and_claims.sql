-- A card payment is credited once: by the acquirer's reference of it. What was rejected gives its reference back.
CREATE TABLE card_payments (
  -- As the acquirer writes it, in capitals.
  reference text PRIMARY KEY CHECK (reference ~ '^[A-Z0-9._:-]{6,64}$'),
  deposit_id bigint NOT NULL UNIQUE REFERENCES card_deposits
);

-- As before, with the payment that it is about.
CREATE OR REPLACE FUNCTION propose_card_deposit(proposal bigint, new_deposit bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  made proposals;
  usd bigint;
BEGIN
  SELECT * INTO STRICT made FROM proposals WHERE proposal_id = proposal AND kind = 'card_deposit';
  usd := (made.body::jsonb ->> 'amount')::bigint;
  IF usd < 20000000 OR usd > 50000000000 OR usd % 10000 <> 0 THEN
    RAISE EXCEPTION 'a card deposit of % is outside its bounds', usd USING ERRCODE = 'check_violation';
  END IF;
  INSERT INTO deposits (deposit_id, member_id, method, stage, amount, created_at, stage_at)
    VALUES (new_deposit, made.member_id, 'card', 'in_review', usd, epoch_ms(), epoch_ms());
  INSERT INTO card_deposits (deposit_id, proposal_id) VALUES (new_deposit, proposal);
  INSERT INTO card_payments (reference, deposit_id) VALUES (upper(made.body::jsonb ->> 'reference'), new_deposit);
END
$$;

CREATE FUNCTION free_card_payment() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM card_payments WHERE deposit_id = NEW.deposit_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER free_card_payment AFTER UPDATE OF stage ON deposits FOR EACH ROW WHEN (NEW.method = 'card' AND NEW.stage = 'rejected')
  EXECUTE FUNCTION free_card_payment();
ALTER TABLE deposits ENABLE ALWAYS TRIGGER free_card_payment;

-- As before; whoever made a proposal may take it back, whatever the roles of those who decide.
CREATE OR REPLACE FUNCTION check_decision() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  rule proposal_kinds;
BEGIN
  PERFORM require_session(NEW.decided_session);
  SELECT k.* INTO rule FROM proposals p JOIN proposal_kinds k USING (kind) WHERE p.proposal_id = NEW.proposal_id;
  PERFORM FROM operator_roles WHERE operator_id = NEW.decided_by AND (role = ANY (rule.checker_roles)
    OR (NEW.decision = 'rejected' AND NEW.made_by = NEW.decided_by AND role = ANY (rule.maker_roles)));
  IF NOT FOUND THEN
    RAISE EXCEPTION 'operator % may not decide on a %', NEW.decided_by, rule.kind USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF NEW.decision = 'approved' AND cardinality(rule.one_of_each) > 0 THEN
    PERFORM FROM operator_roles m JOIN operator_roles c ON c.role <> m.role
      WHERE m.operator_id = NEW.made_by AND c.operator_id = NEW.decided_by AND m.role = ANY (rule.one_of_each) AND c.role = ANY (rule.one_of_each);
    IF NOT FOUND THEN
      RAISE EXCEPTION 'a % takes one of each of %', rule.kind, rule.one_of_each USING ERRCODE = 'insufficient_privilege';
    END IF;
  END IF;
  RETURN NEW;
END
$$;

-- As before, of a card payment too: its holder's bank takes it back as well.
CREATE OR REPLACE FUNCTION propose_reversal(proposal bigint, deposit bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  made proposals;
BEGIN
  SELECT * INTO STRICT made FROM proposals WHERE proposal_id = proposal AND kind = 'deposit_reversal';
  PERFORM FROM deposits WHERE deposit_id = deposit AND member_id = made.member_id AND method IN ('bank', 'card') AND stage = 'credited' FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'deposit % is no credited remittance or card payment', deposit USING ERRCODE = 'check_violation';
  END IF;
  PERFORM FROM reversal_requests r WHERE r.deposit_id = deposit AND NOT EXISTS (SELECT FROM decisions d WHERE d.proposal_id = r.proposal_id);
  IF FOUND THEN
    RAISE EXCEPTION 'a reversal of deposit % waits already', deposit USING ERRCODE = 'check_violation';
  END IF;
  INSERT INTO reversal_requests (proposal_id, deposit_id, return_id)
    VALUES (proposal, deposit, (SELECT max(return_id) FROM returned_deposits WHERE deposit_id = deposit));
END
$$;

-- Finds the transfer of a claim: by its hash where the member gave one. By its quantity alone only one that is not credited: what was
-- credited before is not what he misses, and is shown to people beside his claim.
CREATE OR REPLACE FUNCTION link_claim(claim bigint) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
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

-- What waits for people, of all deposits that ever were.
CREATE INDEX deposits_for_people ON deposits (deposit_id) WHERE stage IN ('in_review', 'claimed', 'below_minimum', 'wrong_token');
CREATE INDEX deposits_without_money ON deposits (deposit_id) WHERE stage IN ('awaiting_transfer', 'expired');

REVOKE EXECUTE ON FUNCTION free_card_payment FROM PUBLIC;
GRANT SELECT ON card_payments TO fairtick_console, fairtick_jobs;
