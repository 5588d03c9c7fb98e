-- Matching the lines of bank statements with announced transfers, and crediting them.

CREATE TABLE statement_returns (
  return_id bigint PRIMARY KEY,
  statement_id bigint NOT NULL REFERENCES bank_statements,
  account text NOT NULL,
  entry_reference text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  digits smallint NOT NULL CHECK (digits BETWEEN 0 AND 3),
  currency text NOT NULL,
  booked_on date NOT NULL,
  debtor text NOT NULL,
  remittance text NOT NULL,
  reference text,
  also_reference text,
  UNIQUE (account, entry_reference)
);
COMMENT ON TABLE statement_returns IS 'Lines of statements that take money back: a reversed credit, a return, or a debit with one of our references.';
COMMENT ON COLUMN statement_returns.return_id IS 'Number of the line';
COMMENT ON COLUMN statement_returns.statement_id IS 'The statement it came in';
COMMENT ON COLUMN statement_returns.account IS 'Our account';
COMMENT ON COLUMN statement_returns.entry_reference IS 'The bank''s reference of the line; a reversal may have the same as the line it takes back';
COMMENT ON COLUMN statement_returns.amount IS 'Amount, in the currency''s smallest unit';
COMMENT ON COLUMN statement_returns.digits IS 'Decimal places of the currency''s smallest unit';
COMMENT ON COLUMN statement_returns.currency IS 'ISO 4217 code of the currency';
COMMENT ON COLUMN statement_returns.booked_on IS 'Day it was booked';
COMMENT ON COLUMN statement_returns.debtor IS 'Who had paid';
COMMENT ON COLUMN statement_returns.remittance IS 'The bank''s text';
COMMENT ON COLUMN statement_returns.reference IS 'Our reference found in the text, if any';
COMMENT ON COLUMN statement_returns.also_reference IS 'The bank''s second reference';
CALL write_once('statement_returns');
CREATE INDEX statement_returns_by_reference ON statement_returns (reference) WHERE reference IS NOT NULL;
CREATE INDEX statement_returns_by_other ON statement_returns (account, also_reference) WHERE also_reference IS NOT NULL;
GRANT SELECT ON statement_returns TO fairtick_jobs;
GRANT SELECT, INSERT ON statement_returns TO fairtick_console;

CREATE TABLE statement_takes (
  take_id bigint PRIMARY KEY,
  operator_id bigint NOT NULL,
  session_id bigint NOT NULL,
  entries bigint[] NOT NULL,
  taken_at bigint NOT NULL,
  alive_at bigint NOT NULL,
  done_at bigint,
  FOREIGN KEY (session_id, operator_id) REFERENCES operator_sessions (session_id, operator_id)
);
COMMENT ON TABLE statement_takes IS 'Imports of statements, and what of each is still to be credited, so that an import that stopped halfway goes on.';
COMMENT ON COLUMN statement_takes.take_id IS 'Number of the import';
COMMENT ON COLUMN statement_takes.operator_id IS 'The operator who imported it and answers for it';
COMMENT ON COLUMN statement_takes.session_id IS 'Their session';
COMMENT ON COLUMN statement_takes.entries IS 'Lines of the file, new ones and ones that an earlier file brought';
COMMENT ON COLUMN statement_takes.taken_at IS 'When it was imported, ms since 1970 UTC';
COMMENT ON COLUMN statement_takes.alive_at IS 'When a server last worked on it, ms since 1970 UTC: others keep off while that is recent';
COMMENT ON COLUMN statement_takes.done_at IS 'When it was finished, ms since 1970 UTC; null while under way';
CREATE INDEX statement_takes_open ON statement_takes (take_id) WHERE done_at IS NULL;
GRANT SELECT ON statement_takes TO fairtick_console;

CREATE TRIGGER keep_takes BEFORE DELETE ON statement_takes FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE statement_takes ENABLE ALWAYS TRIGGER keep_takes;
CREATE TRIGGER keep_all_takes BEFORE TRUNCATE ON statement_takes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE statement_takes ENABLE ALWAYS TRIGGER keep_all_takes;

