-- That operators agreed to something stands in the public log before anybody reads what came of it: as a hash over a nonce that
-- stays here, so that it tells nothing of members, amounts or people, and can be shown to hold whenever somebody may see them.

CREATE TABLE approval_entries (
  -- A kind of proposals, or `withdrawal`.
  subject text NOT NULL,
  -- The proposal's number, or the withdrawal's.
  number bigint NOT NULL,
  at bigint NOT NULL,
  nonce bytea NOT NULL CHECK (length(nonce) = 16),
  -- What the hash is made of after the nonce.
  body text NOT NULL,
  outbox_id bigint NOT NULL UNIQUE REFERENCES outbox,
  -- A withdrawal may be approved anew when its approvals ran out.
  PRIMARY KEY (subject, number, at)
);
CALL write_once('approval_entries');
GRANT SELECT ON approval_entries TO fairtick_console;

-- hash = SHA256("APPROVAL1\0" || nonce || body)
CREATE FUNCTION log_approval(of_subject text, of_number bigint, at_time bigint, of_body text) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  blind bytea := uuid_send(gen_random_uuid());
  placed bigint;
BEGIN
  INSERT INTO outbox (kind, entry) VALUES ('approval', format('{"at":%s,"hash":"%s","kind":"approval","subject":%s,"v":1}', at_time,
    encode(sha256('\x415050524f56414c3100'::bytea || blind || convert_to(of_body, 'UTF8')), 'hex'), to_json(of_subject)))
    RETURNING outbox_id INTO placed;
  INSERT INTO approval_entries (subject, number, at, nonce, body, outbox_id) VALUES (of_subject, of_number, at_time, blind, of_body, placed);
END
$$;
REVOKE EXECUTE ON FUNCTION log_approval FROM PUBLIC;

CREATE FUNCTION log_decision() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  p proposals;
BEGIN
  SELECT * INTO p FROM proposals WHERE proposal_id = NEW.proposal_id;
  PERFORM log_approval(p.kind, p.proposal_id, NEW.decided_at,
    concat_ws(E'\n', p.kind, p.proposal_id, NEW.made_by, NEW.decided_by, NEW.decided_at, coalesce(p.member_id::text, '-'), p.body));
  RETURN NULL;
END
$$;
CREATE TRIGGER log_decision AFTER INSERT ON decisions FOR EACH ROW WHEN (NEW.decision = 'approved') EXECUTE FUNCTION log_decision();
ALTER TABLE decisions ENABLE ALWAYS TRIGGER log_decision;

CREATE FUNCTION log_approved_withdrawal() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  people text;
BEGIN
  SELECT string_agg(operator_id::text, ',' ORDER BY operator_id) INTO people
    FROM withdrawal_approvals WHERE withdrawal_id = NEW.withdrawal_id AND digest = NEW.digest;
  PERFORM log_approval('withdrawal', NEW.withdrawal_id, NEW.stage_at,
    concat_ws(E'\n', 'withdrawal', NEW.withdrawal_id, coalesce(people, '-'), NEW.stage_at, encode(NEW.digest, 'hex')));
  RETURN NULL;
END
$$;
CREATE TRIGGER log_approved_withdrawal AFTER UPDATE OF stage ON withdrawals FOR EACH ROW
  WHEN (NEW.stage = 'approved' AND OLD.stage <> 'approved') EXECUTE FUNCTION log_approved_withdrawal();
ALTER TABLE withdrawals ENABLE ALWAYS TRIGGER log_approved_withdrawal;
REVOKE EXECUTE ON FUNCTION log_decision, log_approved_withdrawal FROM PUBLIC;

-- Orders that could not be settled as their rows stand. Whoever looks after the server reads of them until they are, through
-- restarts too.
CREATE TABLE orders_set_aside (
  order_id bigint PRIMARY KEY,
  member_id bigint NOT NULL,
  since bigint NOT NULL
);
GRANT SELECT, INSERT, DELETE ON orders_set_aside TO fairtick_settlement;
