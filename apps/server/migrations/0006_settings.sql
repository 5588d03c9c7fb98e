-- What operators configure: trading settings, regions and withdrawal terms. Each version has a date, takes two
-- people, and is in the public log before it binds.

CREATE TABLE trading_configs (
  version integer PRIMARY KEY,
  effective_at bigint NOT NULL,
  body jsonb NOT NULL,
  body_hash bytea NOT NULL,
  proposal_id bigint UNIQUE REFERENCES proposals
);
COMMENT ON TABLE trading_configs IS 'What operators configure for trading, one row per version. Each order names the version it was accepted under.';
COMMENT ON COLUMN trading_configs.version IS 'Number of the version';
COMMENT ON COLUMN trading_configs.effective_at IS 'When it takes effect, ms since 1970 UTC';
COMMENT ON COLUMN trading_configs.body IS 'The whole configuration';
COMMENT ON COLUMN trading_configs.body_hash IS 'SHA-256 of the configuration in canonical form';
COMMENT ON COLUMN trading_configs.proposal_id IS 'The proposal it came from; null for the first ones';
CALL write_once('trading_configs');
GRANT SELECT ON trading_configs TO
  fairtick_market, fairtick_orders, fairtick_settlement, fairtick_money, fairtick_sessions, fairtick_reader,
  fairtick_console, fairtick_log;
GRANT SELECT, INSERT ON trading_configs TO fairtick_jobs;

-- Publishes a new configuration version, exactly the one that was agreed. It is in the public log's outbox at least
-- five seconds before it binds: by then, a batch of orders judged by the old one is written or refused. Dates only
-- grow.
--
-- A proposal binds to the values it changes, not to the version it was made over. A proposal made over an older
-- version is published over the newest one as long as nothing it changes was changed in the meantime.
CREATE FUNCTION publish_config(proposal bigint, config text) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  agreed jsonb := (approved_proposal(proposal, 'config')).body::jsonb;
  wished jsonb := agreed -> 'config';
  given jsonb := config::jsonb;
  new_version integer := (given ->> 'version')::integer;
  binds_at bigint := (given ->> 'effectiveAt')::bigint;
  newest trading_configs;
  base jsonb;
  digest bytea := sha256(convert_to(config, 'UTF8'));
BEGIN
  LOCK TABLE trading_configs IN SHARE ROW EXCLUSIVE MODE;
  SELECT * INTO STRICT newest FROM trading_configs ORDER BY version DESC LIMIT 1;
  SELECT body INTO base FROM trading_configs WHERE version = (wished ->> 'version')::integer - 1;
  IF base IS NULL OR changes_between(newest.body, given) <> changes_between(base, wished)
      OR (agreed ->> 'effectiveAt' IS NOT NULL AND (agreed ->> 'effectiveAt')::bigint <> binds_at) THEN
    RAISE EXCEPTION 'configuration % is not the one that proposal % agreed on', new_version, proposal USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF EXISTS (SELECT FROM trading_configs WHERE proposal_id = proposal OR body - 'effectiveAt' = wished - 'effectiveAt')
      OR new_version <> newest.version + 1 OR binds_at <= newest.effective_at
      OR binds_at < floor(extract(epoch FROM clock_timestamp()) * 1000) + 5000 THEN
    RAISE EXCEPTION 'configuration % cannot bind from % on', new_version, binds_at USING ERRCODE = 'check_violation';
  END IF;
  INSERT INTO trading_configs (version, effective_at, body, body_hash, proposal_id) VALUES (new_version, binds_at, given, digest, proposal);
  INSERT INTO outbox (kind, entry) VALUES ('config',
    format('{"effectiveAt":%s,"hash":"%s","kind":"config","v":1,"version":%s}', binds_at, encode(digest, 'hex'), new_version));
  RETURN new_version;
END
$$;
REVOKE EXECUTE ON FUNCTION publish_config FROM PUBLIC;
GRANT EXECUTE ON FUNCTION publish_config TO fairtick_console;

CREATE TABLE policies (
  name text NOT NULL CHECK (name IN ('regions', 'withdrawals')),
  version integer NOT NULL CHECK (version > 0),
  effective_at bigint NOT NULL,
  body text NOT NULL,
  proposal_id bigint UNIQUE REFERENCES proposals,
  PRIMARY KEY (name, version)
);
COMMENT ON TABLE policies IS 'Versions of what operators decide besides trading: regions and withdrawal terms.';
COMMENT ON COLUMN policies.name IS 'Which policy';
COMMENT ON COLUMN policies.version IS 'Number of the version';
COMMENT ON COLUMN policies.effective_at IS 'When it takes effect, ms since 1970 UTC';
COMMENT ON COLUMN policies.body IS 'Canonical JSON: the exact bytes that the log''s entry hashes';
COMMENT ON COLUMN policies.proposal_id IS 'The proposal it came from; null for the first ones';
CALL write_once('policies');
-- Every version is in the public log anyway.
GRANT SELECT ON policies TO fairtick_orders, fairtick_reader, fairtick_console, fairtick_payout, fairtick_log;

