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
GRANT SELECT, INSERT, UPDATE ON members TO fairtick_sessions;
GRANT SELECT (member_id, region, standing, standing_reason, excluded_until, trade_password_set, username, phone, email, language, wallet, settings, created_at, invite_code, invited_by)
  ON members TO fairtick_orders, fairtick_settlement, fairtick_money, fairtick_reader, fairtick_jobs;

-- Limits a member set for himself: of each name the newest row whose effective_at has come is in force, later ones are pending.
CREATE TABLE member_limits (
  member_id bigint NOT NULL REFERENCES members,
  name text NOT NULL CHECK (name IN ('dailyStake', 'dailyLoss', 'sessionMinutes', 'coolOffUntil')),
  effective_at bigint NOT NULL,
  -- micro-USD, minutes or an instant by name; null is no limit
  value bigint,
  PRIMARY KEY (member_id, name, effective_at)
);
GRANT SELECT, INSERT, DELETE ON member_limits TO fairtick_sessions;
GRANT SELECT ON member_limits TO fairtick_orders, fairtick_reader;

CREATE TABLE sessions (
  session_id bigint PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES members,
  token_hash bytea NOT NULL UNIQUE,
  device text NOT NULL,
  place text NOT NULL,
  created_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  ended_at timestamptz
);
CREATE INDEX sessions_by_member ON sessions (member_id) WHERE ended_at IS NULL;
GRANT SELECT, INSERT, UPDATE ON sessions TO fairtick_sessions;
GRANT SELECT (session_id, member_id, expires_at, ended_at) ON sessions TO fairtick_reader;

-- Both wallets of a member in one row: an order costs one lock and one update. Amounts in micro-USD.
CREATE TABLE members_money (
  member_id bigint PRIMARY KEY REFERENCES members,
  practice_available bigint NOT NULL DEFAULT 0 CHECK (practice_available >= 0),
  practice_locked bigint NOT NULL DEFAULT 0 CHECK (practice_locked >= 0),
  practice_running_stakes bigint NOT NULL DEFAULT 0 CHECK (practice_running_stakes >= 0),
  practice_day integer NOT NULL DEFAULT 0,
  practice_staked_today bigint NOT NULL DEFAULT 0,
  practice_lost_today bigint NOT NULL DEFAULT 0,
  -- +1 with each fact about this member's money; every fact carries its number. It stands between the wallets, so that a
  -- change of either is one stretch of the row, which is what is written to the WAL.
  member_seq bigint NOT NULL DEFAULT 0,
  real_available bigint NOT NULL DEFAULT 0 CHECK (real_available >= 0),
  real_locked bigint NOT NULL DEFAULT 0 CHECK (real_locked >= 0),
  real_running_stakes bigint NOT NULL DEFAULT 0 CHECK (real_running_stakes >= 0),
  real_day integer NOT NULL DEFAULT 0,
  real_staked_today bigint NOT NULL DEFAULT 0,
  real_lost_today bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 70);
GRANT SELECT ON members_money TO fairtick_orders, fairtick_settlement, fairtick_money, fairtick_reader, fairtick_jobs, fairtick_sessions;
GRANT INSERT (member_id) ON members_money TO fairtick_sessions;
GRANT UPDATE ON members_money TO fairtick_orders, fairtick_settlement, fairtick_money;
