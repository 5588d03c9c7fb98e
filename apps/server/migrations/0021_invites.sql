-- Who invited whom stands with the members; here is what it brings. The reward is a share of the fees that invited members
-- paid with their real wallet, none until two admins set one, summed by UTC day.
CREATE INDEX members_by_inviter ON members (invited_by, member_id) WHERE invited_by IS NOT NULL;

INSERT INTO proposal_kinds (kind, maker_roles, checker_roles) VALUES ('referral', '{admin}', '{admin}');

-- The rate of a day is the newest row's whose from_day has come; a rate is set before its day begins.
CREATE TABLE referral_rates (
  rate_no integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  from_day integer NOT NULL,
  -- millionths of the fees, at most a half
  rate integer NOT NULL CHECK (rate BETWEEN 0 AND 500000),
  proposal_id bigint NOT NULL UNIQUE REFERENCES proposals
);
CALL write_once('referral_rates');

-- Sets what was agreed on, from the next UTC day on.
CREATE FUNCTION set_referral_rate(proposal bigint) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  agreed proposals := approved_proposal(proposal, 'referral');
  next_day integer := floor(extract(epoch FROM clock_timestamp()) / 86400) + 1;
BEGIN
  INSERT INTO referral_rates (from_day, rate, proposal_id) VALUES (next_day, (agreed.body::jsonb ->> 'rate')::integer, proposal);
  RETURN next_day;
END
$$;
REVOKE EXECUTE ON FUNCTION set_referral_rate FROM PUBLIC;
GRANT EXECUTE ON FUNCTION set_referral_rate TO fairtick_console;

-- What an invited member's fees of a day brought; amounts in micro-USD, not rounded to cents. Their sum for an inviter,
-- rounded up to the cent, is his transfer of that day.
CREATE TABLE referral_shares (
  day integer NOT NULL,
  member_id bigint NOT NULL REFERENCES members,
  inviter_id bigint NOT NULL REFERENCES members,
  fees bigint NOT NULL CHECK (fees > 0),
  share bigint NOT NULL CHECK (share > 0),
  PRIMARY KEY (day, member_id)
);
CALL write_once('referral_shares');
CREATE INDEX referral_shares_by_member ON referral_shares (member_id);

-- Days whose rewards are all paid.
CREATE TABLE referral_days (
  day integer PRIMARY KEY,
  paid_at bigint NOT NULL
);
CALL write_once('referral_days');

GRANT SELECT ON referral_rates TO fairtick_money, fairtick_reader, fairtick_console;
GRANT SELECT ON referral_shares, referral_days TO fairtick_reader, fairtick_console;
GRANT SELECT, INSERT ON referral_shares, referral_days TO fairtick_money;
