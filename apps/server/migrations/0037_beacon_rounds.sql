-- Rounds of a randomness beacon from which epochs of the simulated market are made, since SM2.

CREATE TABLE sm2_rounds (
  epoch bigint NOT NULL REFERENCES sm1_epochs,
  round bigint NOT NULL CHECK (round > 0),
  signature bytea CHECK (octet_length(signature) = 48),
  PRIMARY KEY (epoch, round)
);
COMMENT ON TABLE sm2_rounds IS 'What became of each beacon round of an epoch, decided before a tick of its time is stored; kept until the epoch after it is revealed.';
COMMENT ON COLUMN sm2_rounds.epoch IS 'The epoch in whose time the round fell due';
COMMENT ON COLUMN sm2_rounds.round IS 'Number of the round in its chain, from 1';
COMMENT ON COLUMN sm2_rounds.signature IS 'The chain''s signature of it; null: it did not come in time, and its ticks were never made';
-- A decision never changes: a round that was counted as missing stays so, and so does one that was used.
CREATE TRIGGER refuse_row_change BEFORE UPDATE ON sm2_rounds FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE sm2_rounds ENABLE ALWAYS TRIGGER refuse_row_change;
GRANT SELECT ON sm2_rounds TO fairtick_reader, fairtick_jobs;
GRANT SELECT, INSERT, DELETE ON sm2_rounds TO fairtick_market;