CREATE TABLE region_terms (
  version integer NOT NULL,
  iso2 text NOT NULL CHECK (iso2 ~ '^[A-Z]{2}$'),
  dial_code text NOT NULL,
  currency text NOT NULL,
  policy text NOT NULL CHECK (policy IN ('full', 'practice', 'blocked')),
  deposits boolean NOT NULL,
  products text[] NOT NULL CHECK (cardinality(products) > 0 AND products <@ '{fx,crypto}'),
  legal_age integer NOT NULL CHECK (legal_age BETWEEN 18 AND 99),
  rule_name text,
  rule_year integer,
  PRIMARY KEY (version, iso2),
  -- A region that isn't fully open names the rule that restricts it.
  CHECK ((policy = 'full') = (rule_name IS NULL) AND (rule_name IS NULL) = (rule_year IS NULL))
);
COMMENT ON TABLE region_terms IS 'Each version of the regions in rows, to look up by a member''s region.';
COMMENT ON COLUMN region_terms.version IS 'Number of the version';
COMMENT ON COLUMN region_terms.iso2 IS 'Region, ISO 3166 alpha-2';
COMMENT ON COLUMN region_terms.dial_code IS 'Country calling code';
COMMENT ON COLUMN region_terms.currency IS 'Currency the region pays in, ISO 4217';
COMMENT ON COLUMN region_terms.policy IS '`full`: both wallets; `practice`: the practice wallet only; `blocked`: nobody registers and nothing new starts';
COMMENT ON COLUMN region_terms.deposits IS 'Whether new deposits are accepted. Withdrawals are never closed';
COMMENT ON COLUMN region_terms.products IS 'Kinds of instruments that can be traded';
COMMENT ON COLUMN region_terms.legal_age IS 'Lowest age, years';
COMMENT ON COLUMN region_terms.rule_name IS 'The rule that closes the region; null where it is fully open';
COMMENT ON COLUMN region_terms.rule_year IS 'Year of that rule';
CALL write_once('region_terms');
GRANT SELECT ON region_terms TO fairtick_reader;

CREATE FUNCTION policy_version_now(of_name text) RETURNS integer LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT version FROM policies WHERE name = of_name AND effective_at <= floor(extract(epoch FROM clock_timestamp()) * 1000)
  ORDER BY version DESC LIMIT 1
$$;
REVOKE EXECUTE ON FUNCTION policy_version_now FROM PUBLIC;
GRANT EXECUTE ON FUNCTION policy_version_now TO
  fairtick_money, fairtick_sessions, fairtick_reader, fairtick_jobs, fairtick_console, fairtick_payout;

-- Stores a version with its entry for the log. Both functions below end here.
CREATE FUNCTION store_policy(of_name text, policy_body text, proposal bigint DEFAULT NULL) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  given jsonb := policy_body::jsonb;
  new_version integer := (given ->> 'version')::integer;
  binds_at bigint := (given ->> 'effectiveAt')::bigint;
BEGIN
  INSERT INTO policies (name, version, effective_at, body, proposal_id) VALUES (of_name, new_version, binds_at, policy_body, proposal);
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
REVOKE EXECUTE ON FUNCTION store_policy FROM PUBLIC;

-- Stores the first version while there is none. Several processes may start at once: one of them does it.
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
REVOKE EXECUTE ON FUNCTION seed_policy FROM PUBLIC;
GRANT EXECUTE ON FUNCTION seed_policy TO fairtick_jobs;

-- Publishes a new version, exactly the one that was agreed, in the log's outbox at least five seconds before it
-- binds. Dates only grow.
CREATE FUNCTION publish_policy(proposal bigint, of_name text, policy_body text) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  agreed jsonb := (approved_proposal(proposal, of_name)).body::jsonb;
  wished jsonb := agreed -> 'policy';
  given jsonb := policy_body::jsonb;
  binds_at bigint := (given ->> 'effectiveAt')::bigint;
  newest policies;
  base jsonb;
