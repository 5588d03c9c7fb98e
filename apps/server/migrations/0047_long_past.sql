-- The made-up past of a simulated market reaches back about 500 days, so that a chart has 500 candles of every length. The market
-- stores it before its first tick. How far it reaches forward is looked up for each product.

GRANT INSERT ON long_candles TO fairtick_market;
CREATE INDEX candles_pre_genesis ON candles (symbol, time) WHERE pre_genesis;
COMMENT ON TABLE long_candles IS 'Candles of five minutes, a quarter of an hour, an hour and a day, each made of its one-minute candles once a later minute is stored. Those of the made-up past were stored with it.';
