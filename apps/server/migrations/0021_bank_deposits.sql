-- Bank deposits: the accounts members send money to, the statements that come in, and the transfers members
-- announced.

CREATE TABLE receiving_cards (
  card_id bigint NOT NULL,
  version integer NOT NULL CHECK (version > 0),
  regions text[] NOT NULL,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  digits smallint NOT NULL CHECK (digits BETWEEN 0 AND 3),
  bank text NOT NULL,
  bank_code text,
  holder text NOT NULL,
  number text NOT NULL CHECK (number ~ '^[A-Z0-9]{4,34}$'),
  note text NOT NULL,
  rate bigint NOT NULL CHECK (rate > 0),
  active boolean NOT NULL,
  proposal_id bigint UNIQUE REFERENCES proposals,
  made_at bigint NOT NULL,
  PRIMARY KEY (card_id, version)
);
COMMENT ON TABLE receiving_cards IS 'Bank accounts that members send money to: one row per version, never changed. An approved proposal makes the next version.';
COMMENT ON COLUMN receiving_cards.card_id IS 'Number of the account';
COMMENT ON COLUMN receiving_cards.version IS 'Number of the version';
COMMENT ON COLUMN receiving_cards.regions IS 'Regions it is for, ISO 3166; empty for every region with a real wallet';
COMMENT ON COLUMN receiving_cards.currency IS 'ISO 4217 code of the currency';
COMMENT ON COLUMN receiving_cards.digits IS 'Decimal places of the currency''s smallest unit';
COMMENT ON COLUMN receiving_cards.bank IS 'Name of the bank';
COMMENT ON COLUMN receiving_cards.bank_code IS 'BIC, or the bank''s number in its country; null where there is none';
COMMENT ON COLUMN receiving_cards.holder IS 'Account holder';
COMMENT ON COLUMN receiving_cards.number IS 'IBAN or account number, without spaces';
COMMENT ON COLUMN receiving_cards.note IS 'Note shown to members';
COMMENT ON COLUMN receiving_cards.rate IS 'Currency per USD, millionths';
COMMENT ON COLUMN receiving_cards.active IS 'Whether members are shown it';
COMMENT ON COLUMN receiving_cards.proposal_id IS 'The proposal it came from; null for a sandbox''s own';
COMMENT ON COLUMN receiving_cards.made_at IS 'When it was made, ms since 1970 UTC';
CALL write_once('receiving_cards');
GRANT SELECT ON receiving_cards TO fairtick_money, fairtick_reader, fairtick_jobs, fairtick_console;

CREATE VIEW receiving_cards_now AS SELECT DISTINCT ON (card_id) * FROM receiving_cards ORDER BY card_id, version DESC;
COMMENT ON VIEW receiving_cards_now IS 'The newest version of each receiving account.';
COMMENT ON COLUMN receiving_cards_now.card_id IS 'Number of the account';
COMMENT ON COLUMN receiving_cards_now.version IS 'Number of the version';
COMMENT ON COLUMN receiving_cards_now.regions IS 'Regions it is for, ISO 3166; empty for every region with a real wallet';
COMMENT ON COLUMN receiving_cards_now.currency IS 'ISO 4217 code of the currency';
COMMENT ON COLUMN receiving_cards_now.digits IS 'Decimal places of the currency''s smallest unit';
COMMENT ON COLUMN receiving_cards_now.bank IS 'Name of the bank';
COMMENT ON COLUMN receiving_cards_now.bank_code IS 'BIC, or the bank''s number in its country; null where there is none';
COMMENT ON COLUMN receiving_cards_now.holder IS 'Account holder';
COMMENT ON COLUMN receiving_cards_now.number IS 'IBAN or account number, without spaces';
COMMENT ON COLUMN receiving_cards_now.note IS 'Note shown to members';
COMMENT ON COLUMN receiving_cards_now.rate IS 'Currency per USD, millionths';
COMMENT ON COLUMN receiving_cards_now.active IS 'Whether members are shown it';
COMMENT ON COLUMN receiving_cards_now.proposal_id IS 'The proposal it came from; null for a sandbox''s own';
COMMENT ON COLUMN receiving_cards_now.made_at IS 'When it was made, ms since 1970 UTC';
GRANT SELECT ON receiving_cards_now TO fairtick_money, fairtick_reader, fairtick_jobs, fairtick_console;

