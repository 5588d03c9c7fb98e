-- Refused orders by reason, counted from the public log for the fairness page.

CREATE TABLE fairness_refusals (
  day bigint NOT NULL,
  reason text NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (day, reason)
);
COMMENT ON TABLE fairness_refusals IS 'Refusals that the public log has, by day and reason.';
COMMENT ON COLUMN fairness_refusals.day IS 'UTC day of the batch, days since 1970';
COMMENT ON COLUMN fairness_refusals.reason IS 'The reason as the log names it';
COMMENT ON COLUMN fairness_refusals.count IS 'Number of orders refused for it';
GRANT SELECT ON fairness_refusals TO fairtick_reader;

CREATE TABLE refusal_progress (
  one boolean NOT NULL DEFAULT true PRIMARY KEY CHECK (one),
  through bigint NOT NULL
);
COMMENT ON TABLE refusal_progress IS 'How far the public log''s refusals are counted.';
COMMENT ON COLUMN refusal_progress.one IS 'Always true: the table has exactly one row';
COMMENT ON COLUMN refusal_progress.through IS 'Entries of the log before this place are counted';
INSERT INTO refusal_progress (through) VALUES (0);

-- Counts the refusals in at most the given number of new entries. Returns how many entries it read.
CREATE FUNCTION count_refusals(entries_max bigint, first_day bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  start bigint;
  stop bigint;
BEGIN
  SELECT through INTO start FROM refusal_progress FOR UPDATE;
  SELECT least(size, start + entries_max) INTO stop FROM log_writer;
  -- Only what holds a refusal is read as JSON.
  INSERT INTO fairness_refusals AS f
    SELECT (held.entry ->> 'acceptedAt')::bigint / 86400000, each.key, sum(each.value::bigint)
    FROM (
      SELECT o.entry::json AS entry FROM log_entries l JOIN outbox o USING (outbox_id)
      WHERE l.log_index >= start AND l.log_index < stop AND l.kind = 'orders.accept' AND position('"reasons":{"' IN o.entry) > 0) held
    CROSS JOIN LATERAL json_each_text(held.entry -> 'reasons') each
    GROUP BY 1, 2
    ON CONFLICT (day, reason) DO UPDATE SET count = f.count + excluded.count;
  DELETE FROM fairness_refusals WHERE day < first_day;
  UPDATE refusal_progress SET through = stop;
  RETURN stop - start;
END
$$;
REVOKE EXECUTE ON FUNCTION count_refusals FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_refusals TO fairtick_jobs;
