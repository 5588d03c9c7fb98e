-- Orders from acceptance to settlement. Orders and settlements are written once. A running order is in exactly one
-- row of open_groups; settling it writes its settlement and takes it out of there.
--
--   accepted (orders, open_groups)  → won, lost, tied, voided (settlements)
--
-- Each fact is stored once: an order's row is its hold, a settlement's row is its settlement. Ids are ordered by
-- time, and settlements are partitioned by id, a week of orders each.

CREATE SEQUENCE acceptance_batch_no;
GRANT USAGE ON SEQUENCE acceptance_batch_no TO fairtick_orders;

-- Every process that makes order ids takes a number of its own, which is part of its ids. Members, sessions and
-- first practice money take their ids from the same count, so that no two can be equal.
CREATE SEQUENCE order_id_nodes MINVALUE 0 MAXVALUE 1023 START 0 CYCLE;
GRANT USAGE ON SEQUENCE order_id_nodes TO fairtick_orders, fairtick_sessions, fairtick_console;

-- Binds a client id in 16 bytes: a UUID, as the app makes them, by its own bytes; any other id by a hash. Rows and
-- keys are less than half as long, and are compared without looking at letters.
CREATE FUNCTION client_key(client_order_id text) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE WHEN client_order_id ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' THEN client_order_id::uuid
    ELSE encode(substring(sha256(convert_to(client_order_id, 'UTF8')) FOR 16), 'hex')::uuid END
$$;
REVOKE EXECUTE ON FUNCTION client_key FROM PUBLIC;
GRANT EXECUTE ON FUNCTION client_key TO fairtick_reader, fairtick_jobs;

CREATE TABLE acceptance_batches (
  batch_no bigint PRIMARY KEY,
  accepted_at bigint NOT NULL,
  root bytea NOT NULL
);
COMMENT ON TABLE acceptance_batches IS 'Orders accepted in one transaction, at one moment, under one Merkle root.';
COMMENT ON COLUMN acceptance_batches.batch_no IS 'Number of the batch';
COMMENT ON COLUMN acceptance_batches.accepted_at IS 'When it was accepted, ms since 1970 UTC';
COMMENT ON COLUMN acceptance_batches.root IS 'SHA-256 of "BATCH1\0", the number, accepted_at and the Merkle root of the commitments';
CALL write_once('acceptance_batches');
GRANT SELECT ON acceptance_batches TO fairtick_market, fairtick_settlement, fairtick_reader, fairtick_jobs;
GRANT SELECT, INSERT ON acceptance_batches TO fairtick_orders;

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
  available_after bigint NOT NULL,
  payout_rate integer NOT NULL,
  duration integer NOT NULL,
  config_version integer NOT NULL,
  batch_place integer NOT NULL,
  wallet wallet NOT NULL,
  direction direction NOT NULL,
  client_key uuid NOT NULL,
  symbol text NOT NULL,
  nonce bytea NOT NULL,
  client_order_id text,
  PRIMARY KEY (member_id, order_id),
  CONSTRAINT orders_client_key UNIQUE (client_key, member_id)
);
COMMENT ON TABLE orders IS 'Every accepted order, exactly as agreed. Written once.';
COMMENT ON COLUMN orders.order_id IS 'Number of the order';
COMMENT ON COLUMN orders.member_id IS 'The member';
COMMENT ON COLUMN orders.member_seq IS 'The member''s number of this fact about their money: each one is one higher';
COMMENT ON COLUMN orders.batch_no IS 'Batch it was accepted in';
COMMENT ON COLUMN orders.accepted_at IS 'When it was accepted, ms since 1970 UTC';
COMMENT ON COLUMN orders.stake IS 'Stake, micro-USD';
COMMENT ON COLUMN orders.fee IS 'Fee, charged with the stake, micro-USD';
COMMENT ON COLUMN orders.profit_if_won IS 'Net profit if it wins, micro-USD';
COMMENT ON COLUMN orders.limit_price IS 'Worst entry price the member accepts, points; null for any';
COMMENT ON COLUMN orders.available_after IS 'Available in its wallet after the hold, micro-USD';
COMMENT ON COLUMN orders.payout_rate IS 'Payout rate, millionths of the stake';
COMMENT ON COLUMN orders.duration IS 'Duration from entry to expiry, seconds';
COMMENT ON COLUMN orders.config_version IS 'Version of the trading configuration it was accepted under';
COMMENT ON COLUMN orders.batch_place IS 'Place within its batch';
COMMENT ON COLUMN orders.wallet IS 'Which wallet: practice or real';
COMMENT ON COLUMN orders.direction IS 'Up or down';
COMMENT ON COLUMN orders.client_key IS 'The client id itself where it is a UUID in the usual form, otherwise what client_key makes of it';
COMMENT ON COLUMN orders.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN orders.nonce IS 'Random bytes in its commitment';
COMMENT ON COLUMN orders.client_order_id IS 'The client id as sent, where it is no such UUID';
-- For the running checks: rows are in the order of time, so a few bytes per page are enough to find what is new.
CREATE INDEX orders_by_time ON orders USING brin (accepted_at);
CALL write_once('orders');
GRANT SELECT ON orders TO fairtick_settlement, fairtick_reader, fairtick_jobs, fairtick_console;
GRANT SELECT, INSERT ON orders TO fairtick_orders;

