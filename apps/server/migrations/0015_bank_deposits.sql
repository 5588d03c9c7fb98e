-- Deposits by bank, by card and claims of late transfers; what the bank says, and what two people agree on.

ALTER TABLE deposits DROP CONSTRAINT deposits_stage_check;
ALTER TABLE deposits ADD CONSTRAINT deposits_stage_check CHECK (stage IN (
  'confirming', 'below_minimum', 'orphaned', 'wrong_token', 'credited', 'rejected',
  -- A remittance that is announced; one whose receipt is there.
  'awaiting_transfer', 'in_review',
  -- A transfer that its member told of before it was seen; one that was found, and is shown in the claim's place.
  'claimed', 'linked'));
CREATE INDEX deposits_waiting ON deposits (deposit_id) WHERE stage IN ('awaiting_transfer', 'in_review', 'claimed');

-- As before, with the new ones. A deposit only moves forward.
CREATE OR REPLACE FUNCTION step_deposit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF (OLD.deposit_id, OLD.member_id, OLD.method, OLD.created_at) IS DISTINCT FROM (NEW.deposit_id, NEW.member_id, NEW.method, NEW.created_at) THEN
      RAISE EXCEPTION 'a deposit stays its member''s' USING ERRCODE = 'check_violation';
    END IF;
    IF OLD.stage = 'credited' AND (OLD.amount, OLD.stage, OLD.transfer_id) IS DISTINCT FROM (NEW.amount, NEW.stage, NEW.transfer_id) THEN
      RAISE EXCEPTION 'deposit % is credited and stays so', OLD.deposit_id USING ERRCODE = 'check_violation';
    END IF;
    IF OLD.stage = NEW.stage THEN
      RETURN NULL;
    END IF;
    IF NOT (CASE OLD.stage
      WHEN 'confirming' THEN NEW.stage IN ('below_minimum', 'orphaned', 'credited', 'rejected')
      WHEN 'orphaned' THEN NEW.stage IN ('confirming', 'rejected')
      WHEN 'below_minimum' THEN NEW.stage IN ('credited', 'rejected')
      WHEN 'awaiting_transfer' THEN NEW.stage IN ('in_review', 'credited', 'rejected')
      WHEN 'in_review' THEN NEW.stage IN ('credited', 'rejected')
      WHEN 'claimed' THEN NEW.stage IN ('linked', 'rejected')
      ELSE false END) THEN
      RAISE EXCEPTION 'deposit % cannot go from % to %', OLD.deposit_id, OLD.stage, NEW.stage USING ERRCODE = 'check_violation';
    END IF;
  END IF;
  INSERT INTO deposit_steps (deposit_id, step, stage, at)
    SELECT NEW.deposit_id, count(*) + 1, NEW.stage, NEW.stage_at FROM deposit_steps WHERE deposit_id = NEW.deposit_id;
  RETURN NULL;
END
$$;

CREATE FUNCTION epoch_ms() RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
$$;

-- Where members send money to: one row a version, none ever changed. An approved proposal makes the next one.
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
CREATE VIEW receiving_cards_now AS SELECT DISTINCT ON (card_id) * FROM receiving_cards ORDER BY card_id, version DESC;

-- What makes a wish happen once: the member's client id, with a hash of what he asked for.
CREATE TABLE deposit_requests (
  member_id bigint NOT NULL REFERENCES members,
  client_id text NOT NULL,
  payload_hash bytea NOT NULL,
  deposit_id bigint NOT NULL UNIQUE REFERENCES deposits DEFERRABLE INITIALLY DEFERRED,
  PRIMARY KEY (member_id, client_id)
);
CALL write_once('deposit_requests');

