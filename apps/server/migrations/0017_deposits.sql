-- Deposits of every method, and the incidents that people have to look at. What only a chain or a bank knows is in
-- that method's own tables.
--
-- Where a deposit can go from each stage (step_deposit refuses everything else):
--
--   confirming         → below_minimum, orphaned, credited, rejected
--   orphaned           → confirming, rejected              its block was removed, and may come back
--   below_minimum      → credited, rejected                finance decides
--   wrong_token        → rejected                          finance has looked at it
--   claimed            → linked, rejected                  the member reported it before it was seen
--   awaiting_transfer  → in_review, credited, rejected, expired
--   expired            → credited                          the transfer came late all the same
--   in_review          → credited, rejected
--   credited           → reversed                          the bank took it back
--
-- linked, rejected and reversed are final.

CREATE TABLE deposits (
  deposit_id bigint PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES members,
  method text NOT NULL CHECK (method IN ('bank', 'card', 'crypto')),
  stage text NOT NULL CHECK (stage IN (
    'confirming', 'below_minimum', 'orphaned', 'wrong_token', 'credited', 'rejected', 'awaiting_transfer', 'in_review', 'claimed', 'linked', 'reversed',
    -- Announced, and neither a receipt nor a line of a statement came in time.
    'expired')),
  amount bigint NOT NULL CHECK (amount >= 0),
  created_at bigint NOT NULL,
  stage_at bigint NOT NULL,
  reason text,
  transfer_id bigint UNIQUE REFERENCES transfers,
  CHECK ((stage IN ('credited', 'reversed')) = (transfer_id IS NOT NULL))
);
COMMENT ON TABLE deposits IS 'Every deposit of every method: what its owner is shown.';
COMMENT ON COLUMN deposits.deposit_id IS 'Number of the deposit';
COMMENT ON COLUMN deposits.member_id IS 'The member';
COMMENT ON COLUMN deposits.method IS 'Bank, card or crypto';
COMMENT ON COLUMN deposits.stage IS 'Where it stands; step_deposit lists the transitions';
COMMENT ON COLUMN deposits.amount IS 'What is or would be credited, micro-USD; 0 where nothing ever is';
COMMENT ON COLUMN deposits.created_at IS 'When it was created, ms since 1970 UTC';
COMMENT ON COLUMN deposits.stage_at IS 'When it reached its stage, ms since 1970 UTC';
COMMENT ON COLUMN deposits.reason IS 'A stable word that the app translates, or an operator''s words';
COMMENT ON COLUMN deposits.transfer_id IS 'The transfer that credited it';
CREATE INDEX deposits_by_member ON deposits (member_id, deposit_id);
CREATE INDEX deposits_confirming ON deposits (deposit_id) WHERE stage = 'confirming';
CREATE INDEX deposits_waiting ON deposits (deposit_id) WHERE stage IN ('awaiting_transfer', 'in_review', 'claimed');
-- For the ledger's checks of recent movements.
CREATE INDEX deposits_by_stage_at ON deposits (stage_at);
-- Deposits that wait for people.
CREATE INDEX deposits_for_people ON deposits (deposit_id) WHERE stage IN ('in_review', 'claimed', 'below_minimum', 'wrong_token');
CREATE INDEX deposits_without_money ON deposits (deposit_id) WHERE stage IN ('awaiting_transfer', 'expired');
GRANT SELECT ON deposits TO fairtick_money, fairtick_reader, fairtick_jobs, fairtick_console;
GRANT SELECT, INSERT ON deposits TO fairtick_chain;
GRANT UPDATE (stage, amount, stage_at, reason, transfer_id) ON deposits TO fairtick_chain;

CREATE TRIGGER keep_deposits BEFORE DELETE ON deposits FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE deposits ENABLE ALWAYS TRIGGER keep_deposits;
CREATE TRIGGER keep_all_deposits BEFORE TRUNCATE ON deposits FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE deposits ENABLE ALWAYS TRIGGER keep_all_deposits;

CREATE TABLE deposit_steps (
  deposit_id bigint NOT NULL REFERENCES deposits,
  step integer NOT NULL,
  stage text NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (deposit_id, step)
);
COMMENT ON TABLE deposit_steps IS 'Each stage a deposit reached, in order.';
COMMENT ON COLUMN deposit_steps.deposit_id IS 'The deposit';
COMMENT ON COLUMN deposit_steps.step IS 'Number of the step, from 1';
COMMENT ON COLUMN deposit_steps.stage IS 'The stage';
COMMENT ON COLUMN deposit_steps.at IS 'When it happened, ms since 1970 UTC';
CALL write_once('deposit_steps');
GRANT SELECT ON deposit_steps TO fairtick_money, fairtick_reader, fairtick_jobs, fairtick_console;

