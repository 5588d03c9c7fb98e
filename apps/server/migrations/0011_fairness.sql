-- Figures for the fairness page, added up as orders are settled, so that nobody has to read all of them again. Only
-- count_fairness writes these tables, from settlements and orders and nothing else; it can run any number of times.

CREATE TABLE fairness_progress (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  through bigint NOT NULL
);
COMMENT ON TABLE fairness_progress IS 'How far the fairness page''s figures are counted.';
COMMENT ON COLUMN fairness_progress.one IS 'Always true: the table has exactly one row';
COMMENT ON COLUMN fairness_progress.through IS 'Everything settled before this is counted, ms since 1970 UTC';
INSERT INTO fairness_progress (through) VALUES (0);
GRANT SELECT ON fairness_progress TO fairtick_reader, fairtick_jobs;

CREATE TABLE fairness_windows (
  day bigint NOT NULL,
  wallet wallet NOT NULL,
  symbol text NOT NULL,
  duration integer NOT NULL,
  direction direction NOT NULL,
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
COMMENT ON TABLE fairness_windows IS 'Figures of days that are not over, per window. Orders of the same terms in the same window are one coin toss.';
COMMENT ON COLUMN fairness_windows.day IS 'UTC day of the settlement, days since 1970';
COMMENT ON COLUMN fairness_windows.wallet IS 'Which wallet: practice or real';
COMMENT ON COLUMN fairness_windows.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN fairness_windows.duration IS 'Duration from entry to expiry, seconds';
COMMENT ON COLUMN fairness_windows.direction IS 'Up or down';
COMMENT ON COLUMN fairness_windows.at IS 'Number of the window: its start divided by the duration';
COMMENT ON COLUMN fairness_windows.won IS 'Number of orders won';
COMMENT ON COLUMN fairness_windows.lost IS 'Number of orders lost';
COMMENT ON COLUMN fairness_windows.tied IS 'Number of orders tied';
COMMENT ON COLUMN fairness_windows.no_entry IS 'Number of orders voided because no entry tick came';
COMMENT ON COLUMN fairness_windows.limit_passed IS 'Number of orders voided because the entry price was worse than the limit price';
COMMENT ON COLUMN fairness_windows.no_tick IS 'Number of orders voided because no tick came between entry and expiry';
COMMENT ON COLUMN fairness_windows.stale IS 'Number of orders voided because the exit tick was too old';
COMMENT ON COLUMN fairness_windows.staked IS 'Sum of stakes, without voided orders, micro-USD';
COMMENT ON COLUMN fairness_windows.result IS 'Net result for the members, micro-USD';
COMMENT ON COLUMN fairness_windows.fair_twice IS 'Twice the result a fair coin would give the members, micro-USD; divided by two only at the end, to stay whole';
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
COMMENT ON TABLE fairness_days IS 'Figures of finished days.';
COMMENT ON COLUMN fairness_days.day IS 'UTC day of the settlement, days since 1970';
COMMENT ON COLUMN fairness_days.wallet IS 'Which wallet: practice or real';
COMMENT ON COLUMN fairness_days.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN fairness_days.duration IS 'Duration from entry to expiry, seconds';
COMMENT ON COLUMN fairness_days.direction IS 'Up or down';
COMMENT ON COLUMN fairness_days.won IS 'Number of orders won';
COMMENT ON COLUMN fairness_days.lost IS 'Number of orders lost';
COMMENT ON COLUMN fairness_days.tied IS 'Number of orders tied';
COMMENT ON COLUMN fairness_days.no_entry IS 'Number of orders voided because no entry tick came';
COMMENT ON COLUMN fairness_days.limit_passed IS 'Number of orders voided because the entry price was worse than the limit price';
COMMENT ON COLUMN fairness_days.no_tick IS 'Number of orders voided because no tick came between entry and expiry';
COMMENT ON COLUMN fairness_days.stale IS 'Number of orders voided because the exit tick was too old';
COMMENT ON COLUMN fairness_days.staked IS 'Sum of stakes, without voided orders, micro-USD';
COMMENT ON COLUMN fairness_days.result IS 'Net result for the members, micro-USD';
COMMENT ON COLUMN fairness_days.fair_twice IS 'Twice the result a fair coin would give the members, micro-USD; divided by two only at the end, to stay whole';
COMMENT ON COLUMN fairness_days.swing IS 'Sum over the windows of (won − lost)², for the expected spread';
COMMENT ON COLUMN fairness_days.money_swing IS 'Sum over the windows of the squared difference from the fair result, micro-USD squared';
CALL write_once('fairness_days');
GRANT SELECT ON fairness_days TO fairtick_reader;

CREATE TABLE fairness_members (
  day bigint NOT NULL,
  wallet wallet NOT NULL,
  member_id bigint NOT NULL,
  result bigint NOT NULL,
  PRIMARY KEY (day, wallet, member_id)
);
COMMENT ON TABLE fairness_members IS 'What each member''s won and lost orders of a day came to.';
COMMENT ON COLUMN fairness_members.day IS 'UTC day of the settlement, days since 1970';
COMMENT ON COLUMN fairness_members.wallet IS 'Which wallet: practice or real';
COMMENT ON COLUMN fairness_members.member_id IS 'The member';
COMMENT ON COLUMN fairness_members.result IS 'Net result for the member, micro-USD';
GRANT SELECT ON fairness_members TO fairtick_reader;

CREATE TABLE fairness_delays (
  hour bigint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('entry', 'settlement')),
  ms bigint NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (hour, kind, ms)
);
COMMENT ON TABLE fairness_delays IS 'How many orders had each delay, per hour.';
COMMENT ON COLUMN fairness_delays.hour IS 'UTC hours since 1970';
COMMENT ON COLUMN fairness_delays.kind IS 'Delay until the entry, or from expiry to settlement';
COMMENT ON COLUMN fairness_delays.ms IS 'The delay, ms';
COMMENT ON COLUMN fairness_delays.count IS 'Number of orders';
GRANT SELECT ON fairness_delays TO fairtick_reader;

-- What was settled from one moment to another, by window: for count_fairness, and for what is too recent for it.
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

-- Counts what was settled from where the last count ended (`from_time`; any other value does nothing) until
-- `to_time`, at most to the end of a day, and never the last minute: by then no settlement of an earlier moment is
-- still on its way. No order settled then has an id below `first_id`. Returns how far everything is counted.
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
