-- The checkpoint that ends with each commitment of the simulated market: as it was signed, and again once the witness whose
-- signature makes the epoch's mix has answered (or none is named). The writer places nothing behind it before that.
CREATE TABLE mix_notes (
  size bigint NOT NULL,
  -- Nothing better comes: the note bears his signature, or he gives none.
  is_final boolean NOT NULL,
  note text NOT NULL,
  -- What is mixed in: his signature without a time, else the checkpoint's root.
  source bytea NOT NULL,
  PRIMARY KEY (size, is_final)
);
CALL write_once('mix_notes');
GRANT SELECT, INSERT ON mix_notes TO fairtick_log;
GRANT SELECT ON mix_notes TO fairtick_reader, fairtick_jobs, fairtick_market;