-- A deposit only moves forward: a credited or rejected one, or one in another token, stays so, whatever a program does.
-- Only a block that a reorganization removed may come back, any number of times, before the credit. A credited deposit
-- can only be reversed, and only by the row that says who agreed. An expired bank transfer can still be credited if it
-- comes late. Finance may credit a transfer below the minimum, under the watcher's own key. One in another token waits
-- until finance has looked at it, and is never credited.
CREATE FUNCTION step_deposit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
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
      WHEN 'wrong_token' THEN NEW.stage = 'rejected'
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

CREATE TRIGGER step_deposit AFTER INSERT OR UPDATE ON deposits FOR EACH ROW EXECUTE FUNCTION step_deposit();
ALTER TABLE deposits ENABLE ALWAYS TRIGGER step_deposit;

-- Books a deposit from the bank's clearing account, once: the key holds even if a stage were wrong.
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
REVOKE EXECUTE ON FUNCTION book_deposit FROM PUBLIC;

-- Ends a bank deposit, a claim or a transfer in another token, with a reason that the member reads. A bank deposit
-- that ends gives back the line it was matched with, so that another deposit can have it.
CREATE FUNCTION reject_deposit(session bigint, deposit bigint, why text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM operator_with(session, '{finance}');
  UPDATE deposits SET stage = 'rejected', reason = why, stage_at = epoch_ms()
    WHERE deposit_id = deposit
      AND ((method = 'bank' AND stage IN ('awaiting_transfer', 'in_review')) OR stage IN ('claimed', 'below_minimum', 'wrong_token'));
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE bank_deposits SET matched_entry = NULL, matched_by = NULL WHERE deposit_id = deposit AND matched_entry IS NOT NULL;
  RETURN true;
END
$$;
REVOKE EXECUTE ON FUNCTION reject_deposit FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reject_deposit TO fairtick_console;

CREATE TABLE incidents (
  incident_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  subject text NOT NULL,
  member_id bigint REFERENCES members,
  detail jsonb NOT NULL,
  opened_at bigint NOT NULL,
  closed_at bigint,
  closed_by bigint REFERENCES operators,
  close_reason text CHECK (length(btrim(close_reason)) >= 3),
  proposal_id bigint UNIQUE REFERENCES proposals,
  CONSTRAINT closed_with_a_reason CHECK ((closed_by IS NULL) = (close_reason IS NULL) AND (closed_by IS NULL OR closed_at IS NOT NULL))
);
COMMENT ON TABLE incidents IS 'What a person has to look at; one open per kind and subject.';
COMMENT ON COLUMN incidents.incident_id IS 'Number of the incident';
COMMENT ON COLUMN incidents.kind IS 'What happened';
COMMENT ON COLUMN incidents.subject IS 'Id of what it is about';
COMMENT ON COLUMN incidents.member_id IS 'The member it concerns, if any';
COMMENT ON COLUMN incidents.detail IS 'Details, by kind';
COMMENT ON COLUMN incidents.opened_at IS 'When it was opened, ms since 1970 UTC';
COMMENT ON COLUMN incidents.closed_at IS 'When it was closed, ms since 1970 UTC; null while open';
COMMENT ON COLUMN incidents.closed_by IS 'The operator who closed it; null where it ended on its own';
COMMENT ON COLUMN incidents.close_reason IS 'Why it was closed';
COMMENT ON COLUMN incidents.proposal_id IS 'The proposal two people closed it with';
CREATE INDEX incidents_open ON incidents (opened_at) WHERE closed_at IS NULL;
CREATE UNIQUE INDEX incidents_one_open ON incidents (kind, subject) WHERE closed_at IS NULL;
GRANT SELECT ON incidents TO fairtick_reader, fairtick_jobs, fairtick_console;
-- A stored deposit address that the account's key doesn't make needs a person, whichever role finds it.
GRANT SELECT, INSERT ON incidents TO fairtick_money, fairtick_chain, fairtick_payout;

CREATE TABLE withdrawal_freezes (
  member_id bigint NOT NULL REFERENCES members,
  incident_id bigint NOT NULL REFERENCES incidents,
  frozen_at bigint NOT NULL,
  lifted_at bigint,
  PRIMARY KEY (member_id, incident_id)
);
COMMENT ON TABLE withdrawal_freezes IS 'Incidents that hold a member''s withdrawals. While one lasts, none is approved or paid.';
COMMENT ON COLUMN withdrawal_freezes.member_id IS 'The member';
COMMENT ON COLUMN withdrawal_freezes.incident_id IS 'The incident';
COMMENT ON COLUMN withdrawal_freezes.frozen_at IS 'When it began, ms since 1970 UTC';
COMMENT ON COLUMN withdrawal_freezes.lifted_at IS 'When it was lifted, ms since 1970 UTC; null while it lasts';
GRANT SELECT ON withdrawal_freezes TO
  fairtick_money, fairtick_reader, fairtick_jobs, fairtick_console, fairtick_payout;
GRANT SELECT, INSERT ON withdrawal_freezes TO fairtick_chain;
