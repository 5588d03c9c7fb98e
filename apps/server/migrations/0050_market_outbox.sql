-- The market writes what the market says and nothing else: it could have put a settlement or a configuration of its own into the
-- public log, and read every member's. Of the outbox it reads only what it wrote about its source's keys.

ALTER TABLE outbox ENABLE ROW LEVEL SECURITY;
CREATE POLICY by_grant ON outbox USING (true) WITH CHECK (true);
CREATE POLICY market_writes ON outbox AS RESTRICTIVE FOR INSERT TO fairtick_market
  WITH CHECK (kind IN ('params', 'params.pyth', 'epoch.commit', 'epoch.open', 'epoch.reveal', 'ticks', 'heads')
    -- The key that it signs slots with; never one of the log.
    OR kind = 'key.rotate' AND entry::json ->> 'role' = 'acceptance');
CREATE POLICY market_reads ON outbox AS RESTRICTIVE FOR SELECT TO fairtick_market USING (kind = 'params.pyth');
