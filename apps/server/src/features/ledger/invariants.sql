-- The ledger's invariants: one query each, after a line that names it. Every row that a query returns is a violation: the
-- thing it is about, and what is wrong with it. $1 is an instant (ms): facts made since then and the members they affect are
-- examined; 0 examines everything. The range from $2 to $3 (excluded) is examined too, whatever its age: member ids in
-- "whole", times of acceptance in I11. All queries run in one snapshot.

-- check I1: the postings of each movement sum to zero, and say what its row says
-- A posting has one amount for both of its accounts, so it always sums to zero. What can be wrong is a movement without
-- postings, or a settlement whose credit differs from its postings.
SELECT 'transfer ' || t.transfer_id, 'has no postings' FROM transfers t
  WHERE (t.made_at >= $1 OR t.member_id IS NULL) AND NOT EXISTS (SELECT FROM postings p WHERE p.transfer_id = t.transfer_id)
UNION ALL
SELECT 'order ' || o.order_id, 'holds ' || o.stake || ' + ' || o.fee FROM orders o
  WHERE o.accepted_at >= $1 AND (o.stake <= 0 OR o.fee < 0 OR o.profit_if_won + o.fee <= 0)
UNION ALL
SELECT 'settlement ' || s.order_id, 'credits ' || s.credit || ' with profit ' || s.profit
  FROM settlements s JOIN orders o ON o.member_id = s.member_id AND o.order_id = s.order_id
  WHERE s.settled_at >= $1 AND (s.credit, s.profit) IS DISTINCT FROM (CASE s.outcome
    WHEN 'won' THEN (o.stake + o.fee + o.profit_if_won, o.profit_if_won)
    WHEN 'lost' THEN (0::bigint, -(o.stake + o.fee))
    ELSE (o.stake + o.fee, 0::bigint) END)

-- check I2: a balance is the sum of its postings, and what the newest fact says it is
WITH touched AS MATERIALIZED (
  SELECT member_id FROM orders WHERE accepted_at >= $1
  UNION SELECT member_id FROM settlements WHERE settled_at >= $1
  UNION SELECT member_id FROM transfers WHERE made_at >= $1 AND member_id IS NOT NULL
  UNION SELECT member_id FROM members_money WHERE $1 = 0
), balances AS (
  SELECT m.member_id, m.member_seq, w.wallet, w.available, w.locked FROM touched JOIN members_money m USING (member_id)
  CROSS JOIN LATERAL (VALUES ('practice'::wallet, m.practice_available, m.practice_locked), ('real', m.real_available, m.real_locked))
    AS w(wallet, available, locked)
), summed AS (
  SELECT b.*, p.available AS posted_available, p.locked AS posted_locked FROM balances b CROSS JOIN LATERAL (
    SELECT coalesce(sum(CASE 'available' WHEN to_account THEN amount WHEN from_account THEN -amount END), 0) AS available,
      coalesce(sum(CASE WHEN to_account = 'locked' THEN amount WHEN from_account = 'locked' THEN -amount END), 0) AS locked
    FROM postings_all a WHERE a.member_id = b.member_id AND a.wallet = b.wallet) p
), facts AS (
  SELECT o.member_id, o.wallet, o.member_seq, o.available_after FROM touched JOIN orders o USING (member_id)
  UNION ALL
  SELECT s.member_id, o.wallet, s.member_seq, s.available_after FROM touched JOIN orders o USING (member_id)
    JOIN settlements s ON s.member_id = o.member_id AND s.order_id = o.order_id
  UNION ALL
  SELECT t.member_id, t.wallet, t.member_seq, t.available_after FROM touched JOIN transfers t USING (member_id)
), newest AS (
  SELECT DISTINCT ON (member_id, wallet) member_id, wallet, available_after FROM facts ORDER BY member_id, wallet, member_seq DESC
), numbered AS (
  SELECT member_id, max(member_seq) AS newest_seq, count(*) AS facts, count(DISTINCT member_seq) AS numbers FROM facts GROUP BY member_id
)
SELECT 'member ' || member_id || ' ' || wallet, 'available ' || available || ' against postings of ' || posted_available
  || ', locked ' || locked || ' against ' || posted_locked
  FROM summed WHERE available <> posted_available OR locked <> posted_locked
UNION ALL
SELECT 'member ' || b.member_id || ' ' || b.wallet, 'available ' || b.available || ', the newest fact says ' || n.available_after
  FROM balances b JOIN newest n USING (member_id, wallet) WHERE b.available <> n.available_after
