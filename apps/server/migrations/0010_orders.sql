-- Orders from acceptance to settlement. Orders and settlements are written once. A running order is in exactly one
-- row of open_groups; settling it writes its settlement and takes it out of there.
--
--   accepted (orders, open_groups)  → won, lost, tied, voided (settlements)

-- Facts once: an order's row is its hold, its settlement's row is its settlement. Amounts in micro-USD,
-- rates in millionths, prices in points, times in milliseconds since 1970 UTC. Ids are time-ordered, so
-- both large tables are partitioned by id: a week of orders a partition.
CREATE SEQUENCE acceptance_batch_no;
GRANT USAGE ON SEQUENCE acceptance_batch_no TO fairtick_orders;

-- Each process that makes order ids takes a number of its own, which stands in its ids.
CREATE SEQUENCE order_id_nodes MINVALUE 0 MAXVALUE 1023 START 0 CYCLE;
GRANT USAGE ON SEQUENCE order_id_nodes TO fairtick_orders, fairtick_sessions, fairtick_console;

-- A client id is bound by 16 bytes: a UUID, as the app makes them, by itself, any other by a hash. Its row and its key are less
-- than half as long, and are compared without looking at letters. What a wish must agree with is the order itself: no
-- hash of the wish is kept any more.
CREATE FUNCTION client_key(client_order_id text) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE WHEN client_order_id ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' THEN client_order_id::uuid
    ELSE encode(substring(sha256(convert_to(client_order_id, 'UTF8')) FOR 16), 'hex')::uuid END
$$;
REVOKE EXECUTE ON FUNCTION client_key FROM PUBLIC;
GRANT EXECUTE ON FUNCTION client_key TO fairtick_reader, fairtick_jobs;

CREATE TABLE acceptance_batches (
  batch_no bigint PRIMARY KEY,
  accepted_at bigint NOT NULL,
  -- sha256("BATCH1\0" || u64(number) || u64(acceptedAt) || Merkle root of the commitments)
  root bytea NOT NULL
);
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
  client_order_id text,
  PRIMARY KEY (member_id, order_id),
  CONSTRAINT orders_client_key UNIQUE (client_key, member_id)
);
-- Rows lie in the order of their time, so a few bytes a page are enough to find what is new: for the running checks.
CREATE INDEX orders_by_time ON orders USING brin (accepted_at);
CALL write_once('orders');
GRANT SELECT ON orders TO fairtick_settlement, fairtick_reader, fairtick_jobs, fairtick_console;
GRANT SELECT, INSERT ON orders TO fairtick_orders;

-- Running orders of one batch, instrument and duration share their entry, their expiry and so their settlement: they stand in
-- one row, where each had a row with two keys of its own. An order with a limit price stands alone, for its price alone may
-- end it.
CREATE TABLE open_groups (
  -- Its oldest order's, which names it as long as it lasts.
  first_id bigint PRIMARY KEY,
  accepted_at bigint NOT NULL,
  duration integer NOT NULL,
  symbol text NOT NULL,
  limit_price bigint,
  -- Where there is a limit price.
  direction direction,
  -- Side by side. Few enough that a row never leaves its page.
  order_ids bigint[] STORAGE PLAIN NOT NULL,
  member_ids bigint[] STORAGE PLAIN NOT NULL,
  CHECK (cardinality(order_ids) BETWEEN 1 AND 100 AND cardinality(member_ids) = cardinality(order_ids)),
  CHECK ((limit_price IS NULL) = (direction IS NULL) AND (limit_price IS NULL OR cardinality(order_ids) = 1))
);
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

-- One row for each running order, for whoever counts or looks at all of them.
CREATE VIEW open_orders AS
  SELECT each.order_id, each.member_id, g.accepted_at, g.limit_price, g.duration, g.symbol
  FROM open_groups g CROSS JOIN LATERAL unnest(g.order_ids, g.member_ids) AS each(order_id, member_id);
GRANT SELECT ON open_orders TO fairtick_orders, fairtick_settlement, fairtick_reader, fairtick_jobs, fairtick_console;
GRANT SELECT (member_id) ON open_orders TO fairtick_sessions;

-- Worst-case net payouts of running orders, for the house's exposure. A lane of acceptance or settlement adds to rows of
-- its own stripe, so that no two batches wait for one row; the sum over the stripes counts, one stripe may be negative.
CREATE TABLE exposure (
  stripe smallint NOT NULL,
  wallet wallet NOT NULL,
  symbol text NOT NULL,
  profit bigint NOT NULL,
  PRIMARY KEY (stripe, wallet, symbol)
) WITH (fillfactor = 50);
GRANT SELECT ON exposure TO fairtick_reader, fairtick_jobs, fairtick_console;
GRANT SELECT, INSERT, UPDATE ON exposure TO fairtick_orders, fairtick_settlement;

-- The last word on time: a batch judged for acceptance from valid_from to valid_until is written at no other time.
CREATE FUNCTION accept_within(accepted_at bigint, valid_from bigint, valid_until bigint) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  IF accepted_at < valid_from OR accepted_at > valid_until THEN
    RAISE EXCEPTION 'accepted at %, judged for % to %', accepted_at, valid_from, valid_until USING ERRCODE = 'FT002';
  END IF;
  RETURN accepted_at;
END
$$;

-- Orders that could not be settled as their rows stand. Whoever looks after the server reads of them until they are, through
-- restarts too.
CREATE TABLE orders_set_aside (
  order_id bigint PRIMARY KEY,
  member_id bigint NOT NULL,
  since bigint NOT NULL
);
GRANT SELECT, INSERT, DELETE ON orders_set_aside TO fairtick_settlement;

-- By order id alone: rows come in that order, so that a large expiry fills few pages of the index. A member's own are found
-- through his orders.
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
  -- net effect on the wallet
  profit bigint NOT NULL,
  -- what went back to available
  credit bigint NOT NULL,
  available_after bigint NOT NULL,
  outcome outcome NOT NULL,
  void_reason void_reason,
  PRIMARY KEY (order_id),
  CHECK ((outcome = 'voided') = (void_reason IS NOT NULL))
) PARTITION BY RANGE (order_id);
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

-- How far each instrument's newly sealed ticks were examined for limit prices and for gaps without an entry.
CREATE TABLE settlement_progress (
  symbol text PRIMARY KEY,
  limits_through bigint NOT NULL
);
GRANT SELECT ON settlement_progress TO fairtick_reader, fairtick_jobs;
GRANT SELECT, INSERT, UPDATE ON settlement_progress TO fairtick_settlement;

-- Locks groups of the given ranges (symbol, duration, first and last accepted_at), oldest first, until they
-- hold `orders_max` orders beside those of `aside`. Others' are skipped. What it reads ahead is locked too, and is the next
-- one's to take.
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

-- Every fact about money as postings: the same expansion that the domain package's ledger makes, in SQL.
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
GRANT SELECT ON postings_all TO fairtick_reader, fairtick_jobs;
