-- How far the house has read the boards of its witnesses. An order counts as never revealed only once each board was read past its
-- deadline, or hasn't answered for minutes: a house that was down over the deadline may find its reveal there.

CREATE TABLE board_readings (
  board text PRIMARY KEY,
  asked_at bigint NOT NULL,
  read_through bigint NOT NULL,
  failing_since bigint
);
COMMENT ON TABLE board_readings IS 'How far the boards of witnesses were read for reveals, one row for each board.';
COMMENT ON COLUMN board_readings.board IS 'Verifier key of the witness';
COMMENT ON COLUMN board_readings.asked_at IS 'When it was last asked, ms since 1970 UTC';
COMMENT ON COLUMN board_readings.read_through IS 'All its lines from before this moment were taken, ms since 1970 UTC; 0 if it never answered';
COMMENT ON COLUMN board_readings.failing_since IS 'When it was asked first of all the times in a row that it did not answer, ms since 1970 UTC; null if it answered last time';
GRANT SELECT, INSERT, UPDATE ON board_readings TO fairtick_orders;
GRANT SELECT ON board_readings TO fairtick_settlement;
