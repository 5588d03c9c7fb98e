-- Instruments a member marked, in the order in which he did.
CREATE TABLE favourites (
  member_id bigint NOT NULL REFERENCES members,
  symbol text NOT NULL,
  marked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (member_id, symbol)
);
GRANT SELECT, INSERT, DELETE ON favourites TO fairtick_sessions;
GRANT SELECT ON favourites TO fairtick_reader;
