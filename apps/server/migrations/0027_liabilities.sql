-- What the house owed to all real wallets, once a UTC day: a Merkle sum tree, whose root and sum stand in the public log.
CREATE TABLE liability_days (
  -- UTC days since 1970.
  day integer PRIMARY KEY,
  -- When the balances were read, all in one snapshot.
  read_at bigint NOT NULL,
  -- Members with a balance above zero.
  members integer NOT NULL CHECK (members > 0),
  sum bigint NOT NULL CHECK (sum > 0),
  root bytea NOT NULL CHECK (length(root) = 32)
);
CALL write_once('liability_days');

-- Every node of the tree; level 0 holds the leaves. The topmost level has the root alone.
CREATE TABLE liability_nodes (
  day integer NOT NULL REFERENCES liability_days,
  level smallint NOT NULL,
  place integer NOT NULL,
  sum bigint NOT NULL CHECK (sum >= 0),
  hash bytea NOT NULL CHECK (length(hash) = 32),
  PRIMARY KEY (day, level, place)
);
CALL write_once('liability_nodes');

-- Whose leaf it is; its amount is its node's sum.
CREATE TABLE liability_leaves (
  day integer NOT NULL REFERENCES liability_days,
  member_id bigint NOT NULL REFERENCES members,
  place integer NOT NULL,
  nonce bytea NOT NULL CHECK (length(nonce) = 16),
  PRIMARY KEY (day, member_id),
  UNIQUE (day, place)
);
CALL write_once('liability_leaves');

GRANT SELECT, INSERT ON liability_days, liability_nodes, liability_leaves TO fairtick_jobs;
GRANT SELECT ON liability_days, liability_nodes, liability_leaves TO fairtick_reader;
