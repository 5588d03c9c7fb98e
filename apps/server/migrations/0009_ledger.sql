-- Money: balances of members and the house, transfers between them, and the triggers that keep balances equal to
-- what happened. Every amount is in micro-USD.

CREATE TABLE members_money (
  member_id bigint PRIMARY KEY REFERENCES members,
  practice_available bigint NOT NULL DEFAULT 0 CHECK (practice_available >= 0),
  practice_locked bigint NOT NULL DEFAULT 0 CHECK (practice_locked >= 0),
  practice_running_stakes bigint NOT NULL DEFAULT 0 CHECK (practice_running_stakes >= 0),
  practice_day integer NOT NULL DEFAULT 0,
  practice_staked_today bigint NOT NULL DEFAULT 0,
  practice_lost_today bigint NOT NULL DEFAULT 0,
  member_seq bigint NOT NULL DEFAULT 0,
  real_available bigint NOT NULL DEFAULT 0 CHECK (real_available >= 0),
  real_locked bigint NOT NULL DEFAULT 0 CHECK (real_locked >= 0),
  real_running_stakes bigint NOT NULL DEFAULT 0 CHECK (real_running_stakes >= 0),
  real_day integer NOT NULL DEFAULT 0,
  real_staked_today bigint NOT NULL DEFAULT 0,
  real_lost_today bigint NOT NULL DEFAULT 0,
  terms_version bigint NOT NULL DEFAULT 0,
  real_debt bigint NOT NULL DEFAULT 0 CHECK (real_debt >= 0),
  touched boolean NOT NULL DEFAULT false,
  practice_running_orders integer NOT NULL DEFAULT 0 CHECK (practice_running_orders >= 0),
  real_running_orders integer NOT NULL DEFAULT 0 CHECK (real_running_orders >= 0)
) WITH (fillfactor = 70);
COMMENT ON TABLE members_money IS 'Both wallets of each member in one row, so that an order takes one lock and one update. Amounts in micro-USD.';
COMMENT ON COLUMN members_money.member_id IS 'The member';
COMMENT ON COLUMN members_money.practice_available IS 'Practice wallet: free to use, micro-USD';
COMMENT ON COLUMN members_money.practice_locked IS 'Practice wallet: held for running orders, micro-USD';
COMMENT ON COLUMN members_money.practice_running_stakes IS 'Practice wallet: sum of the stakes of running orders, micro-USD';
COMMENT ON COLUMN members_money.practice_day IS 'Day that practice_staked_today and practice_lost_today are about, UTC days since 1970';
COMMENT ON COLUMN members_money.practice_staked_today IS 'Practice wallet: staked on that day, micro-USD';
COMMENT ON COLUMN members_money.practice_lost_today IS 'Practice wallet: net loss of that day, micro-USD';
COMMENT ON COLUMN members_money.member_seq IS 'Number of the newest fact about this member''s money. It is between the wallets so that a change of either is one stretch of the row in the WAL';
COMMENT ON COLUMN members_money.real_available IS 'Real wallet: free to use, micro-USD';
COMMENT ON COLUMN members_money.real_locked IS 'Real wallet: held for running orders and pending withdrawals, micro-USD';
COMMENT ON COLUMN members_money.real_running_stakes IS 'Real wallet: sum of the stakes of running orders, micro-USD';
COMMENT ON COLUMN members_money.real_day IS 'Day that real_staked_today and real_lost_today are about, UTC days since 1970';
COMMENT ON COLUMN members_money.real_staked_today IS 'Real wallet: staked on that day, micro-USD';
COMMENT ON COLUMN members_money.real_lost_today IS 'Real wallet: net loss of that day, micro-USD';
COMMENT ON COLUMN members_money.terms_version IS 'Grows when anything changes that orders are judged by: region, standing, transaction password or own limits. Every order locks this row, so a server can keep what it read and still notice a change';
COMMENT ON COLUMN members_money.real_debt IS 'What the member owes after reversed deposits, micro-USD; while above zero, nothing of the real wallet is available';
COMMENT ON COLUMN members_money.touched IS 'Never written: roles that only lock the row need the right to update some column';
COMMENT ON COLUMN members_money.practice_running_orders IS 'Practice wallet: number of running orders';
COMMENT ON COLUMN members_money.real_running_orders IS 'Real wallet: number of running orders';
CREATE INDEX members_in_debt ON members_money (member_id) WHERE real_debt > 0;
GRANT SELECT ON members_money TO
  fairtick_orders, fairtick_settlement, fairtick_money, fairtick_sessions, fairtick_reader, fairtick_jobs,
  fairtick_chain, fairtick_console;
