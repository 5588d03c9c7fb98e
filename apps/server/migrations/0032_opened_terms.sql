-- From here on, a settlement opens an order's agreed terms in the public log: a commitment has two parts, each with its own
-- nonce. Orders accepted earlier keep their commitment of one part.

COMMENT ON COLUMN acceptance_batches.root IS 'SHA-256 of "BATCH2\0", the number, accepted_at, how many were accepted and the Merkle root of the commitments; older ones of "BATCH1\0" without how many';
COMMENT ON COLUMN orders.nonce IS 'Random bytes in its commitment: 16 of its terms, then 16 of what stays private; an older order has 16';
