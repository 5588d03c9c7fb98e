-- Somebody of support can take their own hours back: without any they keep customer service's.
CREATE OR REPLACE FUNCTION set_own_hours(session bigint, new_hours text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM require_session(session);
  IF new_hours IS NULL THEN
    DELETE FROM operator_hours WHERE operator_id = (SELECT operator_id FROM operator_sessions WHERE session_id = session);
    RETURN;
  END IF;
  INSERT INTO operator_hours (operator_id, hours, set_at)
    SELECT operator_id, new_hours, floor(extract(epoch FROM clock_timestamp()) * 1000) FROM operator_sessions WHERE session_id = session
    ON CONFLICT (operator_id) DO UPDATE SET hours = EXCLUDED.hours, set_at = EXCLUDED.set_at;
END
$$;
