-- Addresses that a member is paid to. A new one waits before anything is paid to it, so that its member hears of it first: money
-- that was sent on a chain can't be called back.
CREATE TABLE withdrawal_addresses (
  address_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES members,
  chain text NOT NULL,
  -- Lower case, without a checksum
  address text NOT NULL CHECK (address = lower(address)),
  -- What the member calls it
  label text CHECK (length(label) BETWEEN 1 AND 40),
  -- Milliseconds since 1970 UTC
  added_at bigint NOT NULL,
  usable_at bigint NOT NULL CHECK (usable_at >= added_at),
  removed_at bigint CHECK (removed_at >= added_at)
);
-- One that was removed and added again is another row, and waits again.
CREATE UNIQUE INDEX withdrawal_addresses_one ON withdrawal_addresses (member_id, chain, address) WHERE removed_at IS NULL;

-- Who was paid to an address knows it.
INSERT INTO withdrawal_addresses (member_id, chain, address, added_at, usable_at)
  SELECT member_id, chain, address, min(created_at), min(created_at) FROM withdrawals WHERE stage = 'confirmed'
  GROUP BY member_id, chain, address;

CREATE FUNCTION keep_withdrawal_address() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' THEN
    RAISE EXCEPTION 'addresses of withdrawals are removed, not deleted' USING ERRCODE = 'check_violation';
  END IF;
  IF (OLD.address_id, OLD.member_id, OLD.chain, OLD.address, OLD.added_at, OLD.usable_at)
      IS DISTINCT FROM (NEW.address_id, NEW.member_id, NEW.chain, NEW.address, NEW.added_at, NEW.usable_at) OR OLD.removed_at IS NOT NULL THEN
    RAISE EXCEPTION 'address % stays as it was added', OLD.address_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER keep_withdrawal_address BEFORE UPDATE OR DELETE ON withdrawal_addresses FOR EACH ROW EXECUTE FUNCTION keep_withdrawal_address();
CREATE TRIGGER keep_all_withdrawal_addresses BEFORE TRUNCATE ON withdrawal_addresses FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE withdrawal_addresses ENABLE ALWAYS TRIGGER keep_withdrawal_address;
ALTER TABLE withdrawal_addresses ENABLE ALWAYS TRIGGER keep_all_withdrawal_addresses;