UNION ALL
SELECT 'member ' || m.member_id, 'counts ' || m.member_seq || ' facts, has ' || n.facts || ' up to ' || n.newest_seq
  FROM touched JOIN members_money m USING (member_id) JOIN numbered n USING (member_id)
  WHERE m.member_seq <> n.newest_seq OR n.facts <> n.numbers OR n.facts <> m.member_seq
UNION ALL
SELECT 'house ' || h.wallet || ' ' || h.account, 'balance ' || h.balance || ' against postings of ' || coalesce(p.sum, 0)
  FROM house_accounts h LEFT JOIN (
    SELECT wallet, account, sum(amount) AS sum FROM (
      SELECT wallet, to_account AS account, amount FROM postings_all UNION ALL SELECT wallet, from_account, -amount FROM postings_all) lines
    GROUP BY wallet, account) p ON p.wallet = h.wallet AND p.account = h.account
  WHERE $1 = 0 AND h.balance <> coalesce(p.sum, 0)

-- check I3: no amount of a member is negative
SELECT 'member ' || member_id, 'has a negative amount' FROM members_money
  WHERE least(practice_available, practice_locked, practice_running_stakes, practice_running_orders, real_available, real_locked,
    real_running_stakes, real_running_orders) < 0

-- check I4: all balances together are zero, for each wallet
SELECT 'wallet ' || w.wallet, 'all balances sum to ' || w.members + h.house FROM (
    SELECT 'practice'::wallet AS wallet, coalesce(sum(practice_available + practice_locked), 0) AS members FROM members_money
    UNION ALL SELECT 'real', coalesce(sum(real_available + real_locked), 0) FROM members_money) w
  JOIN (SELECT wallet, sum(balance) AS house FROM house_accounts GROUP BY wallet) h USING (wallet)
  WHERE w.members + h.house <> 0

-- check I5: an order is running or settled, never both, and settled once the seal is 30 s past its expiry
-- Grouped instead of joined: PostgreSQL's statistics may not know the new orders yet, and a join planned for a handful of
-- orders would scan all running orders for each of them.
SELECT 'order ' || order_id, CASE WHEN bool_or(runs) THEN 'runs and is settled' ELSE 'neither runs nor is settled' END FROM (
    SELECT o.order_id, false AS runs, s.order_id IS NOT NULL AS settled FROM orders o
      LEFT JOIN settlements s ON s.member_id = o.member_id AND s.order_id = o.order_id WHERE o.accepted_at >= $1
    UNION ALL SELECT order_id, true, false FROM open_orders WHERE accepted_at >= $1) AS each
  GROUP BY order_id HAVING bool_or(runs) = bool_or(settled)
UNION ALL
SELECT 'order ' || r.order_id, 'runs though the seal passed its end at ' || c.sealed_through
  FROM open_orders r JOIN instrument_clock c USING (symbol)
  WHERE c.sealed_through > r.accepted_at + 10000 + r.duration * 1000::bigint + 30000 AND r.reveal_by IS NULL
UNION ALL
-- Settlement waits five minutes for a witness's board that doesn't answer.
SELECT 'order ' || r.order_id, 'waits to be revealed since its time was over, at ' || r.reveal_by
  FROM open_orders r WHERE r.reveal_by < floor(extract(epoch FROM clock_timestamp()) * 1000) - 420000
UNION ALL
SELECT 'running order ' || r.order_id, 'was never accepted' FROM open_orders r
  WHERE NOT EXISTS (SELECT FROM orders o WHERE o.member_id = r.member_id AND o.order_id = r.order_id)

