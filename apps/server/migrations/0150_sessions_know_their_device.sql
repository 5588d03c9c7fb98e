-- A token that turns up on another device was copied: the session ends. Sessions of clients that keep no key have none and go on
-- as before, and so do those that began earlier.
ALTER TABLE sessions
  -- The key of the device it runs on: each call has to come from there.
  ADD COLUMN device_hash bytea CHECK (length(device_hash) = 32),
  -- The key that its login gave away. The session is bound to it with the first call that brings it back.
  ADD COLUMN offered_hash bytea CHECK (length(offered_hash) = 32);
