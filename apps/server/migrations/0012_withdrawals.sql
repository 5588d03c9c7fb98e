-- Withdrawals: what a member asked for, who agreed, and every attempt to pay it on a chain.

DO $$
BEGIN
  BEGIN
    CREATE ROLE fairtick_payout NOLOGIN;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
  END;
  IF NOT pg_has_role(current_user, 'fairtick_payout', CASE WHEN current_setting('server_version_num')::integer >= 160000 THEN 'SET' ELSE 'MEMBER' END) THEN
    GRANT fairtick_payout TO CURRENT_USER;
  END IF;
END
$$;
GRANT USAGE ON SCHEMA public TO fairtick_payout;

-- Up to the first no operator is asked, up to the second one, above it two different ones. Micro-USD.
CREATE TABLE withdrawal_rules (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  automatic_max bigint NOT NULL,
  single_max bigint NOT NULL,
  CHECK (0 <= automatic_max AND automatic_max <= single_max)
);
INSERT INTO withdrawal_rules (automatic_max, single_max) VALUES (500000000, 5000000000);
CALL write_once('withdrawal_rules');

CREATE TABLE withdrawals (
  withdrawal_id bigint PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES members,
  client_id text NOT NULL,
  -- SHA-256 of what was asked: the same client id with another wish is a conflict.
  request_hash bytea NOT NULL,
  chain text NOT NULL,
  -- The life of the chain that it is to be paid on; approvals cover its genesis block.
  instance_id integer NOT NULL REFERENCES chain_instances,
  -- Lower case, without a checksum.
  address text NOT NULL CHECK (address = lower(address)),
  -- What is held, what stays with the house, and what arrives in the token's smallest unit.
  amount bigint NOT NULL CHECK (amount > 0),
  fee bigint NOT NULL CHECK (fee >= 0 AND fee < amount),
  units bigint NOT NULL CHECK (units > 0),
  created_at bigint NOT NULL,
  -- Until when approvals of `digest` are good.
  expires_at bigint NOT NULL,
  -- What operators sign: SHA-256 over id, chain, genesis, token, address, units, expiry.
  digest bytea NOT NULL,
  stage text NOT NULL CHECK (stage IN ('requested', 'review', 'approved', 'reserved', 'signed', 'broadcast', 'confirmed', 'canceled', 'rejected', 'reverted', 'needs_review')),
  stage_at bigint NOT NULL,
  -- A stable word that the app puts into the language, or the words of whoever rejected it.
  reason text,
  -- The transaction that was seen in a block, and at which height.
  tx_hash text,
  mined_height bigint,
  -- Since when no attempt can pay any more: only then what is held may return.
  dead_at bigint,
  hold_id bigint NOT NULL UNIQUE REFERENCES transfers,
  -- The transfer that ended the hold: paid or released.
  end_id bigint UNIQUE REFERENCES transfers,
  UNIQUE (member_id, client_id),
  CHECK ((stage IN ('confirmed', 'canceled', 'rejected', 'reverted')) = (end_id IS NOT NULL))
);
CREATE INDEX withdrawals_by_member ON withdrawals (member_id, withdrawal_id);
CREATE INDEX withdrawals_open ON withdrawals (withdrawal_id) WHERE end_id IS NULL;
CREATE INDEX withdrawals_by_stage_at ON withdrawals (stage_at);

-- Each stage a withdrawal came to, in order. Whoever is to be told of withdrawals can follow this table.
CREATE TABLE withdrawal_steps (
  withdrawal_id bigint NOT NULL REFERENCES withdrawals,
  step integer NOT NULL,
  stage text NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (withdrawal_id, step)
);
CALL write_once('withdrawal_steps');
CREATE INDEX withdrawal_steps_by_time ON withdrawal_steps (at);

-- Public keys of operators, each proposed by its owner and approved by another person. The signer keeps its own list:
-- this one is for screens and for early answers.
INSERT INTO proposal_kinds (kind, maker_roles, checker_roles) VALUES ('payout_key', '{finance}', '{finance,admin}');
CREATE TABLE operator_keys (
  -- SHA-256 of the public key, hexadecimal.
  key_id text PRIMARY KEY,
  operator_id bigint NOT NULL REFERENCES operators,
  -- P-256, 65 bytes uncompressed, base64url.
  public_key text NOT NULL UNIQUE,
  proposal_id bigint NOT NULL UNIQUE REFERENCES proposals,
  enrolled_at bigint NOT NULL,
  -- The approver's own key and his signature over the enrolment; null for the very first one of a sandbox.
  signed_by text REFERENCES operator_keys,
  signature text,
  UNIQUE (key_id, operator_id)
);
CALL write_once('operator_keys');

