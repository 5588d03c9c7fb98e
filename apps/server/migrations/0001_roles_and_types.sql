-- Roles, types and the guards that all tables share. Every part of the server works under its own role; each grant
-- is next to the table or function it opens.

-- Roles are groups without a login. A pool takes one on with "-c role=…", so each part of the server can do its own
-- work and nothing else. On separate hosts, each part gets its own login.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY[
    'fairtick_market',
    'fairtick_orders',
    'fairtick_settlement',
    'fairtick_money',
    'fairtick_sessions',
    'fairtick_reader',
    'fairtick_jobs',
    'fairtick_chain',
    'fairtick_console',
    'fairtick_payout',
    'fairtick_log'
  ] LOOP
    -- Roles belong to the whole cluster: another database may have made them already, or may be making them now.
    BEGIN
      EXECUTE format('CREATE ROLE %I NOLOGIN', name);
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END;
    -- From PostgreSQL 16 on, creating a role lets you grant it but not take it on: that has to be granted separately.
    IF NOT pg_has_role(current_user, name, CASE WHEN current_setting('server_version_num')::integer >= 160000 THEN 'SET' ELSE 'MEMBER' END) THEN
      EXECUTE format('GRANT %I TO CURRENT_USER', name);
    END IF;
  END LOOP;
END
$$;

REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO
  fairtick_market, fairtick_orders, fairtick_settlement, fairtick_money, fairtick_sessions, fairtick_reader,
  fairtick_jobs, fairtick_chain, fairtick_console, fairtick_payout, fairtick_log;
-- A running server compares the applied migrations with the ones it was written for.
GRANT SELECT ON migrations TO fairtick_reader;

CREATE TYPE wallet AS ENUM ('practice', 'real');
CREATE TYPE direction AS ENUM ('up', 'down');
CREATE TYPE outcome AS ENUM ('won', 'lost', 'tied', 'voided');
CREATE TYPE void_reason AS ENUM ('NO_ENTRY_TICK', 'LIMIT_PASSED', 'NO_TICK_BETWEEN', 'STALE_EXIT');

-- The database's clock, ms since 1970 UTC, for functions that write.
CREATE FUNCTION epoch_ms() RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
$$;

-- The same clock within queries. Every instant comes from this one clock, so that a reader never asks too early.
CREATE FUNCTION now_ms() RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
$$;

-- What is agreed, decided or booked never changes. Grants say so to every role; this says so to the owner too.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% on % is refused: its rows are written once', TG_OP, TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END
$$;

-- Closes a table to every change but new rows. The triggers fire in a replica's mode too.
CREATE PROCEDURE write_once(table_name regclass) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TRIGGER refuse_row_change BEFORE UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION refuse_change()', table_name);
  EXECUTE format('CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', table_name);
  EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER refuse_row_change', table_name);
  EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER refuse_truncate', table_name);
END
$$;

-- Every value of a document with its path. Instruments, durations and regions are found by their own key, wherever
-- they are in the document.
CREATE FUNCTION values_of(document jsonb, path text DEFAULT '') RETURNS TABLE (place text, value jsonb)
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  is_keyed boolean := jsonb_typeof(document) = 'array' AND document <> '[]' AND NOT EXISTS (
    SELECT FROM jsonb_array_elements(document) e WHERE coalesce(e ->> 'symbol', e ->> 'iso2', e ->> 'seconds') IS NULL);
BEGIN
  IF jsonb_typeof(document) = 'object' AND document <> '{}' THEN
    RETURN QUERY SELECT v.* FROM jsonb_each(document) e, values_of(e.value, path || '/' || e.key) v;
  ELSIF is_keyed THEN
    RETURN QUERY SELECT v.* FROM jsonb_array_elements(document) e,
      values_of(e, path || '/' || coalesce(e ->> 'symbol', e ->> 'iso2', e ->> 'seconds')) v;
  ELSE
    RETURN QUERY SELECT path, document;
  END IF;
END
$$;
REVOKE EXECUTE ON FUNCTION values_of FROM PUBLIC;

-- Path → [before, after] for every value that differs, except the version and its date.
CREATE FUNCTION changes_between(before jsonb, after jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_object_agg(place, jsonb_build_array(b.value, a.value)), '{}')
  FROM values_of(before - 'version' - 'effectiveAt') b FULL JOIN values_of(after - 'version' - 'effectiveAt') a USING (place)
  WHERE b.value IS DISTINCT FROM a.value
$$;
REVOKE EXECUTE ON FUNCTION changes_between FROM PUBLIC;