-- check I6: what is locked is the stakes and fees of running orders and the withdrawals under way
-- Each running order is looked up by its key. PostgreSQL takes the two columns of the key as independent and would expect a
-- join to return very few orders, so it would scan all of them again for each member.
WITH touched AS MATERIALIZED (
  SELECT member_id FROM orders WHERE accepted_at >= $1
  UNION SELECT member_id FROM settlements WHERE settled_at >= $1
  UNION SELECT member_id FROM transfers WHERE made_at >= $1 AND member_id IS NOT NULL
  UNION SELECT member_id FROM members_money WHERE $1 = 0
), expected AS (
  SELECT t.member_id, w.wallet, coalesce(o.held, 0) + coalesce(d.held, 0) AS locked, coalesce(o.stakes, 0) AS stakes, coalesce(o.orders, 0) AS orders
  FROM touched t CROSS JOIN unnest(enum_range(NULL::wallet)) AS w(wallet)
  LEFT JOIN (
    SELECT r.member_id, o.wallet, sum(o.stake + o.fee) AS held, sum(o.stake) AS stakes, count(*) AS orders FROM open_orders r
    CROSS JOIN LATERAL (SELECT wallet, stake, fee FROM orders WHERE member_id = r.member_id AND order_id = r.order_id OFFSET 0) o
    GROUP BY r.member_id, o.wallet) o ON o.member_id = t.member_id AND o.wallet = w.wallet
  LEFT JOIN LATERAL (
    SELECT sum(amount) AS held FROM withdrawals WHERE w.wallet = 'real' AND withdrawals.member_id = t.member_id AND end_id IS NULL) d ON true
)
SELECT 'member ' || e.member_id || ' ' || e.wallet, 'locked, running stakes and running orders should be ' || e.locked || ', ' || e.stakes || ' and ' || e.orders
  FROM expected e JOIN members_money m USING (member_id)
  WHERE (e.locked, e.stakes, e.orders) IS DISTINCT FROM (CASE e.wallet
    WHEN 'practice' THEN (m.practice_locked::numeric, m.practice_running_stakes::numeric, m.practice_running_orders::bigint)
    ELSE (m.real_locked::numeric, m.real_running_stakes::numeric, m.real_running_orders::bigint) END)

-- check I7: a client id of a member has one effect
SELECT 'order ' || o.order_id, 'is not the one order of its client id' FROM orders o
  WHERE o.accepted_at >= $1 AND (o.client_key <> client_key(o.client_order_id)
    OR EXISTS (SELECT FROM orders other WHERE other.client_key = o.client_key AND other.member_id = o.member_id AND other.order_id <> o.order_id))

-- check I8: outcome and payout are what the rule makes of the stored ticks
-- Orders whose ticks were moved into files are not checked here; the log's digests cover those ticks.
WITH rules AS (
  SELECT c.version, i ->> 'symbol' AS symbol, (i ->> 'staleExitMs')::bigint AS stale_exit_ms
  FROM trading_configs c CROSS JOIN jsonb_array_elements(c.body -> 'instruments') AS i
), judged AS (
  SELECT s.*, e.seq AS e_seq, x.seq AS x_seq, CASE
      WHEN e.seq IS NULL THEN 'NO_ENTRY_TICK'
      WHEN o.limit_price IS NOT NULL AND CASE o.direction WHEN 'up' THEN e.price > o.limit_price ELSE e.price < o.limit_price END THEN 'LIMIT_PASSED'
      WHEN x.seq IS NULL THEN 'NO_TICK_BETWEEN'
      WHEN e.time + o.duration * 1000::bigint - x.time > r.stale_exit_ms THEN 'STALE_EXIT' END AS reason,
    CASE WHEN o.direction IS NULL THEN 'lost' WHEN x.price = e.price THEN 'tied' WHEN (x.price > e.price) = (o.direction = 'up') THEN 'won' ELSE 'lost' END AS result
  FROM settlements s JOIN LATERAL (
    SELECT a.symbol, a.config_version, a.accepted_at, a.duration, coalesce(a.direction, v.direction) AS direction,
      coalesce(a.limit_price, v.limit_price) AS limit_price
    FROM orders a LEFT JOIN reveals v ON v.order_id = a.order_id WHERE a.member_id = s.member_id AND a.order_id = s.order_id OFFSET 0) o ON true
  JOIN rules r ON r.version = o.config_version AND r.symbol = o.symbol
  LEFT JOIN LATERAL (SELECT seq, time, price FROM ticks WHERE symbol = o.symbol AND time > o.accepted_at AND time <= o.accepted_at + 10000
    ORDER BY time LIMIT 1) e ON true
  LEFT JOIN LATERAL (SELECT seq, time, price FROM ticks WHERE symbol = o.symbol AND time > e.time AND time <= e.time + o.duration * 1000::bigint
    ORDER BY time DESC LIMIT 1) x ON true
  WHERE s.settled_at >= $1 AND NOT EXISTS (SELECT FROM filed_days f WHERE f.day IN (o.accepted_at / 86400000, s.settled_at / 86400000))
)
SELECT 'settlement ' || order_id, 'is ' || outcome || coalesce(' ' || void_reason, '') || ', the rule says '
    || coalesce('voided ' || reason, result)
  FROM judged
  WHERE void_reason::text IS DISTINCT FROM reason OR (reason IS NULL AND outcome::text <> result) OR (reason IS NOT NULL AND outcome <> 'voided')
    OR entry_seq IS DISTINCT FROM e_seq
    OR exit_seq IS DISTINCT FROM CASE WHEN reason IN ('NO_ENTRY_TICK', 'LIMIT_PASSED', 'NO_TICK_BETWEEN') THEN NULL ELSE x_seq END