CREATE FUNCTION enrol_payout_key(proposal bigint, colleague_key text, colleague_signature text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  agreed proposals := approved_proposal(proposal, 'payout_key');
  given jsonb := agreed.body::jsonb;
BEGIN
  INSERT INTO operator_keys (key_id, operator_id, public_key, proposal_id, enrolled_at, signed_by, signature)
    VALUES (given ->> 'keyId', agreed.made_by, given ->> 'publicKey', proposal,
      floor(extract(epoch FROM clock_timestamp()) * 1000), colleague_key, colleague_signature);
  RETURN given ->> 'keyId';
END
$$;

-- Who agreed to exactly which payment.
CREATE TABLE withdrawal_approvals (
  withdrawal_id bigint NOT NULL REFERENCES withdrawals,
  digest bytea NOT NULL,
  operator_id bigint NOT NULL,
  session_id bigint NOT NULL,
  key_id text NOT NULL,
  -- Raw r and s, base64url.
  signature text NOT NULL,
  reason text NOT NULL CHECK (length(btrim(reason)) >= 3),
  at bigint NOT NULL,
  PRIMARY KEY (withdrawal_id, digest, operator_id),
  -- Two people with two sessions, each with a key of his own.
  UNIQUE (withdrawal_id, digest, session_id),
  UNIQUE (withdrawal_id, digest, key_id),
  FOREIGN KEY (session_id, operator_id) REFERENCES operator_sessions (session_id, operator_id),
  FOREIGN KEY (key_id, operator_id) REFERENCES operator_keys (key_id, operator_id)
);
CALL write_once('withdrawal_approvals');

-- Who agreed that what is held returns, of a payment whose every attempt is dead.
CREATE TABLE withdrawal_releases (
  withdrawal_id bigint NOT NULL REFERENCES withdrawals,
  operator_id bigint NOT NULL,
  session_id bigint NOT NULL,
  reason text NOT NULL CHECK (length(btrim(reason)) >= 3),
  at bigint NOT NULL,
  PRIMARY KEY (withdrawal_id, operator_id),
  UNIQUE (withdrawal_id, session_id),
  FOREIGN KEY (session_id, operator_id) REFERENCES operator_sessions (session_id, operator_id)
);
CALL write_once('withdrawal_releases');

-- The wallet that pays, in each life of a chain. Its next nonce is counted here and never asked of a node.
CREATE TABLE payout_wallets (
  instance_id integer NOT NULL REFERENCES chain_instances,
  address text NOT NULL CHECK (address = lower(address)),
  next_nonce bigint NOT NULL CHECK (next_nonce >= 0),
  made_at bigint NOT NULL,
  -- Nothing is sent any more until a person has looked.
  stopped_at bigint,
  stop_reason text,
  -- As last seen on the chain, for screens and alarms.
  token_balance numeric(78),
  coin_balance numeric(78),
  seen_at bigint,
  PRIMARY KEY (instance_id, address)
);
CREATE TABLE payout_nonces (
  instance_id integer NOT NULL,
  address text NOT NULL,
  nonce bigint NOT NULL,
  withdrawal_id bigint NOT NULL UNIQUE REFERENCES withdrawals,
  PRIMARY KEY (instance_id, address, nonce),
  FOREIGN KEY (instance_id, address) REFERENCES payout_wallets
);
CALL write_once('payout_nonces');

-- Every transaction that was ever signed for a withdrawal: stored before it is sent, kept for good. All have its one nonce.
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
CALL write_once('withdrawal_attempts');

CREATE FUNCTION is_frozen(member bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM withdrawal_freezes WHERE member_id = member AND lifted_at IS NULL)
$$;

-- How many operators have to agree: a small one that the signer wants seen takes one as well.
CREATE FUNCTION approvals_needed(amount bigint, reviewed boolean) RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN amount > single_max THEN 2 WHEN amount > automatic_max OR reviewed THEN 1 ELSE 0 END FROM withdrawal_rules
$$;

-- A withdrawal only moves forward, and to each stage only with what that stage takes, whatever a program believes.
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
      WHEN 'signed' THEN NEW.stage IN ('broadcast', 'confirmed', 'needs_review')
      WHEN 'broadcast' THEN NEW.stage IN ('confirmed', 'needs_review')
      WHEN 'needs_review' THEN NEW.stage IN ('confirmed', 'reverted')
      ELSE false END) THEN
      RAISE EXCEPTION 'withdrawal % cannot go from % to %', OLD.withdrawal_id, OLD.stage, NEW.stage USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.stage IN ('approved', 'reserved') AND is_frozen(NEW.member_id) THEN
      RAISE EXCEPTION 'withdrawals of member % are frozen', NEW.member_id USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.stage = 'approved' AND (SELECT count(*) FROM withdrawal_approvals a WHERE a.withdrawal_id = NEW.withdrawal_id AND a.digest = NEW.digest)
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
CREATE TRIGGER step_withdrawal AFTER INSERT OR UPDATE ON withdrawals FOR EACH ROW EXECUTE FUNCTION step_withdrawal();
ALTER TABLE withdrawals ENABLE ALWAYS TRIGGER step_withdrawal;
CREATE TRIGGER keep_withdrawals BEFORE DELETE ON withdrawals FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER keep_all_withdrawals BEFORE TRUNCATE ON withdrawals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE withdrawals ENABLE ALWAYS TRIGGER keep_withdrawals;
ALTER TABLE withdrawals ENABLE ALWAYS TRIGGER keep_all_withdrawals;

