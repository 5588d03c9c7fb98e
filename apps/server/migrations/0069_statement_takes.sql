-- What a person took in of a statement and what of it is still to be credited, so that an import that ended in its middle goes on by
-- itself. Each line is credited in a transaction of its own, by its key, once; whoever took it in answers for it, as before.
CREATE TABLE statement_takes (
  take_id bigint PRIMARY KEY,
  operator_id bigint NOT NULL,
  session_id bigint NOT NULL,
  -- Lines of the file, new ones and those that an earlier one brought.
  entries bigint[] NOT NULL,
  taken_at bigint NOT NULL,
  -- When somebody last went on with it: another server keeps off while that is young.
  alive_at bigint NOT NULL,
  done_at bigint,
  FOREIGN KEY (session_id, operator_id) REFERENCES operator_sessions (session_id, operator_id)
);
CREATE INDEX statement_takes_open ON statement_takes (take_id) WHERE done_at IS NULL;
CREATE TRIGGER keep_takes BEFORE DELETE ON statement_takes FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER keep_all_takes BEFORE TRUNCATE ON statement_takes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE statement_takes ENABLE ALWAYS TRIGGER keep_takes;
ALTER TABLE statement_takes ENABLE ALWAYS TRIGGER keep_all_takes;

CREATE FUNCTION begin_take(session bigint, take bigint, of_entries bigint[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO statement_takes (take_id, operator_id, session_id, entries, taken_at, alive_at)
    VALUES (take, operator_with(session, '{finance}'), session, of_entries, epoch_ms(), epoch_ms());
END
$$;

-- Takes one on that nobody has gone on with for so long; false where somebody else did meanwhile.
CREATE FUNCTION resume_take(take bigint, silent_ms bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE statement_takes SET alive_at = epoch_ms() WHERE take_id = take AND done_at IS NULL AND alive_at <= epoch_ms() - silent_ms;
  RETURN FOUND;
END
$$;

CREATE FUNCTION end_take(take bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE statement_takes SET done_at = epoch_ms() WHERE take_id = take AND done_at IS NULL
$$;

-- As before, of a line of what was taken in, by whoever took it in: his session may have ended since, his work in finance not.
DROP FUNCTION settle_exact_entry(bigint, bigint, bigint);
CREATE FUNCTION settle_exact_entry(take bigint, entry bigint, new_transfer bigint, OUT deposit bigint, OUT is_credited boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who bigint;
  worth bigint;
BEGIN
  is_credited := false;
  SELECT t.operator_id INTO who FROM statement_takes t JOIN operators o USING (operator_id)
    WHERE t.take_id = take AND t.done_at IS NULL AND entry = ANY (t.entries) AND o.disabled_at IS NULL
      AND EXISTS (SELECT FROM operator_roles r WHERE r.operator_id = t.operator_id AND r.role = 'finance');
  IF NOT FOUND THEN
    RETURN;
  END IF;
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
  UPDATE statement_takes SET alive_at = epoch_ms() WHERE take_id = take;
  UPDATE bank_deposits SET matched_entry = entry WHERE deposit_id = deposit AND matched_entry IS NULL;
  IF needs_second_person(who, entry, worth) THEN
    RETURN;
  END IF;
  UPDATE bank_deposits SET credited_by = who, credited_at = epoch_ms() WHERE deposit_id = deposit;
  PERFORM book_deposit(deposit, new_transfer, 'deposit:bank:' || entry, worth);
  is_credited := true;
END
$$;

REVOKE EXECUTE ON FUNCTION begin_take, resume_take, end_take, settle_exact_entry FROM PUBLIC;
GRANT EXECUTE ON FUNCTION begin_take, resume_take, end_take, settle_exact_entry TO fairtick_console;
GRANT SELECT ON statement_takes TO fairtick_console;