-- One line of a statement that came in on an account of ours.
CREATE TABLE bank_statements (
  statement_id bigint PRIMARY KEY,
  -- The bank's own name for the message.
  message text NOT NULL,
  file_hash bytea NOT NULL UNIQUE,
  imported_by bigint NOT NULL REFERENCES operators,
  imported_at bigint NOT NULL
);
CALL write_once('bank_statements');
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
  UNIQUE (account, entry_reference)
);
CALL write_once('statement_entries');
CREATE INDEX statement_entries_by_reference ON statement_entries (reference) WHERE reference IS NOT NULL;

CREATE TABLE bank_deposits (
  deposit_id bigint PRIMARY KEY REFERENCES deposits,
  card_id bigint NOT NULL,
  card_version integer NOT NULL,
  fiat_amount bigint NOT NULL CHECK (fiat_amount > 0),
  reference text NOT NULL UNIQUE,
  matched_entry bigint UNIQUE REFERENCES statement_entries,
  -- Null where the statement matched by itself.
  matched_by bigint REFERENCES operators,
  FOREIGN KEY (card_id, card_version) REFERENCES receiving_cards
);
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

-- A transfer that a member says he made; what is credited is what the chain says.
CREATE TABLE chain_claims (
  deposit_id bigint PRIMARY KEY REFERENCES deposits,
  chain text NOT NULL,
  quantity numeric(78) NOT NULL CHECK (quantity > 0),
  tx_hash text CHECK (tx_hash ~ '^0x[0-9a-f]{64}$'),
  -- The deposit that the chain brought.
  linked_deposit bigint UNIQUE REFERENCES deposits
);

CREATE TABLE card_deposits (
  deposit_id bigint PRIMARY KEY REFERENCES deposits,
  proposal_id bigint NOT NULL UNIQUE REFERENCES proposals
);
CALL write_once('card_deposits');

INSERT INTO proposal_kinds (kind, maker_roles, checker_roles) VALUES
  ('card_deposit', '{support,finance}', '{finance}'),
  ('receiving_card', '{admin}', '{admin}');

-- Member's side ---------------------------------------------------------------------------------------------------

