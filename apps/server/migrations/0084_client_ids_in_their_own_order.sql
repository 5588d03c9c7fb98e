-- Client ids before members: the app's are made in the order of time, so that a batch of new ones fills the last page of the
-- index, where one page for each member was searched and written. Looked up is always a member's id, never all of a member's.
ALTER TABLE order_keys DROP CONSTRAINT order_keys_pkey;
ALTER TABLE order_keys ADD PRIMARY KEY (client_order_id, member_id);