CREATE FUNCTION withdrawal_now() RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
$$;

-- Writes a member's request down and holds its amount. The caller holds the lock of the member's money and has judged
-- the request; the table's checks hold the rest.
CREATE FUNCTION request_withdrawal(new_withdrawal bigint, hold_transfer bigint, member bigint, client text, asked bytea, on_chain text, on_instance integer,
  to_address text, held bigint, kept bigint, arrives bigint, expires bigint, signed_digest bytea) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  at_time bigint := withdrawal_now();
  seq bigint;
  after bigint;
BEGIN
  UPDATE members_money SET member_seq = member_seq + 1, real_available = real_available - held, real_locked = real_locked + held
    WHERE member_id = member RETURNING member_seq, real_available INTO STRICT seq, after;
  INSERT INTO transfers (transfer_id, kind, wallet, member_id, member_seq, available_after, made_at, idempotency_key, remark)
    VALUES (hold_transfer, 'withdrawal_hold', 'real', member, seq, after, at_time, 'withdrawal_hold:' || new_withdrawal, 'withdrawal');
  INSERT INTO postings (transfer_id, line, from_account, to_account, amount) VALUES (hold_transfer, 1, 'available', 'locked', held);
  INSERT INTO withdrawals (withdrawal_id, member_id, client_id, request_hash, chain, instance_id, address, amount, fee, units, created_at, expires_at, digest, stage, stage_at, hold_id)
    VALUES (new_withdrawal, member, client, asked, on_chain, on_instance, to_address, held, kept, arrives, at_time, expires, signed_digest, 'requested', at_time, hold_transfer);
END
$$;

-- Ends a hold: paid, or released to where it came from. The withdrawal's row is locked by the caller, the member's next,
-- the house's last.
CREATE FUNCTION end_withdrawal(w withdrawals, end_transfer bigint, to_stage text, why text) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  at_time bigint := withdrawal_now();
  paid boolean := to_stage = 'confirmed';
  seq bigint;
  after bigint;
BEGIN
  UPDATE members_money SET member_seq = member_seq + 1, real_locked = real_locked - w.amount,
      real_available = real_available + CASE WHEN paid THEN 0 ELSE w.amount END
    WHERE member_id = w.member_id RETURNING member_seq, real_available INTO STRICT seq, after;
  INSERT INTO transfers (transfer_id, kind, wallet, member_id, member_seq, available_after, made_at, idempotency_key, remark)
    VALUES (end_transfer, CASE WHEN paid THEN 'withdrawal_paid' ELSE 'withdrawal_release' END, 'real', w.member_id, seq, after, at_time,
      'withdrawal_end:' || w.withdrawal_id, 'withdrawal');
  IF paid THEN
    INSERT INTO postings (transfer_id, line, from_account, to_account, amount)
      SELECT end_transfer, row_number() OVER (), 'locked', account, part FROM (VALUES ('withdrawal_clearing', w.amount - w.fee), ('fees', w.fee)) AS l(account, part) WHERE part > 0;
    UPDATE house_accounts SET balance = balance + w.fee WHERE wallet = 'real' AND account = 'fees' AND w.fee > 0;
    UPDATE house_accounts SET balance = balance + w.amount - w.fee WHERE wallet = 'real' AND account = 'withdrawal_clearing';
  ELSE
    INSERT INTO postings (transfer_id, line, from_account, to_account, amount) VALUES (end_transfer, 1, 'locked', 'available', w.amount);
  END IF;
  UPDATE withdrawals SET stage = to_stage, stage_at = at_time, reason = why, end_id = end_transfer WHERE withdrawal_id = w.withdrawal_id;
END
$$;

