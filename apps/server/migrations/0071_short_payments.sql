-- A payment of which less arrived than was to be paid (the token kept a fee) is neither paid nor dead. Two people of finance end it: it
-- is paid with what arrived, and what is missing comes back to its member out of the house's capital. How much that is, the chain says
-- and not they.
CREATE TABLE short_payments (
  withdrawal_id bigint PRIMARY KEY REFERENCES withdrawals,
  tx_hash text NOT NULL REFERENCES withdrawal_attempts (tx_hash),
  height bigint NOT NULL,
  -- In the token's smallest unit, by the final receipt.
  arrived numeric(78) NOT NULL CHECK (arrived > 0),
  -- What did not arrive, in whole cents, rounded up.
  rest bigint NOT NULL CHECK (rest > 0 AND rest % 10000 = 0),
  found_at bigint NOT NULL
);
CALL write_once('short_payments');
CREATE TABLE short_endings (
  withdrawal_id bigint PRIMARY KEY REFERENCES short_payments,
  transfer_id bigint NOT NULL UNIQUE REFERENCES transfers
);
CALL write_once('short_endings');

-- What a final receipt says of a payment. False where that is known, or where it says nothing of the kind.
CREATE FUNCTION note_short_payment(withdrawal bigint, paid_by text, at_height bigint, came numeric) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  w withdrawals;
BEGIN
  SELECT * INTO STRICT w FROM withdrawals WHERE withdrawal_id = withdrawal FOR NO KEY UPDATE;
  IF w.stage NOT IN ('signed', 'broadcast', 'needs_review') OR w.dead_at IS NOT NULL OR came >= w.units THEN
    RETURN false;
  END IF;
  PERFORM FROM withdrawal_attempts WHERE withdrawal_id = withdrawal AND tx_hash = paid_by;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'withdrawal % was not paid by %', withdrawal, paid_by USING ERRCODE = 'check_violation';
  END IF;
  INSERT INTO short_payments (withdrawal_id, tx_hash, height, arrived, rest, found_at)
    VALUES (withdrawal, paid_by, at_height, came, ceil((w.amount - w.fee) * (w.units - came) / w.units / 10000) * 10000, withdrawal_now())
    ON CONFLICT (withdrawal_id) DO NOTHING;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE withdrawals SET stage = 'needs_review', reason = 'short', tx_hash = paid_by, mined_height = at_height,
      stage_at = CASE stage WHEN 'needs_review' THEN stage_at ELSE withdrawal_now() END
    WHERE withdrawal_id = withdrawal;
  RETURN true;
END
$$;

-- Says that a short payment is to end as it is; the second person's word does it. Answers the stage afterwards, or null where it is none.
CREATE FUNCTION settle_short_withdrawal(session bigint, withdrawal bigint, end_transfer bigint, rest_transfer bigint, why text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who bigint := require_finance(session);
  w withdrawals;
  s short_payments;
  seq bigint;
  after bigint;
BEGIN
  SELECT * INTO w FROM withdrawals WHERE withdrawal_id = withdrawal FOR NO KEY UPDATE;
  SELECT * INTO s FROM short_payments WHERE withdrawal_id = withdrawal;
  IF NOT FOUND OR w.stage <> 'needs_review' OR w.dead_at IS NOT NULL THEN
    RETURN NULL;
  END IF;
  INSERT INTO withdrawal_releases (withdrawal_id, operator_id, session_id, reason, at) VALUES (withdrawal, who, session, why, withdrawal_now());
  IF (SELECT count(*) FROM withdrawal_releases WHERE withdrawal_id = withdrawal) < 2 THEN
    RETURN w.stage;
  END IF;
  PERFORM end_withdrawal(w, end_transfer, 'confirmed', 'short_settled');
  UPDATE members_money SET member_seq = member_seq + 1, real_available = real_available + s.rest
    WHERE member_id = w.member_id RETURNING member_seq, real_available INTO STRICT seq, after;
  INSERT INTO transfers (transfer_id, kind, wallet, member_id, member_seq, available_after, made_at, idempotency_key, remark)
    VALUES (rest_transfer, 'correction', 'real', w.member_id, seq, after, withdrawal_now(), 'withdrawal_short:' || withdrawal, why);
  INSERT INTO postings (transfer_id, line, from_account, to_account, amount) VALUES (rest_transfer, 1, 'capital', 'available', s.rest);
  UPDATE house_accounts SET balance = balance - s.rest WHERE wallet = 'real' AND account = 'capital';
  INSERT INTO short_endings (withdrawal_id, transfer_id) VALUES (withdrawal, rest_transfer);
  RETURN 'confirmed';
END
$$;

REVOKE EXECUTE ON FUNCTION note_short_payment, settle_short_withdrawal FROM PUBLIC;
GRANT EXECUTE ON FUNCTION note_short_payment TO fairtick_payout;
GRANT EXECUTE ON FUNCTION settle_short_withdrawal TO fairtick_console;
GRANT SELECT ON short_payments TO fairtick_money, fairtick_reader, fairtick_jobs, fairtick_console, fairtick_payout;
GRANT SELECT ON short_endings TO fairtick_jobs;
-- The running checks count the people.
GRANT SELECT (withdrawal_id, operator_id) ON withdrawal_releases TO fairtick_jobs;
