-- Deposits that a bank took back. What the member still has is taken, and the rest becomes a debt.

CREATE VIEW returned_deposits AS
  SELECT r.return_id, b.deposit_id FROM statement_returns r JOIN bank_deposits b ON b.reference = r.reference
    JOIN statement_entries e ON e.entry_id = b.matched_entry AND e.account = r.account AND e.currency = r.currency
  UNION SELECT r.return_id, b.deposit_id FROM statement_returns r JOIN statement_entries e USING (account, currency)
    JOIN bank_deposits b ON b.matched_entry = e.entry_id WHERE r.entry_reference = e.entry_reference
  UNION SELECT r.return_id, b.deposit_id FROM statement_returns r JOIN statement_entries e USING (account, currency)
    JOIN bank_deposits b ON b.matched_entry = e.entry_id WHERE r.entry_reference = e.also_reference
  UNION SELECT r.return_id, b.deposit_id FROM statement_returns r JOIN statement_entries e USING (account, currency)
    JOIN bank_deposits b ON b.matched_entry = e.entry_id WHERE r.also_reference = e.entry_reference
  UNION SELECT r.return_id, b.deposit_id FROM statement_returns r JOIN statement_entries e USING (account, currency)
    JOIN bank_deposits b ON b.matched_entry = e.entry_id WHERE r.also_reference = e.also_reference;
COMMENT ON VIEW returned_deposits IS 'Which lines of statements take back which deposits.';
COMMENT ON COLUMN returned_deposits.return_id IS 'The line that takes it back';
COMMENT ON COLUMN returned_deposits.deposit_id IS 'The deposit';
GRANT SELECT ON returned_deposits TO fairtick_jobs, fairtick_console;

CREATE TABLE reversal_requests (
  proposal_id bigint PRIMARY KEY REFERENCES proposals,
  deposit_id bigint NOT NULL REFERENCES deposits,
  return_id bigint REFERENCES statement_returns
);
COMMENT ON TABLE reversal_requests IS 'Proposals to reverse a deposit.';
COMMENT ON COLUMN reversal_requests.proposal_id IS 'The proposal';
COMMENT ON COLUMN reversal_requests.deposit_id IS 'The deposit';
COMMENT ON COLUMN reversal_requests.return_id IS 'The line that takes it back; null where a person knows from elsewhere';
CALL write_once('reversal_requests');
CREATE INDEX reversal_requests_by_deposit ON reversal_requests (deposit_id);
GRANT SELECT ON reversal_requests TO fairtick_jobs, fairtick_console;

CREATE TABLE deposit_reversals (
  deposit_id bigint PRIMARY KEY REFERENCES deposits,
  proposal_id bigint NOT NULL UNIQUE REFERENCES reversal_requests,
  transfer_id bigint NOT NULL UNIQUE REFERENCES transfers,
  taken bigint NOT NULL CHECK (taken >= 0),
  owed bigint NOT NULL CHECK (owed >= 0)
);
COMMENT ON TABLE deposit_reversals IS 'Deposits that were reversed.';
COMMENT ON COLUMN deposit_reversals.deposit_id IS 'The deposit';
COMMENT ON COLUMN deposit_reversals.proposal_id IS 'The proposal that was approved';
COMMENT ON COLUMN deposit_reversals.transfer_id IS 'The transfer that took it back';
COMMENT ON COLUMN deposit_reversals.taken IS 'What was taken from the available balance, micro-USD';
COMMENT ON COLUMN deposit_reversals.owed IS 'What became a debt, micro-USD';
CALL write_once('deposit_reversals');
GRANT SELECT ON deposit_reversals TO fairtick_reader, fairtick_jobs, fairtick_console;

CREATE VIEW reversals_waiting AS
  SELECT w.deposit_id FROM returned_deposits w JOIN deposits d USING (deposit_id) WHERE d.stage <> 'reversed' AND NOT EXISTS (
    SELECT FROM reversal_requests q JOIN decisions USING (proposal_id) WHERE q.deposit_id = w.deposit_id AND q.return_id >= w.return_id)
  UNION SELECT q.deposit_id FROM reversal_requests q WHERE NOT EXISTS (SELECT FROM decisions e WHERE e.proposal_id = q.proposal_id);
COMMENT ON VIEW reversals_waiting IS 'Deposits whose reversal someone has to decide.';
COMMENT ON COLUMN reversals_waiting.deposit_id IS 'The deposit';
GRANT SELECT ON reversals_waiting TO fairtick_console;

-- The same for one deposit, so that each part of the view can start from its number.
CREATE FUNCTION waits_for_reversal(of_deposit bigint) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM reversals_waiting WHERE deposit_id = of_deposit)
$$;
REVOKE EXECUTE ON FUNCTION waits_for_reversal FROM PUBLIC;

-- Binds a proposal to the deposit it is about: a credited bank deposit or card payment without another proposal
-- waiting.
CREATE FUNCTION propose_reversal(proposal bigint, deposit bigint) RETURNS void
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
REVOKE EXECUTE ON FUNCTION propose_reversal FROM PUBLIC;
GRANT EXECUTE ON FUNCTION propose_reversal TO fairtick_console;

-- Takes back a credited deposit, once: out of what the member has available, the rest as a debt. A debt ends
-- withdrawals that are not being paid yet. Returns the debt in micro-USD.
CREATE FUNCTION reverse_deposit(proposal bigint, new_transfer bigint, OUT owed bigint, OUT ended bigint[])
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  agreed proposals := approved_proposal(proposal, 'deposit_reversal');
  at_time bigint := epoch_ms();
  d deposits;
  has bigint;
  seq bigint;
  open_ones bigint[];
  w withdrawals;
BEGIN
  SELECT o.* INTO STRICT d FROM deposits o JOIN reversal_requests r USING (deposit_id)
    WHERE r.proposal_id = proposal AND o.stage = 'credited' FOR NO KEY UPDATE OF o;
  -- A withdrawal's row before its member's, as everywhere.
  SELECT coalesce(array_agg(withdrawal_id), '{}') INTO open_ones FROM (SELECT withdrawal_id FROM withdrawals
    WHERE member_id = d.member_id AND stage IN ('requested', 'review', 'approved') ORDER BY withdrawal_id FOR NO KEY UPDATE) o;
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
  owed := d.amount - has;
  ended := '{}';
  FOR w IN SELECT * FROM withdrawals WHERE withdrawal_id = ANY (open_ones) ORDER BY withdrawal_id DESC LOOP
    EXIT WHEN NOT EXISTS (SELECT FROM members_money WHERE member_id = d.member_id AND real_debt > 0);
    PERFORM end_withdrawal(w, -nextval('debt_transfer'), 'rejected', 'debt');
    ended := ended || w.withdrawal_id;
  END LOOP;
END
$$;
REVOKE EXECUTE ON FUNCTION reverse_deposit FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reverse_deposit TO fairtick_console;
