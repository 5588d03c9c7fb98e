-- What an order is judged by beside money, region, standing, trade password and limits of one's own, changes rarely. A number in the
-- row that each order locks anyway says which version holds, so that a server keeps what it read and still never judges by
-- what was changed since: whoever changes it waits for the batch that holds the row, or the batch waits for him.
ALTER TABLE members_money ADD COLUMN terms_version bigint NOT NULL DEFAULT 0;

CREATE FUNCTION raise_terms_version() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE members_money SET terms_version = terms_version + 1
    WHERE member_id = CASE TG_OP WHEN 'DELETE' THEN OLD.member_id ELSE NEW.member_id END;
  RETURN NULL;
END
$$;

CREATE TRIGGER raise_terms_version AFTER UPDATE ON members FOR EACH ROW
  WHEN ((OLD.region, OLD.standing, OLD.standing_reason, OLD.excluded_until, OLD.trade_password_hash IS NULL)
    IS DISTINCT FROM (NEW.region, NEW.standing, NEW.standing_reason, NEW.excluded_until, NEW.trade_password_hash IS NULL))
  EXECUTE FUNCTION raise_terms_version();
ALTER TABLE members ENABLE ALWAYS TRIGGER raise_terms_version;

CREATE TRIGGER raise_terms_version AFTER INSERT OR UPDATE OR DELETE ON member_limits FOR EACH ROW
  EXECUTE FUNCTION raise_terms_version();
ALTER TABLE member_limits ENABLE ALWAYS TRIGGER raise_terms_version;
