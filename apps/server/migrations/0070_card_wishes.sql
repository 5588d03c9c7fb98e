-- A card payment is proposed once for each wish of an operator: a second tap, or a retry whose answer was lost, gets the same proposal.
CREATE TABLE card_wishes (
  operator_id bigint NOT NULL REFERENCES operators,
  client_id text NOT NULL CHECK (client_id ~ '^[A-Za-z0-9_-]{8,64}$'),
  proposal_id bigint NOT NULL UNIQUE REFERENCES proposals,
  PRIMARY KEY (operator_id, client_id)
);
CALL write_once('card_wishes');

-- Whoever sends the same wish at once waits here until the first one is there to be found.
CREATE FUNCTION find_card_wish(who bigint, client text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('card wish ' || who || ' ' || client, 0));
  RETURN (SELECT proposal_id FROM card_wishes WHERE operator_id = who AND client_id = client);
END
$$;

-- As before, with the wish that it comes from.
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
  INSERT INTO card_wishes (operator_id, client_id, proposal_id) VALUES (made.made_by, made.body::jsonb ->> 'clientId', proposal);
  INSERT INTO deposits (deposit_id, member_id, method, stage, amount, created_at, stage_at)
    VALUES (new_deposit, made.member_id, 'card', 'in_review', usd, epoch_ms(), epoch_ms());
  INSERT INTO card_deposits (deposit_id, proposal_id) VALUES (new_deposit, proposal);
  INSERT INTO card_payments (reference, deposit_id) VALUES (upper(made.body::jsonb ->> 'reference'), new_deposit);
END
$$;

REVOKE EXECUTE ON FUNCTION find_card_wish FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_card_wish TO fairtick_console;
GRANT SELECT ON card_wishes TO fairtick_console, fairtick_jobs;
