-- Requesting a withdrawal, canceling it, and everything that can block it: incidents, open reversals, rest periods, and
-- freezes by the member.

CREATE TABLE freeze_links (
  token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
  member_id bigint NOT NULL REFERENCES members,
  expires_at bigint NOT NULL,
  used_at bigint
);
COMMENT ON TABLE freeze_links IS 'Links in warnings. Each freezes the member''s withdrawals, once, within seven days.';
COMMENT ON COLUMN freeze_links.token_hash IS 'SHA-256 of the link''s token';
COMMENT ON COLUMN freeze_links.member_id IS 'The member';
COMMENT ON COLUMN freeze_links.expires_at IS 'When it expires, ms since 1970 UTC';
COMMENT ON COLUMN freeze_links.used_at IS 'When it was used, ms since 1970 UTC; null while unused';
CREATE INDEX freeze_links_by_end ON freeze_links (expires_at);
CREATE INDEX freeze_links_by_member ON freeze_links (member_id);
GRANT DELETE ON freeze_links TO fairtick_sessions;
GRANT SELECT (token_hash, expires_at) ON freeze_links TO fairtick_sessions;

CREATE TABLE member_freezes (
  freeze_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES members,
  began_by text NOT NULL CHECK (began_by IN ('link', 'session')),
  began_at bigint NOT NULL,
  lifted_at bigint,
  lifted_by text CHECK (lifted_by IN ('member', 'compliance')),
  proposal_id bigint UNIQUE REFERENCES proposals,
  CHECK ((lifted_at IS NULL) = (lifted_by IS NULL)),
  CHECK ((lifted_by IS NOT DISTINCT FROM 'compliance') = (proposal_id IS NOT NULL))
);
COMMENT ON TABLE member_freezes IS 'Freezes by members of their own withdrawals.';
COMMENT ON COLUMN member_freezes.freeze_id IS 'Number of the freeze';
COMMENT ON COLUMN member_freezes.member_id IS 'The member';
COMMENT ON COLUMN member_freezes.began_by IS 'By the link in a warning, or in a session';
COMMENT ON COLUMN member_freezes.began_at IS 'When it began, ms since 1970 UTC';
COMMENT ON COLUMN member_freezes.lifted_at IS 'When it was lifted, ms since 1970 UTC; null while it lasts';
COMMENT ON COLUMN member_freezes.lifted_by IS 'By the member, or by two people of compliance';
COMMENT ON COLUMN member_freezes.proposal_id IS 'The proposal compliance lifted it with';
CREATE UNIQUE INDEX member_freezes_one_open ON member_freezes (member_id) WHERE lifted_at IS NULL;
GRANT SELECT ON member_freezes TO fairtick_console;

-- Since when a member has frozen their own withdrawals; null when they haven't.
CREATE FUNCTION member_frozen_since(member bigint) RETURNS bigint LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT began_at FROM member_freezes WHERE member_id = member AND lifted_at IS NULL
$$;
REVOKE EXECUTE ON FUNCTION member_frozen_since FROM PUBLIC;
GRANT EXECUTE ON FUNCTION member_frozen_since TO
  fairtick_money, fairtick_sessions, fairtick_reader, fairtick_jobs, fairtick_chain, fairtick_console,
  fairtick_payout;

-- Whether an incident blocks a member's withdrawals. A credited deposit whose block has disappeared blocks them from
-- the moment this is noticed until it is back on the chain or people have closed its incident.
CREATE FUNCTION is_frozen_by_incident(member bigint) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM withdrawal_freezes WHERE member_id = member AND lifted_at IS NULL)
    OR EXISTS (SELECT FROM chain_transfers t JOIN deposits d USING (deposit_id) JOIN chain_instances i USING (instance_id)
      WHERE t.lost_at_height IS NOT NULL AND d.member_id = member AND d.stage = 'credited' AND i.ended_at IS NULL
        AND NOT EXISTS (SELECT FROM incidents o WHERE o.kind = 'credited_reorg' AND o.subject = d.deposit_id::text
          AND o.closed_at IS NOT NULL AND o.opened_at >= coalesce(t.lost_at, 0)))
$$;
REVOKE EXECUTE ON FUNCTION is_frozen_by_incident FROM PUBLIC;

-- Why a member's withdrawals can't be approved or get a nonce now; null if nothing prevents it. Each reason ends
-- on its own terms, and the member reads which one it is. The member's own freeze comes first, since it is the one
-- that they can end.
CREATE FUNCTION withdrawals_wait_for(member bigint) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT CASE
    WHEN member_frozen_since(member) IS NOT NULL THEN 'memberFrozen'
    WHEN is_frozen_by_incident(member) THEN 'frozen'
    WHEN EXISTS (SELECT FROM members_money WHERE member_id = member AND real_debt > 0) THEN 'owed'
    WHEN EXISTS (SELECT FROM deposits WHERE member_id = member AND method <> 'crypto' AND stage = 'credited' AND waits_for_reversal(deposit_id))
      THEN 'returned'
    WHEN withdrawals_rest_until(member) IS NOT NULL THEN 'resting' END
$$;
REVOKE EXECUTE ON FUNCTION withdrawals_wait_for FROM PUBLIC;
GRANT EXECUTE ON FUNCTION withdrawals_wait_for TO
  fairtick_money, fairtick_reader, fairtick_jobs, fairtick_chain, fairtick_console, fairtick_payout;

