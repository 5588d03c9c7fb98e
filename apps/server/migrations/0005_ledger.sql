-- House accounts, per wallet; locked last and only by settlement and transfers. The pool may go below zero: a win is always paid.
CREATE TABLE house_accounts (
  wallet wallet NOT NULL,
  account text NOT NULL CHECK (account IN ('pool', 'fees', 'capital', 'bank_clearing', 'chain_clearing', 'withdrawal_clearing', 'referral', 'practice_issue')),
  balance bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (wallet, account)
);
INSERT INTO house_accounts (wallet, account)
  SELECT w, a FROM unnest(enum_range(NULL::wallet)) w,
  unnest(ARRAY['pool', 'fees', 'capital', 'bank_clearing', 'chain_clearing', 'withdrawal_clearing', 'referral', 'practice_issue']) a;

-- Every movement that is neither an order nor a settlement.
CREATE TABLE transfers (
  transfer_id bigint PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('practice_issue', 'house_capital', 'deposit', 'withdrawal_hold', 'withdrawal_paid', 'withdrawal_release', 'referral', 'correction')),
  wallet wallet NOT NULL,
  member_id bigint REFERENCES members,
  member_seq bigint,
  -- available in its wallet afterwards, where a member's is touched
  available_after bigint,
  made_at bigint NOT NULL,
  -- What makes it happen once: a fixed key of its own kind, or the member's client id.
  idempotency_key text NOT NULL UNIQUE,
  remark text,
  CHECK ((member_id IS NULL) = (member_seq IS NULL)),
  CHECK ((member_id IS NULL) = (available_after IS NULL))
);
CALL write_once('transfers');
CREATE INDEX transfers_by_member ON transfers (member_id, member_seq);

-- Lines of a transfer: amount goes from one account to another, so each line sums to zero by itself.
-- A member's accounts are 'available' and 'locked'; all others are the house's.
CREATE TABLE postings (
  transfer_id bigint NOT NULL REFERENCES transfers,
  line smallint NOT NULL,
  from_account text NOT NULL,
  to_account text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  PRIMARY KEY (transfer_id, line)
);
CALL write_once('postings');

GRANT SELECT ON house_accounts TO fairtick_orders, fairtick_settlement, fairtick_money, fairtick_reader, fairtick_jobs;
GRANT UPDATE (balance) ON house_accounts TO fairtick_settlement, fairtick_money;
GRANT SELECT, INSERT ON transfers, postings TO fairtick_money;
GRANT SELECT ON transfers, postings TO fairtick_orders, fairtick_reader, fairtick_jobs;

-- Every fact about money as postings: the expansion that packages/domain's ledger makes, in SQL.
CREATE VIEW postings_all AS
  SELECT 'stake_hold' AS kind, order_id AS fact_id, member_id, member_seq, wallet, 'available' AS from_account, 'locked' AS to_account, stake + fee AS amount
    FROM orders
  UNION ALL
  SELECT CASE s.outcome WHEN 'won' THEN 'settle_won' WHEN 'lost' THEN 'settle_lost' ELSE 'release' END,
      s.order_id, s.member_id, s.member_seq, o.wallet, line.from_account, line.to_account, line.amount
    FROM settlements s
    JOIN orders o USING (member_id, order_id)
    CROSS JOIN LATERAL (
      SELECT 'locked' AS from_account, 'available' AS to_account, o.stake AS amount WHERE s.outcome = 'won'
      UNION ALL SELECT 'pool', 'available', o.profit_if_won + o.fee WHERE s.outcome = 'won'
      UNION ALL SELECT 'locked', 'pool', o.stake WHERE s.outcome = 'lost'
      UNION ALL SELECT 'locked', 'fees', o.fee WHERE s.outcome IN ('won', 'lost') AND o.fee > 0
      UNION ALL SELECT 'locked', 'available', o.stake + o.fee WHERE s.outcome IN ('tied', 'voided')
    ) line
  UNION ALL
  SELECT t.kind, t.transfer_id, t.member_id, t.member_seq, t.wallet, p.from_account, p.to_account, p.amount
    FROM transfers t JOIN postings p USING (transfer_id);
GRANT SELECT ON postings_all TO fairtick_reader, fairtick_jobs;

-- A new member's play money, in the transaction that registers him: registration may issue this once and move no other money.
CREATE FUNCTION issue_starting_practice(new_member bigint, new_transfer bigint, at_time bigint, amount bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF amount <= 0 OR amount > 10000000000 THEN
    RAISE EXCEPTION 'a starting issue of % is outside its bounds', amount;
  END IF;
  UPDATE members_money SET practice_available = amount, member_seq = 1 WHERE member_id = new_member AND member_seq = 0;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'member % is not new', new_member;
  END IF;
  INSERT INTO transfers (transfer_id, kind, wallet, member_id, member_seq, available_after, made_at, idempotency_key, remark)
    VALUES (new_transfer, 'practice_issue', 'practice', new_member, 1, amount, at_time, 'practice_issue:' || new_member, 'start');
  INSERT INTO postings (transfer_id, line, from_account, to_account, amount) VALUES (new_transfer, 1, 'practice_issue', 'available', amount);
  UPDATE house_accounts SET balance = balance - amount WHERE wallet = 'practice' AND account = 'practice_issue';
END
$$;
REVOKE EXECUTE ON FUNCTION issue_starting_practice FROM PUBLIC;
GRANT EXECUTE ON FUNCTION issue_starting_practice TO fairtick_sessions;