-- check I9: deposits move forward only, and each credited one has one transfer of its amount
-- Only deposits that reached their stage since $1 are examined.
WITH touched AS MATERIALIZED (
  SELECT * FROM deposits WHERE stage_at >= $1
), steps AS (
  SELECT s.deposit_id, s.stage, s.step, s.at, lag(s.stage) OVER w AS before, count(*) OVER (PARTITION BY s.deposit_id) AS steps,
    row_number() OVER w AS place
  FROM touched JOIN deposit_steps s USING (deposit_id) WINDOW w AS (PARTITION BY s.deposit_id ORDER BY s.step)
)
SELECT 'deposit ' || deposit_id, 'went from ' || coalesce(before, 'nothing') || ' to ' || stage FROM steps
  WHERE step <> place OR NOT (CASE coalesce(before, '')
    WHEN '' THEN stage IN ('confirming', 'wrong_token', 'rejected', 'awaiting_transfer', 'in_review', 'claimed')
    WHEN 'confirming' THEN stage IN ('below_minimum', 'orphaned', 'credited', 'rejected')
    WHEN 'orphaned' THEN stage IN ('confirming', 'rejected')
    WHEN 'below_minimum' THEN stage IN ('credited', 'rejected')
    WHEN 'awaiting_transfer' THEN stage IN ('in_review', 'credited', 'rejected', 'expired')
    WHEN 'expired' THEN stage = 'credited'
    WHEN 'wrong_token' THEN stage = 'rejected'
    WHEN 'in_review' THEN stage IN ('credited', 'rejected')
    WHEN 'claimed' THEN stage IN ('linked', 'rejected')
    WHEN 'credited' THEN stage = 'reversed'
    ELSE false END)
UNION ALL
SELECT 'deposit ' || d.deposit_id, 'is ' || d.stage || ', its last step says ' || coalesce(s.stage, 'nothing')
  FROM touched d LEFT JOIN steps s ON s.deposit_id = d.deposit_id AND s.place = s.steps WHERE s.stage IS DISTINCT FROM d.stage
UNION ALL
SELECT 'deposit ' || d.deposit_id, 'of ' || d.amount || ' is booked as ' || coalesce(p.credited::text, 'nothing')
  FROM touched d LEFT JOIN transfers t ON t.transfer_id = d.transfer_id AND t.member_id = d.member_id AND t.kind = 'deposit' AND t.wallet = 'real'
  LEFT JOIN LATERAL (SELECT sum(amount) AS credited FROM postings WHERE transfer_id = t.transfer_id AND to_account = 'available') p ON true
  WHERE d.stage IN ('credited', 'reversed') AND p.credited IS DISTINCT FROM d.amount
UNION ALL
SELECT 'transfer ' || t.transfer_id, 'credits a chain deposit that is none' FROM transfers t
  WHERE t.made_at >= $1 AND t.idempotency_key LIKE 'deposit:chain:%' AND NOT EXISTS (SELECT FROM deposits d JOIN chain_transfers c USING (deposit_id)
    WHERE d.transfer_id = t.transfer_id AND t.idempotency_key = 'deposit:chain:' || c.instance_id || ':' || c.tx_hash || ':' || c.log_index)
UNION ALL
SELECT 'deposit ' || d.deposit_id, 'by ' || d.method || ' is credited without its line of a statement, or its two people'
  FROM touched d LEFT JOIN bank_deposits b USING (deposit_id) LEFT JOIN card_deposits c USING (deposit_id)
  JOIN transfers t USING (transfer_id)
  WHERE d.stage IN ('credited', 'reversed') AND t.idempotency_key IS DISTINCT FROM CASE d.method
    WHEN 'bank' THEN 'deposit:bank:' || b.matched_entry
    WHEN 'card' THEN 'deposit:card:' || c.proposal_id
    ELSE t.idempotency_key END