CREATE TABLE open_groups (
  first_id bigint PRIMARY KEY,
  accepted_at bigint NOT NULL,
  duration integer NOT NULL,
  symbol text NOT NULL,
  limit_price bigint,
  direction direction,
  order_ids bigint[] NOT NULL,
  member_ids bigint[] NOT NULL,
  CHECK (cardinality(order_ids) BETWEEN 1 AND 100 AND cardinality(member_ids) = cardinality(order_ids)),
  CHECK ((limit_price IS NULL) = (direction IS NULL) AND (limit_price IS NULL OR cardinality(order_ids) = 1))
);
-- Ids are never moved out of the row: at most 100 fit in a page. CREATE TABLE takes STORAGE from PostgreSQL 16 on,
-- and 15 has to work too.
ALTER TABLE open_groups ALTER order_ids SET STORAGE PLAIN, ALTER member_ids SET STORAGE PLAIN;
COMMENT ON TABLE open_groups IS 'Running orders. Those of one batch, instrument and duration share entry and expiry, so they share a row; an order with a limit price has its own.';
COMMENT ON COLUMN open_groups.first_id IS 'Its oldest order''s number, which names the group as long as it lasts';
COMMENT ON COLUMN open_groups.accepted_at IS 'When its orders were accepted, ms since 1970 UTC';
COMMENT ON COLUMN open_groups.duration IS 'Duration from entry to expiry, seconds';
COMMENT ON COLUMN open_groups.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN open_groups.limit_price IS 'Limit price of its only order, points';
COMMENT ON COLUMN open_groups.direction IS 'Direction of its only order, where there is a limit price';
COMMENT ON COLUMN open_groups.order_ids IS 'Numbers of its orders, at most 100';
COMMENT ON COLUMN open_groups.member_ids IS 'Their members, in the same order';
CREATE INDEX open_groups_due ON open_groups (symbol, duration, accepted_at);
CREATE INDEX open_groups_limits ON open_groups (symbol, accepted_at) WHERE limit_price IS NOT NULL;
GRANT SELECT ON open_groups TO fairtick_reader, fairtick_jobs, fairtick_console;
GRANT SELECT, DELETE ON open_groups TO fairtick_settlement;
GRANT SELECT, INSERT ON open_groups TO fairtick_orders;
GRANT UPDATE (order_ids, member_ids) ON open_groups TO fairtick_settlement;

-- A group only ever loses orders.
CREATE FUNCTION refuse_growth() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT NEW.order_ids <@ OLD.order_ids OR cardinality(NEW.order_ids) >= cardinality(OLD.order_ids) THEN
    RAISE EXCEPTION 'the running orders of % only become fewer', OLD.first_id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER refuse_growth BEFORE UPDATE ON open_groups FOR EACH ROW EXECUTE FUNCTION refuse_growth();
ALTER TABLE open_groups ENABLE ALWAYS TRIGGER refuse_growth;

CREATE VIEW open_orders AS
  SELECT each.order_id, each.member_id, g.accepted_at, g.limit_price, g.duration, g.symbol
  FROM open_groups g CROSS JOIN LATERAL unnest(g.order_ids, g.member_ids) AS each(order_id, member_id);
