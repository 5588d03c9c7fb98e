-- A client id is bound by 16 bytes: a UUID, as the app makes them, by itself, any other by a hash. Its row and its key are less
-- than half as long, and are compared without looking at letters. What a wish must agree with is the order itself: no
-- hash of the wish is kept any more.
CREATE FUNCTION client_key(client_order_id text) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE WHEN client_order_id ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' THEN client_order_id::uuid
    ELSE encode(substring(sha256(convert_to(client_order_id, 'UTF8')) FOR 16), 'hex')::uuid END
$$;
REVOKE EXECUTE ON FUNCTION client_key FROM PUBLIC;
GRANT EXECUTE ON FUNCTION client_key TO fairtick_reader, fairtick_jobs;

ALTER TABLE order_keys RENAME TO order_keys_by_text;
CREATE TABLE order_keys (
  client_key uuid NOT NULL,
  member_id bigint NOT NULL,
  order_id bigint NOT NULL
);
INSERT INTO order_keys SELECT client_key(client_order_id), member_id, order_id FROM order_keys_by_text ORDER BY order_id;
DROP TABLE order_keys_by_text;
ALTER TABLE order_keys ADD PRIMARY KEY (client_key, member_id);
CALL write_once('order_keys');
GRANT SELECT, INSERT ON order_keys TO fairtick_orders;
GRANT SELECT ON order_keys TO fairtick_reader, fairtick_jobs;

-- The id itself stands in the order: as a UUID where it is one, else as it was sent.
ALTER TABLE orders ADD COLUMN client_uuid uuid, ALTER COLUMN client_order_id DROP NOT NULL,
  ADD CONSTRAINT orders_client_id CHECK (client_uuid IS NOT NULL OR client_order_id IS NOT NULL);
