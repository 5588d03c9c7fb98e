-- Bank deposits: the accounts members send money to, the statements that come in, and the transfers members
-- announced.

-- The accounts members send money to: one row per version, never changed. An approved proposal makes the next
-- version.
CREATE TABLE receiving_cards (
  card_id bigint NOT NULL,
  version integer NOT NULL CHECK (version > 0),
  -- ISO 3166; empty: every region that has a real wallet.
  regions text[] NOT NULL,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  -- Places of the currency's smallest unit.
  digits smallint NOT NULL CHECK (digits BETWEEN 0 AND 3),
  bank text NOT NULL,
  -- BIC, or the number of a bank in its country's own system; null where there is none.
  bank_code text,
  holder text NOT NULL,
  -- IBAN or account number, without spaces.
  number text NOT NULL CHECK (number ~ '^[A-Z0-9]{4,34}$'),
  note text NOT NULL,
  -- Of the currency for one USD, in millionths.
  rate bigint NOT NULL CHECK (rate > 0),
  active boolean NOT NULL,
  -- Null for a sandbox's own.
  proposal_id bigint UNIQUE REFERENCES proposals,
  made_at bigint NOT NULL,
  PRIMARY KEY (card_id, version)
);
CALL write_once('receiving_cards');
GRANT SELECT ON receiving_cards TO fairtick_money, fairtick_reader, fairtick_jobs, fairtick_console;

CREATE VIEW receiving_cards_now AS SELECT DISTINCT ON (card_id) * FROM receiving_cards ORDER BY card_id, version DESC;
GRANT SELECT ON receiving_cards_now TO fairtick_money, fairtick_reader, fairtick_jobs, fairtick_console;

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
GRANT SELECT ON receiving_card_entries TO fairtick_jobs;

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
REVOKE EXECUTE ON FUNCTION log_receiving_card FROM PUBLIC;

CREATE TRIGGER log_receiving_card AFTER INSERT ON receiving_cards FOR EACH ROW EXECUTE FUNCTION log_receiving_card();
ALTER TABLE receiving_cards ENABLE ALWAYS TRIGGER log_receiving_card;