UNION ALL
SELECT 'deposit ' || d.deposit_id, 'of ' || d.amount || ' is reversed as ' || coalesce(p.returned::text, 'nothing')
  FROM touched d LEFT JOIN deposit_reversals r USING (deposit_id)
  LEFT JOIN transfers t ON t.transfer_id = r.transfer_id AND t.member_id = d.member_id AND t.kind = 'deposit_reversed' AND t.wallet = 'real'
  LEFT JOIN LATERAL (SELECT sum(amount) AS returned, sum(amount) FILTER (WHERE from_account = 'receivable') AS owed
    FROM postings WHERE transfer_id = t.transfer_id AND to_account = 'bank_clearing') p ON true
  WHERE d.stage = 'reversed' AND (p.returned, coalesce(p.owed, 0)) IS DISTINCT FROM (d.amount::numeric, r.owed::numeric)
UNION ALL
SELECT 'deposit ' || r.deposit_id, 'is reversed without two people' FROM touched d JOIN deposit_reversals r USING (deposit_id)
  WHERE NOT EXISTS (SELECT FROM reversal_requests q JOIN decisions e USING (proposal_id)
    WHERE q.proposal_id = r.proposal_id AND q.deposit_id = r.deposit_id AND e.decision = 'approved' AND e.made_by <> e.decided_by)
UNION ALL
SELECT 'transfer ' || t.transfer_id, 'reverses no deposit' FROM transfers t
  WHERE t.made_at >= $1 AND t.kind = 'deposit_reversed' AND NOT EXISTS (SELECT FROM deposit_reversals r WHERE r.transfer_id = t.transfer_id)

-- check I17: withdrawals move forward only, each is held once, and ends once: paid on the chain or released
-- Only withdrawals that reached their stage since $1 are examined.
WITH touched AS MATERIALIZED (
  SELECT * FROM withdrawals WHERE stage_at >= $1
), steps AS (
  SELECT s.withdrawal_id, s.stage, s.step, lag(s.stage) OVER w AS before, count(*) OVER (PARTITION BY s.withdrawal_id) AS steps, row_number() OVER w AS place
  FROM touched JOIN withdrawal_steps s USING (withdrawal_id) WINDOW w AS (PARTITION BY s.withdrawal_id ORDER BY s.step)
)
SELECT 'withdrawal ' || withdrawal_id, 'went from ' || coalesce(before, 'nothing') || ' to ' || stage FROM steps
  WHERE step <> place OR NOT (CASE coalesce(before, '')
    WHEN '' THEN stage = 'requested'
    WHEN 'requested' THEN stage IN ('review', 'approved', 'canceled', 'rejected')
    WHEN 'review' THEN stage IN ('approved', 'canceled', 'rejected')
    -- Canceled only without a nonce, as a check below makes sure.
    WHEN 'approved' THEN stage IN ('review', 'reserved', 'canceled', 'rejected')
    -- Review again if nothing was signed for its nonce.
    WHEN 'reserved' THEN stage IN ('signed', 'needs_review', 'review', 'approved')
    WHEN 'signed' THEN stage IN ('broadcast', 'confirmed', 'needs_review')
    WHEN 'broadcast' THEN stage IN ('confirmed', 'needs_review')
    WHEN 'needs_review' THEN stage IN ('confirmed', 'reverted')
    ELSE false END)
UNION ALL
SELECT 'withdrawal ' || t.withdrawal_id, 'is ' || t.stage || ', its last step says ' || coalesce(s.stage, 'nothing')
  FROM touched t LEFT JOIN steps s ON s.withdrawal_id = t.withdrawal_id AND s.place = s.steps WHERE s.stage IS DISTINCT FROM t.stage
UNION ALL
SELECT 'withdrawal ' || w.withdrawal_id, 'of ' || w.amount || ' is held as ' || coalesce(p.held::text, 'nothing')
  FROM touched w LEFT JOIN transfers h ON h.transfer_id = w.hold_id AND h.member_id = w.member_id AND h.kind = 'withdrawal_hold' AND h.wallet = 'real'
  LEFT JOIN LATERAL (SELECT sum(amount) AS held FROM postings WHERE transfer_id = h.transfer_id AND from_account = 'available' AND to_account = 'locked') p ON true
  WHERE p.held IS DISTINCT FROM w.amount