-- False: the client id was used before, and nothing was written.
CREATE FUNCTION bind_deposit_request(member bigint, client text, payload bytea, deposit bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO deposit_requests (member_id, client_id, payload_hash, deposit_id) VALUES (member, client, payload, deposit)
    ON CONFLICT (member_id, client_id) DO NOTHING;
  RETURN FOUND;
END
$$;

-- Announces a remittance to a card in force. The amount in its currency is rounded down: never against the member.
CREATE FUNCTION announce_bank_deposit(member bigint, client text, payload bytea, new_deposit bigint, card bigint, usd bigint, new_reference text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  to_card receiving_cards_now;
BEGIN
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
  INSERT INTO bank_deposits (deposit_id, card_id, card_version, fiat_amount, reference)
    VALUES (new_deposit, card, to_card.version, floor(usd::numeric * to_card.rate * 10 ^ to_card.digits / 1000000000000), new_reference);
  RETURN true;
END
$$;

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

-- Finds the transfer of a claim: by its hash where the member gave one, else by its very quantity in the last thirty days.
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
        ELSE t.token = i.token AND t.raw_amount = said.quantity AND d.created_at > said.created_at - 2592000000 END
      AND NOT EXISTS (SELECT FROM chain_claims o WHERE o.linked_deposit = d.deposit_id)
    ORDER BY d.deposit_id DESC LIMIT 1;
  IF found_one IS NOT NULL THEN
    UPDATE chain_claims SET linked_deposit = found_one WHERE deposit_id = claim;
    UPDATE deposits SET stage = 'linked', stage_at = epoch_ms() WHERE deposit_id = claim;
  END IF;
END
$$;

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

-- A transfer that arrives is looked for among the claims that wait for one.
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
CREATE TRIGGER link_waiting_claims AFTER INSERT ON chain_transfers FOR EACH ROW EXECUTE FUNCTION link_waiting_claims();
ALTER TABLE chain_transfers ENABLE ALWAYS TRIGGER link_waiting_claims;

-- The house's side --------------------------------------------------------------------------------------------------

-- The operator of a live session who has one of the roles; what finance does takes one, whoever asks.
CREATE FUNCTION operator_with(session bigint, roles text[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  who bigint;
BEGIN
  PERFORM require_session(session);
  SELECT s.operator_id INTO who FROM operator_sessions s JOIN operator_roles r USING (operator_id)
    WHERE s.session_id = session AND r.role = ANY (roles) LIMIT 1;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'session % is of none of %', session, roles USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN who;
END
$$;

-- Books a deposit from the bank's clearing, once: the key holds even where a state were wrong.
CREATE FUNCTION book_deposit(deposit bigint, new_transfer bigint, key text, credited bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  who bigint;
  seq bigint;
  after bigint;
BEGIN
  SELECT member_id INTO STRICT who FROM deposits WHERE deposit_id = deposit;
  UPDATE members_money SET member_seq = member_seq + 1, real_available = real_available + credited
    WHERE member_id = who RETURNING member_seq, real_available INTO STRICT seq, after;
  INSERT INTO transfers (transfer_id, kind, wallet, member_id, member_seq, available_after, made_at, idempotency_key, remark)
    VALUES (new_transfer, 'deposit', 'real', who, seq, after, epoch_ms(), key, 'deposit');
  INSERT INTO postings (transfer_id, line, from_account, to_account, amount) VALUES (new_transfer, 1, 'bank_clearing', 'available', credited);
  UPDATE house_accounts SET balance = balance - credited WHERE wallet = 'real' AND account = 'bank_clearing';
  UPDATE deposits SET stage = 'credited', amount = credited, reason = NULL, transfer_id = new_transfer, stage_at = epoch_ms() WHERE deposit_id = deposit;
END
$$;

-- What a statement's line brings at the rate that the member saw: the amount he named where it is exact, else its worth in
-- whole cents, rounded up. Null where the line cannot be this deposit's: another account, or another currency.
CREATE FUNCTION worth_of_entry(deposit bigint, entry bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN e.amount = b.fiat_amount AND e.digits = c.digits THEN d.amount
    ELSE (ceil(e.amount::numeric * 100000000 / 10 ^ e.digits / c.rate) * 10000)::bigint END
  FROM deposits d JOIN bank_deposits b USING (deposit_id) JOIN receiving_cards c ON c.card_id = b.card_id AND c.version = b.card_version
  JOIN statement_entries e ON e.entry_id = entry AND e.currency = c.currency AND e.account = c.number
  WHERE d.deposit_id = deposit
$$;

-- Says which line of a statement a remittance is; may be said anew until it is credited. Answers what it brings.
CREATE FUNCTION match_statement(session bigint, deposit bigint, entry bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who bigint := operator_with(session, '{finance}');
  worth bigint;
BEGIN
  PERFORM FROM deposits WHERE deposit_id = deposit AND method = 'bank' AND stage IN ('awaiting_transfer', 'in_review') FOR NO KEY UPDATE;
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

-- Credits a remittance with what its matched line brought.
CREATE FUNCTION credit_bank_deposit(session bigint, deposit bigint, new_transfer bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  entry bigint;
  worth bigint;
BEGIN
  PERFORM operator_with(session, '{finance}');
  SELECT b.matched_entry INTO entry FROM deposits d JOIN bank_deposits b USING (deposit_id)
    WHERE d.deposit_id = deposit AND d.stage IN ('awaiting_transfer', 'in_review') FOR NO KEY UPDATE OF d;
  worth := worth_of_entry(deposit, entry);
  IF worth IS NULL THEN
    RAISE EXCEPTION 'deposit % has no line of a statement', deposit USING ERRCODE = 'check_violation';
  END IF;
  PERFORM book_deposit(deposit, new_transfer, 'deposit:bank:' || entry, worth);
  RETURN worth;
END
$$;

-- Credits by itself what is beyond doubt: our reference, the very amount, currency and account, on one line alone.
-- Answers the deposit; null where nothing is that clear.
CREATE FUNCTION settle_exact_entry(session bigint, entry bigint, new_transfer bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  deposit bigint;
  worth bigint;
BEGIN
  PERFORM operator_with(session, '{finance}');
  SELECT d.deposit_id, d.amount INTO deposit, worth FROM statement_entries e
    JOIN bank_deposits b ON b.reference = e.reference AND b.fiat_amount = e.amount
    JOIN receiving_cards c ON c.card_id = b.card_id AND c.version = b.card_version
      AND c.currency = e.currency AND c.digits = e.digits AND c.number = e.account
    JOIN deposits d ON d.deposit_id = b.deposit_id
    WHERE e.entry_id = entry AND d.stage IN ('awaiting_transfer', 'in_review') AND b.matched_entry IS NULL
      AND NOT EXISTS (SELECT FROM statement_entries o WHERE o.reference = e.reference AND o.entry_id <> e.entry_id)
      AND NOT EXISTS (SELECT FROM bank_deposits m WHERE m.matched_entry = entry)
    FOR NO KEY UPDATE OF d;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  UPDATE bank_deposits SET matched_entry = entry WHERE deposit_id = deposit;
  PERFORM book_deposit(deposit, new_transfer, 'deposit:bank:' || entry, worth);
  RETURN deposit;
END
$$;

-- Ends a remittance or a claim that is none, with a reason that the member reads.
CREATE FUNCTION reject_deposit(session bigint, deposit bigint, why text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM operator_with(session, '{finance}');
  UPDATE deposits SET stage = 'rejected', reason = why, stage_at = epoch_ms()
    WHERE deposit_id = deposit AND ((method = 'bank' AND stage IN ('awaiting_transfer', 'in_review')) OR stage IN ('claimed', 'below_minimum'));
  RETURN FOUND;
END
$$;

-- A card payment that an operator took up in the chat: shown to the member at once, credited when a second person agrees.
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
  INSERT INTO deposits (deposit_id, member_id, method, stage, amount, created_at, stage_at)
    VALUES (new_deposit, made.member_id, 'card', 'in_review', usd, epoch_ms(), epoch_ms());
  INSERT INTO card_deposits (deposit_id, proposal_id) VALUES (new_deposit, proposal);
END
$$;

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

REVOKE EXECUTE ON FUNCTION bind_deposit_request, announce_bank_deposit, put_receipt, link_claim, claim_transfer, link_waiting_claims, operator_with,
  book_deposit, match_statement, credit_bank_deposit, settle_exact_entry, reject_deposit, propose_card_deposit, apply_card_deposit,
  reject_card_deposit, publish_receiving_card, found_receiving_cards FROM PUBLIC;
GRANT EXECUTE ON FUNCTION announce_bank_deposit, put_receipt, claim_transfer TO fairtick_money;
GRANT EXECUTE ON FUNCTION match_statement, credit_bank_deposit, settle_exact_entry, reject_deposit, propose_card_deposit, apply_card_deposit,
  reject_card_deposit, publish_receiving_card, found_receiving_cards TO fairtick_console;

GRANT SELECT ON deposit_requests, receiving_cards, receiving_cards_now, bank_deposits, deposit_receipts, chain_claims TO fairtick_money;
GRANT SELECT ON receiving_cards, receiving_cards_now, bank_deposits, deposit_receipts, chain_claims, card_deposits TO fairtick_reader, fairtick_jobs;
GRANT SELECT ON statement_entries TO fairtick_jobs;
GRANT SELECT ON deposits, deposit_steps, deposit_addresses, chain_instances, chain_transfers, chain_coins, incidents, withdrawal_freezes,
  receiving_cards, receiving_cards_now, bank_statements, statement_entries, bank_deposits, deposit_receipts, chain_claims, card_deposits TO fairtick_console;
GRANT INSERT ON bank_statements, statement_entries TO fairtick_console;
