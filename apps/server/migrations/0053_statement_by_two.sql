-- A statement is one person's word for what the bank said. What he took in himself he also credits alone, by an exact line or by a
-- match of his, up to 5,000.00 in any 24 hours; above it somebody else of finance credits, who is asked for the amount again, or who
-- takes in the bank's file himself. That holds for the sum, so that many small lines are no way around it.
ALTER TABLE bank_deposits
  -- Who credited it, by hand or by taking in a statement; null of those from before.
  ADD COLUMN credited_by bigint REFERENCES operators,
  ADD COLUMN credited_at bigint,
  ADD CONSTRAINT credited_by_somebody CHECK ((credited_by IS NULL) = (credited_at IS NULL));
CREATE INDEX bank_deposits_by_person ON bank_deposits (credited_by, credited_at) WHERE credited_by IS NOT NULL;

-- Who took a statement in is who was logged in, whatever a program says. False for a file that was taken in before.
CREATE FUNCTION take_statement(session bigint, statement bigint, message text, file_hash bytea) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO bank_statements (statement_id, message, file_hash, imported_by, imported_at)
    VALUES (statement, message, take_statement.file_hash, operator_with(session, '{finance}'), epoch_ms()) ON CONFLICT DO NOTHING;
  RETURN FOUND;
END
$$;

-- Whether whoever took the line's statement in would come above what one person credits alone, with this much more.
CREATE FUNCTION above_one_person(entry bigint, worth bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT worth + coalesce((SELECT sum(d.amount) FROM bank_deposits b JOIN deposits d USING (deposit_id)
      JOIN statement_entries o ON o.entry_id = b.matched_entry JOIN bank_statements i ON i.statement_id = o.statement_id
      WHERE b.credited_by = s.imported_by AND i.imported_by = s.imported_by AND b.credited_at > epoch_ms() - 86400000), 0) > 5000000000
  FROM statement_entries e JOIN bank_statements s USING (statement_id) WHERE e.entry_id = entry
$$;

-- The same for who asks: false for anybody but him. His credits wait for each other from here on.
CREATE FUNCTION needs_second_person(who bigint, entry bigint, worth bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM statement_entries e JOIN bank_statements s USING (statement_id) WHERE e.entry_id = entry AND s.imported_by = who;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('credited alone by ' || who, 0));
  RETURN above_one_person(entry, worth);
END
$$;

-- As before, within what one person may.
CREATE OR REPLACE FUNCTION credit_bank_deposit(session bigint, deposit bigint, new_transfer bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who bigint := operator_with(session, '{finance}');
  entry bigint;
  worth bigint;
BEGIN
  SELECT b.matched_entry INTO entry FROM deposits d JOIN bank_deposits b USING (deposit_id)
    WHERE d.deposit_id = deposit AND d.stage IN ('awaiting_transfer', 'in_review', 'expired') FOR NO KEY UPDATE OF d;
  worth := worth_of_entry(deposit, entry);
  IF worth IS NULL THEN
    RAISE EXCEPTION 'deposit % has no line of a statement', deposit USING ERRCODE = 'check_violation';
  END IF;
  IF needs_second_person(who, entry, worth) THEN
    RAISE EXCEPTION 'deposit % is credited by another person than who took the statement in', deposit USING ERRCODE = 'insufficient_privilege';
  END IF;
  UPDATE bank_deposits SET credited_by = who, credited_at = epoch_ms() WHERE deposit_id = deposit;
  PERFORM book_deposit(deposit, new_transfer, 'deposit:bank:' || entry, worth);
  RETURN worth;
END
$$;

-- As before, within what one person may. What is above it is matched and waits; a second person who takes in the same line credits it.
DROP FUNCTION settle_exact_entry(bigint, bigint, bigint);
CREATE FUNCTION settle_exact_entry(session bigint, entry bigint, new_transfer bigint, OUT deposit bigint, OUT is_credited boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who bigint := operator_with(session, '{finance}');
  worth bigint;
BEGIN
  is_credited := false;
  SELECT d.deposit_id, d.amount INTO deposit, worth FROM statement_entries e
    JOIN bank_deposits b ON b.reference = e.reference AND b.fiat_amount = e.amount
    JOIN receiving_cards c ON c.card_id = b.card_id AND c.version = b.card_version
      AND c.currency = e.currency AND c.digits = e.digits AND c.number = e.account
    JOIN deposits d ON d.deposit_id = b.deposit_id
    WHERE e.entry_id = entry AND d.stage IN ('awaiting_transfer', 'in_review')
      AND (b.matched_entry IS NULL OR (b.matched_entry = entry AND b.matched_by IS NULL))
      AND NOT EXISTS (SELECT FROM statement_entries o WHERE o.reference = e.reference AND o.entry_id <> e.entry_id)
      AND NOT EXISTS (SELECT FROM bank_deposits m WHERE m.matched_entry = entry AND m.deposit_id <> b.deposit_id)
    FOR NO KEY UPDATE OF d;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  UPDATE bank_deposits SET matched_entry = entry WHERE deposit_id = deposit AND matched_entry IS NULL;
  IF needs_second_person(who, entry, worth) THEN
    RETURN;
  END IF;
  UPDATE bank_deposits SET credited_by = who, credited_at = epoch_ms() WHERE deposit_id = deposit;
  PERFORM book_deposit(deposit, new_transfer, 'deposit:bank:' || entry, worth);
  is_credited := true;
END
$$;

-- A line that the bank names as one that is there, with another amount or currency, is neither the known one nor a new one: people
-- look at it.
CREATE FUNCTION note_differing_line(session bigint, line_account text, line_reference text, line_amount text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM operator_with(session, '{finance}');
  INSERT INTO incidents (kind, subject, detail, opened_at)
    VALUES ('statement_differs', line_account || ' ' || line_reference, jsonb_build_object('account', line_account, 'reference', line_reference,
      'nowSaid', line_amount), epoch_ms())
    ON CONFLICT (kind, subject) WHERE closed_at IS NULL DO NOTHING;
END
$$;

REVOKE INSERT ON bank_statements FROM fairtick_console;
REVOKE EXECUTE ON FUNCTION take_statement, needs_second_person, settle_exact_entry, note_differing_line FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_statement, settle_exact_entry, note_differing_line TO fairtick_console;