GRANT INSERT (member_id) ON members_money TO fairtick_sessions;
GRANT
  UPDATE (practice_available, practice_locked, practice_running_stakes, practice_day, practice_staked_today,
    practice_lost_today, member_seq, real_available, real_locked, real_running_stakes, real_day, real_staked_today,
    real_lost_today, practice_running_orders, real_running_orders)
  ON members_money TO fairtick_orders, fairtick_settlement;
GRANT UPDATE (touched) ON members_money TO fairtick_money, fairtick_chain;

CREATE FUNCTION raise_terms_version() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE members_money SET terms_version = terms_version + 1
    WHERE member_id = CASE TG_OP WHEN 'DELETE' THEN OLD.member_id ELSE NEW.member_id END;
  RETURN NULL;
END
$$;

CREATE TRIGGER raise_terms_version AFTER UPDATE ON members FOR EACH ROW
  WHEN ((OLD.region, OLD.standing, OLD.standing_reason, OLD.excluded_until, OLD.trade_password_hash IS NULL)
    IS DISTINCT FROM (NEW.region, NEW.standing, NEW.standing_reason, NEW.excluded_until, NEW.trade_password_hash IS NULL))
  EXECUTE FUNCTION raise_terms_version();
ALTER TABLE members ENABLE ALWAYS TRIGGER raise_terms_version;
CREATE TRIGGER raise_terms_version AFTER INSERT OR UPDATE OR DELETE ON member_limits FOR EACH ROW
  EXECUTE FUNCTION raise_terms_version();
ALTER TABLE member_limits ENABLE ALWAYS TRIGGER raise_terms_version;

CREATE TABLE house_accounts (
  wallet wallet NOT NULL,
  account text NOT NULL CHECK (account IN ('pool', 'fees', 'capital', 'bank_clearing', 'chain_clearing',
    'withdrawal_clearing', 'referral', 'practice_issue',
    -- Below zero by what members owe.
    'receivable')),
  balance bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (wallet, account)
);
COMMENT ON TABLE house_accounts IS 'The house''s accounts, per wallet. They are locked last. The pool may go below zero: a win is always paid.';
COMMENT ON COLUMN house_accounts.wallet IS 'Which wallet: practice or real';
COMMENT ON COLUMN house_accounts.account IS 'Name of the account; `receivable` is below zero by what members owe';
COMMENT ON COLUMN house_accounts.balance IS 'Balance, micro-USD';
INSERT INTO house_accounts (wallet, account)
SELECT w, a FROM unnest(enum_range(NULL::wallet)) w,
  unnest(ARRAY['pool', 'fees', 'capital', 'bank_clearing', 'chain_clearing', 'withdrawal_clearing', 'referral', 'practice_issue', 'receivable']) a;
GRANT SELECT ON house_accounts TO
  fairtick_orders, fairtick_settlement, fairtick_money, fairtick_reader, fairtick_jobs, fairtick_chain,
  fairtick_console;
GRANT UPDATE (balance) ON house_accounts TO fairtick_settlement, fairtick_money;

