-- An instrument may be added to a running house. Its identity never changes afterwards, since orders, ticks and candles of
-- its symbol are read with its decimals, and its prices were committed to under its name. No version may leave one out.
CREATE OR REPLACE FUNCTION keep_instruments() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  terms text[] := '{suspended,sessionHours,feeRate,minStake,maxStake,durations,exposureShare}';
  lost text;
BEGIN
  SELECT string_agg(was ->> 'symbol', ', ') INTO lost
    FROM (SELECT body FROM trading_configs WHERE version < NEW.version ORDER BY version DESC LIMIT 1) before,
      jsonb_array_elements(before.body -> 'instruments') was
    WHERE NOT EXISTS (
      SELECT FROM jsonb_array_elements(NEW.body -> 'instruments') kept WHERE kept - terms = was - terms);
  IF lost IS NOT NULL THEN
    RAISE EXCEPTION 'configuration % leaves out or changes what these are: %', NEW.version, lost USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$$;
REVOKE EXECUTE ON FUNCTION keep_instruments FROM PUBLIC;
CREATE OR REPLACE TRIGGER keep_instruments BEFORE INSERT ON trading_configs FOR EACH ROW EXECUTE FUNCTION keep_instruments();
