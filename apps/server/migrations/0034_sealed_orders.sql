-- Sealed orders: the house takes an order before it knows its direction.
--
--   accepted (orders with a seal, open_groups)
--     → revealed (reveals), then settled like any other
--     → due and not revealed (awaiting_reveals) → revealed and settled
--                                               → unrevealed a week after its expiry: settled as lost
--
-- An order that nobody revealed is booked as lost: its settlement says lost, and it has no row in reveals.

CREATE TABLE order_devices (
  device_id bigint PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES members,
  public_key bytea NOT NULL,
  label text NOT NULL,
  nonce bytea NOT NULL,
  added_at bigint NOT NULL,
  removed_at bigint,
  CHECK (removed_at >= added_at)
);
COMMENT ON TABLE order_devices IS 'Devices whose keys sign their members'' orders. A removed one stays: its orders name it.';
COMMENT ON COLUMN order_devices.device_id IS 'Number of the device';
COMMENT ON COLUMN order_devices.member_id IS 'The member';
COMMENT ON COLUMN order_devices.public_key IS 'ECDSA key on P-256, SPKI in DER';
COMMENT ON COLUMN order_devices.label IS 'What its member calls it';
COMMENT ON COLUMN order_devices.nonce IS 'Random bytes in its hash in the public log';
COMMENT ON COLUMN order_devices.added_at IS 'Since when it signs, ms since 1970 UTC';
COMMENT ON COLUMN order_devices.removed_at IS 'Until when it signed, ms since 1970 UTC; null while it does';
CREATE UNIQUE INDEX order_devices_keys ON order_devices (member_id, public_key) WHERE removed_at IS NULL;
CREATE INDEX order_devices_members ON order_devices (member_id);
GRANT SELECT ON order_devices TO fairtick_orders, fairtick_sessions, fairtick_reader, fairtick_jobs;

CREATE TRIGGER raise_terms_version AFTER INSERT OR UPDATE OR DELETE ON order_devices FOR EACH ROW
  EXECUTE FUNCTION raise_terms_version();
ALTER TABLE order_devices ENABLE ALWAYS TRIGGER raise_terms_version;

-- Adds a device and its entry for the public log, which contains only the hash. Returns when.
CREATE FUNCTION add_order_device(device bigint, member bigint, key bytea, name text, random bytea, hash bytea) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  present constant bigint := floor(extract(epoch FROM clock_timestamp()) * 1000);
BEGIN
  INSERT INTO order_devices (device_id, member_id, public_key, label, nonce, added_at)
    VALUES (device, member, key, name, random, present);
  INSERT INTO outbox (kind, entry) VALUES ('device.add',
    '{"at":' || present || ',"hash":"' || encode(hash, 'hex') || '","kind":"device.add","v":1}');
  RETURN present;
END
$$;
REVOKE EXECUTE ON FUNCTION add_order_device FROM PUBLIC;
GRANT EXECUTE ON FUNCTION add_order_device TO fairtick_sessions;

-- Removes a device. Returns when; null if the member no longer has such a device.
CREATE FUNCTION remove_order_device(device bigint, member bigint, hash bytea) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  present constant bigint := floor(extract(epoch FROM clock_timestamp()) * 1000);
BEGIN
  UPDATE order_devices SET removed_at = greatest(present, added_at)
    WHERE device_id = device AND member_id = member AND removed_at IS NULL;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  INSERT INTO outbox (kind, entry) VALUES ('device.remove',
    '{"at":' || present || ',"hash":"' || encode(hash, 'hex') || '","kind":"device.remove","v":1}');
  RETURN present;
END
$$;
REVOKE EXECUTE ON FUNCTION remove_order_device FROM PUBLIC;
GRANT EXECUTE ON FUNCTION remove_order_device TO fairtick_sessions;

