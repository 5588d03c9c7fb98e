-- Accounts whose members close them, or withdraw their consent. From asked_at on nothing new starts; closed_at is when no
-- order of theirs runs any more.
CREATE TABLE closings (
  member_id bigint PRIMARY KEY REFERENCES members,
  reason text NOT NULL CHECK (reason IN ('member', 'consent')),
  asked_at bigint NOT NULL,
  closed_at bigint
);
CREATE INDEX closings_waiting ON closings (asked_at) WHERE closed_at IS NULL;
GRANT SELECT, INSERT, UPDATE (reason, closed_at) ON closings TO fairtick_sessions;
GRANT SELECT ON closings TO fairtick_reader, fairtick_console;
GRANT SELECT (member_id) ON open_orders TO fairtick_sessions;