-- The next version of a card, exactly as agreed; a card of its own where the proposal names none.
CREATE FUNCTION publish_receiving_card(proposal bigint, new_card bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  agreed jsonb := (approved_proposal(proposal, 'receiving_card')).body::jsonb;
  card bigint := coalesce((agreed ->> 'cardId')::bigint, new_card);
BEGIN
  LOCK TABLE receiving_cards IN SHARE ROW EXCLUSIVE MODE;
  INSERT INTO receiving_cards (card_id, version, regions, currency, digits, bank, bank_code, holder, number, note, rate, active, proposal_id, made_at)
    SELECT card, coalesce((SELECT max(version) FROM receiving_cards WHERE card_id = card), 0) + 1,
      ARRAY(SELECT jsonb_array_elements_text(agreed -> 'regions')), agreed ->> 'currency', (agreed ->> 'digits')::smallint, agreed ->> 'bank',
      agreed ->> 'bankCode', agreed ->> 'holder', agreed ->> 'number', agreed ->> 'note', (agreed ->> 'rate')::bigint,
      (agreed ->> 'active')::boolean, proposal, epoch_ms();
  RETURN card;
END
$$;
REVOKE EXECUTE ON FUNCTION publish_receiving_card FROM PUBLIC;
GRANT EXECUTE ON FUNCTION publish_receiving_card TO fairtick_console;

-- A sandbox's cards, while there are none.
CREATE FUNCTION found_receiving_cards(cards jsonb) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  LOCK TABLE receiving_cards IN SHARE ROW EXCLUSIVE MODE;
  IF EXISTS (SELECT FROM receiving_cards) THEN
    RETURN false;
  END IF;
  INSERT INTO receiving_cards (card_id, version, regions, currency, digits, bank, bank_code, holder, number, note, rate, active, made_at)
    SELECT (c ->> 'cardId')::bigint, 1, ARRAY(SELECT jsonb_array_elements_text(c -> 'regions')), c ->> 'currency', (c ->> 'digits')::smallint,
      c ->> 'bank', c ->> 'bankCode', c ->> 'holder', c ->> 'number', c ->> 'note', (c ->> 'rate')::bigint, true, epoch_ms()
    FROM jsonb_array_elements(cards) c;
  RETURN true;
END
$$;
REVOKE EXECUTE ON FUNCTION found_receiving_cards FROM PUBLIC;
GRANT EXECUTE ON FUNCTION found_receiving_cards TO fairtick_console;

CREATE TABLE bank_statements (
  statement_id bigint PRIMARY KEY,
  -- The bank's own name for the message.
  message text NOT NULL,
  file_hash bytea NOT NULL UNIQUE,
  imported_by bigint NOT NULL REFERENCES operators,
  imported_at bigint NOT NULL
);
CALL write_once('bank_statements');
GRANT SELECT ON bank_statements TO fairtick_console;

-- Lines of statements: money that came in on an account of ours.
CREATE TABLE statement_entries (
  entry_id bigint PRIMARY KEY,
  statement_id bigint NOT NULL REFERENCES bank_statements,
  account text NOT NULL,
  entry_reference text NOT NULL,
  -- In the currency's smallest unit.
  amount bigint NOT NULL CHECK (amount > 0),
  digits smallint NOT NULL CHECK (digits BETWEEN 0 AND 3),
  currency text NOT NULL,
  booked_on date NOT NULL,
  debtor text NOT NULL,
  remittance text NOT NULL,
  -- The reference of ours that stands in it, if one does.
  reference text,
  UNIQUE (account, entry_reference),
  -- A bank names a payment in two places: on the entry of its statement, and on the transaction within. Which of them it fills in may
  -- differ between a notification and the statement that follows, so a line keeps both and is known again by either.
  also_reference text
);
CALL write_once('statement_entries');
CREATE INDEX statement_entries_by_reference ON statement_entries (reference) WHERE reference IS NOT NULL;
CREATE INDEX statement_entries_by_other ON statement_entries (account, also_reference) WHERE also_reference IS NOT NULL;
GRANT SELECT ON statement_entries TO fairtick_jobs;
GRANT SELECT, INSERT ON statement_entries TO fairtick_console;

-- What makes a wish happen once: the member's client id, with a hash of what he asked for.
CREATE TABLE deposit_requests (
  member_id bigint NOT NULL REFERENCES members,
  client_id text NOT NULL,
  payload_hash bytea NOT NULL,
  deposit_id bigint NOT NULL UNIQUE REFERENCES deposits DEFERRABLE INITIALLY DEFERRED,
  PRIMARY KEY (member_id, client_id)
);
CALL write_once('deposit_requests');
GRANT SELECT ON deposit_requests TO fairtick_money;

-- Member's side ---------------------------------------------------------------------------------------------------

-- False: the client id was used before, and nothing was written.
CREATE FUNCTION bind_deposit_request(member bigint, client text, payload bytea, deposit bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO deposit_requests (member_id, client_id, payload_hash, deposit_id) VALUES (member, client, payload, deposit)
    ON CONFLICT (member_id, client_id) DO NOTHING;
  RETURN FOUND;
END
$$;
REVOKE EXECUTE ON FUNCTION bind_deposit_request FROM PUBLIC;

CREATE TABLE bank_deposits (
  deposit_id bigint PRIMARY KEY REFERENCES deposits,
  card_id bigint NOT NULL,
  card_version integer NOT NULL,
  fiat_amount bigint NOT NULL CHECK (fiat_amount > 0),
  reference text NOT NULL UNIQUE,
  matched_entry bigint UNIQUE REFERENCES statement_entries,
  -- Null where the statement matched by itself.
  matched_by bigint REFERENCES operators,
  FOREIGN KEY (card_id, card_version) REFERENCES receiving_cards,
  -- Null: announced before there was such a time. It does not expire by itself.
  expires_at bigint,
  -- Who credited it, by hand or by taking in a statement; null of those from before.
  credited_by bigint REFERENCES operators,
  credited_at bigint,
  CONSTRAINT credited_by_somebody CHECK ((credited_by IS NULL) = (credited_at IS NULL))
);
CREATE INDEX bank_deposits_expiring ON bank_deposits (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX bank_deposits_by_person ON bank_deposits (credited_by, credited_at) WHERE credited_by IS NOT NULL;
GRANT SELECT ON bank_deposits TO fairtick_money, fairtick_reader, fairtick_jobs, fairtick_console;

CREATE TRIGGER keep_bank_deposits BEFORE DELETE ON bank_deposits FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER keep_all_bank_deposits BEFORE TRUNCATE ON bank_deposits FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Pictures that a member put to a deposit; the newest is the one that counts.
CREATE TABLE deposit_receipts (
  deposit_id bigint NOT NULL REFERENCES deposits,
  file_id bigint NOT NULL UNIQUE REFERENCES files,
  put_at bigint NOT NULL,
  PRIMARY KEY (deposit_id, file_id)
);
CALL write_once('deposit_receipts');
GRANT SELECT ON deposit_receipts TO fairtick_money, fairtick_reader, fairtick_jobs, fairtick_console;

-- Announces a transfer to a bank account in force, open for the given number of milliseconds. The amount in its
-- currency is rounded down: never against the member.
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
REVOKE EXECUTE ON FUNCTION announce_bank_deposit FROM PUBLIC;
GRANT EXECUTE ON FUNCTION announce_bank_deposit TO fairtick_money;

-- Puts a picture to a remittance that is under way; again where a better one is there. The same one again is no change.
CREATE FUNCTION put_receipt(member bigint, deposit bigint, file bigint, subject text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM FROM deposits WHERE deposit_id = deposit AND member_id = member AND method = 'bank' FOR NO KEY UPDATE;
  IF NOT FOUND OR NOT claim_file(file, member, 'receipt', subject) THEN
    RETURN false;
  END IF;
  INSERT INTO deposit_receipts (deposit_id, file_id, put_at) VALUES (deposit, file, epoch_ms()) ON CONFLICT DO NOTHING;
  UPDATE deposits SET stage = 'in_review', stage_at = epoch_ms() WHERE deposit_id = deposit AND stage = 'awaiting_transfer';
  RETURN true;
END
$$;
REVOKE EXECUTE ON FUNCTION put_receipt FROM PUBLIC;
GRANT EXECUTE ON FUNCTION put_receipt TO fairtick_money;

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
REVOKE EXECUTE ON FUNCTION expire_remittances FROM PUBLIC;
GRANT EXECUTE ON FUNCTION expire_remittances TO fairtick_jobs;

-- What one person credits alone in any 24 hours, in one place: the rule applies it and the console says it.
CREATE FUNCTION one_person_max() RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT 5000000000::bigint';

-- Whether the person who imported the line's statement would exceed what one person credits alone, with this much
-- more.
CREATE FUNCTION above_one_person(entry bigint, worth bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT worth + coalesce((SELECT sum(d.amount) FROM bank_deposits b JOIN deposits d USING (deposit_id)
      JOIN statement_entries o ON o.entry_id = b.matched_entry JOIN bank_statements i ON i.statement_id = o.statement_id
      WHERE b.credited_by = s.imported_by AND i.imported_by = s.imported_by AND b.credited_at > epoch_ms() - 86400000), 0) > one_person_max()
  FROM statement_entries e JOIN bank_statements s USING (statement_id) WHERE e.entry_id = entry
$$;
