-- Every tick from an outside source says what it is made of, even if no signed quote is part of it.

ALTER TABLE tick_quotes ALTER COLUMN quote_hash DROP NOT NULL;
COMMENT ON COLUMN tick_quotes.sources IS 'Prices the tick is the median of: name=points joined by +, by name; name~points of sources that were fresh and too far from the others';
COMMENT ON COLUMN tick_quotes.quote_hash IS 'The signed quote among them; null without one';

-- Replaces the function for ticks without a signed quote, whose update, message and branch are null.
CREATE OR REPLACE FUNCTION store_quoted_tick_slot(
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
  INSERT INTO pyth_updates (hash, vaa)
    SELECT DISTINCT sha256(vaa), vaa FROM unnest(quoted_vaas) vaa WHERE vaa IS NOT NULL ON CONFLICT DO NOTHING;
  INSERT INTO pyth_quotes (hash, update_hash, message, branch)
    SELECT DISTINCT ON (1) sha256('\x51554f54453100'::bytea || sha256(vaa) || message), sha256(vaa), message, branch
    FROM unnest(quoted_vaas, quoted_messages, quoted_branches) q(vaa, message, branch)
    WHERE vaa IS NOT NULL
    ON CONFLICT DO NOTHING;
  INSERT INTO tick_quotes (symbol, time, seq, sources, quote_hash)
    SELECT symbol, time, seq, sources, sha256('\x51554f54453100'::bytea || sha256(vaa) || message)
    FROM unnest(quoted_symbols, quoted_times, quoted_seqs, quoted_sources, quoted_vaas, quoted_messages)
      q(symbol, time, seq, sources, vaa, message);
END
$$;
