-- Running orders by order id alone: ids come in the order of time, so that taking a batch fills one page of the index and a
-- large expiry empties few, where a page for each member was searched and written. A member's own are found through his
-- orders, from the oldest running one on.
ALTER TABLE open_orders DROP CONSTRAINT open_orders_pkey;
ALTER TABLE open_orders ADD PRIMARY KEY (order_id);
