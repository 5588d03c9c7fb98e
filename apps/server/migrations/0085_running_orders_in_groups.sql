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
  order_ids bigint[] NOT NULL,
  member_ids bigint[] NOT NULL,
  CHECK (cardinality(order_ids) BETWEEN 1 AND 100 AND cardinality(member_ids) = cardinality(order_ids)),
  CHECK ((limit_price IS NULL) = (direction IS NULL) AND (limit_price IS NULL OR cardinality(order_ids) = 1))
);
ALTER TABLE open_groups ALTER order_ids SET STORAGE PLAIN, ALTER member_ids SET STORAGE PLAIN;

INSERT INTO open_groups (first_id, accepted_at, duration, symbol, limit_price, direction, order_ids, member_ids)
  SELECT min(order_id), accepted_at, duration, symbol, limit_price, CASE WHEN limit_price IS NOT NULL THEN min(direction) END,
    array_agg(order_id ORDER BY order_id), array_agg(member_id ORDER BY order_id)
  FROM (SELECT *, CASE WHEN limit_price IS NULL THEN (row_number() OVER (PARTITION BY accepted_at, symbol, duration, limit_price IS NULL ORDER BY order_id) - 1) / 100
    ELSE order_id END AS part FROM open_orders) o
  GROUP BY accepted_at, duration, symbol, limit_price, part;
DROP TABLE open_orders;

CREATE INDEX open_groups_due ON open_groups (symbol, duration, accepted_at);
CREATE INDEX open_groups_limits ON open_groups (symbol, accepted_at) WHERE limit_price IS NOT NULL;

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

GRANT INSERT ON open_groups TO fairtick_orders;
GRANT SELECT, DELETE, UPDATE (order_ids, member_ids) ON open_groups TO fairtick_settlement;
GRANT SELECT ON open_groups, open_orders TO fairtick_orders, fairtick_reader, fairtick_jobs, fairtick_console;
GRANT SELECT ON open_orders TO fairtick_settlement;
GRANT SELECT (member_id) ON open_orders TO fairtick_sessions;
