-- Codes sent by mail or SMS: of each purpose and address the newest alone. Instants in milliseconds since 1970 UTC.
-- A row is written for unknown addresses too, so that asking tells nothing.
CREATE TABLE verification_codes (
  purpose text NOT NULL CHECK (purpose IN ('register', 'reset', 'tradePassword')),
  address text NOT NULL,
  code_hash bytea NOT NULL,
  sent_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  tries smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (purpose, address)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON verification_codes TO fairtick_sessions;

-- Instants of the tries of the last 24 hours that failed or are under way. A row lives on disk, so that a restart forgives nothing.
CREATE TABLE attempts (
  kind text NOT NULL CHECK (kind IN ('login', 'code', 'tradePassword', 'send')),
  -- `account:` or `address:` with a hash, `member:` with an id, `ip:` with a host or an IPv6 /64
  subject text NOT NULL,
  tries bigint[] NOT NULL,
  newest bigint NOT NULL,
  PRIMARY KEY (kind, subject)
);
CREATE INDEX attempts_by_newest ON attempts (newest);
GRANT SELECT, INSERT, UPDATE, DELETE ON attempts TO fairtick_sessions;

-- Members, sessions and starting issues take their ids from a node of the same count as orders, so that none can meet.
GRANT USAGE ON SEQUENCE order_id_nodes TO fairtick_sessions;
