-- A bank may take a credited transfer back. One person of finance proposes to reverse the deposit, a second one approves; what the
-- member has no more becomes a debt of his, which everything that comes into his real wallet settles first. No amount of his
-- falls below zero, and nothing is taken unseen: each step is a transfer that he reads.

ALTER TABLE house_accounts DROP CONSTRAINT house_accounts_account_check;
ALTER TABLE house_accounts ADD CONSTRAINT house_accounts_account_check CHECK (account IN ('pool', 'fees', 'capital', 'bank_clearing', 'chain_clearing',
  'withdrawal_clearing', 'referral', 'practice_issue',
  -- Below zero by what members owe.
  'receivable'));
INSERT INTO house_accounts (wallet, account) SELECT w, 'receivable' FROM unnest(enum_range(NULL::wallet)) w;

ALTER TABLE transfers DROP CONSTRAINT transfers_kind_check;
ALTER TABLE transfers ADD CONSTRAINT transfers_kind_check CHECK (kind IN ('practice_issue', 'house_capital', 'deposit', 'withdrawal_hold', 'withdrawal_paid',
  'withdrawal_release', 'referral', 'correction', 'deposit_reversed', 'debt_settled'));

-- What he owes of reversed deposits; while it is above zero nothing of his real wallet is available.
ALTER TABLE members_money ADD COLUMN real_debt bigint NOT NULL DEFAULT 0 CHECK (real_debt >= 0);

-- Ids of its own, below zero: no other transfer has one.
CREATE SEQUENCE debt_transfer;

CREATE FUNCTION settle_debt() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  settled bigint := least(NEW.real_debt, NEW.real_available);
  new_transfer bigint := -nextval('debt_transfer');
BEGIN
  UPDATE members_money SET member_seq = member_seq + 1, real_available = real_available - settled, real_debt = real_debt - settled
    WHERE member_id = NEW.member_id;
  INSERT INTO transfers (transfer_id, kind, wallet, member_id, member_seq, available_after, made_at, idempotency_key, remark)
    VALUES (new_transfer, 'debt_settled', 'real', NEW.member_id, NEW.member_seq + 1, NEW.real_available - settled, epoch_ms(),
      'debt_settled:' || NEW.member_id || ':' || NEW.member_seq + 1, 'debt');
  INSERT INTO postings (transfer_id, line, from_account, to_account, amount) VALUES (new_transfer, 1, 'available', 'receivable', settled);
  UPDATE house_accounts SET balance = balance + settled WHERE wallet = 'real' AND account = 'receivable';
  RETURN NULL;
END
$$;
CREATE TRIGGER settle_debt AFTER UPDATE ON members_money FOR EACH ROW WHEN (NEW.real_debt > 0 AND NEW.real_available > 0) EXECUTE FUNCTION settle_debt();
ALTER TABLE members_money ENABLE ALWAYS TRIGGER settle_debt;

-- What a bank's statement takes back: a reversed credit, a return, or a debit that bears a reference of ours.
CREATE TABLE statement_returns (
  return_id bigint PRIMARY KEY,
  statement_id bigint NOT NULL REFERENCES bank_statements,
  account text NOT NULL,
  -- A reversal may bear the very reference of the line that it takes back.
  entry_reference text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  digits smallint NOT NULL CHECK (digits BETWEEN 0 AND 3),
  currency text NOT NULL,
  booked_on date NOT NULL,
  debtor text NOT NULL,
  remittance text NOT NULL,
  reference text,
  UNIQUE (account, entry_reference)
);
CALL write_once('statement_returns');
CREATE INDEX statement_returns_by_reference ON statement_returns (reference) WHERE reference IS NOT NULL;

-- Which lines take back which deposit's.
CREATE VIEW returned_deposits AS
  SELECT r.return_id, b.deposit_id FROM statement_returns r JOIN statement_entries e ON e.account = r.account AND e.currency = r.currency
    JOIN bank_deposits b ON b.matched_entry = e.entry_id
    WHERE r.reference = b.reference OR r.entry_reference = e.entry_reference;

INSERT INTO proposal_kinds (kind, maker_roles, checker_roles) VALUES ('deposit_reversal', '{finance}', '{finance}');
CREATE TABLE reversal_requests (
  proposal_id bigint PRIMARY KEY REFERENCES proposals,
  deposit_id bigint NOT NULL REFERENCES deposits,
  -- The line that takes it back; null where a person knows it otherwise.
  return_id bigint REFERENCES statement_returns
);
CALL write_once('reversal_requests');
CREATE INDEX reversal_requests_by_deposit ON reversal_requests (deposit_id);
CREATE TABLE deposit_reversals (
  deposit_id bigint PRIMARY KEY REFERENCES deposits,
  proposal_id bigint NOT NULL UNIQUE REFERENCES reversal_requests,
  transfer_id bigint NOT NULL UNIQUE REFERENCES transfers,
  -- What was there, and what became a debt.
  taken bigint NOT NULL CHECK (taken >= 0),
  owed bigint NOT NULL CHECK (owed >= 0)
);
CALL write_once('deposit_reversals');