ALTER TABLE orders
  ALTER direction DROP NOT NULL,
  ADD seal bytea,
  ADD device_id bigint,
  ADD seen_slot bigint,
  ADD seen_hash bytea,
  ADD signature bytea,
  ADD CONSTRAINT orders_sealed CHECK (CASE WHEN seal IS NULL
    THEN direction IS NOT NULL AND num_nonnulls(device_id, seen_slot, seen_hash, signature) = 0
    ELSE num_nonnulls(direction, limit_price) = 0 AND num_nulls(device_id, seen_slot, seen_hash, signature) = 0 END);
COMMENT ON COLUMN orders.direction IS 'Up or down; null of a sealed order';
COMMENT ON COLUMN orders.seal IS 'Hash that its direction and limit price have to open; null of an order placed in the open';
COMMENT ON COLUMN orders.device_id IS 'Device that signed it; null of an order placed in the open';
COMMENT ON COLUMN orders.seen_slot IS 'Number of the newest signed head that the device held';
COMMENT ON COLUMN orders.seen_hash IS 'That head';
COMMENT ON COLUMN orders.signature IS 'The device''s signature of the wish, r and s';
GRANT SELECT ON slot_heads TO fairtick_orders;

CREATE TABLE reveals (
  order_id bigint PRIMARY KEY,
  member_id bigint NOT NULL,
  revealed_at bigint NOT NULL,
  nonce bytea NOT NULL,
  direction direction NOT NULL,
  limit_price bigint
);
COMMENT ON TABLE reveals IS 'What sealed orders were opened to. Written once.';
COMMENT ON COLUMN reveals.order_id IS 'The order';
COMMENT ON COLUMN reveals.member_id IS 'The member';
COMMENT ON COLUMN reveals.revealed_at IS 'When it was revealed, ms since 1970 UTC';
COMMENT ON COLUMN reveals.nonce IS 'Random bytes that open the seal together with direction and limit price';
COMMENT ON COLUMN reveals.direction IS 'Up or down';
COMMENT ON COLUMN reveals.limit_price IS 'Worst entry price the member accepts, points; null for any';
CALL write_once('reveals');
GRANT SELECT ON reveals TO fairtick_settlement, fairtick_reader, fairtick_jobs, fairtick_console;
GRANT SELECT, INSERT ON reveals TO fairtick_orders;

CREATE TABLE awaiting_reveals (
  order_id bigint PRIMARY KEY,
  member_id bigint NOT NULL,
  accepted_at bigint NOT NULL,
  duration integer NOT NULL,
  symbol text NOT NULL,
  reveal_by bigint NOT NULL,
  touched boolean
);
COMMENT ON TABLE awaiting_reveals IS 'Sealed orders that are due and were not revealed in time: they have left open_groups and wait for their members.';
COMMENT ON COLUMN awaiting_reveals.order_id IS 'The order';
COMMENT ON COLUMN awaiting_reveals.member_id IS 'The member';
COMMENT ON COLUMN awaiting_reveals.accepted_at IS 'When it was accepted, ms since 1970 UTC';
COMMENT ON COLUMN awaiting_reveals.duration IS 'Duration from entry to expiry, seconds';
COMMENT ON COLUMN awaiting_reveals.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN awaiting_reveals.reveal_by IS 'From then on it counts as lost, ms since 1970 UTC';
COMMENT ON COLUMN awaiting_reveals.touched IS 'Never written: roles that only lock the row need the right to update some column';
CREATE INDEX awaiting_reveals_due ON awaiting_reveals (reveal_by);
GRANT SELECT ON awaiting_reveals TO fairtick_reader, fairtick_jobs, fairtick_console, fairtick_orders, fairtick_sessions;
GRANT SELECT, INSERT, DELETE, UPDATE ON awaiting_reveals TO fairtick_settlement;
GRANT UPDATE (touched) ON awaiting_reveals TO fairtick_orders;

CREATE OR REPLACE VIEW open_orders AS
  SELECT each.order_id, each.member_id, g.accepted_at, g.limit_price, g.duration, g.symbol, NULL::bigint AS reveal_by
  FROM open_groups g CROSS JOIN LATERAL unnest(g.order_ids, g.member_ids) AS each(order_id, member_id)
  UNION ALL
  SELECT order_id, member_id, accepted_at, NULL, duration, symbol, reveal_by FROM awaiting_reveals;
