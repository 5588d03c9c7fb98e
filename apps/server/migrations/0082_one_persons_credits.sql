-- What one person credits alone in any 24 hours, in one place: the rule applies it and the console says it.
CREATE FUNCTION one_person_max() RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT 5000000000::bigint';

-- As before, by that figure.
CREATE OR REPLACE FUNCTION above_one_person(entry bigint, worth bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT worth + coalesce((SELECT sum(d.amount) FROM bank_deposits b JOIN deposits d USING (deposit_id)
      JOIN statement_entries o ON o.entry_id = b.matched_entry JOIN bank_statements i ON i.statement_id = o.statement_id
      WHERE b.credited_by = s.imported_by AND i.imported_by = s.imported_by AND b.credited_at > epoch_ms() - 86400000), 0) > one_person_max()
  FROM statement_entries e JOIN bank_statements s USING (statement_id) WHERE e.entry_id = entry
$$;
