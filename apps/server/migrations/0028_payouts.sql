-- Paying withdrawals: wallets, nonces, signed transactions, and payments that arrived short.

CREATE TABLE payout_wallets (
  instance_id integer NOT NULL REFERENCES chain_instances,
  address text NOT NULL CHECK (address = lower(address)),
  next_nonce bigint NOT NULL CHECK (next_nonce >= 0),
  made_at bigint NOT NULL,
  stopped_at bigint,
  stop_reason text,
  token_balance numeric(78),
  coin_balance numeric(78),
  seen_at bigint,
  PRIMARY KEY (instance_id, address)
);
COMMENT ON TABLE payout_wallets IS 'The wallet that pays withdrawals, per chain instance.';
COMMENT ON COLUMN payout_wallets.instance_id IS 'The chain instance it belongs to';
COMMENT ON COLUMN payout_wallets.address IS 'Address on the chain, lower case';
COMMENT ON COLUMN payout_wallets.next_nonce IS 'The next nonce to give out; counted here, never asked of a node';
COMMENT ON COLUMN payout_wallets.made_at IS 'When it was made, ms since 1970 UTC';
COMMENT ON COLUMN payout_wallets.stopped_at IS 'Since when nothing is sent until a person has looked, ms since 1970 UTC; null while it pays';
COMMENT ON COLUMN payout_wallets.stop_reason IS 'Why it was stopped';
COMMENT ON COLUMN payout_wallets.token_balance IS 'Balance of the token when last seen, in its smallest unit, for screens and alarms';
COMMENT ON COLUMN payout_wallets.coin_balance IS 'Balance of the chain''s own coin when last seen, in its smallest unit';
COMMENT ON COLUMN payout_wallets.seen_at IS 'When the balances were last seen, ms since 1970 UTC';
GRANT SELECT ON payout_wallets TO fairtick_money, fairtick_reader, fairtick_jobs, fairtick_console;
GRANT SELECT, INSERT ON payout_wallets TO fairtick_payout;
GRANT UPDATE (next_nonce, token_balance, coin_balance, seen_at) ON payout_wallets TO fairtick_payout;