CREATE FUNCTION is_frozen(member bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT withdrawals_wait_for(member) IS NOT NULL
$$;

CREATE FUNCTION issue_freeze_link(member bigint, hash bytea) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  INSERT INTO freeze_links (token_hash, member_id, expires_at) VALUES (hash, member, withdrawal_now() + 7 * 86400000::bigint)
$$;
REVOKE EXECUTE ON FUNCTION issue_freeze_link FROM PUBLIC;
GRANT EXECUTE ON FUNCTION issue_freeze_link TO fairtick_jobs;

-- Uses a link. Returns whose it is; null for one that is unknown, used or too old.
CREATE FUNCTION use_freeze_link(hash bytea) RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE freeze_links SET used_at = withdrawal_now() WHERE token_hash = hash AND used_at IS NULL AND expires_at > withdrawal_now()
    RETURNING member_id
$$;
REVOKE EXECUTE ON FUNCTION use_freeze_link FROM PUBLIC;
GRANT EXECUTE ON FUNCTION use_freeze_link TO fairtick_sessions;

-- Warns a member: stores the message in the app and returns what e-mail and SMS need. The roles that book such events
-- have no other access to the addresses.
CREATE FUNCTION warn_member(member bigint, message text, figures jsonb, link_hash bytea, OUT message_id bigint, OUT phone text, OUT email text, OUT language text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  message_id := tell_member(member, message, figures);
  PERFORM issue_freeze_link(member, link_hash);
  SELECT m.phone, m.email, m.language INTO STRICT phone, email, language FROM members m WHERE m.member_id = member;
END
$$;
REVOKE EXECUTE ON FUNCTION warn_member FROM PUBLIC;
GRANT EXECUTE ON FUNCTION warn_member TO fairtick_money, fairtick_sessions, fairtick_console;

-- Freezes a member's withdrawals; false when they are frozen already.
CREATE FUNCTION begin_member_freeze(member bigint, way text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO member_freezes (member_id, began_by, began_at) VALUES (member, way, withdrawal_now())
    ON CONFLICT (member_id) WHERE lifted_at IS NULL DO NOTHING;
  RETURN FOUND;
END
$$;
REVOKE EXECUTE ON FUNCTION begin_member_freeze FROM PUBLIC;
GRANT EXECUTE ON FUNCTION begin_member_freeze TO fairtick_sessions;

-- Ends a freeze. Links in earlier warnings are void from here on: they would freeze again what the member has just
-- looked at.
CREATE FUNCTION end_member_freeze(member bigint, way text, proposal bigint) RETURNS boolean
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE member_freezes SET lifted_at = withdrawal_now(), lifted_by = way, proposal_id = proposal
    WHERE member_id = member AND lifted_at IS NULL;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  DELETE FROM freeze_links WHERE member_id = member;
  RETURN true;
END
$$;
REVOKE EXECUTE ON FUNCTION end_member_freeze FROM PUBLIC;

-- Lifts the member's own freeze; false when nothing is frozen.
CREATE FUNCTION lift_own_freeze(member bigint) RETURNS boolean LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT end_member_freeze(member, 'member', NULL)
$$;
REVOKE EXECUTE ON FUNCTION lift_own_freeze FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lift_own_freeze TO fairtick_sessions;

-- Lifts a freeze as two people of compliance agreed, for a member who has lost everything needed to lift it. They
-- agreed on one freeze, not on a later one.
CREATE FUNCTION lift_member_freeze(proposal bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  agreed proposals := approved_proposal(proposal, 'member_freeze');
BEGIN
  PERFORM FROM member_freezes WHERE member_id = agreed.member_id AND lifted_at IS NULL
    AND freeze_id = (agreed.body::jsonb ->> 'freezeId')::bigint FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  RETURN end_member_freeze(agreed.member_id, 'compliance', proposal);
END
$$;
REVOKE EXECUTE ON FUNCTION lift_member_freeze FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lift_member_freeze TO fairtick_console;

-- Stores a member's request and holds its amount. The address has to be in the member's book and usable. The caller
-- holds the lock on the member's money and has judged the request; the table's checks enforce the rest.
CREATE FUNCTION request_withdrawal(new_withdrawal bigint, hold_transfer bigint, member bigint, client text, asked bytea, on_chain text, on_instance integer,
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
REVOKE EXECUTE ON FUNCTION request_withdrawal FROM PUBLIC;
GRANT EXECUTE ON FUNCTION request_withdrawal TO fairtick_money;

-- Cancels a withdrawal for its member, while nobody has approved it: where two operators are needed, the first
-- approval already ends this. Returns false when it is too late.
CREATE FUNCTION cancel_withdrawal(member bigint, withdrawal bigint, end_transfer bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  w withdrawals;
BEGIN
  SELECT * INTO w FROM withdrawals WHERE withdrawal_id = withdrawal AND member_id = member FOR NO KEY UPDATE;
  IF NOT FOUND OR w.stage NOT IN ('requested', 'review')
      OR EXISTS (SELECT FROM withdrawal_approvals a WHERE a.withdrawal_id = w.withdrawal_id AND a.digest = w.digest) THEN
    RETURN false;
  END IF;
  PERFORM end_withdrawal(w, end_transfer, 'canceled', NULL);
  RETURN true;
END
$$;
REVOKE EXECUTE ON FUNCTION cancel_withdrawal FROM PUBLIC;
GRANT EXECUTE ON FUNCTION cancel_withdrawal TO fairtick_money;

-- Ends a hold: paid, or released to where it came from. The caller holds the lock on the withdrawal's row; the
-- member's row is locked next, the house's last.
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
REVOKE EXECUTE ON FUNCTION end_withdrawal FROM PUBLIC;