UNION ALL
SELECT 'withdrawal ' || w.withdrawal_id, 'is ' || w.stage || ' and ended with ' || coalesce(e.kind || ' of ' || p.freed, 'nothing')
  FROM touched w LEFT JOIN transfers e ON e.transfer_id = w.end_id AND e.member_id = w.member_id AND e.wallet = 'real'
    AND e.kind = CASE w.stage WHEN 'confirmed' THEN 'withdrawal_paid' ELSE 'withdrawal_release' END
  LEFT JOIN LATERAL (SELECT sum(amount) AS freed, sum(amount) FILTER (WHERE to_account = 'withdrawal_clearing') AS paid,
    sum(amount) FILTER (WHERE to_account = 'available') AS released FROM postings WHERE transfer_id = e.transfer_id AND from_account = 'locked') p ON true
  WHERE w.end_id IS NOT NULL AND (p.freed IS DISTINCT FROM w.amount
    OR (w.stage = 'confirmed' AND p.paid IS DISTINCT FROM w.amount - w.fee) OR (w.stage <> 'confirmed' AND p.released IS DISTINCT FROM w.amount))
UNION ALL
SELECT 'withdrawal ' || w.withdrawal_id, 'is ' || w.stage || ' without the attempt or the evidence that takes' FROM touched w
  WHERE (w.stage = 'confirmed' AND NOT EXISTS (SELECT FROM withdrawal_attempts a WHERE a.withdrawal_id = w.withdrawal_id AND a.tx_hash = w.tx_hash))
    OR (w.stage = 'reverted' AND w.dead_at IS NULL)
    OR (w.stage IN ('canceled', 'rejected') AND EXISTS (SELECT FROM payout_nonces n WHERE n.withdrawal_id = w.withdrawal_id))
UNION ALL
SELECT 'withdrawal ' || w.withdrawal_id, 'arrived short of ' || s.rest || ', is ' || w.stage || ' and gave back ' || coalesce(p.back::text, 'nothing')
  FROM touched w JOIN short_payments s USING (withdrawal_id) LEFT JOIN short_endings e USING (withdrawal_id)
  LEFT JOIN transfers t ON t.transfer_id = e.transfer_id AND t.member_id = w.member_id AND t.wallet = 'real' AND t.kind = 'correction'
  LEFT JOIN LATERAL (SELECT sum(amount) AS back FROM postings WHERE transfer_id = t.transfer_id AND from_account = 'capital' AND to_account = 'available') p ON true
  WHERE w.stage NOT IN ('needs_review', 'confirmed') OR (w.stage = 'needs_review' AND e.transfer_id IS NOT NULL)
    OR (w.stage = 'confirmed' AND (p.back IS DISTINCT FROM s.rest
      OR (SELECT count(DISTINCT r.operator_id) FROM withdrawal_releases r WHERE r.withdrawal_id = w.withdrawal_id) < 2))
UNION ALL
SELECT 'transfer ' || t.transfer_id, 'is a ' || t.kind || ' of no withdrawal' FROM transfers t
  WHERE t.made_at >= $1 AND t.kind IN ('withdrawal_hold', 'withdrawal_paid', 'withdrawal_release')
    AND NOT EXISTS (SELECT FROM withdrawals w WHERE t.transfer_id IN (w.hold_id, w.end_id))

-- check I14: what a member owes is what was reversed and not yet settled, and nothing is available while they owe
WITH touched AS MATERIALIZED (
  SELECT DISTINCT member_id FROM transfers WHERE made_at >= $1 AND kind IN ('deposit_reversed', 'debt_settled')
  UNION SELECT member_id FROM members_money WHERE real_debt > 0
)
SELECT 'member ' || m.member_id, 'owes ' || m.real_debt || ' against postings of ' || p.owed || ', with ' || m.real_available || ' available'
  FROM touched JOIN members_money m USING (member_id) CROSS JOIN LATERAL (
    SELECT coalesce(sum(CASE 'receivable' WHEN l.from_account THEN l.amount WHEN l.to_account THEN -l.amount END), 0) AS owed
    FROM transfers t JOIN postings l USING (transfer_id) WHERE t.member_id = m.member_id AND t.wallet = 'real') p
  WHERE m.real_debt <> p.owed OR (m.real_debt > 0 AND m.real_available > 0)