COMMENT ON VIEW open_orders IS 'One row per running order, for whoever counts or looks at all of them.';
COMMENT ON COLUMN open_orders.order_id IS 'The order';
COMMENT ON COLUMN open_orders.member_id IS 'The member';
COMMENT ON COLUMN open_orders.accepted_at IS 'When it was accepted, ms since 1970 UTC';
COMMENT ON COLUMN open_orders.limit_price IS 'Limit price, points; null for none';
COMMENT ON COLUMN open_orders.duration IS 'Duration from entry to expiry, seconds';
COMMENT ON COLUMN open_orders.symbol IS 'The instrument, such as EURUSD';
GRANT SELECT ON open_orders TO fairtick_orders, fairtick_settlement, fairtick_reader, fairtick_jobs, fairtick_console;
GRANT SELECT (member_id) ON open_orders TO fairtick_sessions;

CREATE TABLE exposure (
  stripe smallint NOT NULL,
  wallet wallet NOT NULL,
  symbol text NOT NULL,
  profit bigint NOT NULL,
  PRIMARY KEY (stripe, wallet, symbol)
) WITH (fillfactor = 50);
COMMENT ON TABLE exposure IS 'Worst-case net payouts of running orders, for the house''s exposure. The sum over the stripes counts; a single stripe may be negative.';
COMMENT ON COLUMN exposure.stripe IS 'Number of the stripe: each lane has its own, so that no two batches wait for one row';
COMMENT ON COLUMN exposure.wallet IS 'Which wallet: practice or real';
COMMENT ON COLUMN exposure.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN exposure.profit IS 'What the house would lose in the worst case, micro-USD';
GRANT SELECT ON exposure TO fairtick_reader, fairtick_jobs, fairtick_console;
GRANT SELECT, INSERT, UPDATE ON exposure TO fairtick_orders, fairtick_settlement;

-- Checks the time once more as a batch is written: one that was judged for acceptance from valid_from to valid_until
-- can't be written at any other time.
CREATE FUNCTION accept_within(accepted_at bigint, valid_from bigint, valid_until bigint) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  IF accepted_at < valid_from OR accepted_at > valid_until THEN
    RAISE EXCEPTION 'accepted at %, judged for % to %', accepted_at, valid_from, valid_until USING ERRCODE = 'FT002';
  END IF;
  RETURN accepted_at;
END
$$;

CREATE TABLE orders_set_aside (
  order_id bigint PRIMARY KEY,
  member_id bigint NOT NULL,
  since bigint NOT NULL
);
COMMENT ON TABLE orders_set_aside IS 'Orders that could not be settled. They are reported, through restarts too, until they are.';
COMMENT ON COLUMN orders_set_aside.order_id IS 'The order';
COMMENT ON COLUMN orders_set_aside.member_id IS 'The member';
COMMENT ON COLUMN orders_set_aside.since IS 'When it was first set aside, ms since 1970 UTC';
GRANT SELECT, INSERT, DELETE ON orders_set_aside TO fairtick_settlement;

CREATE TABLE settlements (
  order_id bigint NOT NULL,
  member_id bigint NOT NULL,
  member_seq bigint NOT NULL,
  settled_at bigint NOT NULL,
  entry_seq bigint,
  entry_at bigint,
  entry_price bigint,
  exit_seq bigint,
  exit_at bigint,
  exit_price bigint,
  profit bigint NOT NULL,
  credit bigint NOT NULL,
  available_after bigint NOT NULL,
  outcome outcome NOT NULL,
  void_reason void_reason,
  PRIMARY KEY (order_id),
  CHECK ((outcome = 'voided') = (void_reason IS NOT NULL))
) PARTITION BY RANGE (order_id);
COMMENT ON TABLE settlements IS 'How each order ended, split by order number. Written once.';
COMMENT ON COLUMN settlements.order_id IS 'The order';
COMMENT ON COLUMN settlements.member_id IS 'The member';
COMMENT ON COLUMN settlements.member_seq IS 'The member''s number of this fact about their money: each one is one higher';
COMMENT ON COLUMN settlements.settled_at IS 'When it was settled, ms since 1970 UTC';
COMMENT ON COLUMN settlements.entry_seq IS 'Number of the entry tick; null if there was none';
COMMENT ON COLUMN settlements.entry_at IS 'Time of the entry tick, ms since 1970 UTC';
COMMENT ON COLUMN settlements.entry_price IS 'Entry price, points';
COMMENT ON COLUMN settlements.exit_seq IS 'Number of the exit tick; null if there was none';
COMMENT ON COLUMN settlements.exit_at IS 'Time of the exit tick, ms since 1970 UTC';
COMMENT ON COLUMN settlements.exit_price IS 'Exit price, points';
COMMENT ON COLUMN settlements.profit IS 'Net effect on the wallet, micro-USD';
COMMENT ON COLUMN settlements.credit IS 'What went back to available, micro-USD';
COMMENT ON COLUMN settlements.available_after IS 'Available in its wallet afterwards, micro-USD';
COMMENT ON COLUMN settlements.outcome IS 'Won, lost, tied or voided';
COMMENT ON COLUMN settlements.void_reason IS 'Why it was voided; null otherwise';
CALL write_once('settlements');
CREATE INDEX settlements_by_time ON settlements USING brin (settled_at);
GRANT SELECT ON settlements TO fairtick_orders, fairtick_reader, fairtick_jobs, fairtick_console;
GRANT SELECT, INSERT ON settlements TO fairtick_settlement;

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