-- By the member, while nobody has approved it. False where that is over.
CREATE FUNCTION cancel_withdrawal(member bigint, withdrawal bigint, end_transfer bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  w withdrawals;
BEGIN
  SELECT * INTO w FROM withdrawals WHERE withdrawal_id = withdrawal AND member_id = member FOR NO KEY UPDATE;
  IF NOT FOUND OR w.stage NOT IN ('requested', 'review') THEN
    RETURN false;
  END IF;
  PERFORM end_withdrawal(w, end_transfer, 'canceled', NULL);
  RETURN true;
END
$$;

CREATE FUNCTION require_finance(session bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  who bigint;
BEGIN
  PERFORM require_session(session);
  SELECT s.operator_id INTO who FROM operator_sessions s JOIN operator_roles r USING (operator_id) WHERE s.session_id = session AND r.role = 'finance';
  IF NOT FOUND THEN
    RAISE EXCEPTION 'session % is not one of finance', session USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN who;
END
$$;

-- An operator's signed agreement; the one that completes it moves the withdrawal on. Answers the stage afterwards, or
-- null where there was nothing to agree to.
CREATE FUNCTION approve_withdrawal(session bigint, withdrawal bigint, of_digest bytea, with_key text, signed text, why text) RETURNS text
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
  INSERT INTO withdrawal_approvals (withdrawal_id, digest, operator_id, session_id, key_id, signature, reason, at)
    VALUES (withdrawal, of_digest, who, session, with_key, signed, why, at_time);
  SELECT count(*) INTO have FROM withdrawal_approvals WHERE withdrawal_id = withdrawal AND digest = of_digest;
  IF have < approvals_needed(w.amount, true) THEN
    RETURN w.stage;
  END IF;
  UPDATE withdrawals SET stage = 'approved', stage_at = at_time, reason = NULL WHERE withdrawal_id = withdrawal;
  RETURN 'approved';
END
$$;

CREATE FUNCTION reject_withdrawal(session bigint, withdrawal bigint, end_transfer bigint, why text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  w withdrawals;
BEGIN
  PERFORM require_finance(session);
  SELECT * INTO w FROM withdrawals WHERE withdrawal_id = withdrawal FOR NO KEY UPDATE;
  IF NOT FOUND OR w.stage NOT IN ('requested', 'review', 'approved') THEN
    RETURN false;
  END IF;
  PERFORM end_withdrawal(w, end_transfer, 'rejected', why);
  RETURN true;
END
$$;

-- Of a payment that can no longer happen; above the limit two people have to say so. Answers the stage afterwards, or
-- null where it may not be released.
CREATE FUNCTION release_withdrawal(session bigint, withdrawal bigint, end_transfer bigint, why text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who bigint := require_finance(session);
  w withdrawals;
  have integer;
BEGIN
  SELECT * INTO w FROM withdrawals WHERE withdrawal_id = withdrawal FOR NO KEY UPDATE;
  IF NOT FOUND OR w.stage <> 'needs_review' OR w.dead_at IS NULL THEN
    RETURN NULL;
  END IF;
  INSERT INTO withdrawal_releases (withdrawal_id, operator_id, session_id, reason, at) VALUES (withdrawal, who, session, why, withdrawal_now());
  SELECT count(*) INTO have FROM withdrawal_releases WHERE withdrawal_id = withdrawal;
  IF have < approvals_needed(w.amount, true) THEN
    RETURN w.stage;
  END IF;
  PERFORM end_withdrawal(w, end_transfer, 'reverted', w.reason);
  RETURN 'reverted';
END
$$;

-- Found on the chain, final and with its transfer of the token. False where it is confirmed already.
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

REVOKE EXECUTE ON FUNCTION enrol_payout_key, step_withdrawal, request_withdrawal, end_withdrawal, cancel_withdrawal, require_finance, approve_withdrawal,
  reject_withdrawal, release_withdrawal, confirm_withdrawal FROM PUBLIC;
GRANT EXECUTE ON FUNCTION request_withdrawal, cancel_withdrawal TO fairtick_money;
GRANT EXECUTE ON FUNCTION enrol_payout_key, approve_withdrawal, reject_withdrawal, release_withdrawal TO fairtick_console;
-- What the chain says of a payment is booked by the role that reads it.
GRANT EXECUTE ON FUNCTION confirm_withdrawal TO fairtick_chain;

GRANT SELECT ON withdrawals, withdrawal_steps, withdrawal_rules, withdrawal_attempts, payout_wallets, withdrawal_freezes
  TO fairtick_money, fairtick_reader, fairtick_jobs, fairtick_console, fairtick_payout;
GRANT SELECT ON payout_nonces, withdrawal_approvals TO fairtick_jobs, fairtick_console, fairtick_payout;
GRANT SELECT ON operator_keys, withdrawal_releases, chain_instances, chain_transfers, deposits, deposit_addresses, incidents TO fairtick_console;
GRANT SELECT ON operator_keys, chain_instances, incidents TO fairtick_payout;

GRANT UPDATE (stage, stage_at, reason, instance_id, expires_at, digest, tx_hash, mined_height, dead_at) ON withdrawals TO fairtick_payout;
GRANT INSERT ON payout_wallets, payout_nonces, withdrawal_attempts, incidents TO fairtick_payout;
GRANT UPDATE (next_nonce, stopped_at, stop_reason, token_balance, coin_balance, seen_at) ON payout_wallets TO fairtick_payout;
