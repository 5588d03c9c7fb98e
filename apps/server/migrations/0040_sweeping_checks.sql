-- What the running server looks at again and again: the audit trail piece by piece, every batch against the log.

CREATE INDEX transfers_by_time ON transfers USING brin (made_at);

-- The first number from `first` to `last` at which the trail's chain does not hold, a row that is missing included; null where it
-- holds. Written out instead of audit_hash(), which would be called once a row and costs most of the time.
CREATE FUNCTION broken_audit_between(first bigint, last bigint) RETURNS bigint LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = public, pg_temp AS $$
  WITH rows AS MATERIALIZED (
    SELECT audit_no, row_number() OVER w AS place, previous_hash, lag(hash) OVER w AS before, hash,
      sha256('\x41554449543100'::bytea || previous_hash || convert_to(json_build_array(
        audit_no, at, operator_id, session_id, ip, device, action, subject, reason, detail, outcome)::text, 'UTF8')) AS right_hash
    FROM audit_trail WHERE audit_no >= first AND audit_no <= last WINDOW w AS (ORDER BY audit_no)
  )
  SELECT min(broken) FROM (
    SELECT least(audit_no, first + place - 1) AS broken FROM rows
      WHERE audit_no <> first + place - 1 OR hash <> right_hash OR previous_hash IS DISTINCT FROM CASE
        WHEN place > 1 THEN before
        WHEN audit_no = 1 THEN decode(repeat('00', 32), 'hex')
        ELSE (SELECT hash FROM audit_trail t WHERE t.audit_no = rows.audit_no - 1) END
    UNION ALL
    SELECT first + n FROM (SELECT count(*) AS n FROM rows) counted WHERE n < last - first + 1
  ) found
$$;

-- How long the trail is by its head, that head's hash, and the hash that stands in row `at_no` now: null where there is none.
CREATE FUNCTION audit_standing(at_no bigint, OUT length bigint, OUT head bytea, OUT hash_there bytea) LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = public, pg_temp AS $$
  SELECT h.audit_no, h.hash, (SELECT t.hash FROM audit_trail t WHERE t.audit_no = at_no) FROM audit_head h
$$;
REVOKE EXECUTE ON FUNCTION broken_audit_between, audit_standing FROM PUBLIC;
GRANT EXECUTE ON FUNCTION broken_audit_between, audit_standing TO fairtick_jobs;
GRANT SELECT ON outbox TO fairtick_jobs;