-- check I15: the public log has each version of a receiving card as it is shown
SELECT 'card ' || c.card_id || ' version ' || c.version, 'is not what the log says of it' FROM receiving_cards c
  LEFT JOIN receiving_card_entries e USING (card_id, version) LEFT JOIN outbox o USING (outbox_id)
  WHERE $1::bigint IS NOT NULL AND o.entry IS DISTINCT FROM card_entry(c)

-- check I16: a deposit is brought into the paying wallet once, after its credit, and the books follow it
SELECT 'sweep ' || s.sweep_id, 'of ' || s.worth || ' is ' || s.stage || ' and booked as ' || coalesce(p.amount::text, 'nothing') FROM sweeps s
  LEFT JOIN transfers t ON t.transfer_id = s.transfer_id AND t.kind = 'sweep' LEFT JOIN postings p ON p.transfer_id = t.transfer_id
    AND p.from_account = 'withdrawal_clearing' AND p.to_account = 'chain_clearing'
  WHERE s.stage_at >= $1 AND s.stage = 'done' AND p.amount IS DISTINCT FROM s.worth
UNION ALL
SELECT 'deposit ' || d.deposit_id, 'is swept ' || count(*) || ' times, in stage ' || d.stage
  FROM sweeps s JOIN sweep_deposits i USING (sweep_id) JOIN sweep_deposits o ON o.deposit_id = i.deposit_id
  JOIN sweeps w ON w.sweep_id = o.sweep_id AND w.stage <> 'failed' JOIN deposits d ON d.deposit_id = i.deposit_id
  WHERE s.stage_at >= $1 AND s.stage <> 'failed' GROUP BY d.deposit_id, d.stage, s.sweep_id HAVING count(*) > 1 OR d.stage <> 'credited'

-- check I10: seq and time of an instrument's ticks strictly increase, and none lies at or below an earlier seal
SELECT 'tick ' || symbol || ' ' || seq, 'follows ' || previous || ' at seal ' || seal_before FROM (
    SELECT symbol, seq, time, seal_before, pre_genesis, lag(seq) OVER by_time AS previous, max(seal_before) OVER (PARTITION BY symbol ORDER BY time DESC) AS seals_after
    FROM ticks WHERE time >= $1 WINDOW by_time AS (PARTITION BY symbol ORDER BY time)) t
  WHERE seq <= previous OR (NOT pre_genesis AND time <= seal_before)

-- check whole: I2 and I6 for members by number, from all their facts at once
-- Finds facts that were changed, deleted or inserted long ago. Each order's settlement is looked up by its key, because a
-- join of a few members' orders with all settlements would read all of them.
WITH traded AS (
  SELECT o.member_id, o.wallet, count(*) + count(s.member_seq) AS facts, sum(o.member_seq) + coalesce(sum(s.member_seq), 0) AS numbers,
    max(greatest(o.member_seq, s.member_seq)) AS newest, sum(coalesce(s.back, 0) - o.stake - o.fee) AS available,
    coalesce(sum(o.stake + o.fee) FILTER (WHERE s.member_seq IS NULL), 0) AS locked, coalesce(sum(o.stake) FILTER (WHERE s.member_seq IS NULL), 0) AS stakes,
    count(*) FILTER (WHERE s.member_seq IS NULL) AS orders
  FROM orders o LEFT JOIN LATERAL (
    SELECT s.member_seq, CASE s.outcome WHEN 'won' THEN o.stake + o.profit_if_won + o.fee WHEN 'lost' THEN 0 ELSE o.stake + o.fee END AS back
    FROM settlements s WHERE s.order_id = o.order_id AND s.member_id = o.member_id OFFSET 0) s ON true
  WHERE o.member_id >= $2 AND o.member_id < $3 GROUP BY o.member_id, o.wallet
), moved AS (
  SELECT t.member_id, t.wallet, count(*) AS facts, sum(t.member_seq) AS numbers, max(t.member_seq) AS newest,
    coalesce(sum(p.available), 0) AS available, coalesce(sum(p.locked), 0) AS locked
  FROM transfers t LEFT JOIN LATERAL (
    SELECT sum(CASE 'available' WHEN to_account THEN amount WHEN from_account THEN -amount END) AS available,
      sum(CASE 'locked' WHEN to_account THEN amount WHEN from_account THEN -amount END) AS locked
    FROM postings WHERE transfer_id = t.transfer_id OFFSET 0) p ON true
  WHERE t.member_id >= $2 AND t.member_id < $3 GROUP BY t.member_id, t.wallet
), posted AS (
  SELECT member_id, wallet, sum(facts) AS facts, sum(numbers) AS numbers, max(newest) AS newest, sum(available) AS available,
    sum(locked) AS locked, sum(stakes) AS stakes, sum(orders) AS orders
  FROM (SELECT * FROM traded UNION ALL SELECT *, 0, 0 FROM moved) facts GROUP BY member_id, wallet
), money AS (
  SELECT m.member_id, m.member_seq, w.* FROM members_money m CROSS JOIN LATERAL (VALUES
    ('practice'::wallet, m.practice_available, m.practice_locked, m.practice_running_stakes, m.practice_running_orders),
    ('real', m.real_available, m.real_locked, m.real_running_stakes, m.real_running_orders)) AS w(wallet, available, locked, stakes, orders)
  WHERE m.member_id >= $2 AND m.member_id < $3
)
SELECT 'member ' || m.member_id || ' ' || m.wallet, 'available ' || m.available || ' against postings of ' || coalesce(p.available, 0)
    || ', locked ' || m.locked || ' against ' || coalesce(p.locked, 0) || ', running orders ' || m.orders || ' against ' || coalesce(p.orders, 0)
  FROM money m LEFT JOIN posted p USING (member_id, wallet)
  WHERE (m.available, m.locked, m.stakes, m.orders)
    IS DISTINCT FROM (coalesce(p.available, 0), coalesce(p.locked, 0), coalesce(p.stakes, 0), coalesce(p.orders, 0))
