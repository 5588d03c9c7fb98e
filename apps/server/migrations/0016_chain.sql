-- Chains that are watched for deposits, and the addresses that members deposit to.

-- One life of a chain: a test chain that is wiped starts another one with the same numbers and even the same
-- transaction hashes, so everything seen hangs on the genesis block, and on the token that is watched.
CREATE TABLE chain_instances (
  instance_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  chain text NOT NULL,
  evm_chain_id bigint NOT NULL,
  genesis_hash text NOT NULL,
  token text NOT NULL CHECK (token = lower(token)),
  -- The last block wholly read.
  cursor_height bigint NOT NULL,
  cursor_hash text NOT NULL,
  -- The newest block known, for confirmations on screens.
  head_height bigint NOT NULL,
  -- When the chain was last read to its head.
  read_at bigint NOT NULL,
  -- A newer instance of the same chain has taken its place.
  ended_at bigint,
  UNIQUE (chain, evm_chain_id, genesis_hash, token),
  -- Up to which block every token at members' addresses was looked for. Where addresses are many, the watcher reads the one token that
  -- counts; the others are looked for behind it, from here on, whatever happened to the server meanwhile.
  looked_height bigint NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX chain_instances_current ON chain_instances (chain) WHERE ended_at IS NULL;
GRANT SELECT ON chain_instances TO fairtick_money, fairtick_reader, fairtick_jobs, fairtick_console, fairtick_payout;
GRANT SELECT, INSERT, UPDATE ON chain_instances TO fairtick_chain;

-- The newest blocks read, to find where a reorganisation began.
CREATE TABLE chain_blocks (
  instance_id integer NOT NULL REFERENCES chain_instances,
  height bigint NOT NULL,
  hash text NOT NULL,
  PRIMARY KEY (instance_id, height)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON chain_blocks TO fairtick_chain;

-- The chain's own coin that lies at a member's address: never credited, for finance to see.
CREATE TABLE chain_coins (
  instance_id integer NOT NULL REFERENCES chain_instances,
  address text NOT NULL,
  member_id bigint NOT NULL REFERENCES members,
  balance numeric(78) NOT NULL,
  seen_at bigint NOT NULL,
  PRIMARY KEY (instance_id, address)
);
GRANT SELECT ON chain_coins TO fairtick_reader, fairtick_jobs, fairtick_console;
GRANT SELECT, INSERT, UPDATE ON chain_coins TO fairtick_chain;

-- Which child of the account's public key a member's addresses are: never reused, never given to another.
CREATE SEQUENCE deposit_child AS integer MINVALUE 0 START 0;
GRANT USAGE ON SEQUENCE deposit_child TO fairtick_money;

CREATE TABLE deposit_children (
  member_id bigint PRIMARY KEY REFERENCES members,
  child integer NOT NULL UNIQUE DEFAULT nextval('deposit_child')
);
CALL write_once('deposit_children');
GRANT SELECT ON deposit_children TO fairtick_chain;
GRANT SELECT, INSERT ON deposit_children TO fairtick_money;

CREATE TABLE deposit_addresses (
  -- Name of the chain in the settings; its instances share the addresses.
  chain text NOT NULL,
  -- Lower case hexadecimal with 0x.
  address text NOT NULL CHECK (address = lower(address)),
  member_id bigint NOT NULL REFERENCES members,
  child integer NOT NULL,
  -- SHA-256 of the account's public key, hexadecimal: an address of another account is not ours to show.
  account_hash text NOT NULL,
  made_at bigint NOT NULL,
  PRIMARY KEY (chain, address),
  UNIQUE (chain, account_hash, child)
);
CALL write_once('deposit_addresses');
CREATE INDEX deposit_addresses_by_member ON deposit_addresses (member_id, chain);
GRANT SELECT ON deposit_addresses TO
  fairtick_reader, fairtick_jobs, fairtick_chain, fairtick_console, fairtick_payout;
GRANT SELECT, INSERT ON deposit_addresses TO fairtick_money;
