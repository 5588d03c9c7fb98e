-- Up to which block every token at members' addresses was looked for. Where addresses are many, the watcher reads the one token that
-- counts; the others are looked for behind it, from here on, whatever happened to the server meanwhile.
ALTER TABLE chain_instances ADD COLUMN looked_height bigint NOT NULL DEFAULT 0;
UPDATE chain_instances SET looked_height = cursor_height;
