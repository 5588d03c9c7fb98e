-- Prices are points (the instrument's smallest step), times are milliseconds since 1970 UTC.

CREATE TABLE ticks (
  symbol text NOT NULL,
  seq bigint NOT NULL,
  time bigint NOT NULL,
  price bigint NOT NULL CHECK (price > 0),
  -- The seal as it stood when this tick was stored: nothing at or below it is ever added.
  seal_before bigint NOT NULL,
  late boolean NOT NULL DEFAULT false,
  pre_genesis boolean NOT NULL DEFAULT false,
  PRIMARY KEY (symbol, time),
  CHECK (time > seal_before)
) PARTITION BY RANGE (time);
CALL write_once('ticks');
GRANT SELECT, INSERT ON ticks TO fairtick_market;
GRANT SELECT ON ticks TO fairtick_orders, fairtick_settlement, fairtick_reader, fairtick_jobs;

-- The newest tick of each instrument and how far it is sealed; the row is fence and lock of the market's writer.
CREATE TABLE instrument_clock (
  symbol text PRIMARY KEY,
  seq bigint NOT NULL,
  time bigint NOT NULL,
  price bigint NOT NULL,
  sealed_through bigint NOT NULL,
  writer_epoch bigint NOT NULL
) WITH (fillfactor = 50);
CREATE SEQUENCE market_writer_epoch;
-- An instrument without a tick yet has seq, time and price 0.
GRANT SELECT, INSERT, UPDATE ON instrument_clock TO fairtick_market;
GRANT USAGE ON SEQUENCE market_writer_epoch TO fairtick_market;
GRANT SELECT ON instrument_clock TO fairtick_orders, fairtick_settlement, fairtick_reader, fairtick_jobs;

-- Daily partitions of ticks, made ahead by the market without its owning the table.
CREATE FUNCTION ensure_tick_partitions(from_time bigint, to_time bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  day bigint;
BEGIN
  FOR day IN SELECT generate_series(from_time / 86400000, to_time / 86400000) LOOP
    EXECUTE format('CREATE TABLE IF NOT EXISTS ticks_%s PARTITION OF ticks FOR VALUES FROM (%s) TO (%s)', day, day * 86400000, (day + 1) * 86400000);
  END LOOP;
END
$$;
REVOKE EXECUTE ON FUNCTION ensure_tick_partitions FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ensure_tick_partitions TO fairtick_market;

-- One-minute candles from sealed ticks; larger intervals are made of them.
CREATE TABLE candles (
  symbol text NOT NULL,
  time bigint NOT NULL,
  open bigint NOT NULL,
  high bigint NOT NULL,
  low bigint NOT NULL,
  close bigint NOT NULL,
  pre_genesis boolean NOT NULL DEFAULT false,
  PRIMARY KEY (symbol, time)
);
GRANT SELECT, INSERT ON candles TO fairtick_market, fairtick_jobs;
GRANT UPDATE ON candles TO fairtick_jobs;
GRANT SELECT ON candles TO fairtick_reader;

-- One row per instrument and finished minute that has ticks: sha256 of its lines "seq,time,price" joined by newlines.
-- Its "ticks" entry in the outbox is inserted in the same transaction.
CREATE TABLE price_minutes (
  symbol text NOT NULL,
  time bigint NOT NULL,
  from_seq bigint NOT NULL,
  to_seq bigint NOT NULL,
  count integer NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (symbol, time)
);
CALL write_once('price_minutes');
-- How far each instrument's minutes ('ticks:' || symbol) and the slot heads ('heads') have gone into the outbox.
CREATE TABLE price_log_progress (
  name text PRIMARY KEY,
  through bigint NOT NULL
);
GRANT SELECT, INSERT ON price_minutes TO fairtick_market;
GRANT SELECT, INSERT, UPDATE ON price_log_progress TO fairtick_market;
GRANT SELECT ON price_minutes TO fairtick_reader, fairtick_jobs;

-- Epochs of the simulated market. The seed itself stays with the market process until it is revealed.
CREATE TABLE sm1_params (
  params_hash bytea PRIMARY KEY,
  entry text NOT NULL
);
CALL write_once('sm1_params');
CREATE TABLE sm1_epochs (
  epoch bigint PRIMARY KEY,
  commit bytea NOT NULL,
  params_hash bytea NOT NULL REFERENCES sm1_params,
  mix bytea,
  start_at bigint,
  -- symbol → [x, r] the epoch starts from
  starts_from jsonb,
  seed bytea,
  digests jsonb
);
GRANT SELECT, INSERT ON sm1_params TO fairtick_market;
GRANT SELECT, INSERT ON sm1_epochs TO fairtick_market;
GRANT UPDATE (mix, start_at, starts_from, seed, digests) ON sm1_epochs TO fairtick_market;
GRANT SELECT ON sm1_params, sm1_epochs TO fairtick_reader, fairtick_jobs;
