-- What is stored about a member, for the member's export of their data.

-- What is stored about one member and isn't shown in full by a list in the app, for their archive: a section is a file in
-- it, an entry is a row. Only columns about the member, by name: nobody else's data and no secrets (hashes of passwords,
-- tokens, keys of a browser's subscription). Instants in milliseconds, amounts in micro-USD and ids as text.
CREATE FUNCTION kept_before_address_books(of_member bigint) RETURNS TABLE (section text, entry jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  (SELECT 'wallets', jsonb_build_object('wallet', w.wallet, 'available', w.available::text, 'locked', w.locked::text,
      'runningStakes', w.running_stakes::text, 'day', w.day, 'stakedThatDay', w.staked::text, 'lostThatDay', w.lost::text, 'debt', w.debt::text)
    FROM members_money m CROSS JOIN LATERAL (VALUES
      ('practice', m.practice_available, m.practice_locked, m.practice_running_stakes, m.practice_day, m.practice_staked_today, m.practice_lost_today, 0),
      ('real', m.real_available, m.real_locked, m.real_running_stakes, m.real_day, m.real_staked_today, m.real_lost_today, m.real_debt)
    ) AS w(wallet, available, locked, running_stakes, day, staked, lost, debt)
    WHERE m.member_id = of_member)
  UNION ALL
  (SELECT 'deposits', jsonb_build_object('depositNo', d.deposit_id::text, 'createdAt', d.created_at, 'method', d.method, 'stage', d.stage,
      'stageAt', d.stage_at, 'amount', d.amount::text, 'reason', d.reason,
      'chain', coalesce(i.chain, q.chain), 'token', t.token, 'toAddress', t.to_address, 'units', t.raw_amount::text, 'txHash', t.tx_hash,
      'claimedUnits', q.quantity::text, 'claimedHash', q.tx_hash, 'claimOf', q.linked_deposit::text,
      'reference', b.reference, 'fiatAmount', b.fiat_amount::text, 'digits', c.digits, 'currency', c.currency, 'rate', c.rate::text,
      'cardBank', c.bank, 'cardBankCode', c.bank_code, 'cardHolder', c.holder, 'cardNumber', c.number, 'referenceExpiresAt', b.expires_at,
      'byCustomerService', k.deposit_id IS NOT NULL,
      'reversalTaken', v.taken::text, 'reversalOwed', v.owed::text,
      'receipts', (SELECT jsonb_agg(jsonb_build_object('fileId', r.file_id::text, 'putAt', r.put_at) ORDER BY r.put_at) FROM deposit_receipts r WHERE r.deposit_id = d.deposit_id),
      'steps', (SELECT jsonb_agg(jsonb_build_object('stage', s.stage, 'stepAt', s.at) ORDER BY s.step) FROM deposit_steps s WHERE s.deposit_id = d.deposit_id))
    FROM deposits d LEFT JOIN chain_transfers t USING (deposit_id) LEFT JOIN chain_instances i USING (instance_id)
      LEFT JOIN chain_claims q USING (deposit_id) LEFT JOIN bank_deposits b USING (deposit_id)
      LEFT JOIN receiving_cards c ON c.card_id = b.card_id AND c.version = b.card_version
      LEFT JOIN card_deposits k USING (deposit_id) LEFT JOIN deposit_reversals v USING (deposit_id)
    WHERE d.member_id = of_member ORDER BY d.deposit_id DESC)
  UNION ALL
  (SELECT 'withdrawals', jsonb_build_object('withdrawNo', w.withdrawal_id::text, 'createdAt', w.created_at, 'stage', w.stage, 'stageAt', w.stage_at,
      'amount', w.amount::text, 'fee', w.fee::text, 'units', w.units::text, 'chain', w.chain, 'address', w.address, 'txHash', w.tx_hash,
      'reason', w.reason, 'paymentExpiresAt', w.expires_at, 'digest', encode(w.digest, 'hex'),
      'steps', (SELECT jsonb_agg(jsonb_build_object('stage', s.stage, 'stepAt', s.at) ORDER BY s.step) FROM withdrawal_steps s WHERE s.withdrawal_id = w.withdrawal_id))
    FROM withdrawals w WHERE w.member_id = of_member ORDER BY w.withdrawal_id DESC)
  UNION ALL
  (SELECT 'withdrawal-freezes', jsonb_build_object('frozenAt', f.frozen_at, 'liftedAt', f.lifted_at, 'why', i.kind)
    FROM withdrawal_freezes f JOIN incidents i USING (incident_id) WHERE f.member_id = of_member ORDER BY f.frozen_at)
  UNION ALL
  (SELECT 'incidents', jsonb_build_object('kind', kind, 'openedAt', opened_at, 'closedAt', closed_at)
    FROM incidents WHERE member_id = of_member ORDER BY incident_id)
  UNION ALL
  (SELECT 'deposit-addresses', jsonb_build_object('chain', a.chain, 'address', a.address, 'number', a.child, 'madeAt', a.made_at,
      'coins', (SELECT jsonb_agg(jsonb_build_object('units', c.balance::text, 'seenAt', c.seen_at) ORDER BY c.seen_at)
        FROM chain_coins c JOIN chain_instances i USING (instance_id) WHERE c.member_id = of_member AND c.address = a.address AND i.chain = a.chain))
    FROM deposit_addresses a WHERE a.member_id = of_member ORDER BY a.chain, a.address)
  UNION ALL
  (SELECT 'identity', jsonb_build_object('caseNo', case_id::text, 'familyName', family_name, 'givenName', given_name, 'gender', gender,
      'birthDate', birth_date, 'documentType', document_type, 'sealedNumber', encode(document_number, 'base64'),
      'frontFileId', front_file_id::text, 'backFileId', back_file_id::text, 'submittedAt', submitted_at, 'state', state, 'decidedAt', decided_at,
      'reason', CASE state WHEN 'rejected' THEN reason WHEN 'revoked' THEN end_reason END, 'documentBirthDate', document_birth_date,
      'documentExpires', document_expires, 'endedAt', ended_at,
      'remindedAt', (SELECT max(sent_at) FROM identity_reminders r WHERE r.case_id = c.case_id))
    FROM identity_cases c WHERE member_id = of_member ORDER BY case_id)
  UNION ALL
  (SELECT 'files', jsonb_build_object('fileId', file_id::text, 'purpose', purpose, 'bytes', bytes, 'width', width, 'height', height,
      'digest', encode(digest, 'hex'), 'madeAt', made_at, 'belongsTo', claimed_by, 'claimedAt', claimed_at, 'fromCustomerService', sent_by IS NOT NULL)
    FROM files WHERE member_id = of_member ORDER BY file_id)
  UNION ALL
  (SELECT 'push-subscriptions', jsonb_build_object('endpoint', endpoint, 'madeAt', created_at)
    FROM push_subscriptions WHERE member_id = of_member ORDER BY created_at, endpoint)
  UNION ALL
  (SELECT 'announcements-read', jsonb_build_object('noticeId', announcement_id::text, 'readAt', read_at)
    FROM announcement_reads WHERE member_id = of_member ORDER BY read_at, announcement_id)
  UNION ALL
  (SELECT 'closing', jsonb_build_object('reason', reason, 'askedAt', asked_at, 'closedAt', closed_at) FROM closings WHERE member_id = of_member)
  UNION ALL
  (SELECT 'suspensions', jsonb_build_object('suspendedAt', suspended_at, 'reason', reason, 'reviewedAt', reviewed_at, 'reviewReason', review_reason,
      'liftedAt', lifted_at, 'liftReason', lift_reason)
    FROM suspensions WHERE member_id = of_member ORDER BY suspension_id)
  UNION ALL
  (SELECT 'proposals', jsonb_build_object('kind', kind, 'madeAt', made_at, 'decision', decision, 'decidedAt', decided_at)
    FROM proposals LEFT JOIN decisions USING (proposal_id) WHERE member_id = of_member ORDER BY proposal_id)
  UNION ALL
  (SELECT 'assigned-people', jsonb_build_object('post', post, 'assignedAt', assigned_at) FROM vip_assignments WHERE member_id = of_member ORDER BY post)
  UNION ALL
  -- Of his own fees, what counted for whoever invited him: what that person got is that person's.
  (SELECT 'fees-shared', jsonb_build_object('day', day, 'fees', fees::text) FROM referral_shares WHERE member_id = of_member ORDER BY day)
  UNION ALL
  (SELECT 'liability-proofs', jsonb_build_object('day', day, 'place', place, 'nonce', encode(nonce, 'hex'))
    FROM liability_leaves WHERE member_id = of_member ORDER BY day)
  UNION ALL
  (SELECT 'chat', jsonb_build_object('openedAt', opened_at, 'closedAt', closed_at,
      'readings', (SELECT jsonb_agg(jsonb_build_object('readAt', read_at) ORDER BY read_at) FROM support_reads r WHERE r.member_id = of_member AND r.side = 'member'))
    FROM support_threads WHERE member_id = of_member)
$$;
REVOKE EXECUTE ON FUNCTION kept_before_address_books FROM PUBLIC;

CREATE FUNCTION kept_of_member(of_member bigint) RETURNS TABLE (section text, entry jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT * FROM kept_before_address_books(of_member)
  UNION ALL
  (SELECT 'withdrawal-freezes', jsonb_build_object('frozenAt', began_at, 'liftedAt', lifted_at, 'why', 'member ' || began_by)
    FROM member_freezes WHERE member_id = of_member ORDER BY freeze_id)
  UNION ALL
  (SELECT 'withdrawal-addresses', jsonb_build_object('chain', chain, 'address', address, 'label', label, 'addedAt', added_at, 'usableAt', usable_at,
      'removedAt', removed_at)
    FROM withdrawal_addresses WHERE member_id = of_member ORDER BY address_id)
$$;
REVOKE EXECUTE ON FUNCTION kept_of_member FROM PUBLIC;
GRANT EXECUTE ON FUNCTION kept_of_member TO fairtick_sessions;
