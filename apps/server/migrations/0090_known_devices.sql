-- Devices that somebody has logged in on. Their wrong tries are counted apart from strangers', so that nobody can lock
-- a member or an operator out by guessing. A device is named by a random key in its cookie; only the hash is kept.
CREATE TABLE known_devices (
  member_id bigint NOT NULL REFERENCES members,
  device_hash bytea NOT NULL CHECK (length(device_hash) = 32),
  -- Milliseconds since 1970 UTC
  made_at bigint NOT NULL,
  seen_at bigint NOT NULL,
  PRIMARY KEY (member_id, device_hash)
);
CREATE INDEX known_devices_by_seen ON known_devices (seen_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON known_devices TO fairtick_sessions;

CREATE TABLE operator_devices (
  operator_id bigint NOT NULL REFERENCES operators,
  device_hash bytea NOT NULL CHECK (length(device_hash) = 32),
  made_at bigint NOT NULL,
  seen_at bigint NOT NULL,
  PRIMARY KEY (operator_id, device_hash)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON operator_devices TO fairtick_console;

-- A code belongs to the device that asked for it: a stranger can neither replace the owner's code nor use up its tries.
-- Empty for clients that keep no cookie.
ALTER TABLE verification_codes ADD COLUMN device bytea NOT NULL DEFAULT '\x';
ALTER TABLE verification_codes DROP CONSTRAINT verification_codes_pkey, ADD PRIMARY KEY (purpose, address, device);

-- Success clears the tries of its own device.
GRANT DELETE ON attempts TO fairtick_console;