-- Whether two lines of one account are the same payment: they share a reference. When each has its own reference on
-- the transaction, only that one decides, since several payments may share one entry.
CREATE FUNCTION is_same_line(one text, one_also text, other text, other_also text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT one = other OR (other_also IS NULL AND one_also = other) OR (one_also IS NULL AND one = other_also)
$$;

-- What a statement's line brings at the rate the member saw: the amount they named when it is exact, otherwise its
-- worth in whole cents, rounded up. Null when the line can't belong to this deposit: another account, or another
-- currency.
CREATE FUNCTION worth_of_entry(deposit bigint, entry bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN e.amount = b.fiat_amount AND e.digits = c.digits THEN d.amount
    ELSE (ceil(e.amount::numeric * 100000000 / 10 ^ e.digits / c.rate) * 10000)::bigint END
  FROM deposits d JOIN bank_deposits b USING (deposit_id) JOIN receiving_cards c ON c.card_id = b.card_id AND c.version = b.card_version
  JOIN statement_entries e ON e.entry_id = entry AND e.currency = c.currency AND e.account = c.number
  WHERE d.deposit_id = deposit
$$;

CREATE FUNCTION begin_take(session bigint, take bigint, of_entries bigint[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO statement_takes (take_id, operator_id, session_id, entries, taken_at, alive_at)
    VALUES (take, operator_with(session, '{finance}'), session, of_entries, epoch_ms(), epoch_ms());
END
$$;
REVOKE EXECUTE ON FUNCTION begin_take FROM PUBLIC;
GRANT EXECUTE ON FUNCTION begin_take TO fairtick_console;

-- Takes over an import that nobody has worked on for the given time; false when someone else did in the meantime.
CREATE FUNCTION resume_take(take bigint, silent_ms bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE statement_takes SET alive_at = epoch_ms() WHERE take_id = take AND done_at IS NULL AND alive_at <= epoch_ms() - silent_ms;
  RETURN FOUND;
END
$$;
REVOKE EXECUTE ON FUNCTION resume_take FROM PUBLIC;
GRANT EXECUTE ON FUNCTION resume_take TO fairtick_console;

CREATE FUNCTION end_take(take bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE statement_takes SET done_at = epoch_ms() WHERE take_id = take AND done_at IS NULL
$$;
REVOKE EXECUTE ON FUNCTION end_take FROM PUBLIC;
GRANT EXECUTE ON FUNCTION end_take TO fairtick_console;

-- Imports a statement for the operator who is logged in, whatever a program says. False for a file that was
-- imported before.
CREATE FUNCTION take_statement(session bigint, statement bigint, message text, file_hash bytea) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO bank_statements (statement_id, message, file_hash, imported_by, imported_at)
    VALUES (statement, message, take_statement.file_hash, operator_with(session, '{finance}'), epoch_ms()) ON CONFLICT DO NOTHING;
  RETURN FOUND;
END
$$;
REVOKE EXECUTE ON FUNCTION take_statement FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_statement TO fairtick_console;

-- Matches a bank deposit with a line of a statement. This can be repeated until the deposit is credited. It works for an
-- expired one too, since a late payment isn't lost. Returns what the line is worth.
CREATE FUNCTION match_statement(session bigint, deposit bigint, entry bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  who bigint := operator_with(session, '{finance}');
  worth bigint;
BEGIN
  PERFORM FROM deposits WHERE deposit_id = deposit AND method = 'bank' AND stage IN ('awaiting_transfer', 'in_review', 'expired') FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'deposit % waits for no money', deposit USING ERRCODE = 'check_violation';
  END IF;
  worth := worth_of_entry(deposit, entry);
  IF worth IS NULL OR worth <= 0 OR worth > 1000000000000 THEN
    RAISE EXCEPTION 'line % cannot be deposit %', entry, deposit USING ERRCODE = 'check_violation';
  END IF;
  UPDATE bank_deposits SET matched_entry = entry, matched_by = who WHERE deposit_id = deposit;
  RETURN worth;
END
$$;
REVOKE EXECUTE ON FUNCTION match_statement FROM PUBLIC;
GRANT EXECUTE ON FUNCTION match_statement TO fairtick_console;

-- Opens an incident for a line that has the reference of a known one but another amount or currency. It counts as neither
-- known nor new until people have looked at it.
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
REVOKE EXECUTE ON FUNCTION note_differing_line FROM PUBLIC;
GRANT EXECUTE ON FUNCTION note_differing_line TO fairtick_console;

-- Applies above_one_person to lines that the caller imported; false for lines of anyone else. From here on, the caller's
-- credits wait for each other.
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
REVOKE EXECUTE ON FUNCTION needs_second_person FROM PUBLIC;

-- Credits a bank deposit with what its matched line brought, an expired one too, within what one person may credit
-- alone.
CREATE FUNCTION credit_bank_deposit(session bigint, deposit bigint, new_transfer bigint) RETURNS bigint
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
REVOKE EXECUTE ON FUNCTION credit_bank_deposit FROM PUBLIC;
GRANT EXECUTE ON FUNCTION credit_bank_deposit TO fairtick_console;

-- Credits a line automatically if it is beyond doubt: our reference, the exact amount, currency and account, on a single
-- line. Returns the deposit, or null if it isn't that clear.
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
REVOKE EXECUTE ON FUNCTION settle_exact_entry FROM PUBLIC;
GRANT EXECUTE ON FUNCTION settle_exact_entry TO fairtick_console;
