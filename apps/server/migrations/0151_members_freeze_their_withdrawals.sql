-- A member who is warned of something that was not them freezes their withdrawals at once, by the link in the warning or in the app.

-- What the links in warnings open: by its hash, once, for seven days.
CREATE TABLE freeze_links (
  token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
  member_id bigint NOT NULL REFERENCES members,
  -- Milliseconds since 1970 UTC
  expires_at bigint NOT NULL,
  used_at bigint
);
CREATE INDEX freeze_links_by_end ON freeze_links (expires_at);
CREATE INDEX freeze_links_by_member ON freeze_links (member_id);

CREATE TABLE member_freezes (
  freeze_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES members,
  -- By the link in a warning, or by somebody who was logged in
  began_by text NOT NULL CHECK (began_by IN ('link', 'session')),
  began_at bigint NOT NULL,
  lifted_at bigint,
  -- By the member, who knew the login password, or by two people of compliance
  lifted_by text CHECK (lifted_by IN ('member', 'compliance')),
  proposal_id bigint UNIQUE REFERENCES proposals,
  CHECK ((lifted_at IS NULL) = (lifted_by IS NULL)),
  CHECK ((lifted_by IS NOT DISTINCT FROM 'compliance') = (proposal_id IS NOT NULL))
);
CREATE UNIQUE INDEX member_freezes_one_open ON member_freezes (member_id) WHERE lifted_at IS NULL;

-- A freeze that is lifted is followed by a rest.
ALTER TABLE withdrawal_rests DROP CONSTRAINT withdrawal_rests_password_check,
  ADD CONSTRAINT withdrawal_rests_password_check CHECK (password IN ('login', 'transaction', 'factor', 'freeze'));
COMMENT ON COLUMN withdrawal_rests.password IS 'What was reset: a password, the second factor that was removed, or the freeze that was lifted';

INSERT INTO proposal_kinds (kind, maker_roles, checker_roles) VALUES ('member_freeze', '{compliance}', '{compliance}');

CREATE FUNCTION issue_freeze_link(member bigint, hash bytea) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  INSERT INTO freeze_links (token_hash, member_id, expires_at) VALUES (hash, member, withdrawal_now() + 7 * 86400000::bigint)
$$;

-- Warns a member: the message in the app, and what mail and SMS need. Whoever books the event has no other way to the addresses.
CREATE FUNCTION warn_member(member bigint, message text, figures jsonb, link_hash bytea, OUT message_id bigint, OUT phone text, OUT email text, OUT language text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  message_id := tell_member(member, message, figures);
  PERFORM issue_freeze_link(member, link_hash);
  SELECT m.phone, m.email, m.language INTO STRICT phone, email, language FROM members m WHERE m.member_id = member;
END
$$;

-- Uses a link up. Answers whose it is; null for one that is unknown, used or too old.
CREATE FUNCTION use_freeze_link(hash bytea) RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE freeze_links SET used_at = withdrawal_now() WHERE token_hash = hash AND used_at IS NULL AND expires_at > withdrawal_now()
    RETURNING member_id
$$;

-- False where the member's withdrawals are frozen already.
CREATE FUNCTION begin_member_freeze(member bigint, way text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO member_freezes (member_id, began_by, began_at) VALUES (member, way, withdrawal_now())
    ON CONFLICT (member_id) WHERE lifted_at IS NULL DO NOTHING;
  RETURN FOUND;
END
$$;

-- Links of warnings from before are void: they would freeze what their member has just looked at and set free.
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

-- False where nothing is frozen.
CREATE FUNCTION lift_own_freeze(member bigint) RETURNS boolean LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT end_member_freeze(member, 'member', NULL)
$$;

-- What two people of compliance agreed on, for a member who has lost everything that lifts it. They agreed on one freeze, not on a later one.
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

-- Since when a member's withdrawals are frozen by themselves; null where they aren't.
CREATE FUNCTION member_frozen_since(member bigint) RETURNS bigint LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT began_at FROM member_freezes WHERE member_id = member AND lifted_at IS NULL
$$;

-- As before, and while the member has frozen them. That comes first: it is the one that the member can end.
CREATE OR REPLACE FUNCTION withdrawals_wait_for(member bigint) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT CASE
    WHEN member_frozen_since(member) IS NOT NULL THEN 'memberFrozen'
    WHEN is_frozen_by_incident(member) THEN 'frozen'
    WHEN EXISTS (SELECT FROM members_money WHERE member_id = member AND real_debt > 0) THEN 'owed'
    WHEN EXISTS (SELECT FROM deposits WHERE member_id = member AND method <> 'crypto' AND stage = 'credited' AND waits_for_reversal(deposit_id))
      THEN 'returned'
    WHEN withdrawals_rest_until(member) IS NOT NULL THEN 'resting' END
$$;

ALTER TABLE push_claims DROP CONSTRAINT push_claims_kind_check, ADD CONSTRAINT push_claims_kind_check CHECK (kind IN ('alert', 'order', 'security'));

REVOKE EXECUTE ON FUNCTION issue_freeze_link, warn_member, use_freeze_link, begin_member_freeze, end_member_freeze, lift_own_freeze, lift_member_freeze,
  member_frozen_since FROM PUBLIC;
GRANT EXECUTE ON FUNCTION warn_member TO fairtick_sessions, fairtick_money, fairtick_console;
GRANT EXECUTE ON FUNCTION issue_freeze_link TO fairtick_jobs;
GRANT EXECUTE ON FUNCTION use_freeze_link, begin_member_freeze, lift_own_freeze TO fairtick_sessions;
GRANT EXECUTE ON FUNCTION lift_member_freeze, begin_withdrawal_rest TO fairtick_console;
GRANT EXECUTE ON FUNCTION member_frozen_since TO fairtick_money, fairtick_reader, fairtick_jobs, fairtick_console, fairtick_payout, fairtick_chain, fairtick_sessions;
GRANT SELECT (token_hash, expires_at), DELETE ON freeze_links TO fairtick_sessions;
GRANT SELECT ON member_freezes TO fairtick_console;
