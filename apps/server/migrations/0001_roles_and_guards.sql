-- Roles are groups without login: a pool takes one on with "-c role=…", so that each part of the
-- server can do its own work and nothing else. On separate hosts each gets its own login.

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['fairtick_market', 'fairtick_orders', 'fairtick_settlement', 'fairtick_money', 'fairtick_sessions', 'fairtick_reader', 'fairtick_jobs'] LOOP
    -- Roles belong to the whole cluster: another database of it may have made them, even at this moment.
    BEGIN
      EXECUTE format('CREATE ROLE %I NOLOGIN', name);
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END;
    -- Who made a role may grant it from PostgreSQL 16 on, yet not take it on: that is asked for apart.
    IF NOT pg_has_role(current_user, name, CASE WHEN current_setting('server_version_num')::integer >= 160000 THEN 'SET' ELSE 'MEMBER' END) THEN
      EXECUTE format('GRANT %I TO CURRENT_USER', name);
    END IF;
  END LOOP;
END
$$;

REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO fairtick_market, fairtick_orders, fairtick_settlement, fairtick_money, fairtick_sessions, fairtick_reader, fairtick_jobs;

CREATE TYPE wallet AS ENUM ('practice', 'real');
CREATE TYPE direction AS ENUM ('up', 'down');
CREATE TYPE outcome AS ENUM ('won', 'lost', 'tied', 'voided');
CREATE TYPE void_reason AS ENUM ('NO_ENTRY_TICK', 'LIMIT_PASSED', 'NO_TICK_BETWEEN', 'STALE_EXIT');

-- What is agreed, decided or booked is never changed; grants say so first, this says so to the owner too.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% on % is refused: its rows are written once', TG_OP, TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE PROCEDURE write_once(table_name regclass) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TRIGGER refuse_row_change BEFORE UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION refuse_change()', table_name);
  EXECUTE format('CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', table_name);
  EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER refuse_row_change', table_name);
  EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER refuse_truncate', table_name);
END
$$;

-- Outbox of the public log: an event's own transaction inserts its entry; the log's one writer takes them in order.
CREATE TABLE outbox (
  outbox_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  -- JSON with sorted keys, integers and strings only; kept as the very bytes that will be hashed.
  entry text NOT NULL
);
CALL write_once('outbox');
GRANT INSERT ON outbox TO fairtick_market, fairtick_orders, fairtick_settlement, fairtick_money, fairtick_jobs;
GRANT SELECT ON outbox TO fairtick_market, fairtick_jobs;

-- What operators configure for trading, one row a version; orders name the version they were accepted under.
CREATE TABLE trading_configs (
  version integer PRIMARY KEY,
  effective_at bigint NOT NULL,
  body jsonb NOT NULL,
  body_hash bytea NOT NULL
);
CALL write_once('trading_configs');
GRANT SELECT ON trading_configs TO fairtick_market, fairtick_orders, fairtick_settlement, fairtick_money, fairtick_sessions, fairtick_reader, fairtick_jobs;
GRANT INSERT ON trading_configs TO fairtick_jobs;