CREATE TABLE settlement_progress (
  symbol text PRIMARY KEY,
  limits_through bigint NOT NULL
);
COMMENT ON TABLE settlement_progress IS 'How far each instrument''s sealed ticks were examined for limit prices and for missing entries.';
COMMENT ON COLUMN settlement_progress.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN settlement_progress.limits_through IS 'Examined up to here, ms since 1970 UTC';
GRANT SELECT ON settlement_progress TO fairtick_reader, fairtick_jobs;
GRANT SELECT, INSERT, UPDATE ON settlement_progress TO fairtick_settlement;

-- Locks groups in the given ranges (symbol, duration, first and last accepted_at), oldest first, until they hold
-- `orders_max` orders besides those of `aside`. Groups that others hold are skipped. A group read ahead is locked
-- too, and the next caller takes it.
CREATE FUNCTION take_groups(symbols text[], durations integer[], firsts bigint[], lasts bigint[], orders_max integer, aside bigint[])
RETURNS SETOF open_groups LANGUAGE plpgsql AS $$
DECLARE
  span record;
  taken open_groups;
  wanted integer := orders_max;
BEGIN
  FOR span IN SELECT * FROM unnest(symbols, durations, firsts, lasts) AS r(symbol, duration, first, last) LOOP
    FOR taken IN SELECT * FROM open_groups g
      WHERE g.symbol = span.symbol AND g.duration = span.duration AND g.accepted_at >= span.first AND g.accepted_at <= span.last AND NOT g.order_ids <@ aside
      ORDER BY g.accepted_at FOR UPDATE SKIP LOCKED
    LOOP
      RETURN NEXT taken;
      wanted := wanted - cardinality(taken.order_ids);
      IF taken.order_ids && aside THEN
        wanted := wanted + (SELECT count(*) FROM unnest(aside) a WHERE a = ANY (taken.order_ids))::integer;
      END IF;
      IF wanted <= 0 THEN
        RETURN;
      END IF;
    END LOOP;
  END LOOP;
END
$$;
REVOKE EXECUTE ON FUNCTION take_groups FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_groups TO fairtick_settlement;

CREATE VIEW postings_all AS
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
COMMENT ON VIEW postings_all IS 'Every fact about money as postings: orders, settlements and transfers.';
COMMENT ON COLUMN postings_all.kind IS 'What happened';
COMMENT ON COLUMN postings_all.fact_id IS 'Number of the order or transfer';
COMMENT ON COLUMN postings_all.member_id IS 'The member';
COMMENT ON COLUMN postings_all.member_seq IS 'The member''s number of this fact about their money: each one is one higher';
COMMENT ON COLUMN postings_all.wallet IS 'Which wallet: practice or real';
COMMENT ON COLUMN postings_all.from_account IS 'Account it comes from';
COMMENT ON COLUMN postings_all.to_account IS 'Account it goes to';
COMMENT ON COLUMN postings_all.amount IS 'Amount, micro-USD';
GRANT SELECT ON postings_all TO fairtick_reader, fairtick_jobs;
