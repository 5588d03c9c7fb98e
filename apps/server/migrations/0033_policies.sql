-- What operators decide beside trading: versions with a date, proposed by one and approved by another, in the public log's outbox
-- before they bind. The database's clock says which one holds.
CREATE TABLE policies (
  name text NOT NULL CHECK (name IN ('regions', 'withdrawals')),
  version integer NOT NULL CHECK (version > 0),
  -- Milliseconds since 1970 UTC; grows with the version.
  effective_at bigint NOT NULL,
  -- Canonical JSON: the very bytes that the log's entry hashes.
  body text NOT NULL,
  PRIMARY KEY (name, version)
);
CALL write_once('policies');

INSERT INTO proposal_kinds (kind, maker_roles, checker_roles) VALUES ('regions', '{admin}', '{admin}'), ('withdrawals', '{admin}', '{admin}');

-- Each version of the regions in rows, for queries by a member's region.
CREATE TABLE region_terms (
  version integer NOT NULL,
  iso2 text NOT NULL CHECK (iso2 ~ '^[A-Z]{2}$'),
  dial_code text NOT NULL,
  currency text NOT NULL,
  -- `full`: both wallets, `practice`: that one alone, `blocked`: nobody registers and nothing new starts.
  policy text NOT NULL CHECK (policy IN ('full', 'practice', 'blocked')),
  -- Whether new deposits are taken. There is no such thing for withdrawals: whoever has money here takes it home.
  deposits boolean NOT NULL,
  -- Kinds of instruments that take orders.
  products text[] NOT NULL CHECK (cardinality(products) > 0 AND products <@ '{fx,crypto}'),
  legal_age integer NOT NULL CHECK (legal_age BETWEEN 18 AND 99),
  rule_name text,
  rule_year integer,
  PRIMARY KEY (version, iso2),
  -- What is not open names the rule that closes it.
  CHECK ((policy = 'full') = (rule_name IS NULL) AND (rule_name IS NULL) = (rule_year IS NULL))
);
CALL write_once('region_terms');

CREATE FUNCTION policy_version_now(of_name text) RETURNS integer LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT version FROM policies WHERE name = of_name AND effective_at <= floor(extract(epoch FROM clock_timestamp()) * 1000)
  ORDER BY version DESC LIMIT 1
$$;
CREATE VIEW region_terms_now AS SELECT * FROM region_terms WHERE version = (SELECT policy_version_now('regions'));

-- Stores a version with its entry for the log. Both functions below end in it.
CREATE FUNCTION store_policy(of_name text, policy_body text) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  given jsonb := policy_body::jsonb;
  new_version integer := (given ->> 'version')::integer;
  binds_at bigint := (given ->> 'effectiveAt')::bigint;
BEGIN
  INSERT INTO policies (name, version, effective_at, body) VALUES (of_name, new_version, binds_at, policy_body);
  IF of_name = 'regions' THEN
    INSERT INTO region_terms (version, iso2, dial_code, currency, policy, deposits, products, legal_age, rule_name, rule_year)
      SELECT new_version, r ->> 'iso2', r ->> 'dialCode', r ->> 'currency', r ->> 'policy', (r ->> 'deposits')::boolean,
        ARRAY(SELECT jsonb_array_elements_text(r -> 'products')), (r ->> 'legalAge')::integer, r #>> '{rule,name}', (r #>> '{rule,year}')::integer
      FROM jsonb_array_elements(given -> 'regions') r;
  END IF;
  INSERT INTO outbox (kind, entry) VALUES ('policy', format('{"effectiveAt":%s,"hash":"%s","kind":"policy","name":"%s","v":1,"version":%s}',
    binds_at, encode(sha256(convert_to(policy_body, 'UTF8')), 'hex'), of_name, new_version));
  RETURN new_version;
END
$$;

-- The first version, while there is none. Several processes may start at once: one of them does it.
CREATE FUNCTION seed_policy(of_name text, policy_body text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  LOCK TABLE policies IN SHARE ROW EXCLUSIVE MODE;
  IF (policy_body::jsonb ->> 'version')::integer <> 1 OR EXISTS (SELECT FROM policies WHERE name = of_name) THEN
    RETURN false;
  END IF;
  PERFORM store_policy(of_name, policy_body);
  RETURN true;
END
$$;

-- A new version, exactly the one that was agreed, in the log's outbox at least five seconds before it binds. Dates only grow.
CREATE FUNCTION publish_policy(proposal bigint, of_name text, policy_body text) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  agreed jsonb := (approved_proposal(proposal, of_name)).body::jsonb;
  given jsonb := policy_body::jsonb;
  binds_at bigint := (given ->> 'effectiveAt')::bigint;
  newest policies;
BEGIN
  LOCK TABLE policies IN SHARE ROW EXCLUSIVE MODE;
  SELECT * INTO STRICT newest FROM policies WHERE name = of_name ORDER BY version DESC LIMIT 1;
  IF given - 'effectiveAt' <> (agreed -> 'policy') - 'effectiveAt'
      OR (agreed ->> 'effectiveAt' IS NOT NULL AND (agreed ->> 'effectiveAt')::bigint <> binds_at) THEN
    RAISE EXCEPTION 'these % are not what proposal % agreed on', of_name, proposal USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF (given ->> 'version')::integer <> newest.version + 1 OR binds_at <= newest.effective_at
      OR binds_at < floor(extract(epoch FROM clock_timestamp()) * 1000) + 5000 THEN
    RAISE EXCEPTION 'version % of % cannot bind from % on', given ->> 'version', of_name, binds_at USING ERRCODE = 'check_violation';
  END IF;
  RETURN store_policy(of_name, policy_body);
END
$$;

REVOKE EXECUTE ON FUNCTION policy_version_now, store_policy, seed_policy, publish_policy FROM PUBLIC;
GRANT EXECUTE ON FUNCTION policy_version_now TO fairtick_sessions, fairtick_money, fairtick_reader, fairtick_jobs, fairtick_console, fairtick_payout;
GRANT EXECUTE ON FUNCTION seed_policy TO fairtick_jobs;
GRANT EXECUTE ON FUNCTION publish_policy TO fairtick_console;
-- Public by nature: every version stands in the log.
GRANT SELECT ON policies TO fairtick_orders, fairtick_reader, fairtick_console, fairtick_log;
GRANT SELECT ON region_terms TO fairtick_reader;
GRANT SELECT ON region_terms_now TO fairtick_sessions, fairtick_money, fairtick_reader, fairtick_jobs, fairtick_console;
