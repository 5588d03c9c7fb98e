-- Why a payment that was approved isn't sent yet. The payout's rounds note it, so that its member and the operators can read
-- it: a withdrawal never waits for something that nobody is told.

ALTER TABLE withdrawals ADD COLUMN payout_waits text
  CHECK (payout_waits IN ('walletFilling', 'payoutsStopped', 'payoutLimit', 'payoutRefused'));
COMMENT ON COLUMN withdrawals.payout_waits IS 'Why it isn''t sent though it is approved: the wallet has too little, is stopped, the signer''s limit for a day is reached, or the signer refuses it; null if nothing holds it up';
GRANT UPDATE (payout_waits) ON withdrawals TO fairtick_payout;
