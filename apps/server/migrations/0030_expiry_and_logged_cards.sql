-- A remittance that nobody paid expires at a time that its member was shown; receiving cards stand in the public log.

ALTER TABLE deposits DROP CONSTRAINT deposits_stage_check;
ALTER TABLE deposits ADD CONSTRAINT deposits_stage_check CHECK (stage IN (
  'confirming', 'below_minimum', 'orphaned', 'wrong_token', 'credited', 'rejected', 'awaiting_transfer', 'in_review', 'claimed', 'linked', 'reversed',
  -- Announced, and neither a receipt nor a line of a statement came in time.
  'expired'));

-- Null: announced before there was such a time. It does not expire by itself.
ALTER TABLE bank_deposits ADD COLUMN expires_at bigint;
CREATE INDEX bank_deposits_expiring ON bank_deposits (expires_at) WHERE expires_at IS NOT NULL;

-- As before, with remittances that expire: what comes late all the same can still be credited.
CREATE OR REPLACE FUNCTION step_deposit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF (OLD.deposit_id, OLD.member_id, OLD.method, OLD.created_at) IS DISTINCT FROM (NEW.deposit_id, NEW.member_id, NEW.method, NEW.created_at) THEN
      RAISE EXCEPTION 'a deposit stays its member''s' USING ERRCODE = 'check_violation';
    END IF;
    IF OLD.stage IN ('credited', 'reversed') AND (OLD.amount, OLD.transfer_id) IS DISTINCT FROM (NEW.amount, NEW.transfer_id) THEN
      RAISE EXCEPTION 'deposit % is credited and stays so', OLD.deposit_id USING ERRCODE = 'check_violation';
    END IF;
    IF OLD.stage = NEW.stage THEN
      RETURN NULL;
    END IF;
    IF NEW.stage = 'reversed' AND NOT EXISTS (SELECT FROM deposit_reversals r WHERE r.deposit_id = NEW.deposit_id) THEN
      RAISE EXCEPTION 'deposit % is credited and stays so', OLD.deposit_id USING ERRCODE = 'check_violation';
    END IF;
    IF NOT (CASE OLD.stage
      WHEN 'confirming' THEN NEW.stage IN ('below_minimum', 'orphaned', 'credited', 'rejected')
      WHEN 'orphaned' THEN NEW.stage IN ('confirming', 'rejected')
      WHEN 'below_minimum' THEN NEW.stage IN ('credited', 'rejected')
      WHEN 'awaiting_transfer' THEN NEW.stage IN ('in_review', 'credited', 'rejected', 'expired')
      WHEN 'expired' THEN NEW.stage = 'credited'
      WHEN 'in_review' THEN NEW.stage IN ('credited', 'rejected')
      WHEN 'claimed' THEN NEW.stage IN ('linked', 'rejected')
      WHEN 'credited' THEN NEW.stage = 'reversed'
      ELSE false END) THEN
      RAISE EXCEPTION 'deposit % cannot go from % to %', OLD.deposit_id, OLD.stage, NEW.stage USING ERRCODE = 'check_violation';
    END IF;
  END IF;
  INSERT INTO deposit_steps (deposit_id, step, stage, at)
    SELECT NEW.deposit_id, count(*) + 1, NEW.stage, NEW.stage_at FROM deposit_steps WHERE deposit_id = NEW.deposit_id;
  RETURN NULL;
END
$$;


DROP FUNCTION announce_bank_deposit;
-- Announces a remittance to a card in force, open for so many milliseconds. The amount in its currency is rounded down: never
-- against the member.
CREATE FUNCTION announce_bank_deposit(member bigint, client text, payload bytea, new_deposit bigint, card bigint, usd bigint, new_reference text, open_for bigint DEFAULT 1209600000) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  to_card receiving_cards_now;
BEGIN
  IF open_for < 3600000 THEN
    RAISE EXCEPTION 'a remittance stays open for an hour at least' USING ERRCODE = 'check_violation';
  END IF;
  IF usd < 20000000 OR usd > 50000000000 OR usd % 10000 <> 0 THEN
    RAISE EXCEPTION 'a remittance of % is outside its bounds', usd USING ERRCODE = 'check_violation';
  END IF;
  SELECT * INTO to_card FROM receiving_cards_now WHERE card_id = card AND active;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'card % takes no money', card USING ERRCODE = 'check_violation';
  END IF;
  IF NOT bind_deposit_request(member, client, payload, new_deposit) THEN
    RETURN false;
  END IF;
  INSERT INTO deposits (deposit_id, member_id, method, stage, amount, created_at, stage_at)
    VALUES (new_deposit, member, 'bank', 'awaiting_transfer', usd, epoch_ms(), epoch_ms());
  INSERT INTO bank_deposits (deposit_id, card_id, card_version, fiat_amount, reference, expires_at)
    VALUES (new_deposit, card, to_card.version, floor(usd::numeric * to_card.rate * 10 ^ to_card.digits / 1000000000000), new_reference,
      epoch_ms() + open_for);
  RETURN true;
END
$$;