COMMENT ON VIEW open_orders IS 'One row per running order, those that wait to be revealed among them, for whoever counts or looks at all of them.';
COMMENT ON COLUMN open_orders.reveal_by IS 'Until when it can be revealed, ms since 1970 UTC; null while it is not due';

-- Sealed orders that ended without being revealed have no direction, so they are counted separately.
CREATE TABLE fairness_sealed (
  day bigint NOT NULL,
  wallet wallet NOT NULL,
  unrevealed bigint NOT NULL,
  voided bigint NOT NULL,
  PRIMARY KEY (day, wallet)
);
COMMENT ON TABLE fairness_sealed IS 'Sealed orders that ended without being revealed.';
COMMENT ON COLUMN fairness_sealed.day IS 'UTC day of the settlement, days since 1970';
COMMENT ON COLUMN fairness_sealed.wallet IS 'Which wallet: practice or real';
COMMENT ON COLUMN fairness_sealed.unrevealed IS 'Number of those that count as lost, since nobody revealed them';
COMMENT ON COLUMN fairness_sealed.voided IS 'Number of those that were voided before they were revealed';
GRANT SELECT ON fairness_sealed TO fairtick_reader;

CREATE FUNCTION fairness_sealed_between(from_time bigint, to_time bigint, first_id bigint) RETURNS SETOF fairness_sealed
LANGUAGE sql STABLE AS $$
  SELECT s.settled_at / 86400000, o.wallet, count(*) FILTER (WHERE s.outcome = 'lost'), count(*) FILTER (WHERE s.outcome = 'voided')
  FROM settlements s JOIN orders o ON o.member_id = s.member_id AND o.order_id = s.order_id
  WHERE s.settled_at >= from_time AND s.settled_at < to_time AND s.order_id >= first_id AND o.order_id >= first_id
    AND o.direction IS NULL AND NOT EXISTS (SELECT FROM reveals r WHERE r.order_id = o.order_id)
  GROUP BY 1, 2
$$;
REVOKE EXECUTE ON FUNCTION fairness_sealed_between FROM PUBLIC;
GRANT EXECUTE ON FUNCTION fairness_sealed_between TO fairtick_reader;

CREATE OR REPLACE FUNCTION fairness_windows_between(from_time bigint, to_time bigint, first_id bigint) RETURNS SETOF fairness_windows
LANGUAGE sql STABLE AS $$
  SELECT s.settled_at / 86400000, o.wallet, o.symbol, o.duration, coalesce(o.direction, r.direction) AS direction,
    coalesce(s.entry_at, o.accepted_at) / (o.duration * 1000::bigint) AS at,
    count(*) FILTER (WHERE s.outcome = 'won'), count(*) FILTER (WHERE s.outcome = 'lost'), count(*) FILTER (WHERE s.outcome = 'tied'),
    count(*) FILTER (WHERE s.void_reason = 'NO_ENTRY_TICK'), count(*) FILTER (WHERE s.void_reason = 'LIMIT_PASSED'),
    count(*) FILTER (WHERE s.void_reason = 'NO_TICK_BETWEEN'), count(*) FILTER (WHERE s.void_reason = 'STALE_EXIT'),
    coalesce(sum(o.stake) FILTER (WHERE s.outcome <> 'voided'), 0)::bigint, sum(s.profit)::bigint,
    coalesce(sum(o.profit_if_won - o.stake - o.fee) FILTER (WHERE s.outcome IN ('won', 'lost')), 0)::bigint
  FROM settlements s JOIN orders o ON o.member_id = s.member_id AND o.order_id = s.order_id
  LEFT JOIN reveals r ON r.order_id = o.order_id
  WHERE s.settled_at >= from_time AND s.settled_at < to_time AND s.order_id >= first_id AND o.order_id >= first_id
    AND coalesce(o.direction, r.direction) IS NOT NULL
  GROUP BY 1, 2, 3, 4, 5, 6
