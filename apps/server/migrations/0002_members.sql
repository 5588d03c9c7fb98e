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
COMMENT ON TABLE members IS 'Members: how they log in, where they live, and their standing.';
COMMENT ON COLUMN members.member_id IS 'Number of the member';
COMMENT ON COLUMN members.phone IS 'Phone number in E.164 form; null if they have only an e-mail address';
COMMENT ON COLUMN members.email IS 'E-mail address in lower case; null if they have only a phone number';
COMMENT ON COLUMN members.username IS 'Display name; null until they choose one';
COMMENT ON COLUMN members.region IS 'Region they live in, ISO 3166 alpha-2';
COMMENT ON COLUMN members.password_hash IS 'Hash of the login password';
COMMENT ON COLUMN members.trade_password_hash IS 'Hash of the transaction password; null until it is set';
COMMENT ON COLUMN members.trade_password_set IS 'Whether a transaction password is set, for roles that may not read its hash';
COMMENT ON COLUMN members.standing IS 'What they may do: active, suspended, excluded (by themselves) or closed';
COMMENT ON COLUMN members.standing_reason IS 'Why the standing is not active';
COMMENT ON COLUMN members.excluded_until IS 'Until when a self-exclusion lasts, ms since 1970 UTC';
COMMENT ON COLUMN members.language IS 'Language they use';
COMMENT ON COLUMN members.wallet IS 'The wallet they last chose';
COMMENT ON COLUMN members.settings IS 'Their settings for the app';
COMMENT ON COLUMN members.terms_version IS 'Version of the terms they agreed to';
COMMENT ON COLUMN members.invite_code IS 'Their own code for inviting others';
COMMENT ON COLUMN members.invited_by IS 'The member who invited them';
COMMENT ON COLUMN members.created_at IS 'When they registered';
CREATE INDEX members_by_inviter ON members (invited_by, member_id) WHERE invited_by IS NOT NULL;
GRANT SELECT, INSERT, UPDATE ON members TO fairtick_sessions;
GRANT
  SELECT (member_id, phone, email, username, region, trade_password_set, standing, standing_reason, excluded_until,
    language, wallet, settings, invite_code, invited_by, created_at)
  ON members TO fairtick_orders, fairtick_settlement, fairtick_money, fairtick_reader, fairtick_jobs;
-- Operators may read these columns, and write none.
GRANT
  SELECT (member_id, phone, email, username, region, trade_password_set, standing, standing_reason, excluded_until,
    language, wallet, invite_code, invited_by, created_at)
  ON members TO fairtick_console;

CREATE TABLE member_limits (
  member_id bigint NOT NULL REFERENCES members,
  name text NOT NULL CHECK (name IN ('dailyStake', 'dailyLoss', 'sessionMinutes', 'coolOffUntil')),
  effective_at bigint NOT NULL,
  value bigint,
  PRIMARY KEY (member_id, name, effective_at)
);
COMMENT ON TABLE member_limits IS 'Limits members set for themselves. For each name, the newest row whose effective_at has come is in force; later ones are pending.';
COMMENT ON COLUMN member_limits.member_id IS 'The member';
COMMENT ON COLUMN member_limits.name IS 'Which limit';
COMMENT ON COLUMN member_limits.effective_at IS 'When it takes effect, ms since 1970 UTC';
COMMENT ON COLUMN member_limits.value IS 'Its value by name: micro-USD a day, minutes, or ms since 1970 UTC; null for no limit';
GRANT SELECT ON member_limits TO fairtick_orders, fairtick_reader;
GRANT SELECT, INSERT, DELETE ON member_limits TO fairtick_sessions;

CREATE TABLE favourites (
  member_id bigint NOT NULL REFERENCES members,
  symbol text NOT NULL,
  marked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (member_id, symbol)
);
COMMENT ON TABLE favourites IS 'Instruments that members marked.';
COMMENT ON COLUMN favourites.member_id IS 'The member';
COMMENT ON COLUMN favourites.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN favourites.marked_at IS 'When they marked it; the list keeps this order';
GRANT SELECT ON favourites TO fairtick_reader;
GRANT SELECT, INSERT, DELETE ON favourites TO fairtick_sessions;

CREATE TABLE closings (
  member_id bigint PRIMARY KEY REFERENCES members,
  reason text NOT NULL CHECK (reason IN ('member', 'consent')),
  asked_at bigint NOT NULL,
  closed_at bigint
);
COMMENT ON TABLE closings IS 'Accounts that are closing, because the member asked or withdrew their consent. Nothing new starts from asked_at on.';
COMMENT ON COLUMN closings.member_id IS 'The member';
COMMENT ON COLUMN closings.reason IS 'Who ended it: the member, or a withdrawn consent';
COMMENT ON COLUMN closings.asked_at IS 'When they asked for it, ms since 1970 UTC';
COMMENT ON COLUMN closings.closed_at IS 'When the last running order ended, ms since 1970 UTC; null until then';
CREATE INDEX closings_waiting ON closings (asked_at) WHERE closed_at IS NULL;
GRANT SELECT ON closings TO fairtick_reader, fairtick_console;
GRANT SELECT, INSERT ON closings TO fairtick_sessions;
GRANT UPDATE (reason, closed_at) ON closings TO fairtick_sessions;

CREATE TABLE known_devices (
  member_id bigint NOT NULL REFERENCES members,
  device_hash bytea NOT NULL CHECK (length(device_hash) = 32),
  made_at bigint NOT NULL,
  seen_at bigint NOT NULL,
  PRIMARY KEY (member_id, device_hash)
);
COMMENT ON TABLE known_devices IS 'Devices that members have logged in on. Their failed attempts are counted apart from strangers'', so nobody can lock a member out by guessing.';
COMMENT ON COLUMN known_devices.member_id IS 'The member';
COMMENT ON COLUMN known_devices.device_hash IS 'SHA-256 of the key in the device''s cookie';
COMMENT ON COLUMN known_devices.made_at IS 'When it was first used, ms since 1970 UTC';
COMMENT ON COLUMN known_devices.seen_at IS 'When it was last used, ms since 1970 UTC';
CREATE INDEX known_devices_by_seen ON known_devices (seen_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON known_devices TO fairtick_sessions;
