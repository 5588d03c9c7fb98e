-- Orders bind their client ids themselves. Each was bound by a row of `order_keys` beside it, so that orders of old weeks
-- could leave with their partitions and their ids stay taken; but orders are kept, and that row with its page was a tenth of
-- what placing an order costs. A key over all weeks needs one table.
ALTER TABLE orders RENAME TO orders_by_week;
ALTER INDEX orders_pkey RENAME TO orders_by_week_pkey;
ALTER INDEX orders_by_time RENAME TO orders_by_week_by_time;

CREATE TABLE orders (
  order_id bigint NOT NULL,
  member_id bigint NOT NULL,
  member_seq bigint NOT NULL,
  batch_no bigint NOT NULL,
  accepted_at bigint NOT NULL,
  stake bigint NOT NULL,
  fee bigint NOT NULL,
  profit_if_won bigint NOT NULL,
  limit_price bigint,
  -- available in its wallet after the hold
  available_after bigint NOT NULL,
  payout_rate integer NOT NULL,
  duration integer NOT NULL,
  config_version integer NOT NULL,
  batch_place integer NOT NULL,
  wallet wallet NOT NULL,
  direction direction NOT NULL,
  -- the client id itself where it is a UUID in the usual writing, else what `client_key` makes of it
  client_key uuid NOT NULL,
  symbol text NOT NULL,
  nonce bytea NOT NULL,
  -- the client id as it was sent, where it is no such UUID
  client_order_id text
);
INSERT INTO orders (order_id, member_id, member_seq, batch_no, accepted_at, stake, fee, profit_if_won, limit_price, available_after,
    payout_rate, duration, config_version, batch_place, wallet, direction, client_key, symbol, nonce, client_order_id)
  SELECT order_id, member_id, member_seq, batch_no, accepted_at, stake, fee, profit_if_won, limit_price, available_after,
    payout_rate, duration, config_version, batch_place, wallet, direction, coalesce(client_uuid, client_key(client_order_id)), symbol, nonce,
    CASE WHEN client_uuid IS NULL THEN client_order_id END
  FROM orders_by_week ORDER BY order_id;
ALTER TABLE orders ADD PRIMARY KEY (member_id, order_id),
  ADD CONSTRAINT orders_client_key UNIQUE (client_key, member_id);
-- Rows lie in the order of their time, so a few bytes a page are enough to find what is new: for the running checks.
CREATE INDEX orders_by_time ON orders USING brin (accepted_at);
CALL write_once('orders');
GRANT SELECT, INSERT ON orders TO fairtick_orders;
GRANT SELECT ON orders TO fairtick_settlement, fairtick_reader, fairtick_jobs, fairtick_console;

-- As it was, over the new table.
CREATE OR REPLACE VIEW postings_all AS
  SELECT 'stake_hold' AS kind, order_id AS fact_id, member_id, member_seq, wallet, 'available' AS from_account, 'locked' AS to_account, stake + fee AS amount
    FROM orders
  UNION ALL
  SELECT CASE s.outcome WHEN 'won' THEN 'settle_won' WHEN 'lost' THEN 'settle_lost' ELSE 'release' END,
      s.order_id, s.member_id, s.member_seq, o.wallet, line.from_account, line.to_account, line.amount
    FROM settlements s
    JOIN orders o USING (member_id, order_id)
    CROSS JOIN LATERAL (
      SELECT 'locked' AS from_account, 'available' AS to_account, o.stake AS amount WHERE s.outcome = 'won'
      UNION ALL SELECT 'pool', 'available', o.profit_if_won + o.fee WHERE s.outcome = 'won'
      UNION ALL SELECT 'locked', 'pool', o.stake WHERE s.outcome = 'lost'
      UNION ALL SELECT 'locked', 'fees', o.fee WHERE s.outcome IN ('won', 'lost') AND o.fee > 0
      UNION ALL SELECT 'locked', 'available', o.stake + o.fee WHERE s.outcome IN ('tied', 'voided')
    ) line
  UNION ALL
  SELECT t.kind, t.transfer_id, t.member_id, t.member_seq, t.wallet, p.from_account, p.to_account, p.amount
    FROM transfers t JOIN postings p USING (transfer_id);

DROP TABLE orders_by_week;
DROP TABLE order_keys;

-- Settlements alone stand in weeks now.
DROP FUNCTION ensure_order_partitions;
CREATE FUNCTION ensure_settlement_partitions(from_time bigint, to_time bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  epoch_start constant bigint := 1577836800000;
  week constant bigint := 604800000;
  number bigint;
BEGIN
  FOR number IN SELECT generate_series((from_time - epoch_start) / week, (to_time - epoch_start) / week) LOOP
    EXECUTE format('CREATE TABLE IF NOT EXISTS settlements_%s PARTITION OF settlements FOR VALUES FROM (%s) TO (%s)',
      number, (number * week) << 22, ((number + 1) * week) << 22);
  END LOOP;
END
$$;
REVOKE EXECUTE ON FUNCTION ensure_settlement_partitions FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ensure_settlement_partitions TO fairtick_jobs;
