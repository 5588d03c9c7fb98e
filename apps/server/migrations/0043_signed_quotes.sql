-- Signed quotes that ticks were composed with, kept as they came, so that anybody can check who signed them. One update of
-- Pyth's serves all instruments of its moment and one quote several ticks: each is stored once, named by its hash.

CREATE TABLE pyth_updates (
  -- sha256 of the VAA
  hash bytea PRIMARY KEY CHECK (length(hash) = 32),
  vaa bytea NOT NULL
);
CALL write_once('pyth_updates');

CREATE TABLE pyth_quotes (
  -- sha256 of "QUOTE1\0" || sha256 of the VAA || message
  hash bytea PRIMARY KEY CHECK (length(hash) = 32),
  update_hash bytea NOT NULL REFERENCES pyth_updates,
  message bytea NOT NULL,
  -- Sibling hashes of 20 bytes, from the leaf up.
  branch bytea NOT NULL CHECK (length(branch) % 20 = 0)
);
CALL write_once('pyth_quotes');

CREATE TABLE tick_quotes (
  symbol text NOT NULL,
  time bigint NOT NULL,
  seq bigint NOT NULL,
  -- What the tick is the median of: name=points, joined by +, by name.
  sources text NOT NULL,
  quote_hash bytea NOT NULL REFERENCES pyth_quotes,
  PRIMARY KEY (symbol, time)
);
CALL write_once('tick_quotes');

GRANT SELECT, INSERT ON pyth_updates, pyth_quotes, tick_quotes TO fairtick_market;
GRANT SELECT ON pyth_updates, pyth_quotes, tick_quotes TO fairtick_reader;

-- Who must have signed, as it was written last.
CREATE INDEX outbox_pyth_params ON outbox (outbox_id) WHERE kind = 'params.pyth';

-- A slot as in store_tick_slot, and in the same transaction the signed quotes that its ticks were composed with.
CREATE FUNCTION store_quoted_tick_slot(
  gate bigint, writer bigint,
  tick_symbols text[], tick_seqs bigint[], tick_times bigint[], tick_prices bigint[], tick_lates boolean[],
  seal_symbols text[], seals bigint[],
  quoted_symbols text[], quoted_seqs bigint[], quoted_times bigint[], quoted_sources text[],
  quoted_vaas bytea[], quoted_messages bytea[], quoted_branches bytea[],
  OUT head_k bigint, OUT head_hash bytea
) LANGUAGE plpgsql AS $$
BEGIN
  SELECT s.head_k, s.head_hash INTO head_k, head_hash
    FROM store_tick_slot(gate, writer, tick_symbols, tick_seqs, tick_times, tick_prices, tick_lates, seal_symbols, seals) s;
  INSERT INTO pyth_updates (hash, vaa) SELECT DISTINCT sha256(vaa), vaa FROM unnest(quoted_vaas) vaa ON CONFLICT DO NOTHING;
  INSERT INTO pyth_quotes (hash, update_hash, message, branch)
    SELECT DISTINCT ON (1) sha256('\x51554f54453100'::bytea || sha256(vaa) || message), sha256(vaa), message, branch
    FROM unnest(quoted_vaas, quoted_messages, quoted_branches) q(vaa, message, branch)
    ON CONFLICT DO NOTHING;
  INSERT INTO tick_quotes (symbol, time, seq, sources, quote_hash)
    SELECT symbol, time, seq, sources, sha256('\x51554f54453100'::bytea || sha256(vaa) || message)
    FROM unnest(quoted_symbols, quoted_times, quoted_seqs, quoted_sources, quoted_vaas, quoted_messages)
      q(symbol, time, seq, sources, vaa, message);
END
$$;
REVOKE EXECUTE ON FUNCTION store_quoted_tick_slot FROM PUBLIC;
GRANT EXECUTE ON FUNCTION store_quoted_tick_slot TO fairtick_market;
