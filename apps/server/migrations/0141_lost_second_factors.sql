-- Whoever lost every second factor is let in again by two operators, one of support and one of compliance.
INSERT INTO proposal_kinds (kind, maker_roles, checker_roles, one_of_each) VALUES
  ('second_factor', '{support,compliance}', '{support,compliance}', '{support,compliance}');

-- One agreement removes once: not what the member sets up afterwards.
CREATE TABLE factor_openings (
  proposal_id bigint PRIMARY KEY REFERENCES proposals,
  member_id bigint NOT NULL REFERENCES members,
  -- Milliseconds since 1970 UTC
  opened_at bigint NOT NULL
);
CALL write_once('factor_openings');

-- Removes a member's second factors as two operators agreed, and begins a withdrawal rest of so many hours (0: none).
-- Answers when it ends.
CREATE FUNCTION open_lost_factor(proposal bigint, hours integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  agreed proposals := approved_proposal(proposal, 'second_factor');
BEGIN
  INSERT INTO factor_openings (proposal_id, member_id, opened_at)
    VALUES (proposal, agreed.member_id, floor(extract(epoch FROM clock_timestamp()) * 1000));
  DELETE FROM member_totp WHERE member_id = agreed.member_id;
  DELETE FROM member_passkeys WHERE member_id = agreed.member_id;
  DELETE FROM member_recovery_codes WHERE member_id = agreed.member_id;
  DELETE FROM member_challenges WHERE member_id = agreed.member_id;
  RETURN CASE WHEN hours > 0 THEN begin_withdrawal_rest(agreed.member_id, 'factor', hours) END;
END
$$;
REVOKE EXECUTE ON FUNCTION open_lost_factor FROM PUBLIC;
GRANT EXECUTE ON FUNCTION open_lost_factor TO fairtick_console;
