-- Candles longer than a minute, stored forever. If they were made from minutes for each request, 500 days would take 720,000
-- rows.

CREATE TABLE long_candles (
  symbol text NOT NULL,
  length_ms bigint NOT NULL CHECK (length_ms IN (300000, 900000, 3600000, 86400000)),
  time bigint NOT NULL CHECK (time % length_ms = 0),
  open bigint NOT NULL,
  high bigint NOT NULL,
  low bigint NOT NULL,
  close bigint NOT NULL,
  pre_genesis boolean NOT NULL,
  PRIMARY KEY (symbol, length_ms, time)
);
COMMENT ON TABLE long_candles IS 'Candles of five minutes, a quarter of an hour, an hour and a day, each made of its one-minute candles once a later minute is stored.';
COMMENT ON COLUMN long_candles.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN long_candles.length_ms IS 'Length of the interval, ms';
COMMENT ON COLUMN long_candles.time IS 'First moment of the interval, ms since 1970 UTC: a multiple of its length';
COMMENT ON COLUMN long_candles.open IS 'First price, points';
COMMENT ON COLUMN long_candles.high IS 'Highest price, points';
COMMENT ON COLUMN long_candles.low IS 'Lowest price, points';
COMMENT ON COLUMN long_candles.close IS 'Last price, points';
COMMENT ON COLUMN long_candles.pre_genesis IS 'Whether any of it belongs to the made-up past before the first epoch';
CALL write_once('long_candles');
GRANT SELECT ON long_candles TO fairtick_reader;
GRANT SELECT, INSERT ON long_candles TO fairtick_jobs;
