-- Deposits, and what the watcher of a chain has seen of it.

DO $$
BEGIN
  BEGIN
    CREATE ROLE fairtick_chain NOLOGIN;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
  END;
  IF NOT pg_has_role(current_user, 'fairtick_chain', CASE WHEN current_setting('server_version_num')::integer >= 160000 THEN 'SET' ELSE 'MEMBER' END) THEN
    GRANT fairtick_chain TO CURRENT_USER;
  END IF;
END
$$;
GRANT USAGE ON SCHEMA public TO fairtick_chain;

-- Every deposit of whatever method: what its owner is shown. What only a chain or a bank knows stands in tables of theirs.
CREATE TABLE deposits (
  deposit_id bigint PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES members,
  method text NOT NULL CHECK (method IN ('bank', 'card', 'crypto')),
  stage text NOT NULL CHECK (stage IN ('confirming', 'below_minimum', 'orphaned', 'wrong_token', 'credited', 'rejected')),
  -- What is or would be credited, in micro-USD; 0 where nothing ever is.
  amount bigint NOT NULL CHECK (amount >= 0),
  -- Instants in milliseconds since 1970 UTC.
  created_at bigint NOT NULL,
  -- When it came to its stage.
  stage_at bigint NOT NULL,
  -- A stable word that the app puts into the language.
  reason text,
  transfer_id bigint UNIQUE REFERENCES transfers,
  CHECK ((stage = 'credited') = (transfer_id IS NOT NULL))
);
CREATE INDEX deposits_by_member ON deposits (member_id, deposit_id);
CREATE INDEX deposits_confirming ON deposits (deposit_id) WHERE stage = 'confirming';

-- Each stage a deposit came to, in order.
CREATE TABLE deposit_steps (
  deposit_id bigint NOT NULL REFERENCES deposits,
  step integer NOT NULL,
  stage text NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (deposit_id, step)
);
CALL write_once('deposit_steps');

-- A deposit only moves forward: what is credited, rejected or of another token stays so, whatever a program believes.
-- Only a block that a reorganisation removed may come back, as often as it likes, before the credit.
CREATE FUNCTION step_deposit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF (OLD.deposit_id, OLD.member_id, OLD.method, OLD.created_at) IS DISTINCT FROM (NEW.deposit_id, NEW.member_id, NEW.method, NEW.created_at) THEN
      RAISE EXCEPTION 'a deposit stays its member''s' USING ERRCODE = 'check_violation';
    END IF;
    IF OLD.stage = 'credited' AND (OLD.amount, OLD.stage, OLD.transfer_id) IS DISTINCT FROM (NEW.amount, NEW.stage, NEW.transfer_id) THEN
      RAISE EXCEPTION 'deposit % is credited and stays so', OLD.deposit_id USING ERRCODE = 'check_violation';
    END IF;
    IF OLD.stage = NEW.stage THEN
      RETURN NULL;
    END IF;
    IF NOT (CASE OLD.stage
      WHEN 'confirming' THEN NEW.stage IN ('below_minimum', 'orphaned', 'credited', 'rejected')
      WHEN 'orphaned' THEN NEW.stage IN ('confirming', 'rejected')
      WHEN 'below_minimum' THEN NEW.stage IN ('credited', 'rejected')
      ELSE false END) THEN
      RAISE EXCEPTION 'deposit % cannot go from % to %', OLD.deposit_id, OLD.stage, NEW.stage USING ERRCODE = 'check_violation';
    END IF;
  END IF;
  INSERT INTO deposit_steps (deposit_id, step, stage, at)
    SELECT NEW.deposit_id, count(*) + 1, NEW.stage, NEW.stage_at FROM deposit_steps WHERE deposit_id = NEW.deposit_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER step_deposit AFTER INSERT OR UPDATE ON deposits FOR EACH ROW EXECUTE FUNCTION step_deposit();
ALTER TABLE deposits ENABLE ALWAYS TRIGGER step_deposit;
CREATE TRIGGER keep_deposits BEFORE DELETE ON deposits FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER keep_all_deposits BEFORE TRUNCATE ON deposits FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE deposits ENABLE ALWAYS TRIGGER keep_deposits;
ALTER TABLE deposits ENABLE ALWAYS TRIGGER keep_all_deposits;

-- Which child of the account's public key a member's addresses are: never reused, never given to another.
CREATE SEQUENCE deposit_child AS integer MINVALUE 0 START 0;
CREATE TABLE deposit_children (
  member_id bigint PRIMARY KEY REFERENCES members,
  child integer NOT NULL UNIQUE DEFAULT nextval('deposit_child')
);
CALL write_once('deposit_children');

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
  UNIQUE (chain, evm_chain_id, genesis_hash, token)
);
CREATE UNIQUE INDEX chain_instances_current ON chain_instances (chain) WHERE ended_at IS NULL;