-- Stops a paying wallet, or adds another reason to one that is stopped, and opens an incident. Returns false if that
-- reason is known. Every reason is stored, and people lift only what they have seen: a reason that comes after their
-- proposal is not lifted with it.
CREATE FUNCTION stop_payout_wallet(instance integer, of_address text, on_chain text, why text, at_time bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  w payout_wallets;
  reasons text;
BEGIN
  SELECT * INTO STRICT w FROM payout_wallets WHERE instance_id = instance AND address = of_address FOR NO KEY UPDATE;
  IF w.stopped_at IS NOT NULL AND why = ANY (string_to_array(w.stop_reason, E'\n')) THEN
    RETURN false;
  END IF;
  reasons := concat_ws(E'\n', CASE WHEN w.stopped_at IS NOT NULL THEN w.stop_reason END, why);
  UPDATE payout_wallets SET stopped_at = coalesce(stopped_at, at_time), stop_reason = reasons WHERE instance_id = instance AND address = of_address;
  INSERT INTO incidents (kind, subject, detail, opened_at)
    VALUES ('payout_stopped', instance || ' ' || of_address, jsonb_build_object('chain', on_chain, 'reason', reasons), at_time)
    ON CONFLICT (kind, subject) WHERE closed_at IS NULL DO UPDATE SET detail = excluded.detail;
  RETURN true;
END
$$;
REVOKE EXECUTE ON FUNCTION stop_payout_wallet FROM PUBLIC;
GRANT EXECUTE ON FUNCTION stop_payout_wallet TO fairtick_payout;

CREATE TABLE payout_nonces (
  instance_id integer NOT NULL,
  address text NOT NULL,
  nonce bigint NOT NULL,
  withdrawal_id bigint NOT NULL UNIQUE REFERENCES withdrawals,
  PRIMARY KEY (instance_id, address, nonce),
  FOREIGN KEY (instance_id, address) REFERENCES payout_wallets
);
COMMENT ON TABLE payout_nonces IS 'Which withdrawal has which nonce.';
COMMENT ON COLUMN payout_nonces.instance_id IS 'The chain instance it belongs to';
COMMENT ON COLUMN payout_nonces.address IS 'Address on the chain, lower case';
COMMENT ON COLUMN payout_nonces.nonce IS 'The nonce';
COMMENT ON COLUMN payout_nonces.withdrawal_id IS 'The withdrawal';
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON payout_nonces FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE payout_nonces ENABLE ALWAYS TRIGGER refuse_truncate;
GRANT SELECT ON payout_nonces TO fairtick_jobs, fairtick_console;
GRANT SELECT, INSERT ON payout_nonces TO fairtick_payout;

-- A nonce stays for good once anything was signed with it. Before that, it can go back together with its payment.
CREATE FUNCTION keep_signed_nonces() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'DELETE' AND EXISTS (SELECT FROM withdrawals w WHERE w.withdrawal_id = OLD.withdrawal_id AND w.stage = 'reserved')
      AND NOT EXISTS (SELECT FROM withdrawal_attempts a WHERE a.withdrawal_id = OLD.withdrawal_id) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'nonce % of % stays', OLD.nonce, OLD.address USING ERRCODE = 'restrict_violation';
END
$$;
REVOKE EXECUTE ON FUNCTION keep_signed_nonces FROM PUBLIC;

CREATE TRIGGER refuse_row_change BEFORE UPDATE OR DELETE ON payout_nonces FOR EACH ROW EXECUTE FUNCTION keep_signed_nonces();
ALTER TABLE payout_nonces ENABLE ALWAYS TRIGGER refuse_row_change;

-- Takes back the nonces of a payment and of all behind it: the payment goes to people, those behind it get new
-- ones. A `burnt` nonce, with which the signer has signed something else, is not given out again. Returns what
-- moved; null when the payment or one behind it is signed. The caller holds the lock on the wallet's row.
CREATE FUNCTION return_nonces(withdrawal bigint, burnt boolean) RETURNS TABLE (withdrawal_id bigint, member_id bigint, stage text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  from_one payout_nonces;
  back bigint[];
BEGIN
  SELECT * INTO from_one FROM payout_nonces n WHERE n.withdrawal_id = withdrawal;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  PERFORM FROM payout_wallets p WHERE p.instance_id = from_one.instance_id AND p.address = from_one.address FOR NO KEY UPDATE;
  SELECT array_agg(n.withdrawal_id) INTO back FROM payout_nonces n
    WHERE n.instance_id = from_one.instance_id AND n.address = from_one.address AND n.nonce >= from_one.nonce;
  PERFORM FROM withdrawals w WHERE w.withdrawal_id = ANY (back) ORDER BY w.withdrawal_id FOR NO KEY UPDATE;
  IF EXISTS (SELECT FROM withdrawals w WHERE w.withdrawal_id = ANY (back) AND w.stage <> 'reserved') THEN
    RETURN;
  END IF;
  DELETE FROM payout_nonces n WHERE n.withdrawal_id = ANY (back);
  UPDATE payout_wallets p SET next_nonce = from_one.nonce + CASE WHEN burnt THEN 1 ELSE 0 END
    WHERE p.instance_id = from_one.instance_id AND p.address = from_one.address;
  RETURN QUERY UPDATE withdrawals w SET stage_at = withdrawal_now(),
      stage = CASE WHEN w.withdrawal_id = withdrawal OR is_frozen(w.member_id) THEN 'review' ELSE 'approved' END
    WHERE w.withdrawal_id = ANY (back) RETURNING w.withdrawal_id, w.member_id, w.stage;
END
$$;
REVOKE EXECUTE ON FUNCTION return_nonces FROM PUBLIC;
GRANT EXECUTE ON FUNCTION return_nonces TO fairtick_payout;

CREATE TABLE withdrawal_attempts (
  withdrawal_id bigint NOT NULL REFERENCES payout_nonces (withdrawal_id),
  attempt integer NOT NULL CHECK (attempt > 0),
  max_fee numeric(78) NOT NULL,
  priority_fee numeric(78) NOT NULL,
  tx_hash text NOT NULL UNIQUE,
  raw text NOT NULL,
  made_at bigint NOT NULL,
  PRIMARY KEY (withdrawal_id, attempt)
);
COMMENT ON TABLE withdrawal_attempts IS 'Every transaction ever signed for a withdrawal, stored before it is sent and kept for good. All attempts share one nonce.';
COMMENT ON COLUMN withdrawal_attempts.withdrawal_id IS 'The withdrawal';
COMMENT ON COLUMN withdrawal_attempts.attempt IS 'Number of the attempt, from 1';
COMMENT ON COLUMN withdrawal_attempts.max_fee IS 'Highest fee per unit of gas, wei';
COMMENT ON COLUMN withdrawal_attempts.priority_fee IS 'Priority fee per unit of gas, wei';
COMMENT ON COLUMN withdrawal_attempts.tx_hash IS 'Hash of the transaction on the chain';
COMMENT ON COLUMN withdrawal_attempts.raw IS 'The signed transaction, hexadecimal';
COMMENT ON COLUMN withdrawal_attempts.made_at IS 'When it was made, ms since 1970 UTC';
CALL write_once('withdrawal_attempts');
GRANT SELECT ON withdrawal_attempts TO fairtick_money, fairtick_reader, fairtick_jobs, fairtick_console;
GRANT SELECT, INSERT ON withdrawal_attempts TO fairtick_payout;

-- Confirms a withdrawal that was found on the chain, final and with its transfer of the token. False when it is
-- confirmed already. The role that reads the chain calls this.
CREATE FUNCTION confirm_withdrawal(withdrawal bigint, end_transfer bigint, paid_by text, at_height bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  w withdrawals;
BEGIN
  SELECT * INTO STRICT w FROM withdrawals WHERE withdrawal_id = withdrawal FOR NO KEY UPDATE;
  IF w.stage NOT IN ('signed', 'broadcast', 'needs_review') THEN
    RETURN false;
  END IF;
  PERFORM FROM withdrawal_attempts WHERE withdrawal_id = withdrawal AND tx_hash = paid_by;
  IF NOT FOUND OR w.dead_at IS NOT NULL THEN
    RAISE EXCEPTION 'withdrawal % was not paid by %', withdrawal, paid_by USING ERRCODE = 'check_violation';
  END IF;
  UPDATE withdrawals SET tx_hash = paid_by, mined_height = at_height WHERE withdrawal_id = withdrawal;
  PERFORM end_withdrawal(w, end_transfer, 'confirmed', NULL);
  RETURN true;
END
$$;
REVOKE EXECUTE ON FUNCTION confirm_withdrawal FROM PUBLIC;
GRANT EXECUTE ON FUNCTION confirm_withdrawal TO fairtick_chain;

CREATE TABLE short_payments (
  withdrawal_id bigint PRIMARY KEY REFERENCES withdrawals,
  tx_hash text NOT NULL REFERENCES withdrawal_attempts (tx_hash),
  height bigint NOT NULL,
  arrived numeric(78) NOT NULL CHECK (arrived > 0),
  rest bigint NOT NULL CHECK (rest > 0 AND rest % 10000 = 0),
  found_at bigint NOT NULL
);
COMMENT ON TABLE short_payments IS 'Payments of which less arrived than was sent, because the token kept a fee. Two people of finance end each: what is missing goes back to the member out of the house''s capital.';
COMMENT ON COLUMN short_payments.withdrawal_id IS 'The withdrawal';
COMMENT ON COLUMN short_payments.tx_hash IS 'Hash of the transaction on the chain';
COMMENT ON COLUMN short_payments.height IS 'Height of its block';
COMMENT ON COLUMN short_payments.arrived IS 'What arrived by the final receipt, in the token''s smallest unit';
COMMENT ON COLUMN short_payments.rest IS 'What did not arrive, in whole cents, rounded up, micro-USD';
COMMENT ON COLUMN short_payments.found_at IS 'When it was found, ms since 1970 UTC';
CALL write_once('short_payments');
GRANT SELECT ON short_payments TO fairtick_money, fairtick_reader, fairtick_jobs, fairtick_console, fairtick_payout;

CREATE TABLE short_endings (
  withdrawal_id bigint PRIMARY KEY REFERENCES short_payments,
  transfer_id bigint NOT NULL UNIQUE REFERENCES transfers
);
COMMENT ON TABLE short_endings IS 'Short payments that were ended.';
COMMENT ON COLUMN short_endings.withdrawal_id IS 'The withdrawal';
COMMENT ON COLUMN short_endings.transfer_id IS 'The transfer that gave back what was missing';
CALL write_once('short_endings');
GRANT SELECT ON short_endings TO fairtick_jobs;

-- Stores what a final receipt says about a payment that arrived short. Returns false if that is already known, or if
-- nothing is missing.
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
REVOKE EXECUTE ON FUNCTION note_short_payment FROM PUBLIC;
GRANT EXECUTE ON FUNCTION note_short_payment TO fairtick_payout;

-- Agrees that a short payment ends as it is; the second person's agreement ends it. Returns the stage afterwards,
-- or null when there is none.
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
REVOKE EXECUTE ON FUNCTION settle_short_withdrawal FROM PUBLIC;
GRANT EXECUTE ON FUNCTION settle_short_withdrawal TO fairtick_console;