BEGIN
  LOCK TABLE policies IN SHARE ROW EXCLUSIVE MODE;
  SELECT * INTO STRICT newest FROM policies WHERE name = of_name ORDER BY version DESC LIMIT 1;
  SELECT body INTO base FROM policies WHERE name = of_name AND version = (wished ->> 'version')::integer - 1;
  IF base IS NULL OR changes_between(newest.body::jsonb, given) <> changes_between(base, wished)
      OR (agreed ->> 'effectiveAt' IS NOT NULL AND (agreed ->> 'effectiveAt')::bigint <> binds_at) THEN
    RAISE EXCEPTION 'these % are not what proposal % agreed on', of_name, proposal USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF EXISTS (SELECT FROM policies WHERE name = of_name AND (proposal_id = proposal OR body::jsonb - 'effectiveAt' = wished - 'effectiveAt'))
      OR (given ->> 'version')::integer <> newest.version + 1 OR binds_at <= newest.effective_at
      OR binds_at < floor(extract(epoch FROM clock_timestamp()) * 1000) + 5000 THEN
    RAISE EXCEPTION 'version % of % cannot bind from % on', given ->> 'version', of_name, binds_at USING ERRCODE = 'check_violation';
  END IF;
  RETURN store_policy(of_name, policy_body, proposal);
END
$$;
REVOKE EXECUTE ON FUNCTION publish_policy FROM PUBLIC;
GRANT EXECUTE ON FUNCTION publish_policy TO fairtick_console;

CREATE VIEW published_by AS
  SELECT 'config' AS kind, version, proposal_id FROM trading_configs WHERE proposal_id IS NOT NULL
  UNION ALL SELECT name, version, proposal_id FROM policies WHERE proposal_id IS NOT NULL
  UNION ALL SELECT p.kind, t.version, p.proposal_id FROM trading_configs t JOIN proposals p ON p.kind = 'config'
      AND (p.body::jsonb -> 'config') - 'effectiveAt' = t.body - 'effectiveAt' JOIN decisions d ON d.proposal_id = p.proposal_id AND d.decision = 'approved'
    WHERE t.proposal_id IS NULL
  UNION ALL SELECT p.kind, t.version, p.proposal_id FROM policies t JOIN proposals p ON p.kind = t.name
      AND (p.body::jsonb -> 'policy') - 'effectiveAt' = t.body::jsonb - 'effectiveAt' JOIN decisions d ON d.proposal_id = p.proposal_id AND d.decision = 'approved'
    WHERE t.proposal_id IS NULL;
COMMENT ON VIEW published_by IS 'Which version each approved proposal became.';
COMMENT ON COLUMN published_by.kind IS 'Configuration or policy';
COMMENT ON COLUMN published_by.version IS 'Number of the version';
COMMENT ON COLUMN published_by.proposal_id IS 'The proposal';
GRANT SELECT ON published_by TO fairtick_console;

CREATE VIEW region_terms_now AS SELECT * FROM region_terms WHERE version = (SELECT policy_version_now('regions'));
COMMENT ON VIEW region_terms_now IS 'The regions in force.';
COMMENT ON COLUMN region_terms_now.version IS 'Number of the version';
COMMENT ON COLUMN region_terms_now.iso2 IS 'Region, ISO 3166 alpha-2';
COMMENT ON COLUMN region_terms_now.dial_code IS 'Country calling code';
COMMENT ON COLUMN region_terms_now.currency IS 'Currency the region pays in, ISO 4217';
COMMENT ON COLUMN region_terms_now.policy IS '`full`: both wallets; `practice`: the practice wallet only; `blocked`: nobody registers and nothing new starts';
COMMENT ON COLUMN region_terms_now.deposits IS 'Whether new deposits are accepted. Withdrawals are never closed';
COMMENT ON COLUMN region_terms_now.products IS 'Kinds of instruments that can be traded';
COMMENT ON COLUMN region_terms_now.legal_age IS 'Lowest age, years';
COMMENT ON COLUMN region_terms_now.rule_name IS 'The rule that closes the region; null where it is fully open';
COMMENT ON COLUMN region_terms_now.rule_year IS 'Year of that rule';
GRANT SELECT ON region_terms_now TO
  fairtick_money, fairtick_sessions, fairtick_reader, fairtick_jobs, fairtick_console;

CREATE VIEW withdrawal_terms_now AS
  SELECT version, effective_at, body FROM policies WHERE name = 'withdrawals' AND version = (SELECT policy_version_now('withdrawals'));
COMMENT ON VIEW withdrawal_terms_now IS 'The withdrawal terms in force.';
COMMENT ON COLUMN withdrawal_terms_now.version IS 'Number of the version';
COMMENT ON COLUMN withdrawal_terms_now.effective_at IS 'When it takes effect, ms since 1970 UTC';
COMMENT ON COLUMN withdrawal_terms_now.body IS 'Canonical JSON: the exact bytes that the log''s entry hashes';
GRANT SELECT ON withdrawal_terms_now TO fairtick_money, fairtick_reader, fairtick_console, fairtick_payout;
