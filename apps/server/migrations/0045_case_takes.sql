-- Operators take a case for ten minutes, so that two of them don't work on the same one.

CREATE TABLE case_takes (
  queue text NOT NULL CHECK (queue IN ('deposits', 'withdrawals', 'identities')),
  case_no text NOT NULL CHECK (length(case_no) BETWEEN 1 AND 64),
  operator_id bigint NOT NULL REFERENCES operators,
  taken_at bigint NOT NULL,
  held_until bigint NOT NULL CHECK (held_until > taken_at),
  PRIMARY KEY (queue, case_no)
);
COMMENT ON TABLE case_takes IS 'Who works on which case of the console, and until when. Informs other operators only: nothing is refused because of it.';
COMMENT ON COLUMN case_takes.queue IS 'The queue that lists the case';
COMMENT ON COLUMN case_takes.case_no IS 'The case''s public id: dep_…, wdr_… or idn_…';
COMMENT ON COLUMN case_takes.operator_id IS 'The operator who took it';
COMMENT ON COLUMN case_takes.taken_at IS 'When they took it, ms since 1970 UTC';
COMMENT ON COLUMN case_takes.held_until IS 'When the take ends unless they finish the case or give it back first, ms since 1970 UTC';
GRANT SELECT ON case_takes TO fairtick_console;

-- Takes a case for the session's operator, unless someone else still has it. The primary key lets one of two through.
CREATE FUNCTION take_case(session bigint, in_queue text, of_case text, at bigint, ends bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM require_session(session);
  -- Takes that ended are of no use to anyone. Rows that another call is working on are left to it.
  DELETE FROM case_takes WHERE (queue, case_no) IN (SELECT queue, case_no FROM case_takes WHERE held_until <= at FOR UPDATE SKIP LOCKED);
  INSERT INTO case_takes AS t (queue, case_no, operator_id, taken_at, held_until)
    SELECT in_queue, of_case, operator_id, at, ends FROM operator_sessions WHERE session_id = session
    ON CONFLICT (queue, case_no) DO UPDATE
      SET operator_id = EXCLUDED.operator_id, taken_at = EXCLUDED.taken_at, held_until = EXCLUDED.held_until
      WHERE t.operator_id = EXCLUDED.operator_id OR t.held_until <= EXCLUDED.taken_at;
END
$$;
REVOKE EXECUTE ON FUNCTION take_case FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_case TO fairtick_console;

-- Ends the operator's own take of a case, if there is one.
CREATE FUNCTION give_back_case(session bigint, in_queue text, of_case text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM require_session(session);
  DELETE FROM case_takes t USING operator_sessions s
    WHERE s.session_id = session AND t.operator_id = s.operator_id AND t.queue = in_queue AND t.case_no = of_case;
END
$$;
REVOKE EXECUTE ON FUNCTION give_back_case FROM PUBLIC;
GRANT EXECUTE ON FUNCTION give_back_case TO fairtick_console;