CREATE TABLE transfers (
  transfer_id bigint PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('practice_issue', 'house_capital', 'deposit', 'withdrawal_hold', 'withdrawal_paid',
    'withdrawal_release', 'referral', 'correction', 'deposit_reversed', 'debt_settled', 'sweep')),
  wallet wallet NOT NULL,
  member_id bigint REFERENCES members,
  member_seq bigint,
  available_after bigint,
  made_at bigint NOT NULL,
  idempotency_key text NOT NULL UNIQUE,
  remark text,
  CHECK ((member_id IS NULL) = (member_seq IS NULL)),
  CHECK ((member_id IS NULL) = (available_after IS NULL))
);
COMMENT ON TABLE transfers IS 'Every movement of money that is neither an order nor a settlement.';
COMMENT ON COLUMN transfers.transfer_id IS 'Number of the transfer';
COMMENT ON COLUMN transfers.kind IS 'What it is';
COMMENT ON COLUMN transfers.wallet IS 'Which wallet: practice or real';
COMMENT ON COLUMN transfers.member_id IS 'The member whose money it moves; null where it moves only the house''s';
COMMENT ON COLUMN transfers.member_seq IS 'The member''s number of this fact about their money: each one is one higher';
COMMENT ON COLUMN transfers.available_after IS 'Available in its wallet afterwards, micro-USD; null where no member is involved';
COMMENT ON COLUMN transfers.made_at IS 'When it was booked, ms since 1970 UTC';
COMMENT ON COLUMN transfers.idempotency_key IS 'What makes it happen once: a fixed key of its kind, or the member''s client id';
COMMENT ON COLUMN transfers.remark IS 'Note shown with it';
CALL write_once('transfers');
CREATE INDEX transfers_by_member ON transfers (member_id, member_seq);
-- For the running checks, which look at what is new.
CREATE INDEX transfers_by_time ON transfers USING brin (made_at);
GRANT SELECT ON transfers TO fairtick_orders, fairtick_reader, fairtick_jobs, fairtick_console;
GRANT SELECT, INSERT ON transfers TO fairtick_money, fairtick_chain;

CREATE TABLE postings (
  transfer_id bigint NOT NULL REFERENCES transfers,
  line smallint NOT NULL,
  from_account text NOT NULL,
  to_account text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  PRIMARY KEY (transfer_id, line)
);
COMMENT ON TABLE postings IS 'Lines of a transfer. Each moves an amount from one account to another, so each line sums to zero. Members'' accounts are `available` and `locked`; all others are the house''s.';
COMMENT ON COLUMN postings.transfer_id IS 'The transfer';
COMMENT ON COLUMN postings.line IS 'Number of the line, from 1';
COMMENT ON COLUMN postings.from_account IS 'Account it comes from';
COMMENT ON COLUMN postings.to_account IS 'Account it goes to';
COMMENT ON COLUMN postings.amount IS 'Amount, micro-USD';
CALL write_once('postings');
GRANT SELECT ON postings TO fairtick_orders, fairtick_reader, fairtick_jobs, fairtick_console;
GRANT SELECT, INSERT ON postings TO fairtick_money, fairtick_chain;

-- Moves balances by a transfer's postings, once. The transfer has to be its member's next fact and leave the balance
-- that it states.
CREATE FUNCTION apply_transfer(transfer bigint) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  t transfers;
  to_available bigint;
  to_locked bigint;
  side record;
BEGIN
  SELECT * INTO STRICT t FROM transfers WHERE transfer_id = transfer;
  SELECT coalesce(sum(CASE 'available' WHEN to_account THEN amount WHEN from_account THEN -amount END), 0),
      coalesce(sum(CASE 'locked' WHEN to_account THEN amount WHEN from_account THEN -amount END), 0)
    INTO to_available, to_locked FROM postings WHERE transfer_id = transfer;
  IF t.wallet = 'practice' THEN
    UPDATE members_money SET member_seq = t.member_seq, practice_available = practice_available + to_available, practice_locked = practice_locked + to_locked
      WHERE member_id = t.member_id AND member_seq = t.member_seq - 1 AND practice_available + to_available = t.available_after;
  ELSE
    UPDATE members_money SET member_seq = t.member_seq, real_available = real_available + to_available, real_locked = real_locked + to_locked
      WHERE member_id = t.member_id AND member_seq = t.member_seq - 1 AND real_available + to_available = t.available_after;
  END IF;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'transfer % is not the next fact of its member', transfer USING ERRCODE = 'check_violation';
  END IF;
  -- One by one: the house's rows are locked in their order everywhere.
  FOR side IN SELECT account, sum(change) AS change FROM postings, LATERAL (VALUES (to_account, amount), (from_account, -amount)) AS s(account, change)
      WHERE transfer_id = transfer AND account NOT IN ('available', 'locked') GROUP BY account ORDER BY account COLLATE "C" LOOP
    UPDATE house_accounts SET balance = balance + side.change WHERE wallet = t.wallet AND account = side.account;
  END LOOP;
END
$$;
REVOKE EXECUTE ON FUNCTION apply_transfer FROM PUBLIC;
GRANT EXECUTE ON FUNCTION apply_transfer TO fairtick_money, fairtick_chain;