-- The log's entry for a version of a receiving account, as a hash that anyone who is shown the account can
-- recompute.
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
COMMENT ON TABLE receiving_card_entries IS 'Entries of the public log for each version of a receiving account.';
COMMENT ON COLUMN receiving_card_entries.card_id IS 'The receiving account';
COMMENT ON COLUMN receiving_card_entries.version IS 'Its version';
COMMENT ON COLUMN receiving_card_entries.outbox_id IS 'Its entry for the public log';
CALL write_once('receiving_card_entries');
GRANT SELECT ON receiving_card_entries TO fairtick_jobs;

-- No receiving account is created, by whatever way, without its entry in the log.
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

-- Publishes the next version of a receiving account, exactly as agreed; a new account when the proposal names none.
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

-- Creates a sandbox's receiving accounts, while there are none.
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
  message text NOT NULL,
  file_hash bytea NOT NULL UNIQUE,
  imported_by bigint NOT NULL REFERENCES operators,
  imported_at bigint NOT NULL
);
COMMENT ON TABLE bank_statements IS 'Bank statements that were imported.';
COMMENT ON COLUMN bank_statements.statement_id IS 'Number of the statement';
COMMENT ON COLUMN bank_statements.message IS 'The bank''s own name for the message';
COMMENT ON COLUMN bank_statements.file_hash IS 'SHA-256 of the file';
COMMENT ON COLUMN bank_statements.imported_by IS 'The operator who imported it';
COMMENT ON COLUMN bank_statements.imported_at IS 'When it was imported, ms since 1970 UTC';
CALL write_once('bank_statements');
GRANT SELECT ON bank_statements TO fairtick_console;

CREATE TABLE statement_entries (
  entry_id bigint PRIMARY KEY,
  statement_id bigint NOT NULL REFERENCES bank_statements,
  account text NOT NULL,
  entry_reference text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  digits smallint NOT NULL CHECK (digits BETWEEN 0 AND 3),
  currency text NOT NULL,
  booked_on date NOT NULL,
  debtor text NOT NULL,
  remittance text NOT NULL,
  reference text,
  also_reference text,
  UNIQUE (account, entry_reference)
);
COMMENT ON TABLE statement_entries IS 'Lines of statements: money that came in.';
COMMENT ON COLUMN statement_entries.entry_id IS 'Number of the line';
COMMENT ON COLUMN statement_entries.statement_id IS 'The statement it came in';
COMMENT ON COLUMN statement_entries.account IS 'Our account';
COMMENT ON COLUMN statement_entries.entry_reference IS 'The bank''s reference of the line';
COMMENT ON COLUMN statement_entries.amount IS 'Amount, in the currency''s smallest unit';
COMMENT ON COLUMN statement_entries.digits IS 'Decimal places of the currency''s smallest unit';
COMMENT ON COLUMN statement_entries.currency IS 'ISO 4217 code of the currency';
COMMENT ON COLUMN statement_entries.booked_on IS 'Day it was booked';
COMMENT ON COLUMN statement_entries.debtor IS 'Who paid';
COMMENT ON COLUMN statement_entries.remittance IS 'The payer''s text';
COMMENT ON COLUMN statement_entries.reference IS 'Our reference found in the text, if any';
COMMENT ON COLUMN statement_entries.also_reference IS 'The bank''s second reference. A bank names a payment on the entry and on the transaction within and may fill in either, so a line is recognised by both';
CALL write_once('statement_entries');
CREATE INDEX statement_entries_by_reference ON statement_entries (reference) WHERE reference IS NOT NULL;
CREATE INDEX statement_entries_by_other ON statement_entries (account, also_reference) WHERE also_reference IS NOT NULL;
GRANT SELECT ON statement_entries TO fairtick_jobs;
GRANT SELECT, INSERT ON statement_entries TO fairtick_console;

CREATE TABLE deposit_requests (
  member_id bigint NOT NULL REFERENCES members,
  client_id text NOT NULL,
  payload_hash bytea NOT NULL,
  deposit_id bigint NOT NULL UNIQUE REFERENCES deposits DEFERRABLE INITIALLY DEFERRED,
  PRIMARY KEY (member_id, client_id)
);
COMMENT ON TABLE deposit_requests IS 'What makes a member''s request for a deposit happen once.';
COMMENT ON COLUMN deposit_requests.member_id IS 'The member';
COMMENT ON COLUMN deposit_requests.client_id IS 'The client id: repeating it never does the same thing twice';
COMMENT ON COLUMN deposit_requests.payload_hash IS 'SHA-256 of what was asked: the same client id with another request is a conflict';
COMMENT ON COLUMN deposit_requests.deposit_id IS 'The deposit';
CALL write_once('deposit_requests');
GRANT SELECT ON deposit_requests TO fairtick_money;

