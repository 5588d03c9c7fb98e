-- Withdrawals that were canceled or rejected after an approval. The signer may hold an authorization for them, or could be
-- given one with the operators' signatures, so it is told that they ended.

CREATE TABLE ended_authorizations (
  withdrawal_id bigint PRIMARY KEY REFERENCES withdrawals,
  told_at bigint
);
COMMENT ON TABLE ended_authorizations IS 'Withdrawals that were approved, at least by one operator, and then canceled or rejected. The signer is told never to authorize them again.';
COMMENT ON COLUMN ended_authorizations.withdrawal_id IS 'The withdrawal';
COMMENT ON COLUMN ended_authorizations.told_at IS 'When the signer confirmed it, ms since 1970 UTC; null until then';
CREATE INDEX ended_authorizations_untold ON ended_authorizations (withdrawal_id) WHERE told_at IS NULL;
GRANT SELECT, UPDATE (told_at) ON ended_authorizations TO fairtick_payout;

CREATE TRIGGER keep_all_ended_authorizations BEFORE TRUNCATE ON ended_authorizations FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE ended_authorizations ENABLE ALWAYS TRIGGER keep_all_ended_authorizations;

CREATE FUNCTION note_ended_authorization() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO ended_authorizations (withdrawal_id)
    SELECT NEW.withdrawal_id
    WHERE EXISTS (SELECT FROM withdrawal_steps s WHERE s.withdrawal_id = NEW.withdrawal_id AND s.stage = 'approved')
      OR EXISTS (SELECT FROM withdrawal_approvals a WHERE a.withdrawal_id = NEW.withdrawal_id);
  RETURN NULL;
END
$$;
REVOKE EXECUTE ON FUNCTION note_ended_authorization FROM PUBLIC;

CREATE TRIGGER note_ended_authorization AFTER UPDATE OF stage ON withdrawals FOR EACH ROW
  WHEN (NEW.stage IN ('canceled', 'rejected') AND OLD.stage <> NEW.stage) EXECUTE FUNCTION note_ended_authorization();
ALTER TABLE withdrawals ENABLE ALWAYS TRIGGER note_ended_authorization;

INSERT INTO ended_authorizations (withdrawal_id)
  SELECT w.withdrawal_id FROM withdrawals w WHERE w.stage IN ('canceled', 'rejected')
    AND (EXISTS (SELECT FROM withdrawal_steps s WHERE s.withdrawal_id = w.withdrawal_id AND s.stage = 'approved')
      OR EXISTS (SELECT FROM withdrawal_approvals a WHERE a.withdrawal_id = w.withdrawal_id));
