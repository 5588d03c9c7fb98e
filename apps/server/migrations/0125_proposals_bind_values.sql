-- A proposal binds to the values that it changes, not to the version that it was made over. One that was made over an
-- older version is published over the newest one, as long as nothing it changes was changed meanwhile.

-- Which proposal a version came from. Null for the first ones, and for those published before this column was there.
ALTER TABLE trading_configs ADD COLUMN proposal_id bigint UNIQUE REFERENCES proposals;
ALTER TABLE policies ADD COLUMN proposal_id bigint UNIQUE REFERENCES proposals;

-- Each value of a document with its path. Instruments, durations and regions are found by their own key, wherever they stand.
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

-- Path → [before, after] of each value that differs, but for the version and its date.
CREATE FUNCTION changes_between(before jsonb, after jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_object_agg(place, jsonb_build_array(b.value, a.value)), '{}')
  FROM values_of(before - 'version' - 'effectiveAt') b FULL JOIN values_of(after - 'version' - 'effectiveAt') a USING (place)
  WHERE b.value IS DISTINCT FROM a.value
$$;

CREATE OR REPLACE FUNCTION publish_config(proposal bigint, config text) RETURNS integer
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

DROP FUNCTION store_policy(text, text);
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

CREATE OR REPLACE FUNCTION publish_policy(proposal bigint, of_name text, policy_body text) RETURNS integer
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
REVOKE EXECUTE ON FUNCTION values_of, changes_between, store_policy FROM PUBLIC;

-- Which version each approved proposal became. Before the column was there, a version bore its proposal's own number.
CREATE VIEW published_by AS
  SELECT 'config' AS kind, version, proposal_id FROM trading_configs WHERE proposal_id IS NOT NULL
  UNION ALL SELECT name, version, proposal_id FROM policies WHERE proposal_id IS NOT NULL
  UNION ALL SELECT p.kind, t.version, p.proposal_id FROM trading_configs t JOIN proposals p ON p.kind = 'config'
      AND (p.body::jsonb -> 'config') - 'effectiveAt' = t.body - 'effectiveAt' JOIN decisions d ON d.proposal_id = p.proposal_id AND d.decision = 'approved'
    WHERE t.proposal_id IS NULL
  UNION ALL SELECT p.kind, t.version, p.proposal_id FROM policies t JOIN proposals p ON p.kind = t.name
      AND (p.body::jsonb -> 'policy') - 'effectiveAt' = t.body::jsonb - 'effectiveAt' JOIN decisions d ON d.proposal_id = p.proposal_id AND d.decision = 'approved'
    WHERE t.proposal_id IS NULL;
GRANT SELECT ON published_by TO fairtick_console;
