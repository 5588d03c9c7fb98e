-- A sandbox starts with an invite reward. Its first rate comes from the configuration, so no proposal stands behind it;
-- every later one is two admins' as before.
ALTER TABLE referral_rates ALTER COLUMN proposal_id DROP NOT NULL;

CREATE FUNCTION found_referral_rate(first_rate integer) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  LOCK TABLE referral_rates IN SHARE ROW EXCLUSIVE MODE;
  IF EXISTS (SELECT FROM referral_rates) THEN
    RETURN false;
  END IF;
  INSERT INTO referral_rates (from_day, rate) VALUES (floor(extract(epoch FROM clock_timestamp()) / 86400), first_rate);
  RETURN true;
END
$$;
REVOKE EXECUTE ON FUNCTION found_referral_rate FROM PUBLIC;
GRANT EXECUTE ON FUNCTION found_referral_rate TO fairtick_console;