-- These transfers get negative ids, which no other transfer has.
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
REVOKE EXECUTE ON FUNCTION settle_debt FROM PUBLIC;

CREATE TRIGGER settle_debt AFTER UPDATE ON members_money FOR EACH ROW WHEN (NEW.real_debt > 0 AND NEW.real_available > 0) EXECUTE FUNCTION settle_debt();
ALTER TABLE members_money ENABLE ALWAYS TRIGGER settle_debt;

-- Gives a new member their practice money, in the transaction that registers them. Registration may issue this once
-- and move no other money.
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

-- Books a correction: a transfer between a member's available balance and the house's capital, at most
-- 1,000,000.00, once. The member reads the proposal's reason in their records. A member who has less is refused by
-- the CHECK of their row.
CREATE FUNCTION apply_correction(proposal bigint, new_transfer bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  agreed proposals := approved_proposal(proposal, 'correction');
  change bigint := (agreed.body::jsonb ->> 'amount')::bigint;
  of_wallet wallet := (agreed.body::jsonb ->> 'wallet')::wallet;
  seq bigint;
  after bigint;
BEGIN
  IF change = 0 OR abs(change) > 1000000000000 OR change % 10000 <> 0 THEN
    RAISE EXCEPTION 'a correction of % is outside its bounds', change USING ERRCODE = 'check_violation';
  END IF;
  UPDATE members_money SET member_seq = member_seq + 1,
      practice_available = practice_available + CASE of_wallet WHEN 'practice' THEN change ELSE 0 END,
      real_available = real_available + CASE of_wallet WHEN 'real' THEN change ELSE 0 END
    WHERE member_id = agreed.member_id
    RETURNING member_seq, CASE of_wallet WHEN 'practice' THEN practice_available ELSE real_available END INTO STRICT seq, after;
  INSERT INTO transfers (transfer_id, kind, wallet, member_id, member_seq, available_after, made_at, idempotency_key, remark)
    VALUES (new_transfer, 'correction', of_wallet, agreed.member_id, seq, after, floor(extract(epoch FROM clock_timestamp()) * 1000),
      'correction:' || proposal, agreed.reason);
  INSERT INTO postings (transfer_id, line, from_account, to_account, amount) VALUES
    (new_transfer, 1, CASE WHEN change > 0 THEN 'capital' ELSE 'available' END, CASE WHEN change > 0 THEN 'available' ELSE 'capital' END, abs(change));
  UPDATE house_accounts SET balance = balance - change WHERE wallet = of_wallet AND account = 'capital';
END
$$;
REVOKE EXECUTE ON FUNCTION apply_correction FROM PUBLIC;
GRANT EXECUTE ON FUNCTION apply_correction TO fairtick_console;

-- Moves house capital into the pool, at most 1,000,000,000.00, once.
CREATE FUNCTION apply_capital(proposal bigint, new_transfer bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  agreed proposals := approved_proposal(proposal, 'capital');
  added bigint := (agreed.body::jsonb ->> 'amount')::bigint;
  of_wallet wallet := (agreed.body::jsonb ->> 'wallet')::wallet;
BEGIN
  IF added <= 0 OR added > 1000000000000000 OR added % 10000 <> 0 THEN
    RAISE EXCEPTION 'a capital of % is outside its bounds', added USING ERRCODE = 'check_violation';
  END IF;
  INSERT INTO transfers (transfer_id, kind, wallet, made_at, idempotency_key, remark)
    VALUES (new_transfer, 'house_capital', of_wallet, floor(extract(epoch FROM clock_timestamp()) * 1000), 'house_capital:' || proposal, agreed.reason);
  INSERT INTO postings (transfer_id, line, from_account, to_account, amount) VALUES (new_transfer, 1, 'capital', 'pool', added);
  UPDATE house_accounts SET balance = balance - added WHERE wallet = of_wallet AND account = 'capital';
  UPDATE house_accounts SET balance = balance + added WHERE wallet = of_wallet AND account = 'pool';
END
$$;
REVOKE EXECUTE ON FUNCTION apply_capital FROM PUBLIC;
GRANT EXECUTE ON FUNCTION apply_capital TO fairtick_console;
