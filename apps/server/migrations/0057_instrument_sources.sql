-- What makes each instrument's prices, from when on. The market says so in the log before it makes the first of them, and each
-- minute of prices names it again: no price can be passed off as an outside source's afterwards.

CREATE TABLE instrument_sources (
  symbol text NOT NULL,
  since bigint NOT NULL,
  -- SM1, or the outside sources by name and joined by +.
  source text NOT NULL CHECK (source ~ '^(SM1|[a-z]{1,20}(\+[a-z]{1,20}){0,8})$'),
  PRIMARY KEY (symbol, since)
);
CALL write_once('instrument_sources');
GRANT SELECT, INSERT ON instrument_sources TO fairtick_market;
GRANT SELECT ON instrument_sources TO fairtick_reader;

DROP POLICY market_writes ON outbox;
CREATE POLICY market_writes ON outbox AS RESTRICTIVE FOR INSERT TO fairtick_market
  WITH CHECK (
    kind IN ('params', 'params.pyth', 'source', 'epoch.commit', 'epoch.open', 'epoch.reveal', 'ticks', 'heads')
    -- The key that it signs slots with; never one of the log.
    OR kind = 'key.rotate' AND entry::json ->> 'role' = 'acceptance');
