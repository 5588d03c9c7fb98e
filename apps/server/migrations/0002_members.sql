-- Members, their own limits, what they marked, and the devices they use.

CREATE TABLE members (
  member_id bigint PRIMARY KEY,
  phone text UNIQUE CHECK (phone ~ '^\+[1-9][0-9]{5,14}$'),
  email text UNIQUE CHECK (email = lower(email)),
  username text,
  region text NOT NULL CHECK (region ~ '^[A-Z]{2}$'),
  password_hash text NOT NULL,
  trade_password_hash text,
  trade_password_set boolean NOT NULL GENERATED ALWAYS AS (trade_password_hash IS NOT NULL) STORED,
  standing text NOT NULL DEFAULT 'active' CHECK (standing IN ('active', 'suspended', 'excluded', 'closed')),
  standing_reason text,
  -- Instant (ms) until which a self-exclusion lasts.
  excluded_until bigint,
  language text NOT NULL DEFAULT 'en',
  wallet wallet NOT NULL DEFAULT 'practice',
  settings jsonb NOT NULL DEFAULT '{}',
  terms_version text NOT NULL,
  invite_code text NOT NULL UNIQUE,
  invited_by bigint REFERENCES members,
  created_at timestamptz NOT NULL,
  CHECK (phone IS NOT NULL OR email IS NOT NULL)
);
CREATE INDEX members_by_inviter ON members (invited_by, member_id) WHERE invited_by IS NOT NULL;
-- What operators may look at; nothing of it may they write.
GRANT SELECT, INSERT, UPDATE ON members TO fairtick_sessions;
GRANT
  SELECT (member_id, phone, email, username, region, trade_password_set, standing, standing_reason, excluded_until,
    language, wallet, settings, invite_code, invited_by, created_at)
  ON members TO fairtick_orders, fairtick_settlement, fairtick_money, fairtick_reader, fairtick_jobs;
GRANT
  SELECT (member_id, phone, email, username, region, trade_password_set, standing, standing_reason, excluded_until,
    language, wallet, invite_code, invited_by, created_at)
  ON members TO fairtick_console;

-- Limits a member set for himself: of each name the newest row whose effective_at has come is in force, later ones are pending.
CREATE TABLE member_limits (
  member_id bigint NOT NULL REFERENCES members,
  name text NOT NULL CHECK (name IN ('dailyStake', 'dailyLoss', 'sessionMinutes', 'coolOffUntil')),
  effective_at bigint NOT NULL,
  -- micro-USD, minutes or an instant by name; null is no limit
  value bigint,
  PRIMARY KEY (member_id, name, effective_at)
);
GRANT SELECT ON member_limits TO fairtick_orders, fairtick_reader;
GRANT SELECT, INSERT, DELETE ON member_limits TO fairtick_sessions;

-- Instruments a member marked, in the order in which he did.
CREATE TABLE favourites (
  member_id bigint NOT NULL REFERENCES members,
  symbol text NOT NULL,
  marked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (member_id, symbol)
);
GRANT SELECT ON favourites TO fairtick_reader;
GRANT SELECT, INSERT, DELETE ON favourites TO fairtick_sessions;

-- Accounts whose members close them, or withdraw their consent. From asked_at on nothing new starts; closed_at is when no
-- order of theirs runs any more.
CREATE TABLE closings (
  member_id bigint PRIMARY KEY REFERENCES members,
  reason text NOT NULL CHECK (reason IN ('member', 'consent')),
  asked_at bigint NOT NULL,
  closed_at bigint
);
CREATE INDEX closings_waiting ON closings (asked_at) WHERE closed_at IS NULL;
GRANT SELECT ON closings TO fairtick_reader, fairtick_console;
GRANT SELECT, INSERT ON closings TO fairtick_sessions;
GRANT UPDATE (reason, closed_at) ON closings TO fairtick_sessions;

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
