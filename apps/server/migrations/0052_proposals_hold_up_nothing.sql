-- One person's proposal to reverse a deposit no longer holds up its member's withdrawals: only a line of the bank's
-- statement does until two people have decided. The queue of finance still lists both.

CREATE VIEW returns_waiting AS
  SELECT w.deposit_id FROM returned_deposits w JOIN deposits d USING (deposit_id) WHERE d.stage <> 'reversed' AND NOT EXISTS (
    SELECT FROM reversal_requests q JOIN decisions e USING (proposal_id)
    -- Whoever takes their own proposal back has not decided with a second person.
    WHERE q.deposit_id = w.deposit_id AND q.return_id >= w.return_id AND e.decided_by <> e.made_by);
COMMENT ON VIEW returns_waiting IS 'Deposits that a line of a statement takes back and two people have not decided on yet.';
COMMENT ON COLUMN returns_waiting.deposit_id IS 'The deposit';

CREATE OR REPLACE VIEW reversals_waiting AS
  SELECT deposit_id FROM returns_waiting
  UNION SELECT q.deposit_id FROM reversal_requests q WHERE NOT EXISTS (SELECT FROM decisions e WHERE e.proposal_id = q.proposal_id);

CREATE OR REPLACE FUNCTION waits_for_reversal(of_deposit bigint) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM returns_waiting WHERE deposit_id = of_deposit)
$$;