ALTER TABLE deposits DROP CONSTRAINT deposits_stage_check;
ALTER TABLE deposits ADD CONSTRAINT deposits_stage_check CHECK (stage IN (
  'confirming', 'below_minimum', 'orphaned', 'wrong_token', 'credited', 'rejected', 'awaiting_transfer', 'in_review', 'claimed', 'linked',
  -- Credited, and taken back by the bank.
  'reversed'));
ALTER TABLE deposits DROP CONSTRAINT deposits_check;
ALTER TABLE deposits ADD CONSTRAINT deposits_check CHECK ((stage IN ('credited', 'reversed')) = (transfer_id IS NOT NULL));

-- As before; a credited one can only be reversed, and only by the row that says who agreed.
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
      WHEN 'awaiting_transfer' THEN NEW.stage IN ('in_review', 'credited', 'rejected')
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

-- Binds a proposal to the deposit that it is about: a credited remittance, without another proposal that waits.
CREATE FUNCTION propose_reversal(proposal bigint, deposit bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  made proposals;
BEGIN
  SELECT * INTO STRICT made FROM proposals WHERE proposal_id = proposal AND kind = 'deposit_reversal';
  PERFORM FROM deposits WHERE deposit_id = deposit AND member_id = made.member_id AND method = 'bank' AND stage = 'credited' FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'deposit % is no credited remittance', deposit USING ERRCODE = 'check_violation';
  END IF;
  PERFORM FROM reversal_requests r WHERE r.deposit_id = deposit AND NOT EXISTS (SELECT FROM decisions d WHERE d.proposal_id = r.proposal_id);
  IF FOUND THEN
    RAISE EXCEPTION 'a reversal of deposit % waits already', deposit USING ERRCODE = 'check_violation';
  END IF;
  INSERT INTO reversal_requests (proposal_id, deposit_id, return_id)
    VALUES (proposal, deposit, (SELECT max(return_id) FROM returned_deposits WHERE deposit_id = deposit));
END
$$;

-- Takes a credited remittance back, once: out of what the member has available, the rest as his debt. Answers what he owes by it.
CREATE FUNCTION reverse_deposit(proposal bigint, new_transfer bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  agreed proposals := approved_proposal(proposal, 'deposit_reversal');
  at_time bigint := epoch_ms();
  d deposits;
  has bigint;
  seq bigint;
BEGIN
  SELECT o.* INTO STRICT d FROM deposits o JOIN reversal_requests r USING (deposit_id)
    WHERE r.proposal_id = proposal AND o.stage = 'credited' FOR NO KEY UPDATE OF o;
  SELECT least(real_available, d.amount) INTO STRICT has FROM members_money WHERE member_id = d.member_id FOR NO KEY UPDATE;
  UPDATE members_money SET member_seq = member_seq + 1, real_available = real_available - has, real_debt = real_debt + d.amount - has
    WHERE member_id = d.member_id RETURNING member_seq INTO STRICT seq;
  INSERT INTO transfers (transfer_id, kind, wallet, member_id, member_seq, available_after, made_at, idempotency_key, remark)
    SELECT new_transfer, 'deposit_reversed', 'real', d.member_id, seq, real_available, at_time, 'deposit_reversed:' || d.deposit_id, agreed.reason
    FROM members_money WHERE member_id = d.member_id;
  INSERT INTO postings (transfer_id, line, from_account, to_account, amount)
    SELECT new_transfer, row_number() OVER (), account, 'bank_clearing', part
    FROM (VALUES ('available', has), ('receivable', d.amount - has)) AS l(account, part) WHERE part > 0;
  UPDATE house_accounts SET balance = balance - (d.amount - has) WHERE wallet = 'real' AND account = 'receivable' AND d.amount > has;
  UPDATE house_accounts SET balance = balance + d.amount WHERE wallet = 'real' AND account = 'bank_clearing';
  INSERT INTO deposit_reversals (deposit_id, proposal_id, transfer_id, taken, owed) VALUES (d.deposit_id, proposal, new_transfer, has, d.amount - has);
  UPDATE deposits SET stage = 'reversed', reason = agreed.reason, stage_at = at_time WHERE deposit_id = d.deposit_id;
  RETURN d.amount - has;
END
$$;

REVOKE EXECUTE ON FUNCTION settle_debt, propose_reversal, reverse_deposit FROM PUBLIC;
GRANT EXECUTE ON FUNCTION propose_reversal, reverse_deposit TO fairtick_console;
GRANT SELECT ON statement_returns, returned_deposits, reversal_requests, deposit_reversals TO fairtick_console, fairtick_jobs;
GRANT SELECT ON deposit_reversals TO fairtick_reader;
GRANT SELECT (proposal_id, made_by, decided_by, decision) ON decisions TO fairtick_jobs;
GRANT INSERT ON statement_returns TO fairtick_console;
