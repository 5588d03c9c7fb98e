-- Fingerprints of the keys that this house signs and seals with: SHA-256 in hexadecimal, by what the key is for. The keys lie in
-- data folders, never here. A process that holds none of the keys of a name does not start: a second data folder on this
-- database would sign another log, and could not make the prices that running orders wait for.
CREATE TABLE house_keys (
  name text NOT NULL,
  fingerprint text NOT NULL CHECK (fingerprint ~ '^[0-9a-f]{64}$'),
  since timestamptz NOT NULL DEFAULT now(),
  -- Somebody said that the data folder is lost: another folder's keys took its place.
  given_up_at timestamptz,
  PRIMARY KEY (name, fingerprint)
);
GRANT SELECT, INSERT, UPDATE (given_up_at) ON house_keys TO fairtick_market, fairtick_log;
GRANT SELECT ON house_keys TO fairtick_jobs;

-- A house of before has registered its signing keys.
INSERT INTO house_keys (name, fingerprint, since)
  SELECT CASE WHEN role = 'log' THEN 'log' WHEN split_part(key, '+', 1) LIKE '%/slots' THEN 'slots' ELSE 'acceptance' END,
    encode(sha256(convert_to(key, 'UTF8')), 'hex'), to_timestamp(since / 1000.0)
  FROM log_keys;
