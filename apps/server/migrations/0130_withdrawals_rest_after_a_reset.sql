-- Whoever reads a member's mail can reset his passwords. His withdrawals rest for a while after each reset, so that he hears of it
-- before anything is paid. A change with the old password begins no rest.
CREATE TABLE withdrawal_rests (
  rest_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES members,
  -- Which password was reset
  password text NOT NULL CHECK (password IN ('login', 'transaction')),
  -- Milliseconds since 1970 UTC
  began_at bigint NOT NULL,
  ends_at bigint NOT NULL CHECK (ends_at > began_at)
);
CREATE INDEX withdrawal_rests_by_member ON withdrawal_rests (member_id, ends_at);
CALL write_once('withdrawal_rests');

-- By the database's clock, in the transaction that resets the password. Answers when it ends.
CREATE FUNCTION begin_withdrawal_rest(member bigint, of_password text, hours integer) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  INSERT INTO withdrawal_rests (member_id, password, began_at, ends_at)
    SELECT member, of_password, at_time, at_time + hours * 3600000::bigint FROM withdrawal_now() AS at_time
    RETURNING ends_at
$$;

-- When the member's withdrawals may be approved and paid again; null where none of his rests is running.
CREATE FUNCTION withdrawals_rest_until(member bigint) RETURNS bigint LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT ends_at FROM withdrawal_rests WHERE member_id = member AND ends_at > withdrawal_now() ORDER BY ends_at DESC LIMIT 1
$$;

-- As before, and while they rest.
CREATE OR REPLACE FUNCTION withdrawals_wait_for(member bigint) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT CASE
    WHEN is_frozen_by_incident(member) THEN 'frozen'
    WHEN EXISTS (SELECT FROM members_money WHERE member_id = member AND real_debt > 0) THEN 'owed'
    WHEN EXISTS (SELECT FROM deposits WHERE member_id = member AND method <> 'crypto' AND stage = 'credited' AND waits_for_reversal(deposit_id))
      THEN 'returned'
    WHEN withdrawals_rest_until(member) IS NOT NULL THEN 'resting' END
$$;

REVOKE EXECUTE ON FUNCTION begin_withdrawal_rest, withdrawals_rest_until FROM PUBLIC;
GRANT EXECUTE ON FUNCTION begin_withdrawal_rest TO fairtick_sessions;
GRANT EXECUTE ON FUNCTION withdrawals_rest_until TO fairtick_money, fairtick_reader, fairtick_jobs, fairtick_console, fairtick_payout, fairtick_chain;
