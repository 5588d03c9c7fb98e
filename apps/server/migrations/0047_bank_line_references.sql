-- A bank names a payment in two places: on the entry of its statement, and on the transaction within. Which of them it fills in may
-- differ between a notification and the statement that follows, so a line keeps both and is known again by either.
ALTER TABLE statement_entries ADD COLUMN also_reference text;
ALTER TABLE statement_returns ADD COLUMN also_reference text;
CREATE INDEX statement_entries_by_other ON statement_entries (account, also_reference) WHERE also_reference IS NOT NULL;
CREATE INDEX statement_returns_by_other ON statement_returns (account, also_reference) WHERE also_reference IS NOT NULL;

-- Whether two lines of one account are the same payment: by one reference that both bear. Where each has one of its own, that
-- alone says it: several payments may stand under one entry's.
CREATE FUNCTION is_same_line(one text, one_also text, other text, other_also text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT one = other OR (other_also IS NULL AND one_also = other) OR (one_also IS NULL AND one = other_also)
$$;

CREATE OR REPLACE VIEW returned_deposits AS
  SELECT r.return_id, b.deposit_id FROM statement_returns r JOIN statement_entries e ON e.account = r.account AND e.currency = r.currency
    JOIN bank_deposits b ON b.matched_entry = e.entry_id
    WHERE r.reference = b.reference OR r.entry_reference = e.entry_reference OR r.entry_reference = e.also_reference
      OR r.also_reference = e.entry_reference OR r.also_reference = e.also_reference;

-- As before; a remittance that ends gives back the line that it was matched with, which is another's then.
CREATE OR REPLACE FUNCTION reject_deposit(session bigint, deposit bigint, why text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM operator_with(session, '{finance}');
  UPDATE deposits SET stage = 'rejected', reason = why, stage_at = epoch_ms()
    WHERE deposit_id = deposit AND ((method = 'bank' AND stage IN ('awaiting_transfer', 'in_review')) OR stage IN ('claimed', 'below_minimum'));
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE bank_deposits SET matched_entry = NULL, matched_by = NULL WHERE deposit_id = deposit AND matched_entry IS NOT NULL;
  RETURN true;
END
$$;
UPDATE bank_deposits b SET matched_entry = NULL, matched_by = NULL FROM deposits d
  WHERE d.deposit_id = b.deposit_id AND d.stage = 'rejected' AND b.matched_entry IS NOT NULL;
