-- Chains that are watched for deposits, and the addresses that members deposit to.

CREATE TABLE chain_instances (
  instance_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  chain text NOT NULL,
  evm_chain_id bigint NOT NULL,
  genesis_hash text NOT NULL,
  token text NOT NULL CHECK (token = lower(token)),
  cursor_height bigint NOT NULL,
  cursor_hash text NOT NULL,
  head_height bigint NOT NULL,
  read_at bigint NOT NULL,
  ended_at bigint,
  looked_height bigint NOT NULL DEFAULT 0,
  UNIQUE (chain, evm_chain_id, genesis_hash, token)
);
COMMENT ON TABLE chain_instances IS 'One life of a chain. A test chain that is wiped starts again with the same numbers and even the same transaction hashes, so everything seen belongs to a genesis block and a token.';
COMMENT ON COLUMN chain_instances.instance_id IS 'Number of the instance';
COMMENT ON COLUMN chain_instances.chain IS 'Name of the chain in the settings';
COMMENT ON COLUMN chain_instances.evm_chain_id IS 'Chain id';
COMMENT ON COLUMN chain_instances.genesis_hash IS 'Hash of the genesis block';
COMMENT ON COLUMN chain_instances.token IS 'Contract address of the token that is watched, lower case';
COMMENT ON COLUMN chain_instances.cursor_height IS 'Height of the last block read completely';
COMMENT ON COLUMN chain_instances.cursor_hash IS 'Hash of that block';
COMMENT ON COLUMN chain_instances.head_height IS 'Newest known block, for confirmations on screens';
COMMENT ON COLUMN chain_instances.read_at IS 'When the chain was last read to its head, ms since 1970 UTC';
COMMENT ON COLUMN chain_instances.ended_at IS 'When a newer instance of the chain took its place, ms since 1970 UTC';
COMMENT ON COLUMN chain_instances.looked_height IS 'Up to which block other tokens at members'' addresses were looked for. The watcher reads the one token that counts first';
CREATE UNIQUE INDEX chain_instances_current ON chain_instances (chain) WHERE ended_at IS NULL;
GRANT SELECT ON chain_instances TO fairtick_money, fairtick_reader, fairtick_jobs, fairtick_console, fairtick_payout;
GRANT SELECT, INSERT, UPDATE ON chain_instances TO fairtick_chain;

CREATE TABLE chain_blocks (
  instance_id integer NOT NULL REFERENCES chain_instances,
  height bigint NOT NULL,
  hash text NOT NULL,
  PRIMARY KEY (instance_id, height)
);
COMMENT ON TABLE chain_blocks IS 'The newest blocks read, to find where a reorganisation began.';
COMMENT ON COLUMN chain_blocks.instance_id IS 'The chain instance it belongs to';
COMMENT ON COLUMN chain_blocks.height IS 'Block height';
COMMENT ON COLUMN chain_blocks.hash IS 'Hash of the block';
GRANT SELECT, INSERT, UPDATE, DELETE ON chain_blocks TO fairtick_chain;

CREATE TABLE chain_coins (
  instance_id integer NOT NULL REFERENCES chain_instances,
  address text NOT NULL,
  member_id bigint NOT NULL REFERENCES members,
  balance numeric(78) NOT NULL,
  seen_at bigint NOT NULL,
  PRIMARY KEY (instance_id, address)
);
COMMENT ON TABLE chain_coins IS 'The chain''s own coin at members'' addresses. It is never credited; finance sees it here.';
COMMENT ON COLUMN chain_coins.instance_id IS 'The chain instance it belongs to';
COMMENT ON COLUMN chain_coins.address IS 'Address on the chain, lower case';
COMMENT ON COLUMN chain_coins.member_id IS 'The member';
COMMENT ON COLUMN chain_coins.balance IS 'Balance, in the coin''s smallest unit';
COMMENT ON COLUMN chain_coins.seen_at IS 'When it was last seen, ms since 1970 UTC';
GRANT SELECT ON chain_coins TO fairtick_reader, fairtick_jobs, fairtick_console;
GRANT SELECT, INSERT, UPDATE ON chain_coins TO fairtick_chain;

-- Which key of the account a member's addresses come from: never reused, never given to another member.
CREATE SEQUENCE deposit_child AS integer MINVALUE 0 START 0;
GRANT USAGE ON SEQUENCE deposit_child TO fairtick_money;

CREATE TABLE deposit_children (
  member_id bigint PRIMARY KEY REFERENCES members,
  child integer NOT NULL UNIQUE DEFAULT nextval('deposit_child')
);
COMMENT ON TABLE deposit_children IS 'Which key of the account each member''s deposit addresses come from.';
COMMENT ON COLUMN deposit_children.member_id IS 'The member';
COMMENT ON COLUMN deposit_children.child IS 'Number of the key';
CALL write_once('deposit_children');
GRANT SELECT ON deposit_children TO fairtick_chain;
GRANT SELECT, INSERT ON deposit_children TO fairtick_money;

CREATE TABLE deposit_addresses (
  chain text NOT NULL,
  address text NOT NULL CHECK (address = lower(address)),
  member_id bigint NOT NULL REFERENCES members,
  child integer NOT NULL,
  account_hash text NOT NULL,
  made_at bigint NOT NULL,
  PRIMARY KEY (chain, address),
  UNIQUE (chain, account_hash, child)
);
COMMENT ON TABLE deposit_addresses IS 'Addresses that members deposit to.';
COMMENT ON COLUMN deposit_addresses.chain IS 'Name of the chain in the settings';
COMMENT ON COLUMN deposit_addresses.address IS 'Address on the chain, lower case';
COMMENT ON COLUMN deposit_addresses.member_id IS 'The member';
COMMENT ON COLUMN deposit_addresses.child IS 'Number of the account''s key it is made from';
COMMENT ON COLUMN deposit_addresses.account_hash IS 'SHA-256 of the account''s public key, hexadecimal: an address from another account is not ours to show';
COMMENT ON COLUMN deposit_addresses.made_at IS 'When it was made, ms since 1970 UTC';
CALL write_once('deposit_addresses');
CREATE INDEX deposit_addresses_by_member ON deposit_addresses (member_id, chain);
GRANT SELECT ON deposit_addresses TO
  fairtick_reader, fairtick_jobs, fairtick_chain, fairtick_console, fairtick_payout;
GRANT SELECT, INSERT ON deposit_addresses TO fairtick_money;
