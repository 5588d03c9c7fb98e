-- Balances follow facts: who books a member's money in and out writes down what happened and can touch no balance. Acceptance and
-- settlement write the wallets that they counted under the members' locks, and nothing else of the row.
-- What locks a row needs the right to update some column of it: this one, which nobody writes.
ALTER TABLE members_money ADD COLUMN touched boolean NOT NULL DEFAULT false;

-- Moves what a transfer's postings say, once: it must be its member's next fact, and leave what it says.
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

REVOKE UPDATE ON members_money FROM fairtick_orders, fairtick_settlement, fairtick_money, fairtick_chain;
GRANT UPDATE (member_seq, practice_available, practice_locked, practice_running_stakes, practice_day, practice_staked_today, practice_lost_today, real_available, real_locked, real_running_stakes, real_day, real_staked_today, real_lost_today)
  ON members_money TO fairtick_orders, fairtick_settlement;
GRANT UPDATE (touched) ON members_money TO fairtick_money, fairtick_chain;
REVOKE UPDATE (balance) ON house_accounts FROM fairtick_chain;
REVOKE EXECUTE ON FUNCTION apply_transfer FROM PUBLIC;
GRANT EXECUTE ON FUNCTION apply_transfer TO fairtick_money, fairtick_chain;
