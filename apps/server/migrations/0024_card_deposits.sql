-- Card payments that operators take up in the chat. One operator proposes each, another one approves it.

CREATE TABLE card_wishes (
  operator_id bigint NOT NULL REFERENCES operators,
  client_id text NOT NULL CHECK (client_id ~ '^[A-Za-z0-9_-]{8,64}$'),
  proposal_id bigint NOT NULL UNIQUE REFERENCES proposals,
  PRIMARY KEY (operator_id, client_id)
);
COMMENT ON TABLE card_wishes IS 'Which proposal came from which request of an operator: a second tap, or a retry, gets the same proposal.';
COMMENT ON COLUMN card_wishes.operator_id IS 'The operator';
COMMENT ON COLUMN card_wishes.client_id IS 'The client id: repeating it never does the same thing twice';
COMMENT ON COLUMN card_wishes.proposal_id IS 'The approved proposal it came from';
CALL write_once('card_wishes');
GRANT SELECT ON card_wishes TO fairtick_jobs, fairtick_console;

CREATE TABLE card_deposits (
  deposit_id bigint PRIMARY KEY REFERENCES deposits,
  proposal_id bigint NOT NULL UNIQUE REFERENCES proposals
);
COMMENT ON TABLE card_deposits IS 'Card payments, each with the proposal that credits it.';
COMMENT ON COLUMN card_deposits.deposit_id IS 'The deposit';
COMMENT ON COLUMN card_deposits.proposal_id IS 'The proposal to credit it';
CALL write_once('card_deposits');
GRANT SELECT ON card_deposits TO fairtick_reader, fairtick_jobs, fairtick_console;

CREATE TABLE card_payments (
  reference text PRIMARY KEY CHECK (reference ~ '^[A-Z0-9._:-]{6,64}$'),
  deposit_id bigint NOT NULL UNIQUE REFERENCES card_deposits
);
COMMENT ON TABLE card_payments IS 'Card payments by the acquirer''s reference, so that each is credited once. A rejected one gives its reference back.';
COMMENT ON COLUMN card_payments.reference IS 'The acquirer''s reference, in capitals';
COMMENT ON COLUMN card_payments.deposit_id IS 'The deposit';
GRANT SELECT ON card_payments TO fairtick_jobs, fairtick_console;

-- A second request with the same client id waits here until the first one is committed and can be found.
CREATE FUNCTION find_card_wish(who bigint, client text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('card wish ' || who || ' ' || client, 0));
  RETURN (SELECT proposal_id FROM card_wishes WHERE operator_id = who AND client_id = client);
END
$$;
REVOKE EXECUTE ON FUNCTION find_card_wish FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_card_wish TO fairtick_console;

-- Binds a card payment that an operator took up in the chat to its proposal, its reference and the operator's own
-- request. It is shown to the member at once, and credited when a second person agrees.
CREATE FUNCTION propose_card_deposit(proposal bigint, new_deposit bigint) RETURNS void
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
  INSERT INTO card_wishes (operator_id, client_id, proposal_id) VALUES (made.made_by, made.body::jsonb ->> 'clientId', proposal);
  INSERT INTO deposits (deposit_id, member_id, method, stage, amount, created_at, stage_at)
    VALUES (new_deposit, made.member_id, 'card', 'in_review', usd, epoch_ms(), epoch_ms());
  INSERT INTO card_deposits (deposit_id, proposal_id) VALUES (new_deposit, proposal);
  INSERT INTO card_payments (reference, deposit_id) VALUES (upper(made.body::jsonb ->> 'reference'), new_deposit);
END
$$;
REVOKE EXECUTE ON FUNCTION propose_card_deposit FROM PUBLIC;
GRANT EXECUTE ON FUNCTION propose_card_deposit TO fairtick_console;

CREATE FUNCTION apply_card_deposit(proposal bigint, new_transfer bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  agreed proposals := approved_proposal(proposal, 'card_deposit');
  deposit bigint;
BEGIN
  SELECT c.deposit_id INTO STRICT deposit FROM card_deposits c JOIN deposits d USING (deposit_id)
    WHERE c.proposal_id = proposal AND d.stage = 'in_review' FOR NO KEY UPDATE OF d;
  PERFORM book_deposit(deposit, new_transfer, 'deposit:card:' || proposal, (agreed.body::jsonb ->> 'amount')::bigint);
  RETURN deposit;
END
$$;
REVOKE EXECUTE ON FUNCTION apply_card_deposit FROM PUBLIC;
GRANT EXECUTE ON FUNCTION apply_card_deposit TO fairtick_console;

CREATE FUNCTION reject_card_deposit(proposal bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  deposit bigint;
BEGIN
  UPDATE deposits d SET stage = 'rejected', reason = e.reason, stage_at = epoch_ms()
    FROM card_deposits c JOIN decisions e USING (proposal_id)
    WHERE c.proposal_id = proposal AND d.deposit_id = c.deposit_id AND e.decision = 'rejected' AND d.stage = 'in_review'
    RETURNING d.deposit_id INTO STRICT deposit;
  RETURN deposit;
END
$$;
REVOKE EXECUTE ON FUNCTION reject_card_deposit FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reject_card_deposit TO fairtick_console;

CREATE FUNCTION free_card_payment() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM card_payments WHERE deposit_id = NEW.deposit_id;
  RETURN NULL;
END
$$;
REVOKE EXECUTE ON FUNCTION free_card_payment FROM PUBLIC;

CREATE TRIGGER free_card_payment AFTER UPDATE OF stage ON deposits FOR EACH ROW WHEN (NEW.method = 'card' AND NEW.stage = 'rejected')
  EXECUTE FUNCTION free_card_payment();
ALTER TABLE deposits ENABLE ALWAYS TRIGGER free_card_payment;