$$;

CREATE OR REPLACE FUNCTION fairness_delays_between(from_time bigint, to_time bigint, first_id bigint) RETURNS SETOF fairness_delays
LANGUAGE sql STABLE AS $$
  SELECT s.settled_at / 3600000, d.kind, d.ms, count(*)
  FROM settlements s JOIN orders o ON o.member_id = s.member_id AND o.order_id = s.order_id
  LEFT JOIN reveals r ON r.order_id = o.order_id
  CROSS JOIN LATERAL (VALUES
    ('entry', s.entry_at - o.accepted_at),
    -- From its expiry on, or from when it was revealed.
    ('settlement', CASE WHEN s.outcome <> 'voided' AND coalesce(o.direction, r.direction) IS NOT NULL
      THEN greatest(0, s.settled_at - greatest(s.entry_at + o.duration * 1000::bigint, r.revealed_at)) END)) AS d(kind, ms)
  WHERE s.settled_at >= from_time AND s.settled_at < to_time AND s.order_id >= first_id AND o.order_id >= first_id AND d.ms IS NOT NULL
  GROUP BY 1, 2, 3
$$;

CREATE OR REPLACE FUNCTION count_fairness(from_time bigint, to_time bigint, first_id bigint, first_day bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  done bigint;
  start bigint;
  stop bigint;
BEGIN
  SELECT through INTO done FROM fairness_progress FOR UPDATE;
  start := greatest(done, first_day * 86400000);
  stop := least(to_time, (start / 86400000 + 1) * 86400000, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint - 60000);
  IF done <> from_time OR stop <= start THEN
    RETURN done;
  END IF;
  INSERT INTO fairness_windows AS w SELECT * FROM fairness_windows_between(start, stop, first_id)
    ON CONFLICT (day, wallet, symbol, duration, direction, at) DO UPDATE SET
      won = w.won + excluded.won, lost = w.lost + excluded.lost, tied = w.tied + excluded.tied, no_entry = w.no_entry + excluded.no_entry,
      limit_passed = w.limit_passed + excluded.limit_passed, no_tick = w.no_tick + excluded.no_tick, stale = w.stale + excluded.stale,
      staked = w.staked + excluded.staked, result = w.result + excluded.result, fair_twice = w.fair_twice + excluded.fair_twice;
  INSERT INTO fairness_sealed AS f SELECT * FROM fairness_sealed_between(start, stop, first_id)
    ON CONFLICT (day, wallet) DO UPDATE SET unrevealed = f.unrevealed + excluded.unrevealed, voided = f.voided + excluded.voided;
  INSERT INTO fairness_members AS m SELECT * FROM fairness_members_between(start, stop, first_id)
    ON CONFLICT (day, wallet, member_id) DO UPDATE SET result = m.result + excluded.result;
  INSERT INTO fairness_delays AS d SELECT * FROM fairness_delays_between(start, stop, first_id)
    ON CONFLICT (hour, kind, ms) DO UPDATE SET count = d.count + excluded.count;
  IF stop % 86400000 = 0 THEN
    INSERT INTO fairness_days
      SELECT day, wallet, symbol, duration, direction, sum(won), sum(lost), sum(tied), sum(no_entry), sum(limit_passed), sum(no_tick),
        sum(stale), sum(staked), sum(result), sum(fair_twice), sum((won - lost) ^ 2), sum(((result - fair_twice / 2)::float8) ^ 2)
      FROM fairness_windows WHERE day = start / 86400000 GROUP BY day, wallet, symbol, duration, direction;
    DELETE FROM fairness_windows WHERE day <= start / 86400000;
  END IF;
  DELETE FROM fairness_sealed WHERE day < first_day;
  DELETE FROM fairness_members WHERE day < first_day;
  DELETE FROM fairness_delays WHERE hour < stop / 3600000 - 26;
  UPDATE fairness_progress SET through = stop;
  RETURN stop;
END
$$;
