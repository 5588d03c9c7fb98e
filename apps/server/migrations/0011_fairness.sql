-- Figures for the fairness page, added up as orders are settled, so that nobody has to read all of them again. Only
-- count_fairness writes these tables, from settlements and orders and nothing else; it can run any number of times.

-- Everything settled before this is counted.
CREATE TABLE fairness_progress (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  through bigint NOT NULL
);
INSERT INTO fairness_progress (through) VALUES (0);
GRANT SELECT ON fairness_progress TO fairtick_reader, fairtick_jobs;

-- Orders of the same terms in the same window are one coin toss: a day's windows are kept apart until the day is
-- over.
CREATE TABLE fairness_windows (
  -- UTC days since 1970, by the moment of settlement
  day bigint NOT NULL,
  wallet wallet NOT NULL,
  symbol text NOT NULL,
  duration integer NOT NULL,
  direction direction NOT NULL,
  -- the window's number
  at bigint NOT NULL,
  won bigint NOT NULL,
  lost bigint NOT NULL,
  tied bigint NOT NULL,
  no_entry bigint NOT NULL,
  limit_passed bigint NOT NULL,
  no_tick bigint NOT NULL,
  stale bigint NOT NULL,
  staked bigint NOT NULL,
  result bigint NOT NULL,
  fair_twice bigint NOT NULL,
  PRIMARY KEY (day, wallet, symbol, duration, direction, at)
);
GRANT SELECT ON fairness_windows TO fairtick_reader;

CREATE TABLE fairness_days (
  day bigint NOT NULL,
  wallet wallet NOT NULL,
  symbol text NOT NULL,
  duration integer NOT NULL,
  direction direction NOT NULL,
  won bigint NOT NULL,
  lost bigint NOT NULL,
  tied bigint NOT NULL,
  no_entry bigint NOT NULL,
  limit_passed bigint NOT NULL,
  no_tick bigint NOT NULL,
  stale bigint NOT NULL,
  staked bigint NOT NULL,
  result bigint NOT NULL,
  fair_twice bigint NOT NULL,
  swing double precision NOT NULL,
  money_swing double precision NOT NULL,
  PRIMARY KEY (day, wallet, symbol, duration, direction)
);
CALL write_once('fairness_days');
GRANT SELECT ON fairness_days TO fairtick_reader;

-- What each member's won and lost orders of a day came to.
CREATE TABLE fairness_members (
  day bigint NOT NULL,
  wallet wallet NOT NULL,
  member_id bigint NOT NULL,
  result bigint NOT NULL,
  PRIMARY KEY (day, wallet, member_id)
);
GRANT SELECT ON fairness_members TO fairtick_reader;

-- How many orders of an hour had a delay of so many milliseconds.
CREATE TABLE fairness_delays (
  hour bigint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('entry', 'settlement')),
  ms bigint NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (hour, kind, ms)
);
GRANT SELECT ON fairness_delays TO fairtick_reader;

-- What was settled from one moment until another, by window: for the function and for what is too young for it.
CREATE FUNCTION fairness_windows_between(from_time bigint, to_time bigint, first_id bigint) RETURNS SETOF fairness_windows
LANGUAGE sql STABLE AS $$
  SELECT s.settled_at / 86400000, o.wallet, o.symbol, o.duration, o.direction, coalesce(s.entry_at, o.accepted_at) / (o.duration * 1000::bigint) AS at,
    count(*) FILTER (WHERE s.outcome = 'won'), count(*) FILTER (WHERE s.outcome = 'lost'), count(*) FILTER (WHERE s.outcome = 'tied'),
    count(*) FILTER (WHERE s.void_reason = 'NO_ENTRY_TICK'), count(*) FILTER (WHERE s.void_reason = 'LIMIT_PASSED'),
    count(*) FILTER (WHERE s.void_reason = 'NO_TICK_BETWEEN'), count(*) FILTER (WHERE s.void_reason = 'STALE_EXIT'),
    coalesce(sum(o.stake) FILTER (WHERE s.outcome <> 'voided'), 0)::bigint, sum(s.profit)::bigint,
    coalesce(sum(o.profit_if_won - o.stake - o.fee) FILTER (WHERE s.outcome IN ('won', 'lost')), 0)::bigint
  FROM settlements s JOIN orders o ON o.member_id = s.member_id AND o.order_id = s.order_id
  WHERE s.settled_at >= from_time AND s.settled_at < to_time AND s.order_id >= first_id AND o.order_id >= first_id
  GROUP BY 1, 2, 3, 4, 5, 6
$$;
REVOKE EXECUTE ON FUNCTION fairness_windows_between FROM PUBLIC;
GRANT EXECUTE ON FUNCTION fairness_windows_between TO fairtick_reader;

CREATE FUNCTION fairness_members_between(from_time bigint, to_time bigint, first_id bigint) RETURNS SETOF fairness_members
LANGUAGE sql STABLE AS $$
  SELECT s.settled_at / 86400000, o.wallet, s.member_id, sum(s.profit)::bigint
  FROM settlements s JOIN orders o ON o.member_id = s.member_id AND o.order_id = s.order_id
  WHERE s.settled_at >= from_time AND s.settled_at < to_time AND s.order_id >= first_id AND o.order_id >= first_id AND s.outcome IN ('won', 'lost')
  GROUP BY 1, 2, 3
$$;
REVOKE EXECUTE ON FUNCTION fairness_members_between FROM PUBLIC;
GRANT EXECUTE ON FUNCTION fairness_members_between TO fairtick_reader;

CREATE FUNCTION fairness_delays_between(from_time bigint, to_time bigint, first_id bigint) RETURNS SETOF fairness_delays
LANGUAGE sql STABLE AS $$
  SELECT s.settled_at / 3600000, d.kind, d.ms, count(*)
  FROM settlements s JOIN orders o ON o.member_id = s.member_id AND o.order_id = s.order_id
  CROSS JOIN LATERAL (VALUES
    ('entry', s.entry_at - o.accepted_at),
    ('settlement', CASE WHEN s.outcome <> 'voided' THEN greatest(0, s.settled_at - s.entry_at - o.duration * 1000::bigint) END)) AS d(kind, ms)
  WHERE s.settled_at >= from_time AND s.settled_at < to_time AND s.order_id >= first_id AND o.order_id >= first_id AND d.ms IS NOT NULL
  GROUP BY 1, 2, 3
$$;
REVOKE EXECUTE ON FUNCTION fairness_delays_between FROM PUBLIC;
GRANT EXECUTE ON FUNCTION fairness_delays_between TO fairtick_reader;

-- Counts what was settled from where the last count ended (`from_time`; another one does nothing) until `to_time`, at most to
-- the end of a day, and never the last minute: by then no settlement of an earlier moment is on its way any more.
-- `first_id`: no order settled then has a lower one. Answers how far everything is counted.
CREATE FUNCTION count_fairness(from_time bigint, to_time bigint, first_id bigint, first_day bigint) RETURNS bigint
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
  DELETE FROM fairness_members WHERE day < first_day;
  DELETE FROM fairness_delays WHERE hour < stop / 3600000 - 26;
  UPDATE fairness_progress SET through = stop;
  RETURN stop;
END
$$;
REVOKE EXECUTE ON FUNCTION count_fairness FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_fairness TO fairtick_jobs;