UNION ALL
SELECT 'member ' || member_id, 'counts ' || max(m.member_seq) || ' facts, has ' || coalesce(sum(p.facts), 0) || ' up to ' || coalesce(max(p.newest), 0)
  FROM money m LEFT JOIN posted p USING (member_id, wallet) GROUP BY member_id
  HAVING coalesce(sum(p.facts), 0) <> max(m.member_seq) OR coalesce(max(p.newest), 0) <> max(m.member_seq)
    OR coalesce(sum(p.numbers), 0) <> max(m.member_seq) * (max(m.member_seq) + 1) / 2

-- check I11: an order is in a batch with its time of acceptance, and the batch has as many orders as the public log says
-- Compares with the log only if one is published, and only orders that it has had a minute to include.
WITH held AS (
  SELECT batch_no, accepted_at, count(*) AS orders, count(DISTINCT batch_place) AS places, max(batch_place) AS last FROM orders
  WHERE accepted_at >= $1 OR (accepted_at >= $2 AND accepted_at < $3) GROUP BY batch_no, accepted_at
), logged AS (
  SELECT h.*, b.accepted_at AS batch_at, length(e.entry::json ->> 'commitments') / 4 * 3 / 32 AS in_log
  FROM held h LEFT JOIN acceptance_batches b USING (batch_no)
  LEFT JOIN log_entries l ON l.kind = 'orders.accept' AND l.about = '' AND l.number = h.batch_no LEFT JOIN outbox e USING (outbox_id)
)
SELECT 'batch ' || batch_no, 'holds ' || orders || ' orders accepted at ' || accepted_at
    || coalesce(', the public log has ' || in_log, ', and is not in the public log')
  FROM logged
  WHERE batch_at IS DISTINCT FROM accepted_at OR places <> orders OR last <> orders - 1 OR in_log <> orders
    OR (in_log IS NULL AND accepted_at < (SELECT covers_at FROM log_published WHERE size > 0) - 60000)

-- check I12: every configuration is in the public log, or about to be
SELECT 'configuration version ' || c.version, CASE WHEN l.number IS NULL THEN 'is used and not in the public log'
    ELSE 'is another one in the public log' END
  FROM trading_configs c
  LEFT JOIN log_entries l ON l.kind = 'config' AND l.about = '' AND l.number = c.version LEFT JOIN outbox e USING (outbox_id)
  WHERE EXISTS (SELECT FROM log_published WHERE size > 0)
    AND (e.entry::json ->> 'hash', (e.entry::json ->> 'effectiveAt')::bigint) IS DISTINCT FROM (encode(c.body_hash, 'hex'), c.effective_at)
    AND (l.number IS NOT NULL OR NOT EXISTS (SELECT FROM outbox w WHERE w.kind = 'config'
      AND w.outbox_id > (SELECT decided_through FROM log_writer) AND (w.entry::json ->> 'version')::bigint = c.version))
