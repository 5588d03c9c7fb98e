-- How many orders of each wallet run, kept beside the sum of their stakes by those who accept and settle: small stakes reach
-- no limit on sums, however many orders there are. Whoever checks an order has the row locked and read already.
ALTER TABLE members_money
  ADD COLUMN practice_running_orders integer NOT NULL DEFAULT 0 CHECK (practice_running_orders >= 0),
  ADD COLUMN real_running_orders integer NOT NULL DEFAULT 0 CHECK (real_running_orders >= 0);

UPDATE members_money m SET practice_running_orders = r.practice, real_running_orders = r.real
  FROM (
    SELECT o.member_id, count(*) FILTER (WHERE o.wallet = 'practice') AS practice, count(*) FILTER (WHERE o.wallet = 'real') AS real
    FROM open_orders r JOIN orders o ON o.member_id = r.member_id AND o.order_id = r.order_id GROUP BY o.member_id) r
  WHERE m.member_id = r.member_id;

GRANT UPDATE (practice_running_orders, real_running_orders) ON members_money TO fairtick_orders, fairtick_settlement;
