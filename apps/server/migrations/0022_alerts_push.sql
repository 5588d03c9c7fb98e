-- Messages that members asked for: when a price is reached. Prices in points, instants in milliseconds since 1970 UTC.
CREATE TABLE price_alerts (
  alert_id bigint PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES members,
  symbol text NOT NULL,
  -- up: at or above the price; down: at or below it
  direction direction NOT NULL,
  price bigint NOT NULL CHECK (price > 0),
  client_id text NOT NULL,
  created_at bigint NOT NULL,
  fired_at bigint,
  fired_price bigint,
  UNIQUE (member_id, client_id),
  CHECK ((fired_at IS NULL) = (fired_price IS NULL))
);
CREATE INDEX price_alerts_waiting ON price_alerts (symbol) WHERE fired_at IS NULL;

-- How far the sealed ticks of an instrument were held against the alerts that wait.
CREATE TABLE alert_progress (
  symbol text PRIMARY KEY,
  checked_through bigint NOT NULL
);

-- Browsers that take messages while the app is closed. One belongs to the session in which it asked for them, and ends
-- with it: a device that was logged out is told nothing.
CREATE TABLE push_subscriptions (
  endpoint text PRIMARY KEY,
  session_id bigint NOT NULL REFERENCES sessions,
  member_id bigint NOT NULL REFERENCES members,
  p256dh text NOT NULL,
  auth text NOT NULL,
  created_at bigint NOT NULL
);
CREATE INDEX push_subscriptions_by_member ON push_subscriptions (member_id);

GRANT SELECT, INSERT, DELETE ON price_alerts TO fairtick_sessions;
GRANT SELECT, UPDATE (fired_at, fired_price) ON price_alerts TO fairtick_jobs;
GRANT SELECT ON price_alerts TO fairtick_reader;
GRANT SELECT, INSERT, UPDATE ON alert_progress TO fairtick_jobs;
GRANT SELECT, INSERT, UPDATE, DELETE ON push_subscriptions TO fairtick_sessions;
GRANT SELECT, DELETE ON push_subscriptions TO fairtick_jobs;
GRANT SELECT (session_id, ended_at, expires_at) ON sessions TO fairtick_jobs;