-- The newest blocks read, to find where a reorganisation began.
CREATE TABLE chain_blocks (
  instance_id integer NOT NULL REFERENCES chain_instances,
  height bigint NOT NULL,
  hash text NOT NULL,
  PRIMARY KEY (instance_id, height)
);

-- Transfers to a member's address, of our token and of others.
CREATE TABLE chain_transfers (
  instance_id integer NOT NULL REFERENCES chain_instances,
  tx_hash text NOT NULL,
  -- Place among the logs of its own transaction. A block's own numbering is no key: it changes when a reorganisation
  -- moves the transaction, and one transfer would become two.
  log_index integer NOT NULL,
  deposit_id bigint NOT NULL UNIQUE REFERENCES deposits,
  token text NOT NULL,
  from_address text NOT NULL,
  to_address text NOT NULL,
  -- In the token's smallest unit, as the chain says it.
  raw_amount numeric(78) NOT NULL,
  -- Millionths of a USD for a whole token, when it was first seen.
  rate bigint NOT NULL,
  height bigint NOT NULL,
  block_hash text NOT NULL,
  -- Of a credited one: at this height its block was found to be gone.
  lost_at_height bigint,
  PRIMARY KEY (instance_id, tx_hash, log_index)
);
CREATE INDEX chain_transfers_by_height ON chain_transfers (instance_id, height);

-- The chain's own coin that lies at a member's address: never credited, for finance to see.
CREATE TABLE chain_coins (
  instance_id integer NOT NULL REFERENCES chain_instances,
  address text NOT NULL,
  member_id bigint NOT NULL REFERENCES members,
  balance numeric(78) NOT NULL,
  seen_at bigint NOT NULL,
  PRIMARY KEY (instance_id, address)
);

-- What a person has to look at; one of a kind for each subject.
CREATE TABLE incidents (
  incident_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  subject text NOT NULL,
  member_id bigint REFERENCES members,
  detail jsonb NOT NULL,
  opened_at bigint NOT NULL,
  closed_at bigint,
  UNIQUE (kind, subject)
);
CREATE INDEX incidents_open ON incidents (opened_at) WHERE closed_at IS NULL;

-- While a row stands, no withdrawal of the member is approved or paid.
CREATE TABLE withdrawal_freezes (
  member_id bigint NOT NULL REFERENCES members,
  incident_id bigint NOT NULL REFERENCES incidents,
  frozen_at bigint NOT NULL,
  lifted_at bigint,
  PRIMARY KEY (member_id, incident_id)
);

-- The chain's role books deposits into real wallets and nothing else.
CREATE FUNCTION restrict_chain_transfers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_user = 'fairtick_chain' AND NOT (NEW.kind = 'deposit' AND NEW.wallet = 'real' AND NEW.idempotency_key LIKE 'deposit:chain:%') THEN
    RAISE EXCEPTION 'the chain role books chain deposits only' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER restrict_chain_transfers BEFORE INSERT ON transfers FOR EACH ROW EXECUTE FUNCTION restrict_chain_transfers();
ALTER TABLE transfers ENABLE ALWAYS TRIGGER restrict_chain_transfers;

GRANT SELECT, INSERT ON transfers, postings TO fairtick_chain;
GRANT SELECT, UPDATE ON members_money TO fairtick_chain;
GRANT SELECT, UPDATE (balance) ON house_accounts TO fairtick_chain;
GRANT SELECT ON deposit_children, deposit_addresses TO fairtick_chain;
GRANT SELECT, INSERT, UPDATE (stage, stage_at, amount, reason, transfer_id) ON deposits TO fairtick_chain;
GRANT SELECT, INSERT, UPDATE ON chain_instances, chain_transfers, chain_coins TO fairtick_chain;
GRANT SELECT, INSERT, UPDATE, DELETE ON chain_blocks TO fairtick_chain;
GRANT SELECT, INSERT ON incidents, withdrawal_freezes TO fairtick_chain;

GRANT SELECT, INSERT ON deposit_children, deposit_addresses TO fairtick_money;
GRANT USAGE ON SEQUENCE deposit_child TO fairtick_money;
GRANT SELECT ON deposits, deposit_steps, chain_instances, chain_transfers, incidents, withdrawal_freezes TO fairtick_money;
GRANT SELECT ON deposits, deposit_steps, deposit_addresses, chain_instances, chain_transfers, chain_coins, incidents, withdrawal_freezes
  TO fairtick_reader, fairtick_jobs;
