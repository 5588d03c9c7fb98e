-- Incidents in the public log: outages of a part of the house. The market writes those of prices and sources.

DROP POLICY market_writes ON outbox;
CREATE POLICY market_writes ON outbox AS RESTRICTIVE FOR INSERT TO fairtick_market
  WITH CHECK (
    kind IN ('params', 'params.pyth', 'source', 'epoch.commit', 'epoch.open', 'epoch.reveal', 'ticks', 'heads')
    OR kind = 'incident' AND entry::json ->> 'part' IN ('prices', 'source')
    -- The key it signs slots with, never one of the log's.
    OR kind = 'key.rotate' AND entry::json ->> 'role' = 'acceptance');