-- Puts an address into a member's book: `is_new`, and usable after so many hours. One that is there stays as it is, but for its label.
CREATE FUNCTION add_withdrawal_address(member bigint, on_chain text, to_address text, called text, hours integer, OUT id bigint, OUT usable bigint, OUT is_new boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  at_time bigint := withdrawal_now();
BEGIN
  INSERT INTO withdrawal_addresses (member_id, chain, address, label, added_at, usable_at)
    VALUES (member, on_chain, to_address, called, at_time, at_time + hours * 3600000::bigint)
    ON CONFLICT (member_id, chain, address) WHERE removed_at IS NULL DO NOTHING
    RETURNING address_id, usable_at INTO id, usable;
  is_new := FOUND;
  IF NOT is_new THEN
    UPDATE withdrawal_addresses SET label = coalesce(called, label)
      WHERE member_id = member AND chain = on_chain AND address = to_address AND removed_at IS NULL
      RETURNING address_id, usable_at INTO STRICT id, usable;
  END IF;
END
$$;

-- False where the member has no such address. What was asked for to it goes on: the member can cancel that.
CREATE FUNCTION remove_withdrawal_address(member bigint, id bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE withdrawal_addresses SET removed_at = greatest(withdrawal_now(), added_at) WHERE address_id = id AND member_id = member AND removed_at IS NULL;
  RETURN FOUND;
END
$$;

-- Nothing of it is approved or given a nonce before. 0 for what was asked for before there was a book.
ALTER TABLE withdrawals ADD COLUMN pays_from bigint NOT NULL DEFAULT 0;

-- As before, to an address in the member's book, and not before that is usable.
CREATE OR REPLACE FUNCTION request_withdrawal(new_withdrawal bigint, hold_transfer bigint, member bigint, client text, asked bytea, on_chain text, on_instance integer,
  to_address text, held bigint, kept bigint, arrives bigint, expires bigint, signed_digest bytea) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  at_time bigint := withdrawal_now();
  seq bigint;
  after bigint;
  usable bigint;
BEGIN
  SELECT usable_at INTO usable FROM withdrawal_addresses
    WHERE member_id = member AND chain = on_chain AND address = to_address AND removed_at IS NULL FOR SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'member % has no such address in their book', member USING ERRCODE = 'check_violation';
  END IF;
  UPDATE members_money SET member_seq = member_seq + 1, real_available = real_available - held, real_locked = real_locked + held
    WHERE member_id = member RETURNING member_seq, real_available INTO STRICT seq, after;
  INSERT INTO transfers (transfer_id, kind, wallet, member_id, member_seq, available_after, made_at, idempotency_key, remark)
    VALUES (hold_transfer, 'withdrawal_hold', 'real', member, seq, after, at_time, 'withdrawal_hold:' || new_withdrawal, 'withdrawal');
  INSERT INTO postings (transfer_id, line, from_account, to_account, amount) VALUES (hold_transfer, 1, 'available', 'locked', held);
  INSERT INTO withdrawals (withdrawal_id, member_id, client_id, request_hash, chain, instance_id, address, amount, fee, units, created_at, expires_at, digest, stage, stage_at, hold_id, pays_from)
    VALUES (new_withdrawal, member, client, asked, on_chain, on_instance, to_address, held, kept, arrives, at_time, expires, signed_digest, 'requested', at_time, hold_transfer, usable);
END
$$;

CREATE FUNCTION wait_for_address() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF NEW.pays_from <> OLD.pays_from THEN
    RAISE EXCEPTION 'when withdrawal % is paid from stays', OLD.withdrawal_id USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.stage IN ('approved', 'reserved') AND OLD.stage <> NEW.stage AND NEW.pays_from > withdrawal_now() THEN
    RAISE EXCEPTION 'withdrawal % waits for its address', NEW.withdrawal_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END
$$;
-- By its name it comes after step_withdrawal, whose reasons (frozen, no such step) are told first.
CREATE TRIGGER wait_for_address AFTER UPDATE OF stage, pays_from ON withdrawals FOR EACH ROW EXECUTE FUNCTION wait_for_address();
ALTER TABLE withdrawals ENABLE ALWAYS TRIGGER wait_for_address;

-- As before, and not before its address is usable.
CREATE OR REPLACE FUNCTION approve_withdrawal(session bigint, withdrawal bigint, of_digest bytea, with_key text, signed text, why text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who bigint := require_finance(session);
  at_time bigint := withdrawal_now();
  w withdrawals;
  have integer;
BEGIN
  SELECT * INTO w FROM withdrawals WHERE withdrawal_id = withdrawal FOR NO KEY UPDATE;
  IF NOT FOUND OR w.stage <> 'review' OR w.digest <> of_digest OR w.expires_at <= at_time THEN
    RETURN NULL;
  END IF;
  IF is_frozen(w.member_id) THEN
    RAISE EXCEPTION 'withdrawals of member % are frozen', w.member_id USING ERRCODE = 'check_violation';
  END IF;
  IF w.pays_from > at_time THEN
    RAISE EXCEPTION 'withdrawal % waits for its address', withdrawal USING ERRCODE = 'check_violation';
  END IF;
  IF EXISTS (SELECT FROM revoked_keys WHERE key_id = with_key) THEN
    RAISE EXCEPTION 'key % is revoked', with_key USING ERRCODE = 'insufficient_privilege';
  END IF;
  INSERT INTO withdrawal_approvals (withdrawal_id, digest, operator_id, session_id, key_id, signature, reason, at)
    VALUES (withdrawal, of_digest, who, session, with_key, signed, why, at_time);
  SELECT count(*) INTO have FROM approvals_that_count WHERE withdrawal_id = withdrawal AND digest = of_digest;
  IF have < approvals_needed(w.amount, true) THEN
    RETURN w.stage;
  END IF;
  UPDATE withdrawals SET stage = 'approved', stage_at = at_time, reason = NULL WHERE withdrawal_id = withdrawal;
  RETURN 'approved';
END
$$;

REVOKE EXECUTE ON FUNCTION add_withdrawal_address, remove_withdrawal_address, wait_for_address FROM PUBLIC;
GRANT EXECUTE ON FUNCTION add_withdrawal_address, remove_withdrawal_address TO fairtick_money;
GRANT SELECT ON withdrawal_addresses TO fairtick_money, fairtick_reader;

-- The archive of a member has the addresses and the freezes of their own too.
ALTER FUNCTION kept_of_member(bigint) RENAME TO kept_before_address_books;
CREATE FUNCTION kept_of_member(of_member bigint) RETURNS TABLE (section text, entry jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT * FROM kept_before_address_books(of_member)
  UNION ALL
  (SELECT 'withdrawal-freezes', jsonb_build_object('frozenAt', began_at, 'liftedAt', lifted_at, 'why', 'member ' || began_by)
    FROM member_freezes WHERE member_id = of_member ORDER BY freeze_id)
  UNION ALL
  (SELECT 'withdrawal-addresses', jsonb_build_object('chain', chain, 'address', address, 'label', label, 'addedAt', added_at, 'usableAt', usable_at,
      'removedAt', removed_at)
    FROM withdrawal_addresses WHERE member_id = of_member ORDER BY address_id)
$$;
REVOKE EXECUTE ON FUNCTION kept_of_member, kept_before_address_books FROM PUBLIC, fairtick_sessions;
GRANT EXECUTE ON FUNCTION kept_of_member TO fairtick_sessions;
