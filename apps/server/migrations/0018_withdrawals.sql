-- Withdrawals, the addresses they go to, and the rest period after a reset. Requests, approvals and payouts have
-- files of their own.
--
-- Where a withdrawal can go from each stage (step_withdrawal refuses everything else, and a stage without what it
-- takes):
--
--   requested     → review, approved, canceled, rejected
--   review        → approved, canceled, rejected          people have to approve it
--   approved      → reserved, review, rejected            reserved: it has a nonce of the paying wallet
--   reserved      → signed, needs_review, and back to review or approved once its nonce is free again
--   signed        → broadcast, confirmed, needs_review
--   broadcast     → confirmed, needs_review
--   needs_review  → confirmed, reverted                   reverted: every attempt is dead, the hold is released
--
-- confirmed, canceled, rejected and reverted are final: the hold has ended, and end_id names the transfer that
-- ended it.

CREATE TABLE withdrawal_rules (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  automatic_max bigint NOT NULL,
  single_max bigint NOT NULL,
  CHECK (0 <= automatic_max AND automatic_max <= single_max)
);
COMMENT ON TABLE withdrawal_rules IS 'How many operators approve a withdrawal while no version of the withdrawal terms is stored.';
COMMENT ON COLUMN withdrawal_rules.one IS 'Always true: the table has exactly one row';
COMMENT ON COLUMN withdrawal_rules.automatic_max IS 'Up to this amount, none, micro-USD';
COMMENT ON COLUMN withdrawal_rules.single_max IS 'Up to this amount, one; above it, two, micro-USD';
INSERT INTO withdrawal_rules (automatic_max, single_max) VALUES (500000000, 5000000000);
CALL write_once('withdrawal_rules');
GRANT SELECT ON withdrawal_rules TO fairtick_money, fairtick_reader, fairtick_jobs, fairtick_console, fairtick_payout;

CREATE TABLE withdrawal_addresses (
  address_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES members,
  chain text NOT NULL,
  address text NOT NULL CHECK (address = lower(address)),
  label text CHECK (length(label) BETWEEN 1 AND 40),
  added_at bigint NOT NULL,
  usable_at bigint NOT NULL CHECK (usable_at >= added_at),
  removed_at bigint CHECK (removed_at >= added_at)
);
COMMENT ON TABLE withdrawal_addresses IS 'Each member''s address book for withdrawals. A new address waits before anything is paid to it, so that its member hears of it first: money sent on a chain can''t be called back.';
COMMENT ON COLUMN withdrawal_addresses.address_id IS 'Number of the address';
COMMENT ON COLUMN withdrawal_addresses.member_id IS 'The member';
COMMENT ON COLUMN withdrawal_addresses.chain IS 'Name of the chain in the settings';
COMMENT ON COLUMN withdrawal_addresses.address IS 'Address on the chain, lower case';
COMMENT ON COLUMN withdrawal_addresses.label IS 'What the member calls it';
COMMENT ON COLUMN withdrawal_addresses.added_at IS 'When it was added, ms since 1970 UTC';
COMMENT ON COLUMN withdrawal_addresses.usable_at IS 'From when payments go to it, ms since 1970 UTC';
COMMENT ON COLUMN withdrawal_addresses.removed_at IS 'When it was removed, ms since 1970 UTC. An address added again is a new row and waits again';
CREATE UNIQUE INDEX withdrawal_addresses_one ON withdrawal_addresses (member_id, chain, address) WHERE removed_at IS NULL;
GRANT SELECT ON withdrawal_addresses TO fairtick_money, fairtick_reader;

CREATE TRIGGER keep_all_withdrawal_addresses BEFORE TRUNCATE ON withdrawal_addresses FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE withdrawal_addresses ENABLE ALWAYS TRIGGER keep_all_withdrawal_addresses;

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
ALTER TABLE withdrawal_addresses ENABLE ALWAYS TRIGGER keep_withdrawal_address;

-- Adds an address to a member's book, usable after the given number of hours. An existing one stays as it is, except for
-- its label; `is_new` says which it was.
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
REVOKE EXECUTE ON FUNCTION add_withdrawal_address FROM PUBLIC;
GRANT EXECUTE ON FUNCTION add_withdrawal_address TO fairtick_money;