-- As before; of an expired one too, since a payment that comes late is not lost.
CREATE OR REPLACE FUNCTION match_statement(session bigint, deposit bigint, entry bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who bigint := operator_with(session, '{finance}');
  worth bigint;
BEGIN
  PERFORM FROM deposits WHERE deposit_id = deposit AND method = 'bank' AND stage IN ('awaiting_transfer', 'in_review', 'expired') FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'deposit % waits for no money', deposit USING ERRCODE = 'check_violation';
  END IF;
  worth := worth_of_entry(deposit, entry);
  IF worth IS NULL OR worth <= 0 OR worth > 1000000000000 THEN
    RAISE EXCEPTION 'line % cannot be deposit %', entry, deposit USING ERRCODE = 'check_violation';
  END IF;
  UPDATE bank_deposits SET matched_entry = entry, matched_by = who WHERE deposit_id = deposit;
  RETURN worth;
END
$$;

-- As before; of an expired one too.
CREATE OR REPLACE FUNCTION credit_bank_deposit(session bigint, deposit bigint, new_transfer bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  entry bigint;
  worth bigint;
BEGIN
  PERFORM operator_with(session, '{finance}');
  SELECT b.matched_entry INTO entry FROM deposits d JOIN bank_deposits b USING (deposit_id)
    WHERE d.deposit_id = deposit AND d.stage IN ('awaiting_transfer', 'in_review', 'expired') FOR NO KEY UPDATE OF d;
  worth := worth_of_entry(deposit, entry);
  IF worth IS NULL THEN
    RAISE EXCEPTION 'deposit % has no line of a statement', deposit USING ERRCODE = 'check_violation';
  END IF;
  PERFORM book_deposit(deposit, new_transfer, 'deposit:bank:' || entry, worth);
  RETURN worth;
END
$$;

-- Ends what nobody paid: no receipt was handed in, and no line of a statement bears its reference.
CREATE FUNCTION expire_remittances() RETURNS TABLE (member bigint, deposit bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  RETURN QUERY UPDATE deposits d SET stage = 'expired', reason = 'expired', stage_at = epoch_ms()
    WHERE d.deposit_id IN (SELECT b.deposit_id FROM bank_deposits b JOIN deposits o USING (deposit_id)
        WHERE b.expires_at <= epoch_ms() AND o.stage = 'awaiting_transfer' AND b.matched_entry IS NULL
          AND NOT EXISTS (SELECT FROM statement_entries e WHERE e.reference = b.reference)
        ORDER BY b.deposit_id LIMIT 500 FOR NO KEY UPDATE OF o SKIP LOCKED)
      AND d.stage = 'awaiting_transfer'
    RETURNING d.member_id, d.deposit_id;
END
$$;

REVOKE EXECUTE ON FUNCTION announce_bank_deposit, expire_remittances FROM PUBLIC;
GRANT EXECUTE ON FUNCTION announce_bank_deposit TO fairtick_money;
GRANT EXECUTE ON FUNCTION expire_remittances TO fairtick_jobs;

-- The log's entry of a version of a card: what members send money to, as a hash that whoever is shown the card can recompute.
CREATE FUNCTION card_entry(c receiving_cards) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT format('{"at":%s,"card":"%s","hash":"%s","kind":"card","v":1,"version":%s}', c.made_at, c.card_id,
    encode(sha256(convert_to(format('{"bank":%s,"bankCode":%s,"currency":%s,"holder":%s,"note":%s,"number":%s,"rate":%s}', to_json(c.bank),
      coalesce(to_json(c.bank_code)::text, 'null'), to_json(c.currency), to_json(c.holder), to_json(c.note), to_json(c.number), c.rate), 'UTF8')), 'hex'),
    c.version)
$$;

CREATE TABLE receiving_card_entries (
  card_id bigint NOT NULL,
  version integer NOT NULL,
  outbox_id bigint NOT NULL UNIQUE REFERENCES outbox,
  PRIMARY KEY (card_id, version),
  FOREIGN KEY (card_id, version) REFERENCES receiving_cards
);
CALL write_once('receiving_card_entries');

-- Whoever makes a card in whatever way has said so in the log, or has made none.
CREATE FUNCTION log_receiving_card() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  placed bigint;
BEGIN
  INSERT INTO outbox (kind, entry) VALUES ('card', card_entry(NEW)) RETURNING outbox_id INTO placed;
  INSERT INTO receiving_card_entries (card_id, version, outbox_id) VALUES (NEW.card_id, NEW.version, placed);
  RETURN NULL;
END
$$;
CREATE TRIGGER log_receiving_card AFTER INSERT ON receiving_cards FOR EACH ROW EXECUTE FUNCTION log_receiving_card();
ALTER TABLE receiving_cards ENABLE ALWAYS TRIGGER log_receiving_card;

DO $$
DECLARE
  c receiving_cards;
  placed bigint;
BEGIN
  FOR c IN SELECT * FROM receiving_cards ORDER BY made_at, card_id, version LOOP
    INSERT INTO outbox (kind, entry) VALUES ('card', card_entry(c)) RETURNING outbox_id INTO placed;
    INSERT INTO receiving_card_entries (card_id, version, outbox_id) VALUES (c.card_id, c.version, placed);
  END LOOP;
END
$$;

REVOKE EXECUTE ON FUNCTION log_receiving_card FROM PUBLIC;
GRANT SELECT ON receiving_card_entries TO fairtick_jobs;