-- Binds a member's client id to a deposit. False when the id was used before; nothing is written then.
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
  matched_by bigint REFERENCES operators,
  expires_at bigint,
  credited_by bigint REFERENCES operators,
  credited_at bigint,
  FOREIGN KEY (card_id, card_version) REFERENCES receiving_cards,
  CONSTRAINT credited_by_somebody CHECK ((credited_by IS NULL) = (credited_at IS NULL))
);
COMMENT ON TABLE bank_deposits IS 'Bank transfers that members announced.';
COMMENT ON COLUMN bank_deposits.deposit_id IS 'The deposit';
COMMENT ON COLUMN bank_deposits.card_id IS 'The receiving account';
COMMENT ON COLUMN bank_deposits.card_version IS 'Version of that account';
COMMENT ON COLUMN bank_deposits.fiat_amount IS 'Amount announced, in the currency''s smallest unit';
COMMENT ON COLUMN bank_deposits.reference IS 'Reference the member puts into the transfer';
COMMENT ON COLUMN bank_deposits.matched_entry IS 'The line of a statement it was matched with';
COMMENT ON COLUMN bank_deposits.matched_by IS 'The operator who matched it; null where it matched on its own';
COMMENT ON COLUMN bank_deposits.expires_at IS 'When it expires, ms since 1970 UTC; null for never';
COMMENT ON COLUMN bank_deposits.credited_by IS 'The operator who credited it or imported the statement; null for older ones';
COMMENT ON COLUMN bank_deposits.credited_at IS 'When it was credited, ms since 1970 UTC';
CREATE INDEX bank_deposits_expiring ON bank_deposits (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX bank_deposits_by_person ON bank_deposits (credited_by, credited_at) WHERE credited_by IS NOT NULL;
GRANT SELECT ON bank_deposits TO fairtick_money, fairtick_reader, fairtick_jobs, fairtick_console;

CREATE TRIGGER keep_bank_deposits BEFORE DELETE ON bank_deposits FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER keep_all_bank_deposits BEFORE TRUNCATE ON bank_deposits FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE deposit_receipts (
  deposit_id bigint NOT NULL REFERENCES deposits,
  file_id bigint NOT NULL UNIQUE REFERENCES files,
  put_at bigint NOT NULL,
  PRIMARY KEY (deposit_id, file_id)
);
COMMENT ON TABLE deposit_receipts IS 'Receipts that members attached to deposits. The newest counts.';
COMMENT ON COLUMN deposit_receipts.deposit_id IS 'The deposit';
COMMENT ON COLUMN deposit_receipts.file_id IS 'The file';
COMMENT ON COLUMN deposit_receipts.put_at IS 'When it was attached, ms since 1970 UTC';
CALL write_once('deposit_receipts');
GRANT SELECT ON deposit_receipts TO fairtick_money, fairtick_reader, fairtick_jobs, fairtick_console;

-- Announces a transfer to a bank account in force, open for the given number of milliseconds. The amount in its
-- currency is rounded down, in the member's favor.
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

-- Attaches a receipt to a bank deposit under way; a better one may follow. Attaching the same one again changes
-- nothing.
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

-- Ends announced transfers that nobody paid: no receipt was handed in, and no line of a statement has their
-- reference.
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

-- How much one person credits alone in any 24 hours, micro-USD. The rule applies it and the console shows it.
CREATE FUNCTION one_person_max() RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT 5000000000::bigint';

-- Whether the person who imported the line's statement would exceed what one person credits alone, with this much
-- more.
CREATE FUNCTION above_one_person(entry bigint, worth bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT worth + coalesce((SELECT sum(d.amount) FROM bank_deposits b JOIN deposits d USING (deposit_id)
      JOIN statement_entries o ON o.entry_id = b.matched_entry JOIN bank_statements i ON i.statement_id = o.statement_id
      WHERE b.credited_by = s.imported_by AND i.imported_by = s.imported_by AND b.credited_at > epoch_ms() - 86400000), 0) > one_person_max()
  FROM statement_entries e JOIN bank_statements s USING (statement_id) WHERE e.entry_id = entry
$$;
