-- Fee, bounds and limits of withdrawals are versions of the policy `withdrawals`. Amounts are micro-USD. What stands in
-- `withdrawal_rules` holds while no version is stored. The signer's own limits are its own file.
CREATE VIEW withdrawal_terms_now AS
  SELECT version, effective_at, body FROM policies WHERE name = 'withdrawals' AND version = (SELECT policy_version_now('withdrawals'));

-- The two figures by which an operator is asked, as they are at this moment.
CREATE OR REPLACE FUNCTION approvals_needed(amount bigint, reviewed boolean) RETURNS integer
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT CASE WHEN amount > coalesce((t.body ->> 'singleMax')::bigint, r.single_max) THEN 2
    WHEN amount > coalesce((t.body ->> 'automaticMax')::bigint, r.automatic_max) OR reviewed THEN 1 ELSE 0 END
  FROM withdrawal_rules r LEFT JOIN (SELECT body::jsonb AS body FROM withdrawal_terms_now) t ON true
$$;
REVOKE EXECUTE ON FUNCTION approvals_needed FROM PUBLIC;
GRANT EXECUTE ON FUNCTION approvals_needed TO fairtick_console, fairtick_payout;

GRANT SELECT ON withdrawal_terms_now TO fairtick_money, fairtick_reader, fairtick_console, fairtick_payout;
GRANT SELECT ON policies TO fairtick_payout;

-- For the console's report of what is owed.
GRANT SELECT ON liability_days, log_entries TO fairtick_console;
