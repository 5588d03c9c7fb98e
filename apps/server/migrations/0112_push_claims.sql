-- Which server sends a message to browsers: the first that claims it. Every server hears every event, so each would send it.
CREATE TABLE push_claims (
  kind text NOT NULL CHECK (kind IN ('alert', 'order')),
  id bigint NOT NULL,
  claimed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (kind, id)
);
CREATE INDEX push_claims_by_age ON push_claims (claimed_at);
GRANT SELECT, INSERT, DELETE ON push_claims TO fairtick_jobs;
