-- Since when a member has had a second factor; null without one. A new address waits all the same where the factor is as new as
-- the wait is long: whoever took an account over could add one and skip the wait.
CREATE FUNCTION second_factor_since(member bigint) RETURNS bigint LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT least((SELECT min(made_at) FROM member_totp WHERE member_id = member), (SELECT min(made_at) FROM member_passkeys WHERE member_id = member))
$$;
REVOKE EXECUTE ON FUNCTION second_factor_since FROM PUBLIC;
GRANT EXECUTE ON FUNCTION second_factor_since TO fairtick_money;