-- Removes an address; false when the member has no such address. Withdrawals already asked for go on: the member
-- can cancel them.
CREATE FUNCTION remove_withdrawal_address(member bigint, id bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE withdrawal_addresses SET removed_at = greatest(withdrawal_now(), added_at) WHERE address_id = id AND member_id = member AND removed_at IS NULL;
  RETURN FOUND;
END
$$;
REVOKE EXECUTE ON FUNCTION remove_withdrawal_address FROM PUBLIC;
GRANT EXECUTE ON FUNCTION remove_withdrawal_address TO fairtick_money;

CREATE TABLE withdrawals (
  withdrawal_id bigint PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES members,
  client_id text NOT NULL,
  request_hash bytea NOT NULL,
  chain text NOT NULL,
  instance_id integer NOT NULL REFERENCES chain_instances,
  address text NOT NULL CHECK (address = lower(address)),
  amount bigint NOT NULL CHECK (amount > 0),
  fee bigint NOT NULL CHECK (fee >= 0 AND fee < amount),
  units bigint NOT NULL CHECK (units > 0),
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  digest bytea NOT NULL,
  stage text NOT NULL CHECK (stage IN ('requested', 'review', 'approved', 'reserved', 'signed', 'broadcast', 'confirmed', 'canceled', 'rejected', 'reverted', 'needs_review')),
  stage_at bigint NOT NULL,
  reason text,
  tx_hash text,
  mined_height bigint,
  dead_at bigint,
  hold_id bigint NOT NULL UNIQUE REFERENCES transfers,
  end_id bigint UNIQUE REFERENCES transfers,
  pays_from bigint NOT NULL DEFAULT 0,
  UNIQUE (member_id, client_id),
  CHECK ((stage IN ('confirmed', 'canceled', 'rejected', 'reverted')) = (end_id IS NOT NULL))
);
COMMENT ON TABLE withdrawals IS 'Every withdrawal: what the member asked for, and where it stands.';
COMMENT ON COLUMN withdrawals.withdrawal_id IS 'Number of the withdrawal';
COMMENT ON COLUMN withdrawals.member_id IS 'The member';
COMMENT ON COLUMN withdrawals.client_id IS 'The client id: repeating it never does the same thing twice';
COMMENT ON COLUMN withdrawals.request_hash IS 'SHA-256 of what was asked: the same client id with another request is a conflict';
COMMENT ON COLUMN withdrawals.chain IS 'Name of the chain in the settings';
COMMENT ON COLUMN withdrawals.instance_id IS 'The chain instance it is paid on; approvals cover its genesis block';
COMMENT ON COLUMN withdrawals.address IS 'Address it is paid to, lower case, without a checksum';
COMMENT ON COLUMN withdrawals.amount IS 'What is held, micro-USD';
COMMENT ON COLUMN withdrawals.fee IS 'What stays with the house, micro-USD';
COMMENT ON COLUMN withdrawals.units IS 'What arrives, in the token''s smallest unit';
COMMENT ON COLUMN withdrawals.created_at IS 'When it was asked for, ms since 1970 UTC';
COMMENT ON COLUMN withdrawals.expires_at IS 'Until when approvals of `digest` are good, ms since 1970 UTC';
COMMENT ON COLUMN withdrawals.digest IS 'What operators sign: SHA-256 over id, chain, genesis, token, address, units and expiry';
COMMENT ON COLUMN withdrawals.stage IS 'Where it stands; step_withdrawal lists the transitions';
COMMENT ON COLUMN withdrawals.stage_at IS 'When it reached its stage, ms since 1970 UTC';
COMMENT ON COLUMN withdrawals.reason IS 'A stable word that the app translates, or the words of whoever rejected it';
COMMENT ON COLUMN withdrawals.tx_hash IS 'Transaction that was seen in a block';
COMMENT ON COLUMN withdrawals.mined_height IS 'Height of that block';
COMMENT ON COLUMN withdrawals.dead_at IS 'Since when no attempt can pay any more, ms since 1970 UTC: only then may the hold return';
COMMENT ON COLUMN withdrawals.hold_id IS 'The transfer that held the amount';
COMMENT ON COLUMN withdrawals.end_id IS 'The transfer that ended the hold: paid or released';
COMMENT ON COLUMN withdrawals.pays_from IS 'Not approved or given a nonce before this, ms since 1970 UTC; 0 where the address was usable already';
CREATE INDEX withdrawals_by_member ON withdrawals (member_id, withdrawal_id);
CREATE INDEX withdrawals_open ON withdrawals (withdrawal_id) WHERE end_id IS NULL;
CREATE INDEX withdrawals_by_stage_at ON withdrawals (stage_at);
-- Finds who was paid to an address before.
CREATE INDEX withdrawals_by_address ON withdrawals (address);
GRANT SELECT ON withdrawals TO fairtick_money, fairtick_reader, fairtick_jobs, fairtick_console, fairtick_payout;
GRANT
  UPDATE (instance_id, expires_at, digest, stage, stage_at, reason, tx_hash, mined_height, dead_at)
  ON withdrawals TO fairtick_payout;

CREATE TRIGGER keep_withdrawals BEFORE DELETE ON withdrawals FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE withdrawals ENABLE ALWAYS TRIGGER keep_withdrawals;
CREATE TRIGGER keep_all_withdrawals BEFORE TRUNCATE ON withdrawals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE withdrawals ENABLE ALWAYS TRIGGER keep_all_withdrawals;

CREATE TABLE withdrawal_steps (
  withdrawal_id bigint NOT NULL REFERENCES withdrawals,
  step integer NOT NULL,
  stage text NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (withdrawal_id, step)
);
COMMENT ON TABLE withdrawal_steps IS 'Each stage a withdrawal reached, in order.';
COMMENT ON COLUMN withdrawal_steps.withdrawal_id IS 'The withdrawal';
COMMENT ON COLUMN withdrawal_steps.step IS 'Number of the step, from 1';
COMMENT ON COLUMN withdrawal_steps.stage IS 'The stage';
COMMENT ON COLUMN withdrawal_steps.at IS 'When it happened, ms since 1970 UTC';
CALL write_once('withdrawal_steps');
CREATE INDEX withdrawal_steps_by_time ON withdrawal_steps (at);
GRANT SELECT ON withdrawal_steps TO fairtick_money, fairtick_reader, fairtick_jobs, fairtick_console, fairtick_payout;

-- A withdrawal only moves forward, and each stage requires what belongs to it, whatever a program does. A payment whose
-- nonce was never signed for can go back, because of a freeze or because the signer refuses. Its nonce then goes to the
-- next payment, so that nothing waits for it. A signed payment may already be public, so it continues.
CREATE FUNCTION step_withdrawal() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.stage <> 'requested' THEN
      RAISE EXCEPTION 'a withdrawal begins as requested' USING ERRCODE = 'check_violation';
    END IF;
  ELSE
    IF (OLD.withdrawal_id, OLD.member_id, OLD.client_id, OLD.request_hash, OLD.chain, OLD.address, OLD.amount, OLD.fee, OLD.units, OLD.created_at, OLD.hold_id)
        IS DISTINCT FROM (NEW.withdrawal_id, NEW.member_id, NEW.client_id, NEW.request_hash, NEW.chain, NEW.address, NEW.amount, NEW.fee, NEW.units, NEW.created_at, NEW.hold_id) THEN
      RAISE EXCEPTION 'what withdrawal % asked for stays', OLD.withdrawal_id USING ERRCODE = 'check_violation';
    END IF;
    IF OLD.end_id IS NOT NULL THEN
      RAISE EXCEPTION 'withdrawal % is over', OLD.withdrawal_id USING ERRCODE = 'check_violation';
    END IF;
    -- What approvals cover may be renewed only while nothing was reserved for it.
    IF (OLD.instance_id, OLD.expires_at, OLD.digest) IS DISTINCT FROM (NEW.instance_id, NEW.expires_at, NEW.digest)
        AND NOT (OLD.stage IN ('requested', 'review', 'approved') AND NEW.stage IN ('requested', 'review')) THEN
      RAISE EXCEPTION 'withdrawal % cannot be renewed any more', OLD.withdrawal_id USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.dead_at IS DISTINCT FROM OLD.dead_at AND (OLD.dead_at IS NOT NULL OR NEW.stage <> 'needs_review') THEN
      RAISE EXCEPTION 'withdrawal % is not found dead in stage %', OLD.withdrawal_id, NEW.stage USING ERRCODE = 'check_violation';
    END IF;
    IF OLD.stage = NEW.stage THEN
      RETURN NULL;
    END IF;
    IF NOT (CASE OLD.stage
      WHEN 'requested' THEN NEW.stage IN ('review', 'approved', 'canceled', 'rejected')
      WHEN 'review' THEN NEW.stage IN ('approved', 'canceled', 'rejected')
      WHEN 'approved' THEN NEW.stage IN ('review', 'reserved', 'rejected')
      WHEN 'reserved' THEN NEW.stage IN ('signed', 'needs_review')
        OR (NEW.stage IN ('review', 'approved') AND NOT EXISTS (SELECT FROM payout_nonces n WHERE n.withdrawal_id = NEW.withdrawal_id))
      WHEN 'signed' THEN NEW.stage IN ('broadcast', 'confirmed', 'needs_review')
      WHEN 'broadcast' THEN NEW.stage IN ('confirmed', 'needs_review')
      WHEN 'needs_review' THEN NEW.stage IN ('confirmed', 'reverted')
      ELSE false END) THEN
      RAISE EXCEPTION 'withdrawal % cannot go from % to %', OLD.withdrawal_id, OLD.stage, NEW.stage USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.stage IN ('approved', 'reserved') AND is_frozen(NEW.member_id) THEN
      RAISE EXCEPTION 'withdrawals of member % are frozen', NEW.member_id USING ERRCODE = 'check_violation';
    END IF;
    -- One that comes back had them when it was approved, by the figures of that time.
    IF NEW.stage = 'approved' AND OLD.stage <> 'reserved' AND (SELECT count(*) FROM withdrawal_approvals a WHERE a.withdrawal_id = NEW.withdrawal_id AND a.digest = NEW.digest)
        < approvals_needed(NEW.amount, OLD.stage = 'review') THEN
      RAISE EXCEPTION 'withdrawal % has not the approvals that it takes', NEW.withdrawal_id USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.stage = 'reserved' AND NOT EXISTS (SELECT FROM payout_nonces n WHERE n.withdrawal_id = NEW.withdrawal_id AND n.instance_id = NEW.instance_id) THEN
      RAISE EXCEPTION 'withdrawal % has no nonce', NEW.withdrawal_id USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.stage IN ('signed', 'confirmed') AND NOT EXISTS (SELECT FROM withdrawal_attempts a WHERE a.withdrawal_id = NEW.withdrawal_id) THEN
      RAISE EXCEPTION 'withdrawal % was never signed', NEW.withdrawal_id USING ERRCODE = 'check_violation';
    END IF;
  END IF;
  INSERT INTO withdrawal_steps (withdrawal_id, step, stage, at)
    SELECT NEW.withdrawal_id, count(*) + 1, NEW.stage, NEW.stage_at FROM withdrawal_steps WHERE withdrawal_id = NEW.withdrawal_id;
  RETURN NULL;
END
$$;
REVOKE EXECUTE ON FUNCTION step_withdrawal FROM PUBLIC;

CREATE TRIGGER step_withdrawal AFTER INSERT OR UPDATE ON withdrawals FOR EACH ROW EXECUTE FUNCTION step_withdrawal();
ALTER TABLE withdrawals ENABLE ALWAYS TRIGGER step_withdrawal;

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
REVOKE EXECUTE ON FUNCTION wait_for_address FROM PUBLIC;

-- By its name it runs after step_withdrawal, whose reasons (frozen, no such step) come first.
CREATE TRIGGER wait_for_address AFTER UPDATE OF stage, pays_from ON withdrawals FOR EACH ROW EXECUTE FUNCTION wait_for_address();
ALTER TABLE withdrawals ENABLE ALWAYS TRIGGER wait_for_address;

CREATE FUNCTION withdrawal_now() RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
$$;

CREATE TABLE withdrawal_rests (
  rest_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES members,
  password text NOT NULL CHECK (password IN ('login', 'transaction', 'factor', 'freeze')),
  began_at bigint NOT NULL,
  ends_at bigint NOT NULL CHECK (ends_at > began_at)
);
COMMENT ON TABLE withdrawal_rests IS 'Periods in which a member''s withdrawals rest after a reset, so that the member hears of it before anything is paid.';
COMMENT ON COLUMN withdrawal_rests.rest_id IS 'Number of the rest';
COMMENT ON COLUMN withdrawal_rests.member_id IS 'The member';
COMMENT ON COLUMN withdrawal_rests.password IS 'What was reset: a password, the second factor that was removed, or the freeze that was lifted';
COMMENT ON COLUMN withdrawal_rests.began_at IS 'When it began, ms since 1970 UTC';
COMMENT ON COLUMN withdrawal_rests.ends_at IS 'When it ends, ms since 1970 UTC';
CREATE INDEX withdrawal_rests_by_member ON withdrawal_rests (member_id, ends_at);
CALL write_once('withdrawal_rests');

-- Begins a rest, by the database's clock, in the transaction of the reset. Returns when it ends.
CREATE FUNCTION begin_withdrawal_rest(member bigint, of_password text, hours integer) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  INSERT INTO withdrawal_rests (member_id, password, began_at, ends_at)
    SELECT member, of_password, at_time, at_time + hours * 3600000::bigint FROM withdrawal_now() AS at_time
    RETURNING ends_at
$$;
REVOKE EXECUTE ON FUNCTION begin_withdrawal_rest FROM PUBLIC;
GRANT EXECUTE ON FUNCTION begin_withdrawal_rest TO fairtick_sessions, fairtick_console;

-- When the member's withdrawals may be approved and paid again; null when no rest is running.
CREATE FUNCTION withdrawals_rest_until(member bigint) RETURNS bigint LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT ends_at FROM withdrawal_rests WHERE member_id = member AND ends_at > withdrawal_now() ORDER BY ends_at DESC LIMIT 1
$$;
REVOKE EXECUTE ON FUNCTION withdrawals_rest_until FROM PUBLIC;
GRANT EXECUTE ON FUNCTION withdrawals_rest_until TO
  fairtick_money, fairtick_reader, fairtick_jobs, fairtick_chain, fairtick_console, fairtick_payout;
