-- The database's schema after all migrations, read from PostgreSQL's catalog. Written by
-- apps/server/src/platform/schema-docs.test.ts (vitest run … -u); docs/database.md has the tables by theme.

CREATE TYPE direction AS ENUM ('up', 'down');

CREATE TYPE outcome AS ENUM ('won', 'lost', 'tied', 'voided');

CREATE TYPE void_reason AS ENUM ('NO_ENTRY_TICK', 'LIMIT_PASSED', 'NO_TICK_BETWEEN', 'STALE_EXIT');

CREATE TYPE wallet AS ENUM ('practice', 'real');

CREATE SEQUENCE acceptance_batch_no AS bigint START 1 INCREMENT 1 MINVALUE 1 MAXVALUE 9223372036854775807 CACHE 1;
GRANT USAGE ON SEQUENCE acceptance_batch_no TO fairtick_orders;

CREATE SEQUENCE debt_transfer AS bigint START 1 INCREMENT 1 MINVALUE 1 MAXVALUE 9223372036854775807 CACHE 1;

CREATE SEQUENCE deposit_child AS integer START 0 INCREMENT 1 MINVALUE 0 MAXVALUE 2147483647 CACHE 1;
GRANT USAGE ON SEQUENCE deposit_child TO fairtick_money;

CREATE SEQUENCE market_writer_epoch AS bigint START 1 INCREMENT 1 MINVALUE 1 MAXVALUE 9223372036854775807 CACHE 1;
GRANT USAGE ON SEQUENCE market_writer_epoch TO fairtick_market;

CREATE SEQUENCE order_id_nodes AS bigint START 0 INCREMENT 1 MINVALUE 0 MAXVALUE 1023 CACHE 1 CYCLE;
GRANT USAGE ON SEQUENCE order_id_nodes TO fairtick_console, fairtick_orders, fairtick_sessions;

CREATE TABLE acceptance_batches (
  batch_no bigint NOT NULL,
  accepted_at bigint NOT NULL,
  root bytea NOT NULL
);
ALTER TABLE acceptance_batches ADD CONSTRAINT acceptance_batches_pkey PRIMARY KEY (batch_no);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.acceptance_batches FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE acceptance_batches ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.acceptance_batches FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE acceptance_batches ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE acceptance_batches IS 'Orders accepted in one transaction, at one moment, under one Merkle root.';
COMMENT ON COLUMN acceptance_batches.batch_no IS 'Number of the batch';
COMMENT ON COLUMN acceptance_batches.accepted_at IS 'When it was accepted, ms since 1970 UTC';
COMMENT ON COLUMN acceptance_batches.root IS E'SHA-256 of "BATCH2\\0", the number, accepted_at, how many were accepted and the Merkle root of the commitments; older ones of "BATCH1\\0" without how many';
GRANT INSERT, SELECT ON acceptance_batches TO fairtick_orders;
GRANT SELECT ON acceptance_batches TO fairtick_jobs, fairtick_market, fairtick_reader, fairtick_settlement;

CREATE TABLE alert_progress (
  symbol text NOT NULL,
  checked_through bigint NOT NULL
);
ALTER TABLE alert_progress ADD CONSTRAINT alert_progress_pkey PRIMARY KEY (symbol);
COMMENT ON TABLE alert_progress IS 'How far each instrument''s sealed ticks were compared with waiting alerts.';
COMMENT ON COLUMN alert_progress.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN alert_progress.checked_through IS 'Compared up to here, ms since 1970 UTC';
GRANT INSERT, SELECT, UPDATE ON alert_progress TO fairtick_jobs;

CREATE TABLE announcement_reads (
  member_id bigint NOT NULL,
  announcement_id bigint NOT NULL,
  read_at bigint NOT NULL
);
ALTER TABLE announcement_reads ADD CONSTRAINT announcement_reads_pkey PRIMARY KEY (member_id, announcement_id);
ALTER TABLE announcement_reads ADD CONSTRAINT announcement_reads_announcement_id_fkey FOREIGN KEY (announcement_id) REFERENCES announcements(announcement_id);
ALTER TABLE announcement_reads ADD CONSTRAINT announcement_reads_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.announcement_reads FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE announcement_reads ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.announcement_reads FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE announcement_reads ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE announcement_reads IS 'Which members have read which announcements.';
COMMENT ON COLUMN announcement_reads.member_id IS 'The member';
COMMENT ON COLUMN announcement_reads.announcement_id IS 'The announcement';
COMMENT ON COLUMN announcement_reads.read_at IS 'When they read it, ms since 1970 UTC';
GRANT INSERT, SELECT ON announcement_reads TO fairtick_sessions;
GRANT SELECT ON announcement_reads TO fairtick_console, fairtick_reader;

CREATE TABLE announcement_texts (
  announcement_id bigint NOT NULL,
  language text NOT NULL,
  title text NOT NULL,
  body text NOT NULL
);
ALTER TABLE announcement_texts ADD CONSTRAINT announcement_texts_pkey PRIMARY KEY (announcement_id, language);
ALTER TABLE announcement_texts ADD CONSTRAINT announcement_texts_announcement_id_fkey FOREIGN KEY (announcement_id) REFERENCES announcements(announcement_id);
ALTER TABLE announcement_texts ADD CONSTRAINT announcement_texts_body_check CHECK ((length(body) <= 8000));
ALTER TABLE announcement_texts ADD CONSTRAINT announcement_texts_language_check CHECK ((language = ANY (ARRAY['en'::text, 'zh'::text, 'zhs'::text, 'ri'::text, 'han'::text, 'de'::text, 'xby'::text, 'ydl'::text, 'yue'::text, 'fr'::text])));
ALTER TABLE announcement_texts ADD CONSTRAINT announcement_texts_title_check CHECK ((length(title) <= 120));
COMMENT ON TABLE announcement_texts IS 'Announcements in each language. A draft may lack a title or a text.';
COMMENT ON COLUMN announcement_texts.announcement_id IS 'The announcement';
COMMENT ON COLUMN announcement_texts.language IS 'Language of the text';
COMMENT ON COLUMN announcement_texts.title IS 'Title';
COMMENT ON COLUMN announcement_texts.body IS 'Text';
GRANT SELECT ON announcement_texts TO fairtick_console, fairtick_reader;

CREATE TABLE announcements (
  announcement_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  saved_by bigint NOT NULL,
  saved_at bigint NOT NULL,
  publish_at bigint,
  ends_at bigint,
  published_by bigint,
  published_at bigint,
  withdrawn_by bigint,
  withdrawn_at bigint,
  withdraw_reason text
);
ALTER TABLE announcements ADD CONSTRAINT announcements_pkey PRIMARY KEY (announcement_id);
ALTER TABLE announcements ADD CONSTRAINT announcements_check CHECK ((ends_at > publish_at));
ALTER TABLE announcements ADD CONSTRAINT announcements_check1 CHECK ((((published_by IS NULL) = (published_at IS NULL)) AND ((published_at IS NULL) OR (publish_at IS NOT NULL))));
ALTER TABLE announcements ADD CONSTRAINT announcements_check2 CHECK (((withdrawn_at IS NULL) OR ((published_at IS NOT NULL) AND (withdrawn_by IS NOT NULL) AND (length(btrim(withdraw_reason)) >= 3))));
ALTER TABLE announcements ADD CONSTRAINT announcements_published_by_fkey FOREIGN KEY (published_by) REFERENCES operators(operator_id);
ALTER TABLE announcements ADD CONSTRAINT announcements_saved_by_fkey FOREIGN KEY (saved_by) REFERENCES operators(operator_id);
ALTER TABLE announcements ADD CONSTRAINT announcements_withdrawn_by_fkey FOREIGN KEY (withdrawn_by) REFERENCES operators(operator_id);
CREATE INDEX announcements_shown ON public.announcements USING btree (publish_at DESC, announcement_id DESC) WHERE ((published_at IS NOT NULL) AND (withdrawn_at IS NULL));
COMMENT ON TABLE announcements IS 'Announcements to all members.';
COMMENT ON COLUMN announcements.announcement_id IS 'Number of the announcement';
COMMENT ON COLUMN announcements.saved_by IS 'The operator who saved it last';
COMMENT ON COLUMN announcements.saved_at IS 'When it was saved, ms since 1970 UTC';
COMMENT ON COLUMN announcements.publish_at IS 'From when it is shown, ms since 1970 UTC; null for from its publication';
COMMENT ON COLUMN announcements.ends_at IS 'Until when it is shown, ms since 1970 UTC; null for no end';
COMMENT ON COLUMN announcements.published_by IS 'The operator who published it; null for a draft';
COMMENT ON COLUMN announcements.published_at IS 'When it was published, ms since 1970 UTC';
COMMENT ON COLUMN announcements.withdrawn_by IS 'The operator who withdrew it';
COMMENT ON COLUMN announcements.withdrawn_at IS 'When it was withdrawn, ms since 1970 UTC';
COMMENT ON COLUMN announcements.withdraw_reason IS 'Why it was withdrawn';
GRANT SELECT ON announcements TO fairtick_console, fairtick_reader, fairtick_sessions;

CREATE TABLE approval_entries (
  subject text NOT NULL,
  number bigint NOT NULL,
  at bigint NOT NULL,
  nonce bytea NOT NULL,
  body text NOT NULL,
  outbox_id bigint NOT NULL
);
ALTER TABLE approval_entries ADD CONSTRAINT approval_entries_pkey PRIMARY KEY (subject, number, at);
ALTER TABLE approval_entries ADD CONSTRAINT approval_entries_nonce_check CHECK ((length(nonce) = 16));
ALTER TABLE approval_entries ADD CONSTRAINT approval_entries_outbox_id_fkey FOREIGN KEY (outbox_id) REFERENCES outbox(outbox_id);
ALTER TABLE approval_entries ADD CONSTRAINT approval_entries_outbox_id_key UNIQUE (outbox_id);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.approval_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE approval_entries ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.approval_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE approval_entries ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE approval_entries IS 'Operators'' approvals in the public log, each as a hash over a nonce kept here. The log tells nothing about members, amounts or people, and the approval can still be proved to whoever may see it.';
COMMENT ON COLUMN approval_entries.subject IS 'A kind of proposal, or `withdrawal`';
COMMENT ON COLUMN approval_entries.number IS 'Number of the proposal or withdrawal';
COMMENT ON COLUMN approval_entries.at IS 'When it happened, ms since 1970 UTC';
COMMENT ON COLUMN approval_entries.nonce IS '16 random bytes that come first in the hash';
COMMENT ON COLUMN approval_entries.body IS 'What follows the nonce in the hash';
COMMENT ON COLUMN approval_entries.outbox_id IS 'Its entry for the public log';
GRANT SELECT ON approval_entries TO fairtick_console;

CREATE TABLE attempts (
  kind text NOT NULL,
  subject text NOT NULL,
  tries bigint[] NOT NULL,
  newest bigint NOT NULL
);
ALTER TABLE attempts ADD CONSTRAINT attempts_pkey PRIMARY KEY (kind, subject);
ALTER TABLE attempts ADD CONSTRAINT attempts_kind_check CHECK ((kind = ANY (ARRAY['login'::text, 'code'::text, 'tradePassword'::text, 'send'::text, 'factor'::text])));
CREATE INDEX attempts_by_newest ON public.attempts USING btree (newest);
COMMENT ON TABLE attempts IS 'Attempts of the last 24 hours that failed or are under way. They are on disk, so a restart forgives nothing.';
COMMENT ON COLUMN attempts.kind IS 'What was tried';
COMMENT ON COLUMN attempts.subject IS 'Who tried: `account:` or `address:` with a hash, `member:` with an id, `ip:` with a host or an IPv6 /64';
COMMENT ON COLUMN attempts.tries IS 'When each was made, ms since 1970 UTC';
COMMENT ON COLUMN attempts.newest IS 'When the newest was made, ms since 1970 UTC';
GRANT DELETE, INSERT, SELECT, UPDATE ON attempts TO fairtick_console, fairtick_sessions;

CREATE TABLE audit_head (
  one boolean NOT NULL DEFAULT true,
  audit_no bigint NOT NULL,
  hash bytea NOT NULL
);
ALTER TABLE audit_head ADD CONSTRAINT audit_head_pkey PRIMARY KEY (one);
ALTER TABLE audit_head ADD CONSTRAINT audit_head_one_check CHECK (one);
COMMENT ON TABLE audit_head IS 'The newest row of the audit trail. Its lock keeps the trail without forks or gaps.';
COMMENT ON COLUMN audit_head.one IS 'Always true: the table has exactly one row';
COMMENT ON COLUMN audit_head.audit_no IS 'Number of the newest row; 0 before the first';
COMMENT ON COLUMN audit_head.hash IS 'Hash of the newest row';

CREATE TABLE audit_trail (
  audit_no bigint NOT NULL,
  at bigint NOT NULL,
  operator_id bigint,
  session_id bigint,
  ip text NOT NULL,
  device text NOT NULL,
  action text NOT NULL,
  subject text,
  reason text,
  detail text NOT NULL,
  outcome text NOT NULL,
  previous_hash bytea NOT NULL,
  hash bytea NOT NULL
);
ALTER TABLE audit_trail ADD CONSTRAINT audit_trail_pkey PRIMARY KEY (audit_no);
ALTER TABLE audit_trail ADD CONSTRAINT audit_trail_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(operator_id);
ALTER TABLE audit_trail ADD CONSTRAINT audit_trail_session_id_fkey FOREIGN KEY (session_id) REFERENCES operator_sessions(session_id);
CREATE INDEX audit_trail_by_operator ON public.audit_trail USING btree (operator_id, audit_no);
CREATE INDEX audit_trail_by_subject ON public.audit_trail USING btree (subject, audit_no);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.audit_trail FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE audit_trail ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.audit_trail FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE audit_trail ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE audit_trail IS 'Everything operators did: who, when, from where, what and why. Each row''s hash covers the row before, so a missing or changed row breaks the chain.';
COMMENT ON COLUMN audit_trail.audit_no IS 'Number of the row, without gaps';
COMMENT ON COLUMN audit_trail.at IS 'When it happened, ms since 1970 UTC';
COMMENT ON COLUMN audit_trail.operator_id IS 'Who did it; null where nobody was known, such as a failed login';
COMMENT ON COLUMN audit_trail.session_id IS 'The session it was done in';
COMMENT ON COLUMN audit_trail.ip IS 'Address it came from';
COMMENT ON COLUMN audit_trail.device IS 'Browser and system it came from';
COMMENT ON COLUMN audit_trail.action IS 'What was done';
COMMENT ON COLUMN audit_trail.subject IS 'Id of what it was about';
COMMENT ON COLUMN audit_trail.reason IS 'Why, in the operator''s words';
COMMENT ON COLUMN audit_trail.detail IS 'What was asked, as JSON without secrets';
COMMENT ON COLUMN audit_trail.outcome IS '`done`, or the name of the refusal';
COMMENT ON COLUMN audit_trail.previous_hash IS 'Hash of the row before';
COMMENT ON COLUMN audit_trail.hash IS 'SHA-256 over this row and previous_hash';
GRANT SELECT ON audit_trail TO fairtick_console;

CREATE TABLE awaiting_reveals (
  order_id bigint NOT NULL,
  member_id bigint NOT NULL,
  accepted_at bigint NOT NULL,
  duration integer NOT NULL,
  symbol text NOT NULL,
  reveal_by bigint NOT NULL,
  touched boolean
);
ALTER TABLE awaiting_reveals ADD CONSTRAINT awaiting_reveals_pkey PRIMARY KEY (order_id);
CREATE INDEX awaiting_reveals_due ON public.awaiting_reveals USING btree (reveal_by);
COMMENT ON TABLE awaiting_reveals IS 'Sealed orders that are due and were not revealed in time: they have left open_groups and wait for their members.';
COMMENT ON COLUMN awaiting_reveals.order_id IS 'The order';
COMMENT ON COLUMN awaiting_reveals.member_id IS 'The member';
COMMENT ON COLUMN awaiting_reveals.accepted_at IS 'When it was accepted, ms since 1970 UTC';
COMMENT ON COLUMN awaiting_reveals.duration IS 'Duration from entry to expiry, seconds';
COMMENT ON COLUMN awaiting_reveals.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN awaiting_reveals.reveal_by IS 'From then on it counts as lost, ms since 1970 UTC';
COMMENT ON COLUMN awaiting_reveals.touched IS 'Never written: roles that only lock the row need the right to update some column';
GRANT DELETE, INSERT, SELECT, UPDATE ON awaiting_reveals TO fairtick_settlement;
GRANT SELECT ON awaiting_reveals TO fairtick_console, fairtick_jobs, fairtick_orders, fairtick_reader, fairtick_sessions;
GRANT UPDATE (touched) ON awaiting_reveals TO fairtick_orders;

CREATE TABLE bank_deposits (
  deposit_id bigint NOT NULL,
  card_id bigint NOT NULL,
  card_version integer NOT NULL,
  fiat_amount bigint NOT NULL,
  reference text NOT NULL,
  matched_entry bigint,
  matched_by bigint,
  expires_at bigint,
  credited_by bigint,
  credited_at bigint
);
ALTER TABLE bank_deposits ADD CONSTRAINT bank_deposits_pkey PRIMARY KEY (deposit_id);
ALTER TABLE bank_deposits ADD CONSTRAINT bank_deposits_card_id_card_version_fkey FOREIGN KEY (card_id, card_version) REFERENCES receiving_cards(card_id, version);
ALTER TABLE bank_deposits ADD CONSTRAINT bank_deposits_credited_by_fkey FOREIGN KEY (credited_by) REFERENCES operators(operator_id);
ALTER TABLE bank_deposits ADD CONSTRAINT bank_deposits_deposit_id_fkey FOREIGN KEY (deposit_id) REFERENCES deposits(deposit_id);
ALTER TABLE bank_deposits ADD CONSTRAINT bank_deposits_fiat_amount_check CHECK ((fiat_amount > 0));
ALTER TABLE bank_deposits ADD CONSTRAINT bank_deposits_matched_by_fkey FOREIGN KEY (matched_by) REFERENCES operators(operator_id);
ALTER TABLE bank_deposits ADD CONSTRAINT bank_deposits_matched_entry_fkey FOREIGN KEY (matched_entry) REFERENCES statement_entries(entry_id);
ALTER TABLE bank_deposits ADD CONSTRAINT bank_deposits_matched_entry_key UNIQUE (matched_entry);
ALTER TABLE bank_deposits ADD CONSTRAINT bank_deposits_reference_key UNIQUE (reference);
ALTER TABLE bank_deposits ADD CONSTRAINT credited_by_somebody CHECK (((credited_by IS NULL) = (credited_at IS NULL)));
CREATE INDEX bank_deposits_by_person ON public.bank_deposits USING btree (credited_by, credited_at) WHERE (credited_by IS NOT NULL);
CREATE INDEX bank_deposits_expiring ON public.bank_deposits USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE TRIGGER keep_all_bank_deposits BEFORE TRUNCATE ON public.bank_deposits FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER keep_bank_deposits BEFORE DELETE ON public.bank_deposits FOR EACH ROW EXECUTE FUNCTION refuse_change();
COMMENT ON TABLE bank_deposits IS 'Bank transfers that members announced.';
COMMENT ON COLUMN bank_deposits.deposit_id IS 'The deposit';
COMMENT ON COLUMN bank_deposits.card_id IS 'The receiving account';
COMMENT ON COLUMN bank_deposits.card_version IS 'Version of that account';
COMMENT ON COLUMN bank_deposits.fiat_amount IS 'Amount announced, in the currency''s smallest unit';
COMMENT ON COLUMN bank_deposits.reference IS 'Reference the member puts into the transfer';
COMMENT ON COLUMN bank_deposits.matched_entry IS 'The line of a statement it was matched with';
COMMENT ON COLUMN bank_deposits.matched_by IS 'The operator who matched it; null where it matched on its own';
COMMENT ON COLUMN bank_deposits.expires_at IS 'When it expires, ms since 1970 UTC; null for never';
COMMENT ON COLUMN bank_deposits.credited_by IS 'The operator who credited it or imported the statement; null for older ones';
COMMENT ON COLUMN bank_deposits.credited_at IS 'When it was credited, ms since 1970 UTC';
GRANT SELECT ON bank_deposits TO fairtick_console, fairtick_jobs, fairtick_money, fairtick_reader;

CREATE TABLE bank_statements (
  statement_id bigint NOT NULL,
  message text NOT NULL,
  file_hash bytea NOT NULL,
  imported_by bigint NOT NULL,
  imported_at bigint NOT NULL
);
ALTER TABLE bank_statements ADD CONSTRAINT bank_statements_pkey PRIMARY KEY (statement_id);
ALTER TABLE bank_statements ADD CONSTRAINT bank_statements_file_hash_key UNIQUE (file_hash);
ALTER TABLE bank_statements ADD CONSTRAINT bank_statements_imported_by_fkey FOREIGN KEY (imported_by) REFERENCES operators(operator_id);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.bank_statements FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE bank_statements ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.bank_statements FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE bank_statements ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE bank_statements IS 'Bank statements that were imported.';
COMMENT ON COLUMN bank_statements.statement_id IS 'Number of the statement';
COMMENT ON COLUMN bank_statements.message IS 'The bank''s own name for the message';
COMMENT ON COLUMN bank_statements.file_hash IS 'SHA-256 of the file';
COMMENT ON COLUMN bank_statements.imported_by IS 'The operator who imported it';
COMMENT ON COLUMN bank_statements.imported_at IS 'When it was imported, ms since 1970 UTC';
GRANT SELECT ON bank_statements TO fairtick_console;

CREATE TABLE board_readings (
  board text NOT NULL,
  asked_at bigint NOT NULL,
  read_through bigint NOT NULL,
  failing_since bigint
);
ALTER TABLE board_readings ADD CONSTRAINT board_readings_pkey PRIMARY KEY (board);
COMMENT ON TABLE board_readings IS 'How far the boards of witnesses were read for reveals, one row for each board.';
COMMENT ON COLUMN board_readings.board IS 'Verifier key of the witness';
COMMENT ON COLUMN board_readings.asked_at IS 'When it was last asked, ms since 1970 UTC';
COMMENT ON COLUMN board_readings.read_through IS 'All its lines from before this moment were taken, ms since 1970 UTC; 0 if it never answered';
COMMENT ON COLUMN board_readings.failing_since IS 'When it was asked first of all the times in a row that it did not answer, ms since 1970 UTC; null if it answered last time';
GRANT INSERT, SELECT, UPDATE ON board_readings TO fairtick_orders;
GRANT SELECT ON board_readings TO fairtick_settlement;

CREATE TABLE candles (
  symbol text NOT NULL,
  "time" bigint NOT NULL,
  open bigint NOT NULL,
  high bigint NOT NULL,
  low bigint NOT NULL,
  close bigint NOT NULL,
  pre_genesis boolean NOT NULL DEFAULT false
);
ALTER TABLE candles ADD CONSTRAINT candles_pkey PRIMARY KEY (symbol, "time");
CREATE INDEX candles_pre_genesis ON public.candles USING btree (symbol, "time") WHERE pre_genesis;
COMMENT ON TABLE candles IS 'One-minute candles, made from sealed ticks. Longer intervals are made from these.';
COMMENT ON COLUMN candles.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN candles."time" IS 'First moment of the minute, ms since 1970 UTC';
COMMENT ON COLUMN candles.open IS 'First price, points';
COMMENT ON COLUMN candles.high IS 'Highest price, points';
COMMENT ON COLUMN candles.low IS 'Lowest price, points';
COMMENT ON COLUMN candles.close IS 'Last price, points';
COMMENT ON COLUMN candles.pre_genesis IS 'Whether it belongs to the made-up past before the first epoch';
GRANT INSERT, SELECT ON candles TO fairtick_market;
GRANT INSERT, SELECT, UPDATE ON candles TO fairtick_jobs;
GRANT SELECT ON candles TO fairtick_reader;

CREATE TABLE canned_answer_texts (
  answer_id bigint NOT NULL,
  language text NOT NULL,
  body text NOT NULL
);
ALTER TABLE canned_answer_texts ADD CONSTRAINT canned_answer_texts_pkey PRIMARY KEY (answer_id, language);
ALTER TABLE canned_answer_texts ADD CONSTRAINT canned_answer_texts_answer_id_fkey FOREIGN KEY (answer_id) REFERENCES canned_answers(answer_id);
ALTER TABLE canned_answer_texts ADD CONSTRAINT canned_answer_texts_body_check CHECK (((btrim(body) <> ''::text) AND (length(body) <= 4000)));
ALTER TABLE canned_answer_texts ADD CONSTRAINT canned_answer_texts_language_check CHECK ((language = ANY (ARRAY['en'::text, 'zh'::text, 'zhs'::text, 'ri'::text, 'han'::text, 'de'::text, 'xby'::text, 'ydl'::text, 'yue'::text, 'fr'::text])));
COMMENT ON TABLE canned_answer_texts IS 'Saved answers in each language.';
COMMENT ON COLUMN canned_answer_texts.answer_id IS 'The answer';
COMMENT ON COLUMN canned_answer_texts.language IS 'Language of the text';
COMMENT ON COLUMN canned_answer_texts.body IS 'Text';
GRANT SELECT ON canned_answer_texts TO fairtick_console;

CREATE TABLE canned_answers (
  answer_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  title text NOT NULL,
  saved_by bigint NOT NULL,
  saved_at bigint NOT NULL,
  deleted_by bigint,
  deleted_at bigint
);
ALTER TABLE canned_answers ADD CONSTRAINT canned_answers_pkey PRIMARY KEY (answer_id);
ALTER TABLE canned_answers ADD CONSTRAINT canned_answers_check CHECK (((deleted_by IS NULL) = (deleted_at IS NULL)));
ALTER TABLE canned_answers ADD CONSTRAINT canned_answers_deleted_by_fkey FOREIGN KEY (deleted_by) REFERENCES operators(operator_id);
ALTER TABLE canned_answers ADD CONSTRAINT canned_answers_saved_by_fkey FOREIGN KEY (saved_by) REFERENCES operators(operator_id);
ALTER TABLE canned_answers ADD CONSTRAINT canned_answers_title_check CHECK (((length(btrim(title)) >= 1) AND (length(btrim(title)) <= 60)));
COMMENT ON TABLE canned_answers IS 'Answers that operators saved for the chat.';
COMMENT ON COLUMN canned_answers.answer_id IS 'Number of the answer';
COMMENT ON COLUMN canned_answers.title IS 'Title, for operators only';
COMMENT ON COLUMN canned_answers.saved_by IS 'The operator who saved it';
COMMENT ON COLUMN canned_answers.saved_at IS 'When it was saved, ms since 1970 UTC';
COMMENT ON COLUMN canned_answers.deleted_by IS 'The operator who deleted it';
COMMENT ON COLUMN canned_answers.deleted_at IS 'When it was deleted, ms since 1970 UTC';
GRANT SELECT ON canned_answers TO fairtick_console;

CREATE TABLE card_deposits (
  deposit_id bigint NOT NULL,
  proposal_id bigint NOT NULL
);
ALTER TABLE card_deposits ADD CONSTRAINT card_deposits_pkey PRIMARY KEY (deposit_id);
ALTER TABLE card_deposits ADD CONSTRAINT card_deposits_deposit_id_fkey FOREIGN KEY (deposit_id) REFERENCES deposits(deposit_id);
ALTER TABLE card_deposits ADD CONSTRAINT card_deposits_proposal_id_fkey FOREIGN KEY (proposal_id) REFERENCES proposals(proposal_id);
ALTER TABLE card_deposits ADD CONSTRAINT card_deposits_proposal_id_key UNIQUE (proposal_id);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.card_deposits FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE card_deposits ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.card_deposits FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE card_deposits ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE card_deposits IS 'Card payments, each with the proposal that credits it.';
COMMENT ON COLUMN card_deposits.deposit_id IS 'The deposit';
COMMENT ON COLUMN card_deposits.proposal_id IS 'The proposal to credit it';
GRANT SELECT ON card_deposits TO fairtick_console, fairtick_jobs, fairtick_reader;

CREATE TABLE card_payments (
  reference text NOT NULL,
  deposit_id bigint NOT NULL
);
ALTER TABLE card_payments ADD CONSTRAINT card_payments_pkey PRIMARY KEY (reference);
ALTER TABLE card_payments ADD CONSTRAINT card_payments_deposit_id_fkey FOREIGN KEY (deposit_id) REFERENCES card_deposits(deposit_id);
ALTER TABLE card_payments ADD CONSTRAINT card_payments_deposit_id_key UNIQUE (deposit_id);
ALTER TABLE card_payments ADD CONSTRAINT card_payments_reference_check CHECK ((reference ~ '^[A-Z0-9._:-]{6,64}$'::text));
COMMENT ON TABLE card_payments IS 'Card payments by the acquirer''s reference, so that each is credited once. A rejected one gives its reference back.';
COMMENT ON COLUMN card_payments.reference IS 'The acquirer''s reference, in capitals';
COMMENT ON COLUMN card_payments.deposit_id IS 'The deposit';
GRANT SELECT ON card_payments TO fairtick_console, fairtick_jobs;

CREATE TABLE card_wishes (
  operator_id bigint NOT NULL,
  client_id text NOT NULL,
  proposal_id bigint NOT NULL
);
ALTER TABLE card_wishes ADD CONSTRAINT card_wishes_pkey PRIMARY KEY (operator_id, client_id);
ALTER TABLE card_wishes ADD CONSTRAINT card_wishes_client_id_check CHECK ((client_id ~ '^[A-Za-z0-9_-]{8,64}$'::text));
ALTER TABLE card_wishes ADD CONSTRAINT card_wishes_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(operator_id);
ALTER TABLE card_wishes ADD CONSTRAINT card_wishes_proposal_id_fkey FOREIGN KEY (proposal_id) REFERENCES proposals(proposal_id);
ALTER TABLE card_wishes ADD CONSTRAINT card_wishes_proposal_id_key UNIQUE (proposal_id);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.card_wishes FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE card_wishes ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.card_wishes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE card_wishes ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE card_wishes IS 'Which proposal came from which request of an operator: a second tap, or a retry, gets the same proposal.';
COMMENT ON COLUMN card_wishes.operator_id IS 'The operator';
COMMENT ON COLUMN card_wishes.client_id IS 'The client id: repeating it never does the same thing twice';
COMMENT ON COLUMN card_wishes.proposal_id IS 'The approved proposal it came from';
GRANT SELECT ON card_wishes TO fairtick_console, fairtick_jobs;

CREATE TABLE case_takes (
  queue text NOT NULL,
  case_no text NOT NULL,
  operator_id bigint NOT NULL,
  taken_at bigint NOT NULL,
  held_until bigint NOT NULL
);
ALTER TABLE case_takes ADD CONSTRAINT case_takes_pkey PRIMARY KEY (queue, case_no);
ALTER TABLE case_takes ADD CONSTRAINT case_takes_case_no_check CHECK (((length(case_no) >= 1) AND (length(case_no) <= 64)));
ALTER TABLE case_takes ADD CONSTRAINT case_takes_check CHECK ((held_until > taken_at));
ALTER TABLE case_takes ADD CONSTRAINT case_takes_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(operator_id);
ALTER TABLE case_takes ADD CONSTRAINT case_takes_queue_check CHECK ((queue = ANY (ARRAY['deposits'::text, 'withdrawals'::text, 'identities'::text])));
COMMENT ON TABLE case_takes IS 'Who works on which case of the console, and until when. Informs other operators only: nothing is refused because of it.';
COMMENT ON COLUMN case_takes.queue IS 'The queue that lists the case';
COMMENT ON COLUMN case_takes.case_no IS 'The case''s public id: dep_…, wdr_… or idn_…';
COMMENT ON COLUMN case_takes.operator_id IS 'The operator who took it';
COMMENT ON COLUMN case_takes.taken_at IS 'When they took it, ms since 1970 UTC';
COMMENT ON COLUMN case_takes.held_until IS 'When the take ends unless they finish the case or give it back first, ms since 1970 UTC';
GRANT SELECT ON case_takes TO fairtick_console;

CREATE TABLE chain_blocks (
  instance_id integer NOT NULL,
  height bigint NOT NULL,
  hash text NOT NULL
);
ALTER TABLE chain_blocks ADD CONSTRAINT chain_blocks_pkey PRIMARY KEY (instance_id, height);
ALTER TABLE chain_blocks ADD CONSTRAINT chain_blocks_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES chain_instances(instance_id);
COMMENT ON TABLE chain_blocks IS 'The newest blocks read, to find where a reorganisation began.';
COMMENT ON COLUMN chain_blocks.instance_id IS 'The chain instance it belongs to';
COMMENT ON COLUMN chain_blocks.height IS 'Block height';
COMMENT ON COLUMN chain_blocks.hash IS 'Hash of the block';
GRANT DELETE, INSERT, SELECT, UPDATE ON chain_blocks TO fairtick_chain;

CREATE TABLE chain_claims (
  deposit_id bigint NOT NULL,
  chain text NOT NULL,
  quantity numeric(78,0) NOT NULL,
  tx_hash text,
  linked_deposit bigint
);
ALTER TABLE chain_claims ADD CONSTRAINT chain_claims_pkey PRIMARY KEY (deposit_id);
ALTER TABLE chain_claims ADD CONSTRAINT chain_claims_deposit_id_fkey FOREIGN KEY (deposit_id) REFERENCES deposits(deposit_id);
ALTER TABLE chain_claims ADD CONSTRAINT chain_claims_linked_deposit_fkey FOREIGN KEY (linked_deposit) REFERENCES deposits(deposit_id);
ALTER TABLE chain_claims ADD CONSTRAINT chain_claims_linked_deposit_key UNIQUE (linked_deposit);
ALTER TABLE chain_claims ADD CONSTRAINT chain_claims_quantity_check CHECK ((quantity > (0)::numeric));
ALTER TABLE chain_claims ADD CONSTRAINT chain_claims_tx_hash_check CHECK ((tx_hash ~ '^0x[0-9a-f]{64}$'::text));
COMMENT ON TABLE chain_claims IS 'Transfers that members say they made. What is credited is what the chain says.';
COMMENT ON COLUMN chain_claims.deposit_id IS 'The deposit';
COMMENT ON COLUMN chain_claims.chain IS 'Name of the chain in the settings';
COMMENT ON COLUMN chain_claims.quantity IS 'How much, by the member''s word, in the token''s smallest unit';
COMMENT ON COLUMN chain_claims.tx_hash IS 'Hash of the transaction, if the member gave one';
COMMENT ON COLUMN chain_claims.linked_deposit IS 'The deposit that the chain brought';
GRANT SELECT ON chain_claims TO fairtick_console, fairtick_jobs, fairtick_money, fairtick_reader;

CREATE TABLE chain_coins (
  instance_id integer NOT NULL,
  address text NOT NULL,
  member_id bigint NOT NULL,
  balance numeric(78,0) NOT NULL,
  seen_at bigint NOT NULL
);
ALTER TABLE chain_coins ADD CONSTRAINT chain_coins_pkey PRIMARY KEY (instance_id, address);
ALTER TABLE chain_coins ADD CONSTRAINT chain_coins_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES chain_instances(instance_id);
ALTER TABLE chain_coins ADD CONSTRAINT chain_coins_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
COMMENT ON TABLE chain_coins IS 'The chain''s own coin at members'' addresses. It is never credited; finance sees it here.';
COMMENT ON COLUMN chain_coins.instance_id IS 'The chain instance it belongs to';
COMMENT ON COLUMN chain_coins.address IS 'Address on the chain, lower case';
COMMENT ON COLUMN chain_coins.member_id IS 'The member';
COMMENT ON COLUMN chain_coins.balance IS 'Balance, in the coin''s smallest unit';
COMMENT ON COLUMN chain_coins.seen_at IS 'When it was last seen, ms since 1970 UTC';
GRANT INSERT, SELECT, UPDATE ON chain_coins TO fairtick_chain;
GRANT SELECT ON chain_coins TO fairtick_console, fairtick_jobs, fairtick_reader;

CREATE TABLE chain_instances (
  instance_id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  chain text NOT NULL,
  evm_chain_id bigint NOT NULL,
  genesis_hash text NOT NULL,
  token text NOT NULL,
  cursor_height bigint NOT NULL,
  cursor_hash text NOT NULL,
  head_height bigint NOT NULL,
  read_at bigint NOT NULL,
  ended_at bigint,
  looked_height bigint NOT NULL DEFAULT 0
);
ALTER TABLE chain_instances ADD CONSTRAINT chain_instances_pkey PRIMARY KEY (instance_id);
ALTER TABLE chain_instances ADD CONSTRAINT chain_instances_chain_evm_chain_id_genesis_hash_token_key UNIQUE (chain, evm_chain_id, genesis_hash, token);
ALTER TABLE chain_instances ADD CONSTRAINT chain_instances_token_check CHECK ((token = lower(token)));
CREATE UNIQUE INDEX chain_instances_current ON public.chain_instances USING btree (chain) WHERE (ended_at IS NULL);
COMMENT ON TABLE chain_instances IS 'One life of a chain. A test chain that is wiped starts again with the same numbers and even the same transaction hashes, so everything seen belongs to a genesis block and a token.';
COMMENT ON COLUMN chain_instances.instance_id IS 'Number of the instance';
COMMENT ON COLUMN chain_instances.chain IS 'Name of the chain in the settings';
COMMENT ON COLUMN chain_instances.evm_chain_id IS 'Chain id';
COMMENT ON COLUMN chain_instances.genesis_hash IS 'Hash of the genesis block';
COMMENT ON COLUMN chain_instances.token IS 'Contract address of the token that is watched, lower case';
COMMENT ON COLUMN chain_instances.cursor_height IS 'Height of the last block read completely';
COMMENT ON COLUMN chain_instances.cursor_hash IS 'Hash of that block';
COMMENT ON COLUMN chain_instances.head_height IS 'Newest known block, for confirmations on screens';
COMMENT ON COLUMN chain_instances.read_at IS 'When the chain was last read to its head, ms since 1970 UTC';
COMMENT ON COLUMN chain_instances.ended_at IS 'When a newer instance of the chain took its place, ms since 1970 UTC';
COMMENT ON COLUMN chain_instances.looked_height IS 'Up to which block other tokens at members'' addresses were looked for. The watcher reads the one token that counts first';
GRANT INSERT, SELECT, UPDATE ON chain_instances TO fairtick_chain;
GRANT SELECT ON chain_instances TO fairtick_console, fairtick_jobs, fairtick_money, fairtick_payout, fairtick_reader;

CREATE TABLE chain_transfers (
  instance_id integer NOT NULL,
  tx_hash text NOT NULL,
  log_index integer NOT NULL,
  deposit_id bigint NOT NULL,
  token text NOT NULL,
  from_address text NOT NULL,
  to_address text NOT NULL,
  raw_amount numeric(78,0) NOT NULL,
  rate bigint NOT NULL,
  height bigint NOT NULL,
  block_hash text NOT NULL,
  lost_at_height bigint,
  lost_at bigint,
  sweep_id bigint
);
ALTER TABLE chain_transfers ADD CONSTRAINT chain_transfers_pkey PRIMARY KEY (instance_id, tx_hash, log_index);
ALTER TABLE chain_transfers ADD CONSTRAINT chain_transfers_deposit_id_fkey FOREIGN KEY (deposit_id) REFERENCES deposits(deposit_id);
ALTER TABLE chain_transfers ADD CONSTRAINT chain_transfers_deposit_id_key UNIQUE (deposit_id);
ALTER TABLE chain_transfers ADD CONSTRAINT chain_transfers_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES chain_instances(instance_id);
ALTER TABLE chain_transfers ADD CONSTRAINT chain_transfers_sweep_id_fkey FOREIGN KEY (sweep_id) REFERENCES sweeps(sweep_id);
CREATE INDEX chain_transfers_by_height ON public.chain_transfers USING btree (instance_id, height);
CREATE INDEX chain_transfers_lost ON public.chain_transfers USING btree (instance_id, lost_at_height) WHERE (lost_at_height IS NOT NULL);
CREATE INDEX chain_transfers_unswept ON public.chain_transfers USING btree (instance_id, to_address) WHERE (sweep_id IS NULL);
CREATE TRIGGER link_waiting_claims AFTER INSERT ON public.chain_transfers FOR EACH ROW EXECUTE FUNCTION link_waiting_claims();
ALTER TABLE chain_transfers ENABLE ALWAYS TRIGGER link_waiting_claims;
COMMENT ON TABLE chain_transfers IS 'Transfers to members'' addresses, of our token and of others.';
COMMENT ON COLUMN chain_transfers.instance_id IS 'The chain instance it belongs to';
COMMENT ON COLUMN chain_transfers.tx_hash IS 'Hash of the transaction on the chain';
COMMENT ON COLUMN chain_transfers.log_index IS 'Place among the logs of its own transaction. The block''s own numbering is no key: a reorganisation can change it, and one transfer would become two';
COMMENT ON COLUMN chain_transfers.deposit_id IS 'The deposit it became';
COMMENT ON COLUMN chain_transfers.token IS 'Contract address of the token, lower case';
COMMENT ON COLUMN chain_transfers.from_address IS 'Address it came from';
COMMENT ON COLUMN chain_transfers.to_address IS 'Address it went to, one of ours';
COMMENT ON COLUMN chain_transfers.raw_amount IS 'Amount, in the token''s smallest unit';
COMMENT ON COLUMN chain_transfers.rate IS 'Millionths of a USD per whole token when it was first seen';
COMMENT ON COLUMN chain_transfers.height IS 'Height of its block';
COMMENT ON COLUMN chain_transfers.block_hash IS 'Hash of its block';
COMMENT ON COLUMN chain_transfers.lost_at_height IS 'For a credited one: height at which its block was found to be gone';
COMMENT ON COLUMN chain_transfers.lost_at IS 'When its block was found to be gone, ms since 1970 UTC; an incident opened since then answers it';
COMMENT ON COLUMN chain_transfers.sweep_id IS 'The sweep that brought it in or is about to; null while it lies at its address';
GRANT INSERT, SELECT, UPDATE ON chain_transfers TO fairtick_chain;
GRANT SELECT ON chain_transfers TO fairtick_console, fairtick_jobs, fairtick_money, fairtick_reader;

CREATE TABLE closings (
  member_id bigint NOT NULL,
  reason text NOT NULL,
  asked_at bigint NOT NULL,
  closed_at bigint
);
ALTER TABLE closings ADD CONSTRAINT closings_pkey PRIMARY KEY (member_id);
ALTER TABLE closings ADD CONSTRAINT closings_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
ALTER TABLE closings ADD CONSTRAINT closings_reason_check CHECK ((reason = ANY (ARRAY['member'::text, 'consent'::text])));
CREATE INDEX closings_waiting ON public.closings USING btree (asked_at) WHERE (closed_at IS NULL);
COMMENT ON TABLE closings IS 'Accounts that are closing, because the member asked or withdrew their consent. Nothing new starts from asked_at on.';
COMMENT ON COLUMN closings.member_id IS 'The member';
COMMENT ON COLUMN closings.reason IS 'Who ended it: the member, or a withdrawn consent';
COMMENT ON COLUMN closings.asked_at IS 'When they asked for it, ms since 1970 UTC';
COMMENT ON COLUMN closings.closed_at IS 'When the last running order ended, ms since 1970 UTC; null until then';
GRANT INSERT, SELECT ON closings TO fairtick_sessions;
GRANT SELECT ON closings TO fairtick_console, fairtick_reader;
GRANT UPDATE (reason, closed_at) ON closings TO fairtick_sessions;

CREATE TABLE decisions (
  proposal_id bigint NOT NULL,
  made_by bigint NOT NULL,
  made_session bigint NOT NULL,
  decided_by bigint NOT NULL,
  decided_session bigint NOT NULL,
  decided_at bigint NOT NULL,
  decision text NOT NULL,
  reason text NOT NULL
);
ALTER TABLE decisions ADD CONSTRAINT decisions_pkey PRIMARY KEY (proposal_id);
ALTER TABLE decisions ADD CONSTRAINT decisions_decided_session_decided_by_fkey FOREIGN KEY (decided_session, decided_by) REFERENCES operator_sessions(session_id, operator_id);
ALTER TABLE decisions ADD CONSTRAINT decisions_decision_check CHECK ((decision = ANY (ARRAY['approved'::text, 'rejected'::text])));
ALTER TABLE decisions ADD CONSTRAINT decisions_proposal_id_made_by_made_session_fkey FOREIGN KEY (proposal_id, made_by, made_session) REFERENCES proposals(proposal_id, made_by, made_session);
ALTER TABLE decisions ADD CONSTRAINT decisions_reason_check CHECK ((length(btrim(reason)) >= 3));
ALTER TABLE decisions ADD CONSTRAINT maker_is_not_checker CHECK (((decision = 'rejected'::text) OR ((made_by <> decided_by) AND (made_session <> decided_session))));
CREATE TRIGGER check_decision BEFORE INSERT ON public.decisions FOR EACH ROW EXECUTE FUNCTION check_decision();
ALTER TABLE decisions ENABLE ALWAYS TRIGGER check_decision;
CREATE TRIGGER log_decision AFTER INSERT ON public.decisions FOR EACH ROW WHEN ((new.decision = 'approved'::text)) EXECUTE FUNCTION log_decision();
ALTER TABLE decisions ENABLE ALWAYS TRIGGER log_decision;
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.decisions FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE decisions ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.decisions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE decisions ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE decisions IS 'How each proposal ended. One without a row is still open.';
COMMENT ON COLUMN decisions.proposal_id IS 'The proposal that is decided';
COMMENT ON COLUMN decisions.made_by IS 'The operator who proposed it, repeated for the checks';
COMMENT ON COLUMN decisions.made_session IS 'Their session, repeated for the checks';
COMMENT ON COLUMN decisions.decided_by IS 'The operator who decided';
COMMENT ON COLUMN decisions.decided_session IS 'Their session';
COMMENT ON COLUMN decisions.decided_at IS 'When it was decided, ms since 1970 UTC';
COMMENT ON COLUMN decisions.decision IS 'Approved or rejected';
COMMENT ON COLUMN decisions.reason IS 'Why, in the words of whoever decided';
GRANT INSERT, SELECT ON decisions TO fairtick_console;
GRANT SELECT (proposal_id, made_by, decided_by, decision) ON decisions TO fairtick_jobs;

CREATE TABLE deposit_addresses (
  chain text NOT NULL,
  address text NOT NULL,
  member_id bigint NOT NULL,
  child integer NOT NULL,
  account_hash text NOT NULL,
  made_at bigint NOT NULL
);
ALTER TABLE deposit_addresses ADD CONSTRAINT deposit_addresses_pkey PRIMARY KEY (chain, address);
ALTER TABLE deposit_addresses ADD CONSTRAINT deposit_addresses_address_check CHECK ((address = lower(address)));
ALTER TABLE deposit_addresses ADD CONSTRAINT deposit_addresses_chain_account_hash_child_key UNIQUE (chain, account_hash, child);
ALTER TABLE deposit_addresses ADD CONSTRAINT deposit_addresses_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
CREATE INDEX deposit_addresses_by_member ON public.deposit_addresses USING btree (member_id, chain);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.deposit_addresses FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE deposit_addresses ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.deposit_addresses FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE deposit_addresses ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE deposit_addresses IS 'Addresses that members deposit to.';
COMMENT ON COLUMN deposit_addresses.chain IS 'Name of the chain in the settings';
COMMENT ON COLUMN deposit_addresses.address IS 'Address on the chain, lower case';
COMMENT ON COLUMN deposit_addresses.member_id IS 'The member';
COMMENT ON COLUMN deposit_addresses.child IS 'Number of the account''s key it is made from';
COMMENT ON COLUMN deposit_addresses.account_hash IS 'SHA-256 of the account''s public key, hexadecimal: an address from another account is not ours to show';
COMMENT ON COLUMN deposit_addresses.made_at IS 'When it was made, ms since 1970 UTC';
GRANT INSERT, SELECT ON deposit_addresses TO fairtick_money;
GRANT SELECT ON deposit_addresses TO fairtick_chain, fairtick_console, fairtick_jobs, fairtick_payout, fairtick_reader;

CREATE TABLE deposit_children (
  member_id bigint NOT NULL,
  child integer NOT NULL DEFAULT nextval('deposit_child'::regclass)
);
ALTER TABLE deposit_children ADD CONSTRAINT deposit_children_pkey PRIMARY KEY (member_id);
ALTER TABLE deposit_children ADD CONSTRAINT deposit_children_child_key UNIQUE (child);
ALTER TABLE deposit_children ADD CONSTRAINT deposit_children_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.deposit_children FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE deposit_children ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.deposit_children FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE deposit_children ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE deposit_children IS 'Which key of the account each member''s deposit addresses come from.';
COMMENT ON COLUMN deposit_children.member_id IS 'The member';
COMMENT ON COLUMN deposit_children.child IS 'Number of the key';
GRANT INSERT, SELECT ON deposit_children TO fairtick_money;
GRANT SELECT ON deposit_children TO fairtick_chain;

CREATE TABLE deposit_receipts (
  deposit_id bigint NOT NULL,
  file_id bigint NOT NULL,
  put_at bigint NOT NULL
);
ALTER TABLE deposit_receipts ADD CONSTRAINT deposit_receipts_pkey PRIMARY KEY (deposit_id, file_id);
ALTER TABLE deposit_receipts ADD CONSTRAINT deposit_receipts_deposit_id_fkey FOREIGN KEY (deposit_id) REFERENCES deposits(deposit_id);
ALTER TABLE deposit_receipts ADD CONSTRAINT deposit_receipts_file_id_fkey FOREIGN KEY (file_id) REFERENCES files(file_id);
ALTER TABLE deposit_receipts ADD CONSTRAINT deposit_receipts_file_id_key UNIQUE (file_id);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.deposit_receipts FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE deposit_receipts ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.deposit_receipts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE deposit_receipts ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE deposit_receipts IS 'Receipts that members attached to deposits. The newest counts.';
COMMENT ON COLUMN deposit_receipts.deposit_id IS 'The deposit';
COMMENT ON COLUMN deposit_receipts.file_id IS 'The file';
COMMENT ON COLUMN deposit_receipts.put_at IS 'When it was attached, ms since 1970 UTC';
GRANT SELECT ON deposit_receipts TO fairtick_console, fairtick_jobs, fairtick_money, fairtick_reader;

CREATE TABLE deposit_requests (
  member_id bigint NOT NULL,
  client_id text NOT NULL,
  payload_hash bytea NOT NULL,
  deposit_id bigint NOT NULL
);
ALTER TABLE deposit_requests ADD CONSTRAINT deposit_requests_pkey PRIMARY KEY (member_id, client_id);
ALTER TABLE deposit_requests ADD CONSTRAINT deposit_requests_deposit_id_fkey FOREIGN KEY (deposit_id) REFERENCES deposits(deposit_id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE deposit_requests ADD CONSTRAINT deposit_requests_deposit_id_key UNIQUE (deposit_id);
ALTER TABLE deposit_requests ADD CONSTRAINT deposit_requests_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.deposit_requests FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE deposit_requests ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.deposit_requests FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE deposit_requests ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE deposit_requests IS 'What makes a member''s request for a deposit happen once.';
COMMENT ON COLUMN deposit_requests.member_id IS 'The member';
COMMENT ON COLUMN deposit_requests.client_id IS 'The client id: repeating it never does the same thing twice';
COMMENT ON COLUMN deposit_requests.payload_hash IS 'SHA-256 of what was asked: the same client id with another request is a conflict';
COMMENT ON COLUMN deposit_requests.deposit_id IS 'The deposit';
GRANT SELECT ON deposit_requests TO fairtick_money;

CREATE TABLE deposit_reversals (
  deposit_id bigint NOT NULL,
  proposal_id bigint NOT NULL,
  transfer_id bigint NOT NULL,
  taken bigint NOT NULL,
  owed bigint NOT NULL
);
ALTER TABLE deposit_reversals ADD CONSTRAINT deposit_reversals_pkey PRIMARY KEY (deposit_id);
ALTER TABLE deposit_reversals ADD CONSTRAINT deposit_reversals_deposit_id_fkey FOREIGN KEY (deposit_id) REFERENCES deposits(deposit_id);
ALTER TABLE deposit_reversals ADD CONSTRAINT deposit_reversals_owed_check CHECK ((owed >= 0));
ALTER TABLE deposit_reversals ADD CONSTRAINT deposit_reversals_proposal_id_fkey FOREIGN KEY (proposal_id) REFERENCES reversal_requests(proposal_id);
ALTER TABLE deposit_reversals ADD CONSTRAINT deposit_reversals_proposal_id_key UNIQUE (proposal_id);
ALTER TABLE deposit_reversals ADD CONSTRAINT deposit_reversals_taken_check CHECK ((taken >= 0));
ALTER TABLE deposit_reversals ADD CONSTRAINT deposit_reversals_transfer_id_fkey FOREIGN KEY (transfer_id) REFERENCES transfers(transfer_id);
ALTER TABLE deposit_reversals ADD CONSTRAINT deposit_reversals_transfer_id_key UNIQUE (transfer_id);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.deposit_reversals FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE deposit_reversals ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.deposit_reversals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE deposit_reversals ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE deposit_reversals IS 'Deposits that were reversed.';
COMMENT ON COLUMN deposit_reversals.deposit_id IS 'The deposit';
COMMENT ON COLUMN deposit_reversals.proposal_id IS 'The proposal that was approved';
COMMENT ON COLUMN deposit_reversals.transfer_id IS 'The transfer that took it back';
COMMENT ON COLUMN deposit_reversals.taken IS 'What was taken from the available balance, micro-USD';
COMMENT ON COLUMN deposit_reversals.owed IS 'What became a debt, micro-USD';
GRANT SELECT ON deposit_reversals TO fairtick_console, fairtick_jobs, fairtick_reader;

CREATE TABLE deposit_steps (
  deposit_id bigint NOT NULL,
  step integer NOT NULL,
  stage text NOT NULL,
  at bigint NOT NULL
);
ALTER TABLE deposit_steps ADD CONSTRAINT deposit_steps_pkey PRIMARY KEY (deposit_id, step);
ALTER TABLE deposit_steps ADD CONSTRAINT deposit_steps_deposit_id_fkey FOREIGN KEY (deposit_id) REFERENCES deposits(deposit_id);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.deposit_steps FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE deposit_steps ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.deposit_steps FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE deposit_steps ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE deposit_steps IS 'Each stage a deposit reached, in order.';
COMMENT ON COLUMN deposit_steps.deposit_id IS 'The deposit';
COMMENT ON COLUMN deposit_steps.step IS 'Number of the step, from 1';
COMMENT ON COLUMN deposit_steps.stage IS 'The stage';
COMMENT ON COLUMN deposit_steps.at IS 'When it happened, ms since 1970 UTC';
GRANT SELECT ON deposit_steps TO fairtick_console, fairtick_jobs, fairtick_money, fairtick_reader;

CREATE TABLE deposits (
  deposit_id bigint NOT NULL,
  member_id bigint NOT NULL,
  method text NOT NULL,
  stage text NOT NULL,
  amount bigint NOT NULL,
  created_at bigint NOT NULL,
  stage_at bigint NOT NULL,
  reason text,
  transfer_id bigint
);
ALTER TABLE deposits ADD CONSTRAINT deposits_pkey PRIMARY KEY (deposit_id);
ALTER TABLE deposits ADD CONSTRAINT deposits_amount_check CHECK ((amount >= 0));
ALTER TABLE deposits ADD CONSTRAINT deposits_check CHECK (((stage = ANY (ARRAY['credited'::text, 'reversed'::text])) = (transfer_id IS NOT NULL)));
ALTER TABLE deposits ADD CONSTRAINT deposits_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
ALTER TABLE deposits ADD CONSTRAINT deposits_method_check CHECK ((method = ANY (ARRAY['bank'::text, 'card'::text, 'crypto'::text])));
ALTER TABLE deposits ADD CONSTRAINT deposits_stage_check CHECK ((stage = ANY (ARRAY['confirming'::text, 'below_minimum'::text, 'orphaned'::text, 'wrong_token'::text, 'credited'::text, 'rejected'::text, 'awaiting_transfer'::text, 'in_review'::text, 'claimed'::text, 'linked'::text, 'reversed'::text, 'expired'::text])));
ALTER TABLE deposits ADD CONSTRAINT deposits_transfer_id_fkey FOREIGN KEY (transfer_id) REFERENCES transfers(transfer_id);
ALTER TABLE deposits ADD CONSTRAINT deposits_transfer_id_key UNIQUE (transfer_id);
CREATE INDEX deposits_by_member ON public.deposits USING btree (member_id, deposit_id);
CREATE INDEX deposits_by_stage_at ON public.deposits USING btree (stage_at);
CREATE INDEX deposits_confirming ON public.deposits USING btree (deposit_id) WHERE (stage = 'confirming'::text);
CREATE INDEX deposits_for_people ON public.deposits USING btree (deposit_id) WHERE (stage = ANY (ARRAY['in_review'::text, 'claimed'::text, 'below_minimum'::text, 'wrong_token'::text]));
CREATE INDEX deposits_waiting ON public.deposits USING btree (deposit_id) WHERE (stage = ANY (ARRAY['awaiting_transfer'::text, 'in_review'::text, 'claimed'::text]));
CREATE INDEX deposits_without_money ON public.deposits USING btree (deposit_id) WHERE (stage = ANY (ARRAY['awaiting_transfer'::text, 'expired'::text]));
CREATE TRIGGER free_card_payment AFTER UPDATE OF stage ON public.deposits FOR EACH ROW WHEN (((new.method = 'card'::text) AND (new.stage = 'rejected'::text))) EXECUTE FUNCTION free_card_payment();
ALTER TABLE deposits ENABLE ALWAYS TRIGGER free_card_payment;
CREATE TRIGGER keep_all_deposits BEFORE TRUNCATE ON public.deposits FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE deposits ENABLE ALWAYS TRIGGER keep_all_deposits;
CREATE TRIGGER keep_deposits BEFORE DELETE ON public.deposits FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE deposits ENABLE ALWAYS TRIGGER keep_deposits;
CREATE TRIGGER step_deposit AFTER INSERT OR UPDATE ON public.deposits FOR EACH ROW EXECUTE FUNCTION step_deposit();
ALTER TABLE deposits ENABLE ALWAYS TRIGGER step_deposit;
COMMENT ON TABLE deposits IS 'Every deposit of every method: what its owner is shown.';
COMMENT ON COLUMN deposits.deposit_id IS 'Number of the deposit';
COMMENT ON COLUMN deposits.member_id IS 'The member';
COMMENT ON COLUMN deposits.method IS 'Bank, card or crypto';
COMMENT ON COLUMN deposits.stage IS 'Where it stands; step_deposit lists the transitions';
COMMENT ON COLUMN deposits.amount IS 'What is or would be credited, micro-USD; 0 where nothing ever is';
COMMENT ON COLUMN deposits.created_at IS 'When it was created, ms since 1970 UTC';
COMMENT ON COLUMN deposits.stage_at IS 'When it reached its stage, ms since 1970 UTC';
COMMENT ON COLUMN deposits.reason IS 'A stable word that the app translates, or an operator''s words';
COMMENT ON COLUMN deposits.transfer_id IS 'The transfer that credited it';
GRANT INSERT, SELECT ON deposits TO fairtick_chain;
GRANT SELECT ON deposits TO fairtick_console, fairtick_jobs, fairtick_money, fairtick_reader;
GRANT UPDATE (stage, amount, stage_at, reason, transfer_id) ON deposits TO fairtick_chain;

CREATE TABLE ended_authorizations (
  withdrawal_id bigint NOT NULL,
  told_at bigint
);
ALTER TABLE ended_authorizations ADD CONSTRAINT ended_authorizations_pkey PRIMARY KEY (withdrawal_id);
ALTER TABLE ended_authorizations ADD CONSTRAINT ended_authorizations_withdrawal_id_fkey FOREIGN KEY (withdrawal_id) REFERENCES withdrawals(withdrawal_id);
CREATE INDEX ended_authorizations_untold ON public.ended_authorizations USING btree (withdrawal_id) WHERE (told_at IS NULL);
CREATE TRIGGER keep_all_ended_authorizations BEFORE TRUNCATE ON public.ended_authorizations FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE ended_authorizations ENABLE ALWAYS TRIGGER keep_all_ended_authorizations;
COMMENT ON TABLE ended_authorizations IS 'Withdrawals that were approved, at least by one operator, and then canceled or rejected. The signer is told never to authorize them again.';
COMMENT ON COLUMN ended_authorizations.withdrawal_id IS 'The withdrawal';
COMMENT ON COLUMN ended_authorizations.told_at IS 'When the signer confirmed it, ms since 1970 UTC; null until then';
GRANT SELECT ON ended_authorizations TO fairtick_payout;
GRANT UPDATE (told_at) ON ended_authorizations TO fairtick_payout;

CREATE TABLE exposure (
  stripe smallint NOT NULL,
  wallet wallet NOT NULL,
  symbol text NOT NULL,
  profit bigint NOT NULL
) WITH (fillfactor=50);
ALTER TABLE exposure ADD CONSTRAINT exposure_pkey PRIMARY KEY (stripe, wallet, symbol);
COMMENT ON TABLE exposure IS 'Worst-case net payouts of running orders, for the house''s exposure. The sum over the stripes counts; a single stripe may be negative.';
COMMENT ON COLUMN exposure.stripe IS 'Number of the stripe: each lane has its own, so that no two batches wait for one row';
COMMENT ON COLUMN exposure.wallet IS 'Which wallet: practice or real';
COMMENT ON COLUMN exposure.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN exposure.profit IS 'What the house would lose in the worst case, micro-USD';
GRANT INSERT, SELECT, UPDATE ON exposure TO fairtick_orders, fairtick_settlement;
GRANT SELECT ON exposure TO fairtick_console, fairtick_jobs, fairtick_reader;

CREATE TABLE factor_openings (
  proposal_id bigint NOT NULL,
  member_id bigint NOT NULL,
  opened_at bigint NOT NULL
);
ALTER TABLE factor_openings ADD CONSTRAINT factor_openings_pkey PRIMARY KEY (proposal_id);
ALTER TABLE factor_openings ADD CONSTRAINT factor_openings_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
ALTER TABLE factor_openings ADD CONSTRAINT factor_openings_proposal_id_fkey FOREIGN KEY (proposal_id) REFERENCES proposals(proposal_id);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.factor_openings FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE factor_openings ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.factor_openings FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE factor_openings ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE factor_openings IS 'Members whose lost second factors were removed by two operators. One agreement removes once.';
COMMENT ON COLUMN factor_openings.proposal_id IS 'The proposal that was approved';
COMMENT ON COLUMN factor_openings.member_id IS 'The member';
COMMENT ON COLUMN factor_openings.opened_at IS 'When they were removed, ms since 1970 UTC';

CREATE TABLE fairness_days (
  day bigint NOT NULL,
  wallet wallet NOT NULL,
  symbol text NOT NULL,
  duration integer NOT NULL,
  direction direction NOT NULL,
  won bigint NOT NULL,
  lost bigint NOT NULL,
  tied bigint NOT NULL,
  no_entry bigint NOT NULL,
  limit_passed bigint NOT NULL,
  no_tick bigint NOT NULL,
  stale bigint NOT NULL,
  staked bigint NOT NULL,
  result bigint NOT NULL,
  fair_twice bigint NOT NULL,
  swing double precision NOT NULL,
  money_swing double precision NOT NULL
);
ALTER TABLE fairness_days ADD CONSTRAINT fairness_days_pkey PRIMARY KEY (day, wallet, symbol, duration, direction);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.fairness_days FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE fairness_days ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.fairness_days FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE fairness_days ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE fairness_days IS 'Figures of finished days.';
COMMENT ON COLUMN fairness_days.day IS 'UTC day of the settlement, days since 1970';
COMMENT ON COLUMN fairness_days.wallet IS 'Which wallet: practice or real';
COMMENT ON COLUMN fairness_days.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN fairness_days.duration IS 'Duration from entry to expiry, seconds';
COMMENT ON COLUMN fairness_days.direction IS 'Up or down';
COMMENT ON COLUMN fairness_days.won IS 'Number of orders won';
COMMENT ON COLUMN fairness_days.lost IS 'Number of orders lost';
COMMENT ON COLUMN fairness_days.tied IS 'Number of orders tied';
COMMENT ON COLUMN fairness_days.no_entry IS 'Number of orders voided because no entry tick came';
COMMENT ON COLUMN fairness_days.limit_passed IS 'Number of orders voided because the entry price was worse than the limit price';
COMMENT ON COLUMN fairness_days.no_tick IS 'Number of orders voided because no tick came between entry and expiry';
COMMENT ON COLUMN fairness_days.stale IS 'Number of orders voided because the exit tick was too old';
COMMENT ON COLUMN fairness_days.staked IS 'Sum of stakes, without voided orders, micro-USD';
COMMENT ON COLUMN fairness_days.result IS 'Net result for the members, micro-USD';
COMMENT ON COLUMN fairness_days.fair_twice IS 'Twice the result a fair coin would give the members, micro-USD; divided by two only at the end, to stay whole';
COMMENT ON COLUMN fairness_days.swing IS 'Sum over the windows of (won − lost)², for the expected spread';
COMMENT ON COLUMN fairness_days.money_swing IS 'Sum over the windows of the squared difference from the fair result, micro-USD squared';
GRANT SELECT ON fairness_days TO fairtick_reader;

CREATE TABLE fairness_delays (
  hour bigint NOT NULL,
  kind text NOT NULL,
  ms bigint NOT NULL,
  count bigint NOT NULL
);
ALTER TABLE fairness_delays ADD CONSTRAINT fairness_delays_pkey PRIMARY KEY (hour, kind, ms);
ALTER TABLE fairness_delays ADD CONSTRAINT fairness_delays_kind_check CHECK ((kind = ANY (ARRAY['entry'::text, 'settlement'::text])));
COMMENT ON TABLE fairness_delays IS 'How many orders had each delay, per hour.';
COMMENT ON COLUMN fairness_delays.hour IS 'UTC hours since 1970';
COMMENT ON COLUMN fairness_delays.kind IS 'Delay until the entry, or from expiry to settlement';
COMMENT ON COLUMN fairness_delays.ms IS 'The delay, ms';
COMMENT ON COLUMN fairness_delays.count IS 'Number of orders';
GRANT SELECT ON fairness_delays TO fairtick_reader;

CREATE TABLE fairness_members (
  day bigint NOT NULL,
  wallet wallet NOT NULL,
  member_id bigint NOT NULL,
  result bigint NOT NULL
);
ALTER TABLE fairness_members ADD CONSTRAINT fairness_members_pkey PRIMARY KEY (day, wallet, member_id);
COMMENT ON TABLE fairness_members IS 'What each member''s won and lost orders of a day came to.';
COMMENT ON COLUMN fairness_members.day IS 'UTC day of the settlement, days since 1970';
COMMENT ON COLUMN fairness_members.wallet IS 'Which wallet: practice or real';
COMMENT ON COLUMN fairness_members.member_id IS 'The member';
COMMENT ON COLUMN fairness_members.result IS 'Net result for the member, micro-USD';
GRANT SELECT ON fairness_members TO fairtick_reader;

CREATE TABLE fairness_progress (
  one boolean NOT NULL DEFAULT true,
  through bigint NOT NULL
);
ALTER TABLE fairness_progress ADD CONSTRAINT fairness_progress_pkey PRIMARY KEY (one);
ALTER TABLE fairness_progress ADD CONSTRAINT fairness_progress_one_check CHECK (one);
COMMENT ON TABLE fairness_progress IS 'How far the fairness page''s figures are counted.';
COMMENT ON COLUMN fairness_progress.one IS 'Always true: the table has exactly one row';
COMMENT ON COLUMN fairness_progress.through IS 'Everything settled before this is counted, ms since 1970 UTC';
GRANT SELECT ON fairness_progress TO fairtick_jobs, fairtick_reader;

CREATE TABLE fairness_refusals (
  day bigint NOT NULL,
  reason text NOT NULL,
  count bigint NOT NULL
);
ALTER TABLE fairness_refusals ADD CONSTRAINT fairness_refusals_pkey PRIMARY KEY (day, reason);
COMMENT ON TABLE fairness_refusals IS 'Refusals that the public log has, by day and reason.';
COMMENT ON COLUMN fairness_refusals.day IS 'UTC day of the batch, days since 1970';
COMMENT ON COLUMN fairness_refusals.reason IS 'The reason as the log names it';
COMMENT ON COLUMN fairness_refusals.count IS 'Number of orders refused for it';
GRANT SELECT ON fairness_refusals TO fairtick_reader;

CREATE TABLE fairness_sealed (
  day bigint NOT NULL,
  wallet wallet NOT NULL,
  unrevealed bigint NOT NULL,
  voided bigint NOT NULL
);
ALTER TABLE fairness_sealed ADD CONSTRAINT fairness_sealed_pkey PRIMARY KEY (day, wallet);
COMMENT ON TABLE fairness_sealed IS 'Sealed orders that ended without being revealed.';
COMMENT ON COLUMN fairness_sealed.day IS 'UTC day of the settlement, days since 1970';
COMMENT ON COLUMN fairness_sealed.wallet IS 'Which wallet: practice or real';
COMMENT ON COLUMN fairness_sealed.unrevealed IS 'Number of those that count as lost, since nobody revealed them';
COMMENT ON COLUMN fairness_sealed.voided IS 'Number of those that were voided before they were revealed';
GRANT SELECT ON fairness_sealed TO fairtick_reader;

CREATE TABLE fairness_windows (
  day bigint NOT NULL,
  wallet wallet NOT NULL,
  symbol text NOT NULL,
  duration integer NOT NULL,
  direction direction NOT NULL,
  at bigint NOT NULL,
  won bigint NOT NULL,
  lost bigint NOT NULL,
  tied bigint NOT NULL,
  no_entry bigint NOT NULL,
  limit_passed bigint NOT NULL,
  no_tick bigint NOT NULL,
  stale bigint NOT NULL,
  staked bigint NOT NULL,
  result bigint NOT NULL,
  fair_twice bigint NOT NULL
);
ALTER TABLE fairness_windows ADD CONSTRAINT fairness_windows_pkey PRIMARY KEY (day, wallet, symbol, duration, direction, at);
COMMENT ON TABLE fairness_windows IS 'Figures of days that are not over, per window. Orders of the same terms in the same window are one coin toss.';
COMMENT ON COLUMN fairness_windows.day IS 'UTC day of the settlement, days since 1970';
COMMENT ON COLUMN fairness_windows.wallet IS 'Which wallet: practice or real';
COMMENT ON COLUMN fairness_windows.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN fairness_windows.duration IS 'Duration from entry to expiry, seconds';
COMMENT ON COLUMN fairness_windows.direction IS 'Up or down';
COMMENT ON COLUMN fairness_windows.at IS 'Number of the window: its start divided by the duration';
COMMENT ON COLUMN fairness_windows.won IS 'Number of orders won';
COMMENT ON COLUMN fairness_windows.lost IS 'Number of orders lost';
COMMENT ON COLUMN fairness_windows.tied IS 'Number of orders tied';
COMMENT ON COLUMN fairness_windows.no_entry IS 'Number of orders voided because no entry tick came';
COMMENT ON COLUMN fairness_windows.limit_passed IS 'Number of orders voided because the entry price was worse than the limit price';
COMMENT ON COLUMN fairness_windows.no_tick IS 'Number of orders voided because no tick came between entry and expiry';
COMMENT ON COLUMN fairness_windows.stale IS 'Number of orders voided because the exit tick was too old';
COMMENT ON COLUMN fairness_windows.staked IS 'Sum of stakes, without voided orders, micro-USD';
COMMENT ON COLUMN fairness_windows.result IS 'Net result for the members, micro-USD';
COMMENT ON COLUMN fairness_windows.fair_twice IS 'Twice the result a fair coin would give the members, micro-USD; divided by two only at the end, to stay whole';
GRANT SELECT ON fairness_windows TO fairtick_reader;

CREATE TABLE favourites (
  member_id bigint NOT NULL,
  symbol text NOT NULL,
  marked_at timestamp with time zone NOT NULL DEFAULT clock_timestamp()
);
ALTER TABLE favourites ADD CONSTRAINT favourites_pkey PRIMARY KEY (member_id, symbol);
ALTER TABLE favourites ADD CONSTRAINT favourites_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
COMMENT ON TABLE favourites IS 'Instruments that members marked.';
COMMENT ON COLUMN favourites.member_id IS 'The member';
COMMENT ON COLUMN favourites.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN favourites.marked_at IS 'When they marked it; the list keeps this order';
GRANT DELETE, INSERT, SELECT ON favourites TO fairtick_sessions;
GRANT SELECT ON favourites TO fairtick_reader;

CREATE TABLE filed_days (
  day bigint NOT NULL,
  dropped_at bigint NOT NULL
);
ALTER TABLE filed_days ADD CONSTRAINT filed_days_pkey PRIMARY KEY (day);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.filed_days FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE filed_days ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.filed_days FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE filed_days ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE filed_days IS 'Days whose ticks are only in files.';
COMMENT ON COLUMN filed_days.day IS 'UTC days since 1970';
COMMENT ON COLUMN filed_days.dropped_at IS 'When the rows were dropped, ms since 1970 UTC';
GRANT SELECT ON filed_days TO fairtick_jobs, fairtick_reader;

CREATE TABLE files (
  file_id bigint NOT NULL,
  member_id bigint NOT NULL,
  purpose text NOT NULL,
  bytes integer NOT NULL,
  width integer,
  height integer,
  digest bytea NOT NULL,
  made_at bigint NOT NULL,
  claimed_by text,
  claimed_at bigint,
  sent_by bigint,
  media text NOT NULL DEFAULT 'image/jpeg'::text,
  name text
);
ALTER TABLE files ADD CONSTRAINT files_pkey PRIMARY KEY (file_id);
ALTER TABLE files ADD CONSTRAINT files_bytes_check CHECK ((bytes > 0));
ALTER TABLE files ADD CONSTRAINT files_check CHECK (((claimed_by IS NULL) = (claimed_at IS NULL)));
ALTER TABLE files ADD CONSTRAINT files_check1 CHECK (((sent_by IS NULL) OR (purpose = 'support'::text)));
ALTER TABLE files ADD CONSTRAINT files_digest_check CHECK ((length(digest) = 32));
ALTER TABLE files ADD CONSTRAINT files_height_check CHECK ((height > 0));
ALTER TABLE files ADD CONSTRAINT files_media_check CHECK ((media = ANY (ARRAY['image/jpeg'::text, 'application/pdf'::text, 'text/plain'::text])));
ALTER TABLE files ADD CONSTRAINT files_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
ALTER TABLE files ADD CONSTRAINT files_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)));
ALTER TABLE files ADD CONSTRAINT files_picture_or_document CHECK (
CASE media
    WHEN 'image/jpeg'::text THEN ((width IS NOT NULL) AND (height IS NOT NULL) AND (name IS NULL))
    ELSE ((width IS NULL) AND (height IS NULL) AND (name IS NOT NULL) AND (purpose = 'support'::text))
END);
ALTER TABLE files ADD CONSTRAINT files_purpose_check CHECK ((purpose = ANY (ARRAY['receipt'::text, 'identity'::text, 'support'::text])));
ALTER TABLE files ADD CONSTRAINT files_sent_by_fkey FOREIGN KEY (sent_by) REFERENCES operators(operator_id);
ALTER TABLE files ADD CONSTRAINT files_width_check CHECK ((width > 0));
CREATE INDEX files_by_digest ON public.files USING btree (digest);
CREATE INDEX files_by_member ON public.files USING btree (member_id, made_at);
CREATE INDEX files_by_sender ON public.files USING btree (sent_by, made_at) WHERE (sent_by IS NOT NULL);
CREATE INDEX files_unclaimed ON public.files USING btree (made_at) WHERE (claimed_by IS NULL);
CREATE TRIGGER keep_claimed_file BEFORE DELETE ON public.files FOR EACH ROW EXECUTE FUNCTION keep_claimed_file();
ALTER TABLE files ENABLE ALWAYS TRIGGER keep_claimed_file;
COMMENT ON TABLE files IS 'Descriptions of the files that members and operators handed in. The bytes are encrypted in a folder.';
COMMENT ON COLUMN files.file_id IS 'Number of the file';
COMMENT ON COLUMN files.member_id IS 'The member it belongs to';
COMMENT ON COLUMN files.purpose IS 'What it is for: a receipt, an identity document or the chat';
COMMENT ON COLUMN files.bytes IS 'Size as stored, bytes';
COMMENT ON COLUMN files.width IS 'Width, pixels; null for a document';
COMMENT ON COLUMN files.height IS 'Height, pixels; null for a document';
COMMENT ON COLUMN files.digest IS 'SHA-256 of the picture as stored: the same picture has the same digest, whatever was around it';
COMMENT ON COLUMN files.made_at IS 'When it was handed in, ms since 1970 UTC';
COMMENT ON COLUMN files.claimed_by IS 'Id of what it belongs to, such as `dep_…`. A file without one is removed after two days';
COMMENT ON COLUMN files.claimed_at IS 'When it was claimed, ms since 1970 UTC';
COMMENT ON COLUMN files.sent_by IS 'The operator who sent it; null where the member handed it in';
COMMENT ON COLUMN files.media IS 'Media type, told by the content. A picture is redrawn from its pixels; a document is kept as it came and only offered for download';
COMMENT ON COLUMN files.name IS 'Name of a document, made harmless; null for a picture';
GRANT DELETE, SELECT ON files TO fairtick_jobs;
GRANT SELECT ON files TO fairtick_console, fairtick_money, fairtick_reader, fairtick_sessions;
GRANT INSERT (file_id, member_id, purpose, bytes, width, height, digest, made_at, media, name) ON files TO fairtick_sessions;

CREATE TABLE freeze_links (
  token_hash bytea NOT NULL,
  member_id bigint NOT NULL,
  expires_at bigint NOT NULL,
  used_at bigint
);
ALTER TABLE freeze_links ADD CONSTRAINT freeze_links_pkey PRIMARY KEY (token_hash);
ALTER TABLE freeze_links ADD CONSTRAINT freeze_links_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
ALTER TABLE freeze_links ADD CONSTRAINT freeze_links_token_hash_check CHECK ((length(token_hash) = 32));
CREATE INDEX freeze_links_by_end ON public.freeze_links USING btree (expires_at);
CREATE INDEX freeze_links_by_member ON public.freeze_links USING btree (member_id);
COMMENT ON TABLE freeze_links IS 'Links in warnings. Each freezes the member''s withdrawals, once, within seven days.';
COMMENT ON COLUMN freeze_links.token_hash IS 'SHA-256 of the link''s token';
COMMENT ON COLUMN freeze_links.member_id IS 'The member';
COMMENT ON COLUMN freeze_links.expires_at IS 'When it expires, ms since 1970 UTC';
COMMENT ON COLUMN freeze_links.used_at IS 'When it was used, ms since 1970 UTC; null while unused';
GRANT DELETE ON freeze_links TO fairtick_sessions;
GRANT SELECT (token_hash, expires_at) ON freeze_links TO fairtick_sessions;

CREATE TABLE house_accounts (
  wallet wallet NOT NULL,
  account text NOT NULL,
  balance bigint NOT NULL DEFAULT 0
);
ALTER TABLE house_accounts ADD CONSTRAINT house_accounts_pkey PRIMARY KEY (wallet, account);
ALTER TABLE house_accounts ADD CONSTRAINT house_accounts_account_check CHECK ((account = ANY (ARRAY['pool'::text, 'fees'::text, 'capital'::text, 'bank_clearing'::text, 'chain_clearing'::text, 'withdrawal_clearing'::text, 'referral'::text, 'practice_issue'::text, 'receivable'::text])));
COMMENT ON TABLE house_accounts IS 'The house''s accounts, per wallet. They are locked last. The pool may go below zero: a win is always paid.';
COMMENT ON COLUMN house_accounts.wallet IS 'Which wallet: practice or real';
COMMENT ON COLUMN house_accounts.account IS 'Name of the account; `receivable` is below zero by what members owe';
COMMENT ON COLUMN house_accounts.balance IS 'Balance, micro-USD';
GRANT SELECT ON house_accounts TO fairtick_chain, fairtick_console, fairtick_jobs, fairtick_money, fairtick_orders, fairtick_reader, fairtick_settlement;
GRANT UPDATE (balance) ON house_accounts TO fairtick_money;
GRANT UPDATE (balance) ON house_accounts TO fairtick_settlement;

CREATE TABLE house_keys (
  name text NOT NULL,
  fingerprint text NOT NULL,
  since timestamp with time zone NOT NULL DEFAULT now(),
  given_up_at timestamp with time zone
);
ALTER TABLE house_keys ADD CONSTRAINT house_keys_pkey PRIMARY KEY (name, fingerprint);
ALTER TABLE house_keys ADD CONSTRAINT house_keys_fingerprint_check CHECK ((fingerprint ~ '^[0-9a-f]{64}$'::text));
COMMENT ON TABLE house_keys IS 'Fingerprints of the keys this house signs and seals with. A process that holds none of a name''s keys doesn''t start: a second data folder on this database would sign another log.';
COMMENT ON COLUMN house_keys.name IS 'What the key is for';
COMMENT ON COLUMN house_keys.fingerprint IS 'SHA-256 of the public key, hexadecimal';
COMMENT ON COLUMN house_keys.since IS 'When it was first held';
COMMENT ON COLUMN house_keys.given_up_at IS 'When someone declared its data folder lost; null while it is good';
GRANT INSERT, SELECT ON house_keys TO fairtick_log, fairtick_market;
GRANT SELECT ON house_keys TO fairtick_jobs;
GRANT UPDATE (given_up_at) ON house_keys TO fairtick_log;
GRANT UPDATE (given_up_at) ON house_keys TO fairtick_market;

CREATE TABLE identity_basics (
  member_id bigint NOT NULL,
  family_name text NOT NULL,
  given_name text NOT NULL,
  gender text NOT NULL,
  birth_date date NOT NULL,
  submitted_at bigint NOT NULL
);
ALTER TABLE identity_basics ADD CONSTRAINT identity_basics_pkey PRIMARY KEY (member_id);
ALTER TABLE identity_basics ADD CONSTRAINT identity_basics_family_name_check CHECK ((btrim(family_name) <> ''::text));
ALTER TABLE identity_basics ADD CONSTRAINT identity_basics_gender_check CHECK ((gender = ANY (ARRAY['male'::text, 'female'::text])));
ALTER TABLE identity_basics ADD CONSTRAINT identity_basics_given_name_check CHECK ((btrim(given_name) <> ''::text));
ALTER TABLE identity_basics ADD CONSTRAINT identity_basics_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
COMMENT ON TABLE identity_basics IS 'Name, gender and birth date as each member last handed them in. Each case keeps what it was judged by.';
COMMENT ON COLUMN identity_basics.member_id IS 'The member';
COMMENT ON COLUMN identity_basics.family_name IS 'Family name';
COMMENT ON COLUMN identity_basics.given_name IS 'Given name';
COMMENT ON COLUMN identity_basics.gender IS 'Gender';
COMMENT ON COLUMN identity_basics.birth_date IS 'Birth date';
COMMENT ON COLUMN identity_basics.submitted_at IS 'When it was handed in, ms since 1970 UTC';
GRANT SELECT ON identity_basics TO fairtick_sessions;

CREATE TABLE identity_cases (
  case_id bigint NOT NULL,
  member_id bigint NOT NULL,
  family_name text NOT NULL,
  given_name text NOT NULL,
  gender text NOT NULL,
  birth_date date NOT NULL,
  document_type text NOT NULL,
  document_number bytea NOT NULL,
  number_hash bytea NOT NULL,
  front_file_id bigint NOT NULL,
  back_file_id bigint NOT NULL,
  submitted_at bigint NOT NULL,
  state text NOT NULL DEFAULT 'pending'::text,
  decided_at bigint,
  decided_by bigint,
  reason text,
  proposal_id bigint,
  document_birth_date date,
  document_expires date,
  ended_at bigint,
  end_reason text,
  end_proposal bigint
);
ALTER TABLE identity_cases ADD CONSTRAINT identity_cases_pkey PRIMARY KEY (case_id);
ALTER TABLE identity_cases ADD CONSTRAINT identity_cases_check CHECK ((back_file_id <> front_file_id));
ALTER TABLE identity_cases ADD CONSTRAINT identity_cases_check1 CHECK ((((state = 'pending'::text) = (decided_at IS NULL)) AND ((state = 'pending'::text) = (decided_by IS NULL))));
ALTER TABLE identity_cases ADD CONSTRAINT identity_cases_check2 CHECK (((state = 'pending'::text) OR (length(btrim(reason)) >= 3)));
ALTER TABLE identity_cases ADD CONSTRAINT identity_cases_check3 CHECK (((state <> 'verified'::text) OR (document_birth_date IS NOT NULL)));
ALTER TABLE identity_cases ADD CONSTRAINT identity_cases_check4 CHECK (((state = ANY (ARRAY['revoked'::text, 'expired'::text, 'replaced'::text])) = (ended_at IS NOT NULL)));
ALTER TABLE identity_cases ADD CONSTRAINT identity_cases_check5 CHECK ((((state = 'revoked'::text) = (end_proposal IS NOT NULL)) AND ((state = 'revoked'::text) = (end_reason IS NOT NULL))));
ALTER TABLE identity_cases ADD CONSTRAINT identity_cases_check6 CHECK (((state <> 'expired'::text) OR (document_expires IS NOT NULL)));
ALTER TABLE identity_cases ADD CONSTRAINT identity_cases_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES operators(operator_id);
ALTER TABLE identity_cases ADD CONSTRAINT identity_cases_document_type_check CHECK ((document_type = ANY (ARRAY['idCard'::text, 'passport'::text, 'driversLicense'::text])));
ALTER TABLE identity_cases ADD CONSTRAINT identity_cases_end_proposal_fkey FOREIGN KEY (end_proposal) REFERENCES proposals(proposal_id);
ALTER TABLE identity_cases ADD CONSTRAINT identity_cases_end_proposal_key UNIQUE (end_proposal);
ALTER TABLE identity_cases ADD CONSTRAINT identity_cases_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
ALTER TABLE identity_cases ADD CONSTRAINT identity_cases_number_hash_check CHECK ((length(number_hash) = 32));
ALTER TABLE identity_cases ADD CONSTRAINT identity_cases_proposal_id_fkey FOREIGN KEY (proposal_id) REFERENCES proposals(proposal_id);
ALTER TABLE identity_cases ADD CONSTRAINT identity_cases_proposal_id_key UNIQUE (proposal_id);
ALTER TABLE identity_cases ADD CONSTRAINT identity_cases_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'verified'::text, 'rejected'::text, 'revoked'::text, 'expired'::text, 'replaced'::text])));
CREATE INDEX identity_cases_by_member ON public.identity_cases USING btree (member_id, case_id);
CREATE INDEX identity_cases_by_number ON public.identity_cases USING btree (number_hash);
CREATE INDEX identity_cases_expiring ON public.identity_cases USING btree (document_expires) WHERE ((state = 'verified'::text) AND (document_expires IS NOT NULL));
CREATE UNIQUE INDEX identity_cases_pending ON public.identity_cases USING btree (member_id) WHERE (state = 'pending'::text);
CREATE UNIQUE INDEX identity_cases_verified ON public.identity_cases USING btree (member_id) WHERE (state = 'verified'::text);
CREATE TRIGGER keep_all_identity_cases BEFORE TRUNCATE ON public.identity_cases FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE identity_cases ENABLE ALWAYS TRIGGER keep_all_identity_cases;
CREATE TRIGGER keep_identity_case BEFORE UPDATE ON public.identity_cases FOR EACH ROW EXECUTE FUNCTION keep_identity_case();
ALTER TABLE identity_cases ENABLE ALWAYS TRIGGER keep_identity_case;
CREATE TRIGGER keep_identity_cases BEFORE DELETE ON public.identity_cases FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE identity_cases ENABLE ALWAYS TRIGGER keep_identity_cases;
CREATE TRIGGER refuse_odd_payer BEFORE UPDATE ON public.identity_cases FOR EACH ROW EXECUTE FUNCTION refuse_odd_payer();
ALTER TABLE identity_cases ENABLE ALWAYS TRIGGER refuse_odd_payer;
COMMENT ON TABLE identity_cases IS 'Identity verifications: one case per submission of documents.';
COMMENT ON COLUMN identity_cases.case_id IS 'Number of the case';
COMMENT ON COLUMN identity_cases.member_id IS 'The member';
COMMENT ON COLUMN identity_cases.family_name IS 'Family name as handed in';
COMMENT ON COLUMN identity_cases.given_name IS 'Given name as handed in';
COMMENT ON COLUMN identity_cases.gender IS 'Gender as handed in';
COMMENT ON COLUMN identity_cases.birth_date IS 'Birth date as handed in';
COMMENT ON COLUMN identity_cases.document_type IS 'Kind of document';
COMMENT ON COLUMN identity_cases.document_number IS 'Its number, encrypted with AES-256-GCM under a key derived from the deployment''s secret';
COMMENT ON COLUMN identity_cases.number_hash IS 'HMAC-SHA-256 of the number under another such key: finds it again without revealing it';
COMMENT ON COLUMN identity_cases.front_file_id IS 'First picture: the front, or a passport''s photo page';
COMMENT ON COLUMN identity_cases.back_file_id IS 'Second picture: the back, or the member holding the passport';
COMMENT ON COLUMN identity_cases.submitted_at IS 'When it was handed in, ms since 1970 UTC';
COMMENT ON COLUMN identity_cases.state IS 'Where it stands; keep_identity_case holds the transitions';
COMMENT ON COLUMN identity_cases.decided_at IS 'When it was decided, ms since 1970 UTC';
COMMENT ON COLUMN identity_cases.decided_by IS 'The operator who decided';
COMMENT ON COLUMN identity_cases.reason IS 'Why: a rejected member reads it';
COMMENT ON COLUMN identity_cases.proposal_id IS 'What two people agreed on; null where one was enough';
COMMENT ON COLUMN identity_cases.document_birth_date IS 'Birth date as the first reviewer read it on the document';
COMMENT ON COLUMN identity_cases.document_expires IS 'Last day the document is valid on, as a reviewer read it; null where it has none';
COMMENT ON COLUMN identity_cases.ended_at IS 'When a verified one ended, ms since 1970 UTC';
COMMENT ON COLUMN identity_cases.end_reason IS 'Why it was revoked: the member reads it';
COMMENT ON COLUMN identity_cases.end_proposal IS 'The proposal that revoked it';
GRANT SELECT ON identity_cases TO fairtick_console;
GRANT SELECT (case_id, member_id, state, decided_at) ON identity_cases TO fairtick_money;
GRANT SELECT (case_id, member_id, state, decided_at) ON identity_cases TO fairtick_reader;
GRANT SELECT (case_id, member_id, document_type, submitted_at, state, decided_at, reason, document_expires, ended_at, end_reason) ON identity_cases TO fairtick_sessions;

CREATE TABLE identity_flags (
  case_id bigint NOT NULL,
  flag text NOT NULL,
  other_case_id bigint,
  raised_at bigint NOT NULL
);
ALTER TABLE identity_flags ADD CONSTRAINT identity_flags_pkey PRIMARY KEY (case_id, flag);
ALTER TABLE identity_flags ADD CONSTRAINT identity_flags_case_id_fkey FOREIGN KEY (case_id) REFERENCES identity_cases(case_id);
ALTER TABLE identity_flags ADD CONSTRAINT identity_flags_flag_check CHECK ((flag = ANY (ARRAY['number_seen'::text, 'birth_date'::text, 'payer_name'::text])));
ALTER TABLE identity_flags ADD CONSTRAINT identity_flags_other_case_id_fkey FOREIGN KEY (other_case_id) REFERENCES identity_cases(case_id);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.identity_flags FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE identity_flags ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.identity_flags FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE identity_flags ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE identity_flags IS 'What a rule found odd about a case. A flagged case is decided by two people.';
COMMENT ON COLUMN identity_flags.case_id IS 'The identity case';
COMMENT ON COLUMN identity_flags.flag IS 'What is odd';
COMMENT ON COLUMN identity_flags.other_case_id IS 'Another member''s case with the same document number';
COMMENT ON COLUMN identity_flags.raised_at IS 'When it was found, ms since 1970 UTC';
GRANT SELECT ON identity_flags TO fairtick_console;

CREATE TABLE identity_reminders (
  case_id bigint NOT NULL,
  sent_at bigint NOT NULL
);
ALTER TABLE identity_reminders ADD CONSTRAINT identity_reminders_pkey PRIMARY KEY (case_id);
ALTER TABLE identity_reminders ADD CONSTRAINT identity_reminders_case_id_fkey FOREIGN KEY (case_id) REFERENCES identity_cases(case_id);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.identity_reminders FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE identity_reminders ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.identity_reminders FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE identity_reminders ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE identity_reminders IS 'Members who were told that their document is about to expire; once per case.';
COMMENT ON COLUMN identity_reminders.case_id IS 'The identity case';
COMMENT ON COLUMN identity_reminders.sent_at IS 'When it was sent, ms since 1970 UTC';

CREATE TABLE incidents (
  incident_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  subject text NOT NULL,
  member_id bigint,
  detail jsonb NOT NULL,
  opened_at bigint NOT NULL,
  closed_at bigint,
  closed_by bigint,
  close_reason text,
  proposal_id bigint
);
ALTER TABLE incidents ADD CONSTRAINT incidents_pkey PRIMARY KEY (incident_id);
ALTER TABLE incidents ADD CONSTRAINT closed_with_a_reason CHECK ((((closed_by IS NULL) = (close_reason IS NULL)) AND ((closed_by IS NULL) OR (closed_at IS NOT NULL))));
ALTER TABLE incidents ADD CONSTRAINT incidents_close_reason_check CHECK ((length(btrim(close_reason)) >= 3));
ALTER TABLE incidents ADD CONSTRAINT incidents_closed_by_fkey FOREIGN KEY (closed_by) REFERENCES operators(operator_id);
ALTER TABLE incidents ADD CONSTRAINT incidents_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
ALTER TABLE incidents ADD CONSTRAINT incidents_proposal_id_fkey FOREIGN KEY (proposal_id) REFERENCES proposals(proposal_id);
ALTER TABLE incidents ADD CONSTRAINT incidents_proposal_id_key UNIQUE (proposal_id);
CREATE UNIQUE INDEX incidents_one_open ON public.incidents USING btree (kind, subject) WHERE (closed_at IS NULL);
CREATE INDEX incidents_open ON public.incidents USING btree (opened_at) WHERE (closed_at IS NULL);
COMMENT ON TABLE incidents IS 'What a person has to look at; one open per kind and subject.';
COMMENT ON COLUMN incidents.incident_id IS 'Number of the incident';
COMMENT ON COLUMN incidents.kind IS 'What happened';
COMMENT ON COLUMN incidents.subject IS 'Id of what it is about';
COMMENT ON COLUMN incidents.member_id IS 'The member it concerns, if any';
COMMENT ON COLUMN incidents.detail IS 'Details, by kind';
COMMENT ON COLUMN incidents.opened_at IS 'When it was opened, ms since 1970 UTC';
COMMENT ON COLUMN incidents.closed_at IS 'When it was closed, ms since 1970 UTC; null while open';
COMMENT ON COLUMN incidents.closed_by IS 'The operator who closed it; null where it ended on its own';
COMMENT ON COLUMN incidents.close_reason IS 'Why it was closed';
COMMENT ON COLUMN incidents.proposal_id IS 'The proposal two people closed it with';
GRANT INSERT, SELECT ON incidents TO fairtick_chain, fairtick_money, fairtick_payout;
GRANT SELECT ON incidents TO fairtick_console, fairtick_jobs, fairtick_reader;

CREATE TABLE instrument_clock (
  symbol text NOT NULL,
  seq bigint NOT NULL,
  "time" bigint NOT NULL,
  price bigint NOT NULL,
  sealed_through bigint NOT NULL,
  writer_epoch bigint NOT NULL
) WITH (fillfactor=50);
ALTER TABLE instrument_clock ADD CONSTRAINT instrument_clock_pkey PRIMARY KEY (symbol);
COMMENT ON TABLE instrument_clock IS 'The newest tick of each instrument and how far it is sealed. The row is the lock of the market''s writer. Before the first tick, seq, time and price are 0.';
COMMENT ON COLUMN instrument_clock.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN instrument_clock.seq IS 'Number of the tick, counting up per instrument';
COMMENT ON COLUMN instrument_clock."time" IS 'Time of the newest tick, ms since 1970 UTC';
COMMENT ON COLUMN instrument_clock.price IS 'Its price, points';
COMMENT ON COLUMN instrument_clock.sealed_through IS 'Nothing at or below this moment is ever added, ms since 1970 UTC';
COMMENT ON COLUMN instrument_clock.writer_epoch IS 'Epoch of the writer: a stale one can write nothing';
GRANT INSERT, SELECT, UPDATE ON instrument_clock TO fairtick_market;
GRANT SELECT ON instrument_clock TO fairtick_console, fairtick_jobs, fairtick_orders, fairtick_reader, fairtick_settlement;

CREATE TABLE instrument_sources (
  symbol text NOT NULL,
  since bigint NOT NULL,
  source text NOT NULL
);
ALTER TABLE instrument_sources ADD CONSTRAINT instrument_sources_pkey PRIMARY KEY (symbol, since);
ALTER TABLE instrument_sources ADD CONSTRAINT instrument_sources_source_check CHECK ((source ~ '^(SM1|[a-z]{1,20}(\+[a-z]{1,20}){0,8})$'::text));
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.instrument_sources FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE instrument_sources ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.instrument_sources FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE instrument_sources ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE instrument_sources IS 'Where each instrument''s prices come from, and since when. The log says so before the first such price.';
COMMENT ON COLUMN instrument_sources.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN instrument_sources.since IS 'From when on, ms since 1970 UTC';
COMMENT ON COLUMN instrument_sources.source IS '`SM1`, or names of outside sources joined by +';
GRANT INSERT, SELECT ON instrument_sources TO fairtick_market;
GRANT SELECT ON instrument_sources TO fairtick_reader;

CREATE TABLE known_devices (
  member_id bigint NOT NULL,
  device_hash bytea NOT NULL,
  made_at bigint NOT NULL,
  seen_at bigint NOT NULL
);
ALTER TABLE known_devices ADD CONSTRAINT known_devices_pkey PRIMARY KEY (member_id, device_hash);
ALTER TABLE known_devices ADD CONSTRAINT known_devices_device_hash_check CHECK ((length(device_hash) = 32));
ALTER TABLE known_devices ADD CONSTRAINT known_devices_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
CREATE INDEX known_devices_by_seen ON public.known_devices USING btree (seen_at);
COMMENT ON TABLE known_devices IS 'Devices that members have logged in on. Their failed attempts are counted apart from strangers'', so nobody can lock a member out by guessing.';
COMMENT ON COLUMN known_devices.member_id IS 'The member';
COMMENT ON COLUMN known_devices.device_hash IS 'SHA-256 of the key in the device''s cookie';
COMMENT ON COLUMN known_devices.made_at IS 'When it was first used, ms since 1970 UTC';
COMMENT ON COLUMN known_devices.seen_at IS 'When it was last used, ms since 1970 UTC';
GRANT DELETE, INSERT, SELECT, UPDATE ON known_devices TO fairtick_sessions;

CREATE TABLE liability_days (
  day integer NOT NULL,
  read_at bigint NOT NULL,
  members integer NOT NULL,
  sum bigint NOT NULL,
  root bytea NOT NULL
);
ALTER TABLE liability_days ADD CONSTRAINT liability_days_pkey PRIMARY KEY (day);
ALTER TABLE liability_days ADD CONSTRAINT liability_days_members_check CHECK ((members > 0));
ALTER TABLE liability_days ADD CONSTRAINT liability_days_root_check CHECK ((length(root) = 32));
ALTER TABLE liability_days ADD CONSTRAINT liability_days_sum_check CHECK ((sum > 0));
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.liability_days FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE liability_days ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.liability_days FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE liability_days ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE liability_days IS 'What the house owed to all real wallets, once per UTC day: a Merkle sum tree whose root and sum are in the public log.';
COMMENT ON COLUMN liability_days.day IS 'UTC days since 1970';
COMMENT ON COLUMN liability_days.read_at IS 'When the balances were read, all in one snapshot, ms since 1970 UTC';
COMMENT ON COLUMN liability_days.members IS 'Number of members with a balance above zero';
COMMENT ON COLUMN liability_days.sum IS 'What the house owed in total, micro-USD';
COMMENT ON COLUMN liability_days.root IS 'Root of the tree';
GRANT INSERT, SELECT ON liability_days TO fairtick_jobs;
GRANT SELECT ON liability_days TO fairtick_console, fairtick_reader;

CREATE TABLE liability_leaves (
  day integer NOT NULL,
  member_id bigint NOT NULL,
  place integer NOT NULL,
  nonce bytea NOT NULL
);
ALTER TABLE liability_leaves ADD CONSTRAINT liability_leaves_pkey PRIMARY KEY (day, member_id);
ALTER TABLE liability_leaves ADD CONSTRAINT liability_leaves_day_fkey FOREIGN KEY (day) REFERENCES liability_days(day);
ALTER TABLE liability_leaves ADD CONSTRAINT liability_leaves_day_place_key UNIQUE (day, place);
ALTER TABLE liability_leaves ADD CONSTRAINT liability_leaves_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
ALTER TABLE liability_leaves ADD CONSTRAINT liability_leaves_nonce_check CHECK ((length(nonce) = 16));
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.liability_leaves FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE liability_leaves ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.liability_leaves FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE liability_leaves ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE liability_leaves IS 'Whose leaf is where in each day''s tree. The amount is the sum of the leaf''s node.';
COMMENT ON COLUMN liability_leaves.day IS 'UTC days since 1970';
COMMENT ON COLUMN liability_leaves.member_id IS 'The member';
COMMENT ON COLUMN liability_leaves.place IS 'Place among the leaves, from 0';
COMMENT ON COLUMN liability_leaves.nonce IS '16 random bytes in the leaf''s hash';
GRANT INSERT, SELECT ON liability_leaves TO fairtick_jobs;
GRANT SELECT ON liability_leaves TO fairtick_reader;

CREATE TABLE liability_nodes (
  day integer NOT NULL,
  level smallint NOT NULL,
  place integer NOT NULL,
  sum bigint NOT NULL,
  hash bytea NOT NULL
);
ALTER TABLE liability_nodes ADD CONSTRAINT liability_nodes_pkey PRIMARY KEY (day, level, place);
ALTER TABLE liability_nodes ADD CONSTRAINT liability_nodes_day_fkey FOREIGN KEY (day) REFERENCES liability_days(day);
ALTER TABLE liability_nodes ADD CONSTRAINT liability_nodes_hash_check CHECK ((length(hash) = 32));
ALTER TABLE liability_nodes ADD CONSTRAINT liability_nodes_sum_check CHECK ((sum >= 0));
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.liability_nodes FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE liability_nodes ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.liability_nodes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE liability_nodes ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE liability_nodes IS 'Every node of each day''s tree. Level 0 holds the leaves; the top level has only the root.';
COMMENT ON COLUMN liability_nodes.day IS 'UTC days since 1970';
COMMENT ON COLUMN liability_nodes.level IS 'Level in the tree, from the leaves up';
COMMENT ON COLUMN liability_nodes.place IS 'Place within its level, from 0';
COMMENT ON COLUMN liability_nodes.sum IS 'Sum of the leaves below it, micro-USD';
COMMENT ON COLUMN liability_nodes.hash IS 'Hash of the node';
GRANT INSERT, SELECT ON liability_nodes TO fairtick_jobs;
GRANT SELECT ON liability_nodes TO fairtick_reader;

CREATE TABLE log_checkpoints (
  size bigint NOT NULL,
  root bytea NOT NULL,
  made_at bigint NOT NULL
);
ALTER TABLE log_checkpoints ADD CONSTRAINT log_checkpoints_pkey PRIMARY KEY (size);
ALTER TABLE log_checkpoints ADD CONSTRAINT log_checkpoints_root_check CHECK ((length(root) = 32));
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.log_checkpoints FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE log_checkpoints ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.log_checkpoints FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE log_checkpoints ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE log_checkpoints IS 'Sizes of the log and their roots, written before anything is signed, so that no size ever gets a second root.';
COMMENT ON COLUMN log_checkpoints.size IS 'Number of entries';
COMMENT ON COLUMN log_checkpoints.root IS 'Root of the log''s Merkle tree at that size';
COMMENT ON COLUMN log_checkpoints.made_at IS 'When it was made, ms since 1970 UTC';
GRANT INSERT, SELECT ON log_checkpoints TO fairtick_log;
GRANT SELECT ON log_checkpoints TO fairtick_jobs, fairtick_reader;

CREATE TABLE log_entries (
  log_index bigint NOT NULL,
  outbox_id bigint NOT NULL,
  number bigint NOT NULL,
  kind text NOT NULL,
  about text NOT NULL
);
ALTER TABLE log_entries ADD CONSTRAINT log_entries_pkey PRIMARY KEY (log_index);
ALTER TABLE log_entries ADD CONSTRAINT log_entries_log_index_check CHECK ((log_index >= 0));
ALTER TABLE log_entries ADD CONSTRAINT log_entries_outbox_id_key UNIQUE (outbox_id);
CREATE INDEX log_entries_by_what ON public.log_entries USING btree (kind, about, number);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.log_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE log_entries ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.log_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE log_entries ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE log_entries IS 'The place of each entry in the public log, and what receipts find it by.';
COMMENT ON COLUMN log_entries.log_index IS 'Its place in the log, from 0';
COMMENT ON COLUMN log_entries.outbox_id IS 'Its entry for the public log';
COMMENT ON COLUMN log_entries.number IS 'Number by kind: batch, epoch, version, first slot head, minute or moment of settlement';
COMMENT ON COLUMN log_entries.kind IS 'What the entry is about';
COMMENT ON COLUMN log_entries.about IS 'Instrument it is about; empty where there is none';
GRANT INSERT, SELECT ON log_entries TO fairtick_log;
GRANT SELECT ON log_entries TO fairtick_console, fairtick_jobs, fairtick_market, fairtick_reader;

CREATE TABLE log_keys (
  key text NOT NULL,
  role text NOT NULL,
  since bigint NOT NULL,
  older_until bigint NOT NULL
);
ALTER TABLE log_keys ADD CONSTRAINT log_keys_pkey PRIMARY KEY (key);
ALTER TABLE log_keys ADD CONSTRAINT log_keys_role_check CHECK ((role = ANY (ARRAY['log'::text, 'acceptance'::text])));
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.log_keys FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE log_keys ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.log_keys FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE log_keys ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE log_keys IS 'Every key that the house has ever signed with. Each has its key.rotate entry in the log.';
COMMENT ON COLUMN log_keys.key IS 'The public key, in the form verifiers read';
COMMENT ON COLUMN log_keys.role IS 'What it signs: the log, or acceptances';
COMMENT ON COLUMN log_keys.since IS 'From when it signs, ms since 1970 UTC';
COMMENT ON COLUMN log_keys.older_until IS 'When older keys of the same name stop, ms since 1970 UTC';
GRANT INSERT, SELECT ON log_keys TO fairtick_jobs, fairtick_log, fairtick_market;
GRANT SELECT ON log_keys TO fairtick_reader;

CREATE TABLE log_published (
  one boolean NOT NULL DEFAULT true,
  size bigint NOT NULL,
  note text NOT NULL,
  covers_at bigint NOT NULL,
  signed_size bigint NOT NULL,
  signed_note text NOT NULL,
  signed_at bigint NOT NULL,
  witnesses jsonb NOT NULL
) WITH (fillfactor=50);
ALTER TABLE log_published ADD CONSTRAINT log_published_pkey PRIMARY KEY (one);
ALTER TABLE log_published ADD CONSTRAINT log_published_one_check CHECK (one);
COMMENT ON TABLE log_published IS 'What is served of the log: the newest checkpoint with the cosignatures it needs, and the newest signed one, which no witness may have seen yet.';
COMMENT ON COLUMN log_published.one IS 'Always true: the table has exactly one row';
COMMENT ON COLUMN log_published.size IS 'Size of the served checkpoint';
COMMENT ON COLUMN log_published.note IS 'The served checkpoint with its signatures';
COMMENT ON COLUMN log_published.covers_at IS 'Everything committed by then is in the served checkpoint, ms since 1970 UTC';
COMMENT ON COLUMN log_published.signed_size IS 'Size of the newest signed checkpoint';
COMMENT ON COLUMN log_published.signed_note IS 'The newest signed checkpoint';
COMMENT ON COLUMN log_published.signed_at IS 'When it was signed, ms since 1970 UTC';
COMMENT ON COLUMN log_published.witnesses IS 'One {name, key, size, at} per configured witness; size and at are null before its first cosignature';
GRANT INSERT, SELECT, UPDATE ON log_published TO fairtick_log;
GRANT SELECT ON log_published TO fairtick_jobs, fairtick_market, fairtick_orders, fairtick_reader;

CREATE TABLE log_writer (
  one boolean NOT NULL DEFAULT true,
  epoch bigint NOT NULL,
  lease_until bigint NOT NULL,
  size bigint NOT NULL,
  decided_through bigint NOT NULL
) WITH (fillfactor=50);
ALTER TABLE log_writer ADD CONSTRAINT log_writer_pkey PRIMARY KEY (one);
ALTER TABLE log_writer ADD CONSTRAINT log_writer_one_check CHECK (one);
COMMENT ON TABLE log_writer IS 'The one process that writes the public log.';
COMMENT ON COLUMN log_writer.one IS 'Always true: the table has exactly one row';
COMMENT ON COLUMN log_writer.epoch IS 'Counts the writers: one that was replaced has a lower number and can write nothing';
COMMENT ON COLUMN log_writer.lease_until IS 'Until when it holds the log, ms since 1970 UTC';
COMMENT ON COLUMN log_writer.size IS 'Number of entries that have their place';
COMMENT ON COLUMN log_writer.decided_through IS 'Every outbox id up to here has its place, or was rolled back and never will have one';
GRANT SELECT ON log_writer TO fairtick_jobs, fairtick_market, fairtick_reader;
GRANT SELECT, UPDATE ON log_writer TO fairtick_log;

CREATE TABLE long_candles (
  symbol text NOT NULL,
  length_ms bigint NOT NULL,
  "time" bigint NOT NULL,
  open bigint NOT NULL,
  high bigint NOT NULL,
  low bigint NOT NULL,
  close bigint NOT NULL,
  pre_genesis boolean NOT NULL
);
ALTER TABLE long_candles ADD CONSTRAINT long_candles_pkey PRIMARY KEY (symbol, length_ms, "time");
ALTER TABLE long_candles ADD CONSTRAINT long_candles_check CHECK ((("time" % length_ms) = 0));
ALTER TABLE long_candles ADD CONSTRAINT long_candles_length_ms_check CHECK ((length_ms = ANY (ARRAY[(300000)::bigint, (900000)::bigint, (3600000)::bigint, (86400000)::bigint])));
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.long_candles FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE long_candles ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.long_candles FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE long_candles ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE long_candles IS 'Candles of five minutes, a quarter of an hour, an hour and a day, each made of its one-minute candles once a later minute is stored. Those of the made-up past were stored with it.';
COMMENT ON COLUMN long_candles.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN long_candles.length_ms IS 'Length of the interval, ms';
COMMENT ON COLUMN long_candles."time" IS 'First moment of the interval, ms since 1970 UTC: a multiple of its length';
COMMENT ON COLUMN long_candles.open IS 'First price, points';
COMMENT ON COLUMN long_candles.high IS 'Highest price, points';
COMMENT ON COLUMN long_candles.low IS 'Lowest price, points';
COMMENT ON COLUMN long_candles.close IS 'Last price, points';
COMMENT ON COLUMN long_candles.pre_genesis IS 'Whether any of it belongs to the made-up past before the first epoch';
GRANT INSERT ON long_candles TO fairtick_market;
GRANT INSERT, SELECT ON long_candles TO fairtick_jobs;
GRANT SELECT ON long_candles TO fairtick_reader;

CREATE TABLE market_writer (
  one boolean NOT NULL DEFAULT true,
  epoch bigint NOT NULL,
  lease_until bigint NOT NULL,
  lease_ms bigint NOT NULL
) WITH (fillfactor=50);
ALTER TABLE market_writer ADD CONSTRAINT market_writer_pkey PRIMARY KEY (one);
ALTER TABLE market_writer ADD CONSTRAINT market_writer_one_check CHECK (one);
COMMENT ON TABLE market_writer IS 'The one process that makes prices. It has a lease of its own, because the age of the seals can''t tell: after a long outage every seal is old.';
COMMENT ON COLUMN market_writer.one IS 'Always true: the table has exactly one row';
COMMENT ON COLUMN market_writer.epoch IS 'Number of the writer; a new one gets the next';
COMMENT ON COLUMN market_writer.lease_until IS 'Until when it holds the market, ms since 1970 UTC';
COMMENT ON COLUMN market_writer.lease_ms IS 'Length of its lease, ms';
GRANT SELECT ON market_writer TO fairtick_reader;
GRANT SELECT, UPDATE ON market_writer TO fairtick_market;

CREATE TABLE member_challenges (
  member_id bigint NOT NULL,
  purpose text NOT NULL,
  challenge bytea NOT NULL,
  session_id bigint,
  expires_at bigint NOT NULL
);
ALTER TABLE member_challenges ADD CONSTRAINT member_challenges_pkey PRIMARY KEY (member_id, challenge);
ALTER TABLE member_challenges ADD CONSTRAINT member_challenges_check CHECK (((session_id IS NOT NULL) = (purpose = ANY (ARRAY['newPasskey'::text, 'newTotp'::text]))));
ALTER TABLE member_challenges ADD CONSTRAINT member_challenges_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
ALTER TABLE member_challenges ADD CONSTRAINT member_challenges_purpose_check CHECK ((purpose = ANY (ARRAY['login'::text, 'reset'::text, 'tradePassword'::text, 'export'::text, 'withdrawal'::text, 'settings'::text, 'newPasskey'::text, 'newTotp'::text])));
ALTER TABLE member_challenges ADD CONSTRAINT member_challenges_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(session_id);
COMMENT ON TABLE member_challenges IS 'What a member''s authenticator was asked, once and for a few minutes, and sealed secrets of authenticator apps that have not shown their first code yet.';
COMMENT ON COLUMN member_challenges.member_id IS 'The member';
COMMENT ON COLUMN member_challenges.purpose IS 'What an answer counts for';
COMMENT ON COLUMN member_challenges.challenge IS 'The challenge, or the sealed secret';
COMMENT ON COLUMN member_challenges.session_id IS 'The session that sets up a factor; null otherwise';
COMMENT ON COLUMN member_challenges.expires_at IS 'When it expires, ms since 1970 UTC';
GRANT DELETE, INSERT, SELECT ON member_challenges TO fairtick_sessions;

CREATE TABLE member_freezes (
  freeze_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  member_id bigint NOT NULL,
  began_by text NOT NULL,
  began_at bigint NOT NULL,
  lifted_at bigint,
  lifted_by text,
  proposal_id bigint
);
ALTER TABLE member_freezes ADD CONSTRAINT member_freezes_pkey PRIMARY KEY (freeze_id);
ALTER TABLE member_freezes ADD CONSTRAINT member_freezes_began_by_check CHECK ((began_by = ANY (ARRAY['link'::text, 'session'::text])));
ALTER TABLE member_freezes ADD CONSTRAINT member_freezes_check CHECK (((lifted_at IS NULL) = (lifted_by IS NULL)));
ALTER TABLE member_freezes ADD CONSTRAINT member_freezes_check1 CHECK (((NOT (lifted_by IS DISTINCT FROM 'compliance'::text)) = (proposal_id IS NOT NULL)));
ALTER TABLE member_freezes ADD CONSTRAINT member_freezes_lifted_by_check CHECK ((lifted_by = ANY (ARRAY['member'::text, 'compliance'::text])));
ALTER TABLE member_freezes ADD CONSTRAINT member_freezes_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
ALTER TABLE member_freezes ADD CONSTRAINT member_freezes_proposal_id_fkey FOREIGN KEY (proposal_id) REFERENCES proposals(proposal_id);
ALTER TABLE member_freezes ADD CONSTRAINT member_freezes_proposal_id_key UNIQUE (proposal_id);
CREATE UNIQUE INDEX member_freezes_one_open ON public.member_freezes USING btree (member_id) WHERE (lifted_at IS NULL);
COMMENT ON TABLE member_freezes IS 'Freezes by members of their own withdrawals.';
COMMENT ON COLUMN member_freezes.freeze_id IS 'Number of the freeze';
COMMENT ON COLUMN member_freezes.member_id IS 'The member';
COMMENT ON COLUMN member_freezes.began_by IS 'By the link in a warning, or in a session';
COMMENT ON COLUMN member_freezes.began_at IS 'When it began, ms since 1970 UTC';
COMMENT ON COLUMN member_freezes.lifted_at IS 'When it was lifted, ms since 1970 UTC; null while it lasts';
COMMENT ON COLUMN member_freezes.lifted_by IS 'By the member, or by two people of compliance';
COMMENT ON COLUMN member_freezes.proposal_id IS 'The proposal compliance lifted it with';
GRANT SELECT ON member_freezes TO fairtick_console;

CREATE TABLE member_limits (
  member_id bigint NOT NULL,
  name text NOT NULL,
  effective_at bigint NOT NULL,
  value bigint
);
ALTER TABLE member_limits ADD CONSTRAINT member_limits_pkey PRIMARY KEY (member_id, name, effective_at);
ALTER TABLE member_limits ADD CONSTRAINT member_limits_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
ALTER TABLE member_limits ADD CONSTRAINT member_limits_name_check CHECK ((name = ANY (ARRAY['dailyStake'::text, 'dailyLoss'::text, 'sessionMinutes'::text, 'coolOffUntil'::text])));
CREATE TRIGGER raise_terms_version AFTER INSERT OR DELETE OR UPDATE ON public.member_limits FOR EACH ROW EXECUTE FUNCTION raise_terms_version();
ALTER TABLE member_limits ENABLE ALWAYS TRIGGER raise_terms_version;
COMMENT ON TABLE member_limits IS 'Limits members set for themselves. For each name, the newest row whose effective_at has come is in force; later ones are pending.';
COMMENT ON COLUMN member_limits.member_id IS 'The member';
COMMENT ON COLUMN member_limits.name IS 'Which limit';
COMMENT ON COLUMN member_limits.effective_at IS 'When it takes effect, ms since 1970 UTC';
COMMENT ON COLUMN member_limits.value IS 'Its value by name: micro-USD a day, minutes, or ms since 1970 UTC; null for no limit';
GRANT DELETE, INSERT, SELECT ON member_limits TO fairtick_sessions;
GRANT SELECT ON member_limits TO fairtick_orders, fairtick_reader;

CREATE TABLE member_messages (
  message_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  member_id bigint NOT NULL,
  sent_at bigint NOT NULL,
  read_at bigint,
  message_key text,
  params jsonb,
  written_by bigint,
  title text,
  body text
);
ALTER TABLE member_messages ADD CONSTRAINT member_messages_pkey PRIMARY KEY (message_id);
ALTER TABLE member_messages ADD CONSTRAINT member_messages_check CHECK (
CASE
    WHEN (message_key IS NULL) THEN ((written_by IS NOT NULL) AND ((length(btrim(title)) >= 1) AND (length(btrim(title)) <= 120)) AND ((length(btrim(body)) >= 1) AND (length(btrim(body)) <= 8000)) AND (params IS NULL))
    ELSE ((written_by IS NULL) AND (title IS NULL) AND (body IS NULL) AND (jsonb_typeof(params) = 'object'::text))
END);
ALTER TABLE member_messages ADD CONSTRAINT member_messages_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
ALTER TABLE member_messages ADD CONSTRAINT member_messages_message_key_check CHECK ((message_key ~ '^[a-z][A-Za-z]{2,39}$'::text));
ALTER TABLE member_messages ADD CONSTRAINT member_messages_written_by_fkey FOREIGN KEY (written_by) REFERENCES operators(operator_id);
CREATE INDEX member_messages_by_member ON public.member_messages USING btree (member_id, message_id DESC);
CREATE INDEX member_messages_by_time ON public.member_messages USING btree (sent_at);
CREATE INDEX member_messages_unread ON public.member_messages USING btree (member_id) WHERE (read_at IS NULL);
CREATE TRIGGER keep_all_member_messages BEFORE TRUNCATE ON public.member_messages FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE member_messages ENABLE ALWAYS TRIGGER keep_all_member_messages;
CREATE TRIGGER keep_member_message BEFORE UPDATE ON public.member_messages FOR EACH ROW EXECUTE FUNCTION keep_member_message();
ALTER TABLE member_messages ENABLE ALWAYS TRIGGER keep_member_message;
CREATE TRIGGER keep_member_messages BEFORE DELETE ON public.member_messages FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE member_messages ENABLE ALWAYS TRIGGER keep_member_messages;
COMMENT ON TABLE member_messages IS 'Messages to single members: from the system, or written by an operator.';
COMMENT ON COLUMN member_messages.message_id IS 'Number of the message';
COMMENT ON COLUMN member_messages.member_id IS 'The member';
COMMENT ON COLUMN member_messages.sent_at IS 'When it was sent, ms since 1970 UTC';
COMMENT ON COLUMN member_messages.read_at IS 'When the member read it, ms since 1970 UTC; null while unread';
COMMENT ON COLUMN member_messages.message_key IS 'From the system: name of the text, which is put into words when it is read';
COMMENT ON COLUMN member_messages.params IS 'From the system: the figures in the text';
COMMENT ON COLUMN member_messages.written_by IS 'The operator who wrote it; null for the system''s';
COMMENT ON COLUMN member_messages.title IS 'Title, from an operator';
COMMENT ON COLUMN member_messages.body IS 'Text, from an operator';
GRANT SELECT ON member_messages TO fairtick_console, fairtick_reader;
GRANT SELECT (message_id, member_id, read_at), UPDATE (read_at) ON member_messages TO fairtick_sessions;

CREATE TABLE member_passkeys (
  passkey_id bigint NOT NULL,
  member_id bigint NOT NULL,
  credential_id bytea NOT NULL,
  public_key bytea NOT NULL,
  name text NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  synced boolean NOT NULL,
  made_at bigint NOT NULL,
  used_at bigint
);
ALTER TABLE member_passkeys ADD CONSTRAINT member_passkeys_pkey PRIMARY KEY (passkey_id);
ALTER TABLE member_passkeys ADD CONSTRAINT member_passkeys_counter_check CHECK ((counter >= 0));
ALTER TABLE member_passkeys ADD CONSTRAINT member_passkeys_credential_id_check CHECK (((octet_length(credential_id) >= 1) AND (octet_length(credential_id) <= 1023)));
ALTER TABLE member_passkeys ADD CONSTRAINT member_passkeys_credential_id_key UNIQUE (credential_id);
ALTER TABLE member_passkeys ADD CONSTRAINT member_passkeys_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
CREATE INDEX member_passkeys_by_member ON public.member_passkeys USING btree (member_id);
COMMENT ON TABLE member_passkeys IS 'Passkeys of members.';
COMMENT ON COLUMN member_passkeys.passkey_id IS 'Number of the passkey';
COMMENT ON COLUMN member_passkeys.member_id IS 'The member';
COMMENT ON COLUMN member_passkeys.credential_id IS 'The authenticator''s own id for it';
COMMENT ON COLUMN member_passkeys.public_key IS 'Public key, in COSE';
COMMENT ON COLUMN member_passkeys.name IS 'Name the member gave it';
COMMENT ON COLUMN member_passkeys.counter IS 'The authenticator''s signature counter; 0 where it has none. One that does not grow is a copy';
COMMENT ON COLUMN member_passkeys.transports IS 'How the authenticator can be reached, as it said itself';
COMMENT ON COLUMN member_passkeys.synced IS 'Whether its maker keeps copies on other devices';
COMMENT ON COLUMN member_passkeys.made_at IS 'When it was made, ms since 1970 UTC';
COMMENT ON COLUMN member_passkeys.used_at IS 'When it was last used, ms since 1970 UTC; null if never';
GRANT DELETE, INSERT, SELECT, UPDATE ON member_passkeys TO fairtick_sessions;

CREATE TABLE member_recovery_codes (
  member_id bigint NOT NULL,
  code_hash bytea NOT NULL,
  made_at bigint NOT NULL
);
ALTER TABLE member_recovery_codes ADD CONSTRAINT member_recovery_codes_pkey PRIMARY KEY (member_id, code_hash);
ALTER TABLE member_recovery_codes ADD CONSTRAINT member_recovery_codes_code_hash_check CHECK ((octet_length(code_hash) = 32));
ALTER TABLE member_recovery_codes ADD CONSTRAINT member_recovery_codes_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
COMMENT ON TABLE member_recovery_codes IS 'Recovery codes that members have left. A used one is deleted.';
COMMENT ON COLUMN member_recovery_codes.member_id IS 'The member';
COMMENT ON COLUMN member_recovery_codes.code_hash IS 'Keyed hash of the code';
COMMENT ON COLUMN member_recovery_codes.made_at IS 'When it was made, ms since 1970 UTC';
GRANT DELETE, INSERT, SELECT ON member_recovery_codes TO fairtick_sessions;

CREATE TABLE member_totp (
  member_id bigint NOT NULL,
  sealed_secret bytea NOT NULL,
  used_step bigint NOT NULL,
  made_at bigint NOT NULL,
  used_at bigint
);
ALTER TABLE member_totp ADD CONSTRAINT member_totp_pkey PRIMARY KEY (member_id);
ALTER TABLE member_totp ADD CONSTRAINT member_totp_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
COMMENT ON TABLE member_totp IS 'Authenticator apps of members.';
COMMENT ON COLUMN member_totp.member_id IS 'The member';
COMMENT ON COLUMN member_totp.sealed_secret IS 'Its secret, encrypted under a key derived from the deployment''s secret';
COMMENT ON COLUMN member_totp.used_step IS 'Newest step of 30 seconds whose code was used: no code works twice';
COMMENT ON COLUMN member_totp.made_at IS 'When it was made, ms since 1970 UTC';
COMMENT ON COLUMN member_totp.used_at IS 'When it was last used, ms since 1970 UTC; null if never';
GRANT DELETE, INSERT, SELECT, UPDATE ON member_totp TO fairtick_sessions;

CREATE TABLE members (
  member_id bigint NOT NULL,
  phone text,
  email text,
  username text,
  region text NOT NULL,
  password_hash text NOT NULL,
  trade_password_hash text,
  trade_password_set boolean NOT NULL GENERATED ALWAYS AS ((trade_password_hash IS NOT NULL)) STORED,
  standing text NOT NULL DEFAULT 'active'::text,
  standing_reason text,
  excluded_until bigint,
  language text NOT NULL DEFAULT 'en'::text,
  wallet wallet NOT NULL DEFAULT 'practice'::wallet,
  settings jsonb NOT NULL DEFAULT '{}'::jsonb,
  terms_version text NOT NULL,
  invite_code text NOT NULL,
  invited_by bigint,
  created_at timestamp with time zone NOT NULL
);
ALTER TABLE members ADD CONSTRAINT members_pkey PRIMARY KEY (member_id);
ALTER TABLE members ADD CONSTRAINT members_check CHECK (((phone IS NOT NULL) OR (email IS NOT NULL)));
ALTER TABLE members ADD CONSTRAINT members_email_check CHECK ((email = lower(email)));
ALTER TABLE members ADD CONSTRAINT members_email_key UNIQUE (email);
ALTER TABLE members ADD CONSTRAINT members_invite_code_key UNIQUE (invite_code);
ALTER TABLE members ADD CONSTRAINT members_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES members(member_id);
ALTER TABLE members ADD CONSTRAINT members_phone_check CHECK ((phone ~ '^\+[1-9][0-9]{5,14}$'::text));
ALTER TABLE members ADD CONSTRAINT members_phone_key UNIQUE (phone);
ALTER TABLE members ADD CONSTRAINT members_region_check CHECK ((region ~ '^[A-Z]{2}$'::text));
ALTER TABLE members ADD CONSTRAINT members_standing_check CHECK ((standing = ANY (ARRAY['active'::text, 'suspended'::text, 'excluded'::text, 'closed'::text])));
CREATE INDEX members_by_inviter ON public.members USING btree (invited_by, member_id) WHERE (invited_by IS NOT NULL);
CREATE TRIGGER raise_terms_version AFTER UPDATE ON public.members FOR EACH ROW WHEN ((((((old.region IS DISTINCT FROM new.region) OR (old.standing IS DISTINCT FROM new.standing)) OR (old.standing_reason IS DISTINCT FROM new.standing_reason)) OR (old.excluded_until IS DISTINCT FROM new.excluded_until)) OR ((old.trade_password_hash IS NULL) IS DISTINCT FROM (new.trade_password_hash IS NULL)))) EXECUTE FUNCTION raise_terms_version();
ALTER TABLE members ENABLE ALWAYS TRIGGER raise_terms_version;
COMMENT ON TABLE members IS 'Members: how they log in, where they live, and their standing.';
COMMENT ON COLUMN members.member_id IS 'Number of the member';
COMMENT ON COLUMN members.phone IS 'Phone number in E.164 form; null if they have only an e-mail address';
COMMENT ON COLUMN members.email IS 'E-mail address in lower case; null if they have only a phone number';
COMMENT ON COLUMN members.username IS 'Display name; null until they choose one';
COMMENT ON COLUMN members.region IS 'Region they live in, ISO 3166 alpha-2';
COMMENT ON COLUMN members.password_hash IS 'Hash of the login password';
COMMENT ON COLUMN members.trade_password_hash IS 'Hash of the transaction password; null until it is set';
COMMENT ON COLUMN members.trade_password_set IS 'Whether a transaction password is set, for roles that may not read its hash';
COMMENT ON COLUMN members.standing IS 'What they may do: active, suspended, excluded (by themselves) or closed';
COMMENT ON COLUMN members.standing_reason IS 'Why the standing is not active';
COMMENT ON COLUMN members.excluded_until IS 'Until when a self-exclusion lasts, ms since 1970 UTC';
COMMENT ON COLUMN members.language IS 'Language they use';
COMMENT ON COLUMN members.wallet IS 'The wallet they last chose';
COMMENT ON COLUMN members.settings IS 'Their settings for the app';
COMMENT ON COLUMN members.terms_version IS 'Version of the terms they agreed to';
COMMENT ON COLUMN members.invite_code IS 'Their own code for inviting others';
COMMENT ON COLUMN members.invited_by IS 'The member who invited them';
COMMENT ON COLUMN members.created_at IS 'When they registered';
GRANT INSERT, SELECT, UPDATE ON members TO fairtick_sessions;
GRANT SELECT (member_id, phone, email, username, region, trade_password_set, standing, standing_reason, excluded_until, language, wallet, invite_code, invited_by, created_at) ON members TO fairtick_console;
GRANT SELECT (member_id, phone, email, username, region, trade_password_set, standing, standing_reason, excluded_until, language, wallet, settings, invite_code, invited_by, created_at) ON members TO fairtick_jobs;
GRANT SELECT (member_id, phone, email, username, region, trade_password_set, standing, standing_reason, excluded_until, language, wallet, settings, invite_code, invited_by, created_at) ON members TO fairtick_money;
GRANT SELECT (member_id, phone, email, username, region, trade_password_set, standing, standing_reason, excluded_until, language, wallet, settings, invite_code, invited_by, created_at) ON members TO fairtick_orders;
GRANT SELECT (member_id, phone, email, username, region, trade_password_set, standing, standing_reason, excluded_until, language, wallet, settings, invite_code, invited_by, created_at) ON members TO fairtick_reader;
GRANT SELECT (member_id, phone, email, username, region, trade_password_set, standing, standing_reason, excluded_until, language, wallet, settings, invite_code, invited_by, created_at) ON members TO fairtick_settlement;

CREATE TABLE members_money (
  member_id bigint NOT NULL,
  practice_available bigint NOT NULL DEFAULT 0,
  practice_locked bigint NOT NULL DEFAULT 0,
  practice_running_stakes bigint NOT NULL DEFAULT 0,
  practice_day integer NOT NULL DEFAULT 0,
  practice_staked_today bigint NOT NULL DEFAULT 0,
  practice_lost_today bigint NOT NULL DEFAULT 0,
  member_seq bigint NOT NULL DEFAULT 0,
  real_available bigint NOT NULL DEFAULT 0,
  real_locked bigint NOT NULL DEFAULT 0,
  real_running_stakes bigint NOT NULL DEFAULT 0,
  real_day integer NOT NULL DEFAULT 0,
  real_staked_today bigint NOT NULL DEFAULT 0,
  real_lost_today bigint NOT NULL DEFAULT 0,
  terms_version bigint NOT NULL DEFAULT 0,
  real_debt bigint NOT NULL DEFAULT 0,
  touched boolean NOT NULL DEFAULT false,
  practice_running_orders integer NOT NULL DEFAULT 0,
  real_running_orders integer NOT NULL DEFAULT 0
) WITH (fillfactor=70);
ALTER TABLE members_money ADD CONSTRAINT members_money_pkey PRIMARY KEY (member_id);
ALTER TABLE members_money ADD CONSTRAINT members_money_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
ALTER TABLE members_money ADD CONSTRAINT members_money_practice_available_check CHECK ((practice_available >= 0));
ALTER TABLE members_money ADD CONSTRAINT members_money_practice_locked_check CHECK ((practice_locked >= 0));
ALTER TABLE members_money ADD CONSTRAINT members_money_practice_running_orders_check CHECK ((practice_running_orders >= 0));
ALTER TABLE members_money ADD CONSTRAINT members_money_practice_running_stakes_check CHECK ((practice_running_stakes >= 0));
ALTER TABLE members_money ADD CONSTRAINT members_money_real_available_check CHECK ((real_available >= 0));
ALTER TABLE members_money ADD CONSTRAINT members_money_real_debt_check CHECK ((real_debt >= 0));
ALTER TABLE members_money ADD CONSTRAINT members_money_real_locked_check CHECK ((real_locked >= 0));
ALTER TABLE members_money ADD CONSTRAINT members_money_real_running_orders_check CHECK ((real_running_orders >= 0));
ALTER TABLE members_money ADD CONSTRAINT members_money_real_running_stakes_check CHECK ((real_running_stakes >= 0));
CREATE INDEX members_in_debt ON public.members_money USING btree (member_id) WHERE (real_debt > 0);
CREATE TRIGGER settle_debt AFTER UPDATE ON public.members_money FOR EACH ROW WHEN (((new.real_debt > 0) AND (new.real_available > 0))) EXECUTE FUNCTION settle_debt();
ALTER TABLE members_money ENABLE ALWAYS TRIGGER settle_debt;
COMMENT ON TABLE members_money IS 'Both wallets of each member in one row, so that an order takes one lock and one update. Amounts in micro-USD.';
COMMENT ON COLUMN members_money.member_id IS 'The member';
COMMENT ON COLUMN members_money.practice_available IS 'Practice wallet: free to use, micro-USD';
COMMENT ON COLUMN members_money.practice_locked IS 'Practice wallet: held for running orders, micro-USD';
COMMENT ON COLUMN members_money.practice_running_stakes IS 'Practice wallet: sum of the stakes of running orders, micro-USD';
COMMENT ON COLUMN members_money.practice_day IS 'Day that practice_staked_today and practice_lost_today are about, UTC days since 1970';
COMMENT ON COLUMN members_money.practice_staked_today IS 'Practice wallet: staked on that day, micro-USD';
COMMENT ON COLUMN members_money.practice_lost_today IS 'Practice wallet: net loss of that day, micro-USD';
COMMENT ON COLUMN members_money.member_seq IS 'Number of the newest fact about this member''s money. It is between the wallets so that a change of either is one stretch of the row in the WAL';
COMMENT ON COLUMN members_money.real_available IS 'Real wallet: free to use, micro-USD';
COMMENT ON COLUMN members_money.real_locked IS 'Real wallet: held for running orders and pending withdrawals, micro-USD';
COMMENT ON COLUMN members_money.real_running_stakes IS 'Real wallet: sum of the stakes of running orders, micro-USD';
COMMENT ON COLUMN members_money.real_day IS 'Day that real_staked_today and real_lost_today are about, UTC days since 1970';
COMMENT ON COLUMN members_money.real_staked_today IS 'Real wallet: staked on that day, micro-USD';
COMMENT ON COLUMN members_money.real_lost_today IS 'Real wallet: net loss of that day, micro-USD';
COMMENT ON COLUMN members_money.terms_version IS 'Grows when anything changes that orders are judged by: region, standing, transaction password or own limits. Every order locks this row, so a server can keep what it read and still notice a change';
COMMENT ON COLUMN members_money.real_debt IS 'What the member owes after reversed deposits, micro-USD; while above zero, nothing of the real wallet is available';
COMMENT ON COLUMN members_money.touched IS 'Never written: roles that only lock the row need the right to update some column';
COMMENT ON COLUMN members_money.practice_running_orders IS 'Practice wallet: number of running orders';
COMMENT ON COLUMN members_money.real_running_orders IS 'Real wallet: number of running orders';
GRANT SELECT ON members_money TO fairtick_chain, fairtick_console, fairtick_jobs, fairtick_money, fairtick_orders, fairtick_reader, fairtick_sessions, fairtick_settlement;
GRANT UPDATE (touched) ON members_money TO fairtick_chain;
GRANT UPDATE (touched) ON members_money TO fairtick_money;
GRANT UPDATE (practice_available, practice_locked, practice_running_stakes, practice_day, practice_staked_today, practice_lost_today, member_seq, real_available, real_locked, real_running_stakes, real_day, real_staked_today, real_lost_today, practice_running_orders, real_running_orders) ON members_money TO fairtick_orders;
GRANT INSERT (member_id) ON members_money TO fairtick_sessions;
GRANT UPDATE (practice_available, practice_locked, practice_running_stakes, practice_day, practice_staked_today, practice_lost_today, member_seq, real_available, real_locked, real_running_stakes, real_day, real_staked_today, real_lost_today, practice_running_orders, real_running_orders) ON members_money TO fairtick_settlement;

CREATE TABLE mix_notes (
  size bigint NOT NULL,
  is_final boolean NOT NULL,
  note text NOT NULL,
  source bytea NOT NULL
);
ALTER TABLE mix_notes ADD CONSTRAINT mix_notes_pkey PRIMARY KEY (size, is_final);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.mix_notes FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE mix_notes ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.mix_notes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE mix_notes ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE mix_notes IS 'Checkpoints that end with each commitment of the simulated market: as signed, and again once the witness whose signature makes the epoch''s mix has answered. The log''s writer places nothing behind one before that.';
COMMENT ON COLUMN mix_notes.size IS 'Size of the log at the checkpoint';
COMMENT ON COLUMN mix_notes.is_final IS 'Whether nothing better comes: the witness has signed, or gives no signature';
COMMENT ON COLUMN mix_notes.note IS 'The checkpoint with its signatures';
COMMENT ON COLUMN mix_notes.source IS 'What is mixed in: the witness''s signature without its time, or else the checkpoint''s root';
GRANT INSERT, SELECT ON mix_notes TO fairtick_log;
GRANT SELECT ON mix_notes TO fairtick_jobs, fairtick_market, fairtick_reader;

CREATE TABLE open_groups (
  first_id bigint NOT NULL,
  accepted_at bigint NOT NULL,
  duration integer NOT NULL,
  symbol text NOT NULL,
  limit_price bigint,
  direction direction,
  order_ids bigint[] NOT NULL STORAGE p,
  member_ids bigint[] NOT NULL STORAGE p
);
ALTER TABLE open_groups ADD CONSTRAINT open_groups_pkey PRIMARY KEY (first_id);
ALTER TABLE open_groups ADD CONSTRAINT open_groups_check CHECK ((((cardinality(order_ids) >= 1) AND (cardinality(order_ids) <= 100)) AND (cardinality(member_ids) = cardinality(order_ids))));
ALTER TABLE open_groups ADD CONSTRAINT open_groups_check1 CHECK ((((limit_price IS NULL) = (direction IS NULL)) AND ((limit_price IS NULL) OR (cardinality(order_ids) = 1))));
CREATE INDEX open_groups_due ON public.open_groups USING btree (symbol, duration, accepted_at);
CREATE INDEX open_groups_limits ON public.open_groups USING btree (symbol, accepted_at) WHERE (limit_price IS NOT NULL);
CREATE TRIGGER refuse_growth BEFORE UPDATE ON public.open_groups FOR EACH ROW EXECUTE FUNCTION refuse_growth();
ALTER TABLE open_groups ENABLE ALWAYS TRIGGER refuse_growth;
COMMENT ON TABLE open_groups IS 'Running orders. Those of one batch, instrument and duration share entry and expiry, so they share a row; an order with a limit price has its own.';
COMMENT ON COLUMN open_groups.first_id IS 'Its oldest order''s number, which names the group as long as it lasts';
COMMENT ON COLUMN open_groups.accepted_at IS 'When its orders were accepted, ms since 1970 UTC';
COMMENT ON COLUMN open_groups.duration IS 'Duration from entry to expiry, seconds';
COMMENT ON COLUMN open_groups.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN open_groups.limit_price IS 'Limit price of its only order, points';
COMMENT ON COLUMN open_groups.direction IS 'Direction of its only order, where there is a limit price';
COMMENT ON COLUMN open_groups.order_ids IS 'Numbers of its orders, at most 100';
COMMENT ON COLUMN open_groups.member_ids IS 'Their members, in the same order';
GRANT DELETE, SELECT ON open_groups TO fairtick_settlement;
GRANT INSERT, SELECT ON open_groups TO fairtick_orders;
GRANT SELECT ON open_groups TO fairtick_console, fairtick_jobs, fairtick_reader;
GRANT UPDATE (order_ids, member_ids) ON open_groups TO fairtick_settlement;

CREATE TABLE operator_challenges (
  session_id bigint NOT NULL,
  purpose text NOT NULL,
  challenge bytea NOT NULL,
  expires_at bigint NOT NULL
);
ALTER TABLE operator_challenges ADD CONSTRAINT operator_challenges_pkey PRIMARY KEY (session_id, purpose);
ALTER TABLE operator_challenges ADD CONSTRAINT operator_challenges_purpose_check CHECK ((purpose = ANY (ARRAY['login'::text, 'register'::text, 'totp'::text])));
ALTER TABLE operator_challenges ADD CONSTRAINT operator_challenges_session_id_fkey FOREIGN KEY (session_id) REFERENCES operator_sessions(session_id);
COMMENT ON TABLE operator_challenges IS 'What a session''s browser was asked, once and for a few minutes: a challenge for an authenticator, or the sealed secret of an authenticator app that has not shown its first code yet.';
COMMENT ON COLUMN operator_challenges.session_id IS 'The session';
COMMENT ON COLUMN operator_challenges.purpose IS 'What an answer counts for';
COMMENT ON COLUMN operator_challenges.challenge IS 'The challenge, or the sealed secret';
COMMENT ON COLUMN operator_challenges.expires_at IS 'When it expires, ms since 1970 UTC';
GRANT DELETE, INSERT, SELECT ON operator_challenges TO fairtick_console;
GRANT UPDATE (challenge, expires_at) ON operator_challenges TO fairtick_console;

CREATE TABLE operator_changes (
  proposal_id bigint NOT NULL
);
ALTER TABLE operator_changes ADD CONSTRAINT operator_changes_pkey PRIMARY KEY (proposal_id);
ALTER TABLE operator_changes ADD CONSTRAINT operator_changes_proposal_id_fkey FOREIGN KEY (proposal_id) REFERENCES proposals(proposal_id);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.operator_changes FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE operator_changes ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.operator_changes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE operator_changes ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE operator_changes IS 'Proposals about operators that have taken effect, so that each does so once.';
COMMENT ON COLUMN operator_changes.proposal_id IS 'The approved proposal it came from';

CREATE TABLE operator_devices (
  operator_id bigint NOT NULL,
  device_hash bytea NOT NULL,
  made_at bigint NOT NULL,
  seen_at bigint NOT NULL
);
ALTER TABLE operator_devices ADD CONSTRAINT operator_devices_pkey PRIMARY KEY (operator_id, device_hash);
ALTER TABLE operator_devices ADD CONSTRAINT operator_devices_device_hash_check CHECK ((length(device_hash) = 32));
ALTER TABLE operator_devices ADD CONSTRAINT operator_devices_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(operator_id);
COMMENT ON TABLE operator_devices IS 'Devices that operators have logged in on; their failed attempts are counted apart from strangers''.';
COMMENT ON COLUMN operator_devices.operator_id IS 'The operator';
COMMENT ON COLUMN operator_devices.device_hash IS 'SHA-256 of the key in the device''s cookie';
COMMENT ON COLUMN operator_devices.made_at IS 'When it was first used, ms since 1970 UTC';
COMMENT ON COLUMN operator_devices.seen_at IS 'When it was last used, ms since 1970 UTC';
GRANT DELETE, INSERT, SELECT, UPDATE ON operator_devices TO fairtick_console;

CREATE TABLE operator_hours (
  operator_id bigint NOT NULL,
  hours text NOT NULL,
  set_at bigint NOT NULL
);
ALTER TABLE operator_hours ADD CONSTRAINT operator_hours_pkey PRIMARY KEY (operator_id);
ALTER TABLE operator_hours ADD CONSTRAINT operator_hours_hours_check CHECK (((length(hours) <= 200) AND (hours ~ '^(24/7|(Mo|Tu|We|Th|Fr|Sa|Su)(-(Mo|Tu|We|Th|Fr|Sa|Su))? [0-2][0-9]:[0-5][0-9]-[0-2][0-9]:[0-5][0-9](; (Mo|Tu|We|Th|Fr|Sa|Su)(-(Mo|Tu|We|Th|Fr|Sa|Su))? [0-2][0-9]:[0-5][0-9]-[0-2][0-9]:[0-5][0-9])*)$'::text)));
ALTER TABLE operator_hours ADD CONSTRAINT operator_hours_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(operator_id);
COMMENT ON TABLE operator_hours IS 'When each operator is available. Operators set their own hours.';
COMMENT ON COLUMN operator_hours.operator_id IS 'The operator';
COMMENT ON COLUMN operator_hours.hours IS 'Hours in UTC, such as `24/7` or `Mo-Fr 08:00-16:00; Sa 10:00-14:00`';
COMMENT ON COLUMN operator_hours.set_at IS 'When they set them, ms since 1970 UTC';
GRANT SELECT ON operator_hours TO fairtick_console;

CREATE TABLE operator_keys (
  key_id text NOT NULL,
  operator_id bigint NOT NULL,
  public_key text NOT NULL,
  proposal_id bigint NOT NULL,
  enrolled_at bigint NOT NULL,
  signed_by text,
  signature text
);
ALTER TABLE operator_keys ADD CONSTRAINT operator_keys_pkey PRIMARY KEY (key_id);
ALTER TABLE operator_keys ADD CONSTRAINT operator_keys_key_id_operator_id_key UNIQUE (key_id, operator_id);
ALTER TABLE operator_keys ADD CONSTRAINT operator_keys_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(operator_id);
ALTER TABLE operator_keys ADD CONSTRAINT operator_keys_proposal_id_fkey FOREIGN KEY (proposal_id) REFERENCES proposals(proposal_id);
ALTER TABLE operator_keys ADD CONSTRAINT operator_keys_proposal_id_key UNIQUE (proposal_id);
ALTER TABLE operator_keys ADD CONSTRAINT operator_keys_public_key_key UNIQUE (public_key);
ALTER TABLE operator_keys ADD CONSTRAINT operator_keys_signed_by_fkey FOREIGN KEY (signed_by) REFERENCES operator_keys(key_id);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.operator_keys FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE operator_keys ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.operator_keys FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE operator_keys ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE operator_keys IS 'Keys that operators sign approvals with. The signer keeps its own list; this one is for screens and early answers.';
COMMENT ON COLUMN operator_keys.key_id IS 'SHA-256 of the public key, hexadecimal';
COMMENT ON COLUMN operator_keys.operator_id IS 'The operator';
COMMENT ON COLUMN operator_keys.public_key IS 'P-256 public key, 65 bytes uncompressed, base64url';
COMMENT ON COLUMN operator_keys.proposal_id IS 'The proposal that enrolled it';
COMMENT ON COLUMN operator_keys.enrolled_at IS 'When it was enrolled, ms since 1970 UTC';
COMMENT ON COLUMN operator_keys.signed_by IS 'The approver''s own key; null for the very first one of a sandbox';
COMMENT ON COLUMN operator_keys.signature IS 'The approver''s signature over the enrolment, base64url';
GRANT SELECT ON operator_keys TO fairtick_console, fairtick_payout;

CREATE TABLE operator_passkeys (
  passkey_id bigint NOT NULL,
  operator_id bigint NOT NULL,
  credential_id bytea NOT NULL,
  public_key bytea NOT NULL,
  name text NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  synced boolean NOT NULL,
  made_at bigint NOT NULL,
  used_at bigint,
  removed_at bigint
);
ALTER TABLE operator_passkeys ADD CONSTRAINT operator_passkeys_pkey PRIMARY KEY (passkey_id);
ALTER TABLE operator_passkeys ADD CONSTRAINT operator_passkeys_counter_check CHECK ((counter >= 0));
ALTER TABLE operator_passkeys ADD CONSTRAINT operator_passkeys_credential_id_check CHECK (((octet_length(credential_id) >= 1) AND (octet_length(credential_id) <= 1023)));
ALTER TABLE operator_passkeys ADD CONSTRAINT operator_passkeys_credential_id_key UNIQUE (credential_id);
ALTER TABLE operator_passkeys ADD CONSTRAINT operator_passkeys_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(operator_id);
CREATE INDEX operator_passkeys_live ON public.operator_passkeys USING btree (operator_id) WHERE (removed_at IS NULL);
CREATE TRIGGER keep_second_factor BEFORE UPDATE ON public.operator_passkeys FOR EACH ROW EXECUTE FUNCTION keep_second_factor();
ALTER TABLE operator_passkeys ENABLE ALWAYS TRIGGER keep_second_factor;
COMMENT ON TABLE operator_passkeys IS 'Passkeys of operators: second factors beside the authenticator app, or instead of it.';
COMMENT ON COLUMN operator_passkeys.passkey_id IS 'Number of the passkey';
COMMENT ON COLUMN operator_passkeys.operator_id IS 'The operator';
COMMENT ON COLUMN operator_passkeys.credential_id IS 'The authenticator''s own id for it';
COMMENT ON COLUMN operator_passkeys.public_key IS 'Public key, in COSE';
COMMENT ON COLUMN operator_passkeys.name IS 'Name the operator gave it';
COMMENT ON COLUMN operator_passkeys.counter IS 'The authenticator''s signature counter; 0 where it has none. One that does not grow is a copy';
COMMENT ON COLUMN operator_passkeys.transports IS 'How the authenticator can be reached, as it said itself';
COMMENT ON COLUMN operator_passkeys.synced IS 'Whether its maker keeps copies on other devices';
COMMENT ON COLUMN operator_passkeys.made_at IS 'When it was made, ms since 1970 UTC';
COMMENT ON COLUMN operator_passkeys.used_at IS 'When it was last used, ms since 1970 UTC; null if never';
COMMENT ON COLUMN operator_passkeys.removed_at IS 'When it was removed, ms since 1970 UTC; null while it works';
GRANT INSERT, SELECT ON operator_passkeys TO fairtick_console;
GRANT UPDATE (counter, synced, used_at, removed_at) ON operator_passkeys TO fairtick_console;

CREATE TABLE operator_recovery_codes (
  operator_id bigint NOT NULL,
  code_hash bytea NOT NULL,
  used_at bigint
);
ALTER TABLE operator_recovery_codes ADD CONSTRAINT operator_recovery_codes_pkey PRIMARY KEY (operator_id, code_hash);
ALTER TABLE operator_recovery_codes ADD CONSTRAINT operator_recovery_codes_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(operator_id);
COMMENT ON TABLE operator_recovery_codes IS 'Codes for operators who lost their second factor. Each works once.';
COMMENT ON COLUMN operator_recovery_codes.operator_id IS 'The operator';
COMMENT ON COLUMN operator_recovery_codes.code_hash IS 'SHA-256 of the code';
COMMENT ON COLUMN operator_recovery_codes.used_at IS 'When it was used, ms since 1970 UTC; null while unused';
GRANT INSERT, SELECT ON operator_recovery_codes TO fairtick_console;
GRANT UPDATE (used_at) ON operator_recovery_codes TO fairtick_console;

CREATE TABLE operator_roles (
  operator_id bigint NOT NULL,
  role text NOT NULL
);
ALTER TABLE operator_roles ADD CONSTRAINT operator_roles_pkey PRIMARY KEY (operator_id, role);
ALTER TABLE operator_roles ADD CONSTRAINT operator_roles_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(operator_id);
ALTER TABLE operator_roles ADD CONSTRAINT operator_roles_role_check CHECK ((role = ANY (ARRAY['support'::text, 'finance'::text, 'compliance'::text, 'admin'::text, 'auditor'::text])));
COMMENT ON TABLE operator_roles IS 'Which roles each operator has.';
COMMENT ON COLUMN operator_roles.operator_id IS 'The operator';
COMMENT ON COLUMN operator_roles.role IS 'The role';
GRANT SELECT ON operator_roles TO fairtick_console;

CREATE TABLE operator_sessions (
  session_id bigint NOT NULL,
  operator_id bigint NOT NULL,
  token_hash bytea NOT NULL,
  ip text NOT NULL,
  device text NOT NULL,
  created_at bigint NOT NULL,
  seen_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  verified_at bigint,
  ended_at bigint
);
ALTER TABLE operator_sessions ADD CONSTRAINT operator_sessions_pkey PRIMARY KEY (session_id);
ALTER TABLE operator_sessions ADD CONSTRAINT operator_sessions_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(operator_id);
ALTER TABLE operator_sessions ADD CONSTRAINT operator_sessions_session_id_operator_id_key UNIQUE (session_id, operator_id);
ALTER TABLE operator_sessions ADD CONSTRAINT operator_sessions_token_hash_key UNIQUE (token_hash);
CREATE INDEX operator_sessions_live ON public.operator_sessions USING btree (operator_id) WHERE (ended_at IS NULL);
COMMENT ON TABLE operator_sessions IS 'Sessions in the console.';
COMMENT ON COLUMN operator_sessions.session_id IS 'Number of the session';
COMMENT ON COLUMN operator_sessions.operator_id IS 'The operator';
COMMENT ON COLUMN operator_sessions.token_hash IS 'SHA-256 of the session''s token';
COMMENT ON COLUMN operator_sessions.ip IS 'Address it was opened from';
COMMENT ON COLUMN operator_sessions.device IS 'Browser and system it was opened with';
COMMENT ON COLUMN operator_sessions.created_at IS 'When it was created, ms since 1970 UTC';
COMMENT ON COLUMN operator_sessions.seen_at IS 'When it was last used, ms since 1970 UTC';
COMMENT ON COLUMN operator_sessions.expires_at IS 'When it expires, ms since 1970 UTC';
COMMENT ON COLUMN operator_sessions.verified_at IS 'When the second factor was right, ms since 1970 UTC; null while only the password was';
COMMENT ON COLUMN operator_sessions.ended_at IS 'When it ended, ms since 1970 UTC; null while it lasts';
GRANT INSERT, SELECT ON operator_sessions TO fairtick_console;
GRANT UPDATE (token_hash, seen_at, expires_at, verified_at, ended_at) ON operator_sessions TO fairtick_console;

CREATE TABLE operators (
  operator_id bigint NOT NULL,
  login text NOT NULL,
  name text NOT NULL,
  password_hash text,
  totp_secret bytea,
  totp_step bigint NOT NULL DEFAULT 0,
  invite_hash bytea,
  invite_expires_at bigint,
  created_at bigint NOT NULL,
  disabled_at bigint
);
ALTER TABLE operators ADD CONSTRAINT operators_pkey PRIMARY KEY (operator_id);
ALTER TABLE operators ADD CONSTRAINT operators_invite_hash_key UNIQUE (invite_hash);
ALTER TABLE operators ADD CONSTRAINT operators_login_check CHECK ((login ~ '^[a-z0-9][a-z0-9.-]{1,39}$'::text));
ALTER TABLE operators ADD CONSTRAINT operators_login_key UNIQUE (login);
CREATE TRIGGER keep_second_factor BEFORE UPDATE ON public.operators FOR EACH ROW WHEN (((old.totp_secret IS NOT NULL) AND (new.totp_secret IS NULL))) EXECUTE FUNCTION keep_second_factor();
ALTER TABLE operators ENABLE ALWAYS TRIGGER keep_second_factor;
COMMENT ON TABLE operators IS 'People who work in the back office.';
COMMENT ON COLUMN operators.operator_id IS 'Number of the operator';
COMMENT ON COLUMN operators.login IS 'Login name';
COMMENT ON COLUMN operators.name IS 'Full name';
COMMENT ON COLUMN operators.password_hash IS 'Hash of the password; null until the invitation is accepted';
COMMENT ON COLUMN operators.totp_secret IS 'Secret of the authenticator app, encrypted with AES-256-GCM under a key derived from the deployment''s secret';
COMMENT ON COLUMN operators.totp_step IS 'Newest time step whose code was used: each code opens one session';
COMMENT ON COLUMN operators.invite_hash IS 'Hash of the invitation''s token; null once it is accepted';
COMMENT ON COLUMN operators.invite_expires_at IS 'When the invitation expires, ms since 1970 UTC';
COMMENT ON COLUMN operators.created_at IS 'When it was created, ms since 1970 UTC';
COMMENT ON COLUMN operators.disabled_at IS 'When the operator was disabled, ms since 1970 UTC; null while active';
GRANT SELECT ON operators TO fairtick_console;
GRANT UPDATE (password_hash, totp_secret, totp_step, invite_hash, invite_expires_at) ON operators TO fairtick_console;

CREATE TABLE order_devices (
  device_id bigint NOT NULL,
  member_id bigint NOT NULL,
  public_key bytea NOT NULL,
  label text NOT NULL,
  nonce bytea NOT NULL,
  added_at bigint NOT NULL,
  removed_at bigint
);
ALTER TABLE order_devices ADD CONSTRAINT order_devices_pkey PRIMARY KEY (device_id);
ALTER TABLE order_devices ADD CONSTRAINT order_devices_check CHECK ((removed_at >= added_at));
ALTER TABLE order_devices ADD CONSTRAINT order_devices_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
CREATE UNIQUE INDEX order_devices_keys ON public.order_devices USING btree (member_id, public_key) WHERE (removed_at IS NULL);
CREATE INDEX order_devices_members ON public.order_devices USING btree (member_id);
CREATE TRIGGER raise_terms_version AFTER INSERT OR DELETE OR UPDATE ON public.order_devices FOR EACH ROW EXECUTE FUNCTION raise_terms_version();
ALTER TABLE order_devices ENABLE ALWAYS TRIGGER raise_terms_version;
COMMENT ON TABLE order_devices IS 'Devices whose keys sign their members'' orders. A removed one stays: its orders name it.';
COMMENT ON COLUMN order_devices.device_id IS 'Number of the device';
COMMENT ON COLUMN order_devices.member_id IS 'The member';
COMMENT ON COLUMN order_devices.public_key IS 'ECDSA key on P-256, SPKI in DER';
COMMENT ON COLUMN order_devices.label IS 'What its member calls it';
COMMENT ON COLUMN order_devices.nonce IS 'Random bytes in its hash in the public log';
COMMENT ON COLUMN order_devices.added_at IS 'Since when it signs, ms since 1970 UTC';
COMMENT ON COLUMN order_devices.removed_at IS 'Until when it signed, ms since 1970 UTC; null while it does';
GRANT SELECT ON order_devices TO fairtick_jobs, fairtick_orders, fairtick_reader, fairtick_sessions;

CREATE TABLE orders (
  order_id bigint NOT NULL,
  member_id bigint NOT NULL,
  member_seq bigint NOT NULL,
  batch_no bigint NOT NULL,
  accepted_at bigint NOT NULL,
  stake bigint NOT NULL,
  fee bigint NOT NULL,
  profit_if_won bigint NOT NULL,
  limit_price bigint,
  available_after bigint NOT NULL,
  payout_rate integer NOT NULL,
  duration integer NOT NULL,
  config_version integer NOT NULL,
  batch_place integer NOT NULL,
  wallet wallet NOT NULL,
  direction direction,
  client_key uuid NOT NULL,
  symbol text NOT NULL,
  nonce bytea NOT NULL,
  client_order_id text,
  seal bytea,
  device_id bigint,
  seen_slot bigint,
  seen_hash bytea,
  signature bytea
);
ALTER TABLE orders ADD CONSTRAINT orders_pkey PRIMARY KEY (member_id, order_id);
ALTER TABLE orders ADD CONSTRAINT orders_client_key UNIQUE (client_key, member_id);
ALTER TABLE orders ADD CONSTRAINT orders_sealed CHECK (
CASE
    WHEN (seal IS NULL) THEN ((direction IS NOT NULL) AND (num_nonnulls(device_id, seen_slot, seen_hash, signature) = 0))
    ELSE ((num_nonnulls(direction, limit_price) = 0) AND (num_nulls(device_id, seen_slot, seen_hash, signature) = 0))
END);
CREATE INDEX orders_by_time ON public.orders USING brin (accepted_at);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.orders FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE orders ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.orders FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE orders ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE orders IS 'Every accepted order, exactly as agreed. Written once.';
COMMENT ON COLUMN orders.order_id IS 'Number of the order';
COMMENT ON COLUMN orders.member_id IS 'The member';
COMMENT ON COLUMN orders.member_seq IS 'The member''s number of this fact about their money: each one is one higher';
COMMENT ON COLUMN orders.batch_no IS 'Batch it was accepted in';
COMMENT ON COLUMN orders.accepted_at IS 'When it was accepted, ms since 1970 UTC';
COMMENT ON COLUMN orders.stake IS 'Stake, micro-USD';
COMMENT ON COLUMN orders.fee IS 'Fee, charged with the stake, micro-USD';
COMMENT ON COLUMN orders.profit_if_won IS 'Net profit if it wins, micro-USD';
COMMENT ON COLUMN orders.limit_price IS 'Worst entry price the member accepts, points; null for any';
COMMENT ON COLUMN orders.available_after IS 'Available in its wallet after the hold, micro-USD';
COMMENT ON COLUMN orders.payout_rate IS 'Payout rate, millionths of the stake';
COMMENT ON COLUMN orders.duration IS 'Duration from entry to expiry, seconds';
COMMENT ON COLUMN orders.config_version IS 'Version of the trading configuration it was accepted under';
COMMENT ON COLUMN orders.batch_place IS 'Place within its batch';
COMMENT ON COLUMN orders.wallet IS 'Which wallet: practice or real';
COMMENT ON COLUMN orders.direction IS 'Up or down; null of a sealed order';
COMMENT ON COLUMN orders.client_key IS 'The client id itself where it is a UUID in the usual form, otherwise what client_key makes of it';
COMMENT ON COLUMN orders.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN orders.nonce IS 'Random bytes in its commitment: 16 of its terms, then 16 of what stays private; an older order has 16';
COMMENT ON COLUMN orders.client_order_id IS 'The client id as sent, where it is no such UUID';
COMMENT ON COLUMN orders.seal IS 'Hash that its direction and limit price have to open; null of an order placed in the open';
COMMENT ON COLUMN orders.device_id IS 'Device that signed it; null of an order placed in the open';
COMMENT ON COLUMN orders.seen_slot IS 'Number of the newest signed head that the device held';
COMMENT ON COLUMN orders.seen_hash IS 'That head';
COMMENT ON COLUMN orders.signature IS 'The device''s signature of the wish, r and s';
GRANT INSERT, SELECT ON orders TO fairtick_orders;
GRANT SELECT ON orders TO fairtick_console, fairtick_jobs, fairtick_reader, fairtick_settlement;

CREATE TABLE orders_set_aside (
  order_id bigint NOT NULL,
  member_id bigint NOT NULL,
  since bigint NOT NULL
);
ALTER TABLE orders_set_aside ADD CONSTRAINT orders_set_aside_pkey PRIMARY KEY (order_id);
COMMENT ON TABLE orders_set_aside IS 'Orders that could not be settled. They are reported, through restarts too, until they are.';
COMMENT ON COLUMN orders_set_aside.order_id IS 'The order';
COMMENT ON COLUMN orders_set_aside.member_id IS 'The member';
COMMENT ON COLUMN orders_set_aside.since IS 'When it was first set aside, ms since 1970 UTC';
GRANT DELETE, INSERT, SELECT ON orders_set_aside TO fairtick_settlement;

CREATE TABLE outbox (
  outbox_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  entry text NOT NULL
);
ALTER TABLE outbox ADD CONSTRAINT outbox_pkey PRIMARY KEY (outbox_id);
ALTER TABLE outbox ADD CONSTRAINT entry_fits_the_log CHECK ((octet_length(entry) <= 65535));
CREATE INDEX outbox_pyth_params ON public.outbox USING btree (outbox_id) WHERE (kind = 'params.pyth'::text);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.outbox FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE outbox ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.outbox FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE outbox ENABLE ALWAYS TRIGGER refuse_truncate;
ALTER TABLE outbox ENABLE ROW LEVEL SECURITY;
CREATE POLICY by_grant ON outbox FOR * TO PUBLIC USING (true) WITH CHECK (true);
CREATE POLICY market_reads ON outbox FOR r TO fairtick_market USING ((kind = 'params.pyth'::text));
CREATE POLICY market_writes ON outbox FOR a TO fairtick_market WITH CHECK (((kind = ANY (ARRAY['params'::text, 'params.pyth'::text, 'source'::text, 'epoch.commit'::text, 'epoch.open'::text, 'epoch.reveal'::text, 'ticks'::text, 'heads'::text])) OR ((kind = 'incident'::text) AND (((entry)::json ->> 'part'::text) = ANY (ARRAY['prices'::text, 'source'::text]))) OR ((kind = 'key.rotate'::text) AND (((entry)::json ->> 'role'::text) = 'acceptance'::text))));
COMMENT ON TABLE outbox IS 'Entries on their way into the public log. An event''s own transaction inserts its entry; the log''s one writer takes them in order.';
COMMENT ON COLUMN outbox.outbox_id IS 'Number of the entry, in the order of insertion';
COMMENT ON COLUMN outbox.kind IS 'What the entry is about';
COMMENT ON COLUMN outbox.entry IS 'JSON with sorted keys, integers and strings only: the exact bytes that are hashed';
GRANT INSERT ON outbox TO fairtick_money, fairtick_orders, fairtick_settlement;
GRANT INSERT, SELECT ON outbox TO fairtick_jobs, fairtick_log, fairtick_market;
GRANT SELECT ON outbox TO fairtick_reader;

CREATE TABLE payout_nonces (
  instance_id integer NOT NULL,
  address text NOT NULL,
  nonce bigint NOT NULL,
  withdrawal_id bigint NOT NULL
);
ALTER TABLE payout_nonces ADD CONSTRAINT payout_nonces_pkey PRIMARY KEY (instance_id, address, nonce);
ALTER TABLE payout_nonces ADD CONSTRAINT payout_nonces_instance_id_address_fkey FOREIGN KEY (instance_id, address) REFERENCES payout_wallets(instance_id, address);
ALTER TABLE payout_nonces ADD CONSTRAINT payout_nonces_withdrawal_id_fkey FOREIGN KEY (withdrawal_id) REFERENCES withdrawals(withdrawal_id);
ALTER TABLE payout_nonces ADD CONSTRAINT payout_nonces_withdrawal_id_key UNIQUE (withdrawal_id);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.payout_nonces FOR EACH ROW EXECUTE FUNCTION keep_signed_nonces();
ALTER TABLE payout_nonces ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.payout_nonces FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE payout_nonces ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE payout_nonces IS 'Which withdrawal has which nonce.';
COMMENT ON COLUMN payout_nonces.instance_id IS 'The chain instance it belongs to';
COMMENT ON COLUMN payout_nonces.address IS 'Address on the chain, lower case';
COMMENT ON COLUMN payout_nonces.nonce IS 'The nonce';
COMMENT ON COLUMN payout_nonces.withdrawal_id IS 'The withdrawal';
GRANT INSERT, SELECT ON payout_nonces TO fairtick_payout;
GRANT SELECT ON payout_nonces TO fairtick_console, fairtick_jobs;

CREATE TABLE payout_wallets (
  instance_id integer NOT NULL,
  address text NOT NULL,
  next_nonce bigint NOT NULL,
  made_at bigint NOT NULL,
  stopped_at bigint,
  stop_reason text,
  token_balance numeric(78,0),
  coin_balance numeric(78,0),
  seen_at bigint
);
ALTER TABLE payout_wallets ADD CONSTRAINT payout_wallets_pkey PRIMARY KEY (instance_id, address);
ALTER TABLE payout_wallets ADD CONSTRAINT payout_wallets_address_check CHECK ((address = lower(address)));
ALTER TABLE payout_wallets ADD CONSTRAINT payout_wallets_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES chain_instances(instance_id);
ALTER TABLE payout_wallets ADD CONSTRAINT payout_wallets_next_nonce_check CHECK ((next_nonce >= 0));
COMMENT ON TABLE payout_wallets IS 'The wallet that pays withdrawals, per chain instance.';
COMMENT ON COLUMN payout_wallets.instance_id IS 'The chain instance it belongs to';
COMMENT ON COLUMN payout_wallets.address IS 'Address on the chain, lower case';
COMMENT ON COLUMN payout_wallets.next_nonce IS 'The next nonce to give out; counted here, never asked of a node';
COMMENT ON COLUMN payout_wallets.made_at IS 'When it was made, ms since 1970 UTC';
COMMENT ON COLUMN payout_wallets.stopped_at IS 'Since when nothing is sent until a person has looked, ms since 1970 UTC; null while it pays';
COMMENT ON COLUMN payout_wallets.stop_reason IS 'Why it was stopped';
COMMENT ON COLUMN payout_wallets.token_balance IS 'Balance of the token when last seen, in its smallest unit, for screens and alarms';
COMMENT ON COLUMN payout_wallets.coin_balance IS 'Balance of the chain''s own coin when last seen, in its smallest unit';
COMMENT ON COLUMN payout_wallets.seen_at IS 'When the balances were last seen, ms since 1970 UTC';
GRANT INSERT, SELECT ON payout_wallets TO fairtick_payout;
GRANT SELECT ON payout_wallets TO fairtick_console, fairtick_jobs, fairtick_money, fairtick_reader;
GRANT UPDATE (next_nonce, token_balance, coin_balance, seen_at) ON payout_wallets TO fairtick_payout;

CREATE TABLE policies (
  name text NOT NULL,
  version integer NOT NULL,
  effective_at bigint NOT NULL,
  body text NOT NULL,
  proposal_id bigint
);
ALTER TABLE policies ADD CONSTRAINT policies_pkey PRIMARY KEY (name, version);
ALTER TABLE policies ADD CONSTRAINT policies_name_check CHECK ((name = ANY (ARRAY['regions'::text, 'withdrawals'::text])));
ALTER TABLE policies ADD CONSTRAINT policies_proposal_id_fkey FOREIGN KEY (proposal_id) REFERENCES proposals(proposal_id);
ALTER TABLE policies ADD CONSTRAINT policies_proposal_id_key UNIQUE (proposal_id);
ALTER TABLE policies ADD CONSTRAINT policies_version_check CHECK ((version > 0));
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.policies FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE policies ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.policies FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE policies ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE policies IS 'Versions of what operators decide besides trading: regions and withdrawal terms.';
COMMENT ON COLUMN policies.name IS 'Which policy';
COMMENT ON COLUMN policies.version IS 'Number of the version';
COMMENT ON COLUMN policies.effective_at IS 'When it takes effect, ms since 1970 UTC';
COMMENT ON COLUMN policies.body IS 'Canonical JSON: the exact bytes that the log''s entry hashes';
COMMENT ON COLUMN policies.proposal_id IS 'The proposal it came from; null for the first ones';
GRANT SELECT ON policies TO fairtick_console, fairtick_log, fairtick_orders, fairtick_payout, fairtick_reader;

CREATE TABLE postings (
  transfer_id bigint NOT NULL,
  line smallint NOT NULL,
  from_account text NOT NULL,
  to_account text NOT NULL,
  amount bigint NOT NULL
);
ALTER TABLE postings ADD CONSTRAINT postings_pkey PRIMARY KEY (transfer_id, line);
ALTER TABLE postings ADD CONSTRAINT postings_amount_check CHECK ((amount > 0));
ALTER TABLE postings ADD CONSTRAINT postings_transfer_id_fkey FOREIGN KEY (transfer_id) REFERENCES transfers(transfer_id);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.postings FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE postings ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.postings FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE postings ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE postings IS 'Lines of a transfer. Each moves an amount from one account to another, so each line sums to zero. Members'' accounts are `available` and `locked`; all others are the house''s.';
COMMENT ON COLUMN postings.transfer_id IS 'The transfer';
COMMENT ON COLUMN postings.line IS 'Number of the line, from 1';
COMMENT ON COLUMN postings.from_account IS 'Account it comes from';
COMMENT ON COLUMN postings.to_account IS 'Account it goes to';
COMMENT ON COLUMN postings.amount IS 'Amount, micro-USD';
GRANT INSERT, SELECT ON postings TO fairtick_chain, fairtick_money;
GRANT SELECT ON postings TO fairtick_console, fairtick_jobs, fairtick_orders, fairtick_reader;

CREATE TABLE price_alerts (
  alert_id bigint NOT NULL,
  member_id bigint NOT NULL,
  symbol text NOT NULL,
  direction direction NOT NULL,
  price bigint NOT NULL,
  client_id text NOT NULL,
  created_at bigint NOT NULL,
  fired_at bigint,
  fired_price bigint
);
ALTER TABLE price_alerts ADD CONSTRAINT price_alerts_pkey PRIMARY KEY (alert_id);
ALTER TABLE price_alerts ADD CONSTRAINT price_alerts_check CHECK (((fired_at IS NULL) = (fired_price IS NULL)));
ALTER TABLE price_alerts ADD CONSTRAINT price_alerts_member_id_client_id_key UNIQUE (member_id, client_id);
ALTER TABLE price_alerts ADD CONSTRAINT price_alerts_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
ALTER TABLE price_alerts ADD CONSTRAINT price_alerts_price_check CHECK ((price > 0));
CREATE INDEX price_alerts_waiting ON public.price_alerts USING btree (symbol) WHERE (fired_at IS NULL);
COMMENT ON TABLE price_alerts IS 'Prices members want to be told about.';
COMMENT ON COLUMN price_alerts.alert_id IS 'Number of the alert';
COMMENT ON COLUMN price_alerts.member_id IS 'The member';
COMMENT ON COLUMN price_alerts.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN price_alerts.direction IS 'Up: at or above the price. Down: at or below it';
COMMENT ON COLUMN price_alerts.price IS 'The price, points';
COMMENT ON COLUMN price_alerts.client_id IS 'The client id: repeating it never does the same thing twice';
COMMENT ON COLUMN price_alerts.created_at IS 'When it was created, ms since 1970 UTC';
COMMENT ON COLUMN price_alerts.fired_at IS 'When it was reached, ms since 1970 UTC; null while waiting';
COMMENT ON COLUMN price_alerts.fired_price IS 'The price that reached it, points';
GRANT DELETE, INSERT, SELECT ON price_alerts TO fairtick_sessions;
GRANT SELECT ON price_alerts TO fairtick_jobs, fairtick_reader;
GRANT UPDATE (fired_at, fired_price) ON price_alerts TO fairtick_jobs;

CREATE TABLE price_files (
  day bigint NOT NULL,
  symbol text NOT NULL,
  hash bytea NOT NULL,
  ticks bigint NOT NULL,
  minutes integer[] NOT NULL,
  ends integer[] NOT NULL
);
ALTER TABLE price_files ADD CONSTRAINT price_files_pkey PRIMARY KEY (day, symbol);
ALTER TABLE price_files ADD CONSTRAINT price_files_check CHECK (((cardinality(minutes) > 0) AND (cardinality(minutes) = cardinality(ends))));
ALTER TABLE price_files ADD CONSTRAINT price_files_hash_check CHECK ((length(hash) = 32));
ALTER TABLE price_files ADD CONSTRAINT price_files_ticks_check CHECK ((ticks > 0));
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.price_files FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE price_files ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.price_files FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE price_files ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE price_files IS 'Files with old ticks: one per day and instrument, each minute compressed on its own. The digests in the log prove them as they proved the rows.';
COMMENT ON COLUMN price_files.day IS 'UTC days since 1970';
COMMENT ON COLUMN price_files.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN price_files.hash IS 'SHA-256 of the file, which is also its name';
COMMENT ON COLUMN price_files.ticks IS 'Number of ticks in it';
COMMENT ON COLUMN price_files.minutes IS 'Numbers of the minutes that have ticks, within the day';
COMMENT ON COLUMN price_files.ends IS 'Where each minute''s part of the file ends, bytes';
GRANT INSERT, SELECT ON price_files TO fairtick_jobs;
GRANT SELECT ON price_files TO fairtick_reader;

CREATE TABLE price_log_progress (
  name text NOT NULL,
  through bigint NOT NULL
);
ALTER TABLE price_log_progress ADD CONSTRAINT price_log_progress_pkey PRIMARY KEY (name);
COMMENT ON TABLE price_log_progress IS 'How far prices have gone into the outbox.';
COMMENT ON COLUMN price_log_progress.name IS '`ticks:` and an instrument, or `heads` for the slot heads';
COMMENT ON COLUMN price_log_progress.through IS 'Everything up to here is in the outbox: ms since 1970 UTC for minutes, the slot''s number for heads';
GRANT INSERT, SELECT, UPDATE ON price_log_progress TO fairtick_market;

CREATE TABLE price_minutes (
  symbol text NOT NULL,
  "time" bigint NOT NULL,
  from_seq bigint NOT NULL,
  to_seq bigint NOT NULL,
  count integer NOT NULL,
  hash bytea NOT NULL
);
ALTER TABLE price_minutes ADD CONSTRAINT price_minutes_pkey PRIMARY KEY (symbol, "time");
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.price_minutes FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE price_minutes ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.price_minutes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE price_minutes ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE price_minutes IS 'One row per instrument and finished minute that has ticks. Its `ticks` entry goes into the outbox in the same transaction.';
COMMENT ON COLUMN price_minutes.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN price_minutes."time" IS 'First moment of the minute, ms since 1970 UTC';
COMMENT ON COLUMN price_minutes.from_seq IS 'Number of its first tick';
COMMENT ON COLUMN price_minutes.to_seq IS 'Number of its last tick';
COMMENT ON COLUMN price_minutes.count IS 'Number of its ticks';
COMMENT ON COLUMN price_minutes.hash IS 'SHA-256 of its lines "seq,time,price" joined by newlines';
GRANT INSERT, SELECT ON price_minutes TO fairtick_market;
GRANT SELECT ON price_minutes TO fairtick_jobs, fairtick_log, fairtick_reader;

CREATE TABLE proposal_kinds (
  kind text NOT NULL,
  maker_roles text[] NOT NULL,
  checker_roles text[] NOT NULL,
  one_of_each text[] NOT NULL DEFAULT '{}'::text[]
);
ALTER TABLE proposal_kinds ADD CONSTRAINT proposal_kinds_pkey PRIMARY KEY (kind);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.proposal_kinds FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE proposal_kinds ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.proposal_kinds FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE proposal_kinds ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE proposal_kinds IS 'What takes two people, and which roles they need.';
COMMENT ON COLUMN proposal_kinds.kind IS 'Name of the kind';
COMMENT ON COLUMN proposal_kinds.maker_roles IS 'Roles that may propose it';
COMMENT ON COLUMN proposal_kinds.checker_roles IS 'Roles that may decide it';
COMMENT ON COLUMN proposal_kinds.one_of_each IS 'Maker and checker have to come from different roles of these; empty for no such rule';
GRANT SELECT ON proposal_kinds TO fairtick_console;

CREATE TABLE proposals (
  proposal_id bigint NOT NULL,
  kind text NOT NULL,
  made_by bigint NOT NULL,
  made_session bigint NOT NULL,
  made_at bigint NOT NULL,
  reason text NOT NULL,
  member_id bigint,
  body text NOT NULL
);
ALTER TABLE proposals ADD CONSTRAINT proposals_pkey PRIMARY KEY (proposal_id);
ALTER TABLE proposals ADD CONSTRAINT proposals_kind_fkey FOREIGN KEY (kind) REFERENCES proposal_kinds(kind);
ALTER TABLE proposals ADD CONSTRAINT proposals_made_session_made_by_fkey FOREIGN KEY (made_session, made_by) REFERENCES operator_sessions(session_id, operator_id);
ALTER TABLE proposals ADD CONSTRAINT proposals_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
ALTER TABLE proposals ADD CONSTRAINT proposals_proposal_id_made_by_made_session_key UNIQUE (proposal_id, made_by, made_session);
ALTER TABLE proposals ADD CONSTRAINT proposals_reason_check CHECK ((length(btrim(reason)) >= 3));
CREATE INDEX proposals_by_kind ON public.proposals USING btree (kind, proposal_id);
CREATE TRIGGER check_proposal BEFORE INSERT ON public.proposals FOR EACH ROW EXECUTE FUNCTION check_proposal();
ALTER TABLE proposals ENABLE ALWAYS TRIGGER check_proposal;
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.proposals FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE proposals ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.proposals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE proposals ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE proposals IS 'What one operator proposed for another to decide.';
COMMENT ON COLUMN proposals.proposal_id IS 'Number of the proposal';
COMMENT ON COLUMN proposals.kind IS 'What is proposed';
COMMENT ON COLUMN proposals.made_by IS 'The operator who proposed it';
COMMENT ON COLUMN proposals.made_session IS 'Their session';
COMMENT ON COLUMN proposals.made_at IS 'When it was proposed, ms since 1970 UTC';
COMMENT ON COLUMN proposals.reason IS 'Why, in the maker''s words';
COMMENT ON COLUMN proposals.member_id IS 'The member it is about, if any';
COMMENT ON COLUMN proposals.body IS 'What is proposed, as JSON by kind; amounts in micro-USD as digits';
GRANT INSERT, SELECT ON proposals TO fairtick_console;

CREATE TABLE push_claims (
  kind text NOT NULL,
  id bigint NOT NULL,
  claimed_at timestamp with time zone NOT NULL DEFAULT now()
);
ALTER TABLE push_claims ADD CONSTRAINT push_claims_pkey PRIMARY KEY (kind, id);
ALTER TABLE push_claims ADD CONSTRAINT push_claims_kind_check CHECK ((kind = ANY (ARRAY['alert'::text, 'order'::text, 'security'::text])));
CREATE INDEX push_claims_by_age ON public.push_claims USING btree (claimed_at);
COMMENT ON TABLE push_claims IS 'Which messages were taken for sending to browsers. Every server hears every event; the first to claim it sends.';
COMMENT ON COLUMN push_claims.kind IS 'What the message is about';
COMMENT ON COLUMN push_claims.id IS 'Number of the alert, order or message';
COMMENT ON COLUMN push_claims.claimed_at IS 'When a server claimed it';
GRANT DELETE, INSERT, SELECT ON push_claims TO fairtick_jobs;

CREATE TABLE push_subscriptions (
  endpoint text NOT NULL,
  session_id bigint NOT NULL,
  member_id bigint NOT NULL,
  p256dh text NOT NULL,
  auth text NOT NULL,
  created_at bigint NOT NULL
);
ALTER TABLE push_subscriptions ADD CONSTRAINT push_subscriptions_pkey PRIMARY KEY (endpoint);
ALTER TABLE push_subscriptions ADD CONSTRAINT push_subscriptions_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
ALTER TABLE push_subscriptions ADD CONSTRAINT push_subscriptions_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(session_id);
CREATE INDEX push_subscriptions_by_member ON public.push_subscriptions USING btree (member_id);
COMMENT ON TABLE push_subscriptions IS 'Browsers that receive messages while the app is closed. Each belongs to the session that asked for it and ends with it.';
COMMENT ON COLUMN push_subscriptions.endpoint IS 'Address of the browser''s push service';
COMMENT ON COLUMN push_subscriptions.session_id IS 'The session that asked for it';
COMMENT ON COLUMN push_subscriptions.member_id IS 'The member';
COMMENT ON COLUMN push_subscriptions.p256dh IS 'The browser''s public key, base64url';
COMMENT ON COLUMN push_subscriptions.auth IS 'The browser''s shared secret, base64url';
COMMENT ON COLUMN push_subscriptions.created_at IS 'When it was created, ms since 1970 UTC';
GRANT DELETE, INSERT, SELECT, UPDATE ON push_subscriptions TO fairtick_sessions;
GRANT DELETE, SELECT ON push_subscriptions TO fairtick_jobs;

CREATE TABLE pyth_quotes (
  day bigint NOT NULL,
  hash bytea NOT NULL,
  update_hash bytea NOT NULL,
  message bytea NOT NULL,
  branch bytea NOT NULL
) PARTITION BY RANGE (day);
ALTER TABLE pyth_quotes ADD CONSTRAINT pyth_quotes_pkey PRIMARY KEY (day, hash);
ALTER TABLE pyth_quotes ADD CONSTRAINT pyth_quotes_branch_check CHECK (((length(branch) % 20) = 0));
ALTER TABLE pyth_quotes ADD CONSTRAINT pyth_quotes_hash_check CHECK ((length(hash) = 32));
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.pyth_quotes FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE pyth_quotes ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.pyth_quotes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE pyth_quotes ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE pyth_quotes IS 'One instrument''s quote in a Pyth update, with its proof.';
COMMENT ON COLUMN pyth_quotes.day IS 'UTC days since 1970, of the ticks';
COMMENT ON COLUMN pyth_quotes.hash IS E'SHA-256 of "QUOTE1\\0", the VAA''s hash and the message';
COMMENT ON COLUMN pyth_quotes.update_hash IS 'The update of the same day that it belongs to';
COMMENT ON COLUMN pyth_quotes.message IS 'The quote as it came';
COMMENT ON COLUMN pyth_quotes.branch IS 'Sibling hashes of 20 bytes, from the leaf up';
GRANT INSERT, SELECT ON pyth_quotes TO fairtick_market;
GRANT SELECT ON pyth_quotes TO fairtick_jobs, fairtick_reader;

CREATE TABLE pyth_updates (
  day bigint NOT NULL,
  hash bytea NOT NULL,
  vaa bytea NOT NULL
) PARTITION BY RANGE (day);
ALTER TABLE pyth_updates ADD CONSTRAINT pyth_updates_pkey PRIMARY KEY (day, hash);
ALTER TABLE pyth_updates ADD CONSTRAINT pyth_updates_hash_check CHECK ((length(hash) = 32));
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.pyth_updates FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE pyth_updates ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.pyth_updates FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE pyth_updates ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE pyth_updates IS 'Signed updates from Pyth that a day''s ticks were made with, stored once each as they came, so that anyone can check who signed them.';
COMMENT ON COLUMN pyth_updates.day IS 'UTC days since 1970, of the ticks';
COMMENT ON COLUMN pyth_updates.hash IS 'SHA-256 of the VAA';
COMMENT ON COLUMN pyth_updates.vaa IS 'The signed message (VAA) as it came';
GRANT INSERT, SELECT ON pyth_updates TO fairtick_market;
GRANT SELECT ON pyth_updates TO fairtick_jobs, fairtick_reader;

CREATE TABLE quote_files (
  hour bigint NOT NULL,
  hash bytea NOT NULL,
  ticks bigint NOT NULL,
  minutes integer[] NOT NULL,
  ends integer[] NOT NULL
);
ALTER TABLE quote_files ADD CONSTRAINT quote_files_pkey PRIMARY KEY (hour);
ALTER TABLE quote_files ADD CONSTRAINT quote_files_check CHECK (((cardinality(minutes) > 0) AND (cardinality(minutes) = cardinality(ends))));
ALTER TABLE quote_files ADD CONSTRAINT quote_files_hash_check CHECK ((length(hash) = 32));
ALTER TABLE quote_files ADD CONSTRAINT quote_files_ticks_check CHECK ((ticks > 0));
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.quote_files FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE quote_files ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.quote_files FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE quote_files ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE quote_files IS 'Files with what old ticks were made of: one per hour, each minute compressed on its own. The roots in the log prove them as they proved the rows.';
COMMENT ON COLUMN quote_files.hour IS 'UTC hours since 1970';
COMMENT ON COLUMN quote_files.hash IS 'SHA-256 of the file, which is also its name';
COMMENT ON COLUMN quote_files.ticks IS 'Number of ticks that it tells of';
COMMENT ON COLUMN quote_files.minutes IS 'Numbers of the minutes that it tells of, within the hour';
COMMENT ON COLUMN quote_files.ends IS 'Where each minute''s part of the file ends, bytes';
GRANT INSERT, SELECT ON quote_files TO fairtick_jobs;
GRANT SELECT ON quote_files TO fairtick_reader;

CREATE TABLE receiving_card_entries (
  card_id bigint NOT NULL,
  version integer NOT NULL,
  outbox_id bigint NOT NULL
);
ALTER TABLE receiving_card_entries ADD CONSTRAINT receiving_card_entries_pkey PRIMARY KEY (card_id, version);
ALTER TABLE receiving_card_entries ADD CONSTRAINT receiving_card_entries_card_id_version_fkey FOREIGN KEY (card_id, version) REFERENCES receiving_cards(card_id, version);
ALTER TABLE receiving_card_entries ADD CONSTRAINT receiving_card_entries_outbox_id_fkey FOREIGN KEY (outbox_id) REFERENCES outbox(outbox_id);
ALTER TABLE receiving_card_entries ADD CONSTRAINT receiving_card_entries_outbox_id_key UNIQUE (outbox_id);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.receiving_card_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE receiving_card_entries ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.receiving_card_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE receiving_card_entries ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE receiving_card_entries IS 'Entries of the public log for each version of a receiving account.';
COMMENT ON COLUMN receiving_card_entries.card_id IS 'The receiving account';
COMMENT ON COLUMN receiving_card_entries.version IS 'Its version';
COMMENT ON COLUMN receiving_card_entries.outbox_id IS 'Its entry for the public log';
GRANT SELECT ON receiving_card_entries TO fairtick_jobs;

CREATE TABLE receiving_cards (
  card_id bigint NOT NULL,
  version integer NOT NULL,
  regions text[] NOT NULL,
  currency text NOT NULL,
  digits smallint NOT NULL,
  bank text NOT NULL,
  bank_code text,
  holder text NOT NULL,
  number text NOT NULL,
  note text NOT NULL,
  rate bigint NOT NULL,
  active boolean NOT NULL,
  proposal_id bigint,
  made_at bigint NOT NULL
);
ALTER TABLE receiving_cards ADD CONSTRAINT receiving_cards_pkey PRIMARY KEY (card_id, version);
ALTER TABLE receiving_cards ADD CONSTRAINT receiving_cards_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text));
ALTER TABLE receiving_cards ADD CONSTRAINT receiving_cards_digits_check CHECK (((digits >= 0) AND (digits <= 3)));
ALTER TABLE receiving_cards ADD CONSTRAINT receiving_cards_number_check CHECK ((number ~ '^[A-Z0-9]{4,34}$'::text));
ALTER TABLE receiving_cards ADD CONSTRAINT receiving_cards_proposal_id_fkey FOREIGN KEY (proposal_id) REFERENCES proposals(proposal_id);
ALTER TABLE receiving_cards ADD CONSTRAINT receiving_cards_proposal_id_key UNIQUE (proposal_id);
ALTER TABLE receiving_cards ADD CONSTRAINT receiving_cards_rate_check CHECK ((rate > 0));
ALTER TABLE receiving_cards ADD CONSTRAINT receiving_cards_version_check CHECK ((version > 0));
CREATE TRIGGER log_receiving_card AFTER INSERT ON public.receiving_cards FOR EACH ROW EXECUTE FUNCTION log_receiving_card();
ALTER TABLE receiving_cards ENABLE ALWAYS TRIGGER log_receiving_card;
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.receiving_cards FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE receiving_cards ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.receiving_cards FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE receiving_cards ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE receiving_cards IS 'Bank accounts that members send money to: one row per version, never changed. An approved proposal makes the next version.';
COMMENT ON COLUMN receiving_cards.card_id IS 'Number of the account';
COMMENT ON COLUMN receiving_cards.version IS 'Number of the version';
COMMENT ON COLUMN receiving_cards.regions IS 'Regions it is for, ISO 3166; empty for every region with a real wallet';
COMMENT ON COLUMN receiving_cards.currency IS 'ISO 4217 code of the currency';
COMMENT ON COLUMN receiving_cards.digits IS 'Decimal places of the currency''s smallest unit';
COMMENT ON COLUMN receiving_cards.bank IS 'Name of the bank';
COMMENT ON COLUMN receiving_cards.bank_code IS 'BIC, or the bank''s number in its country; null where there is none';
COMMENT ON COLUMN receiving_cards.holder IS 'Account holder';
COMMENT ON COLUMN receiving_cards.number IS 'IBAN or account number, without spaces';
COMMENT ON COLUMN receiving_cards.note IS 'Note shown to members';
COMMENT ON COLUMN receiving_cards.rate IS 'Currency per USD, millionths';
COMMENT ON COLUMN receiving_cards.active IS 'Whether members are shown it';
COMMENT ON COLUMN receiving_cards.proposal_id IS 'The proposal it came from; null for a sandbox''s own';
COMMENT ON COLUMN receiving_cards.made_at IS 'When it was made, ms since 1970 UTC';
GRANT SELECT ON receiving_cards TO fairtick_console, fairtick_jobs, fairtick_money, fairtick_reader;

CREATE TABLE referral_days (
  day integer NOT NULL,
  paid_at bigint NOT NULL
);
ALTER TABLE referral_days ADD CONSTRAINT referral_days_pkey PRIMARY KEY (day);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.referral_days FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE referral_days ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.referral_days FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE referral_days ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE referral_days IS 'Days whose rewards are all paid.';
COMMENT ON COLUMN referral_days.day IS 'UTC days since 1970';
COMMENT ON COLUMN referral_days.paid_at IS 'When the last was paid, ms since 1970 UTC';
GRANT INSERT, SELECT ON referral_days TO fairtick_money;
GRANT SELECT ON referral_days TO fairtick_console, fairtick_reader;

CREATE TABLE referral_rates (
  rate_no integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  from_day integer NOT NULL,
  rate integer NOT NULL,
  proposal_id bigint
);
ALTER TABLE referral_rates ADD CONSTRAINT referral_rates_pkey PRIMARY KEY (rate_no);
ALTER TABLE referral_rates ADD CONSTRAINT referral_rates_proposal_id_fkey FOREIGN KEY (proposal_id) REFERENCES proposals(proposal_id);
ALTER TABLE referral_rates ADD CONSTRAINT referral_rates_proposal_id_key UNIQUE (proposal_id);
ALTER TABLE referral_rates ADD CONSTRAINT referral_rates_rate_check CHECK (((rate >= 0) AND (rate <= 500000)));
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.referral_rates FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE referral_rates ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.referral_rates FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE referral_rates ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE referral_rates IS 'Rates of the reward for inviting members. The newest row whose from_day has come is in force; a rate is set before its day begins.';
COMMENT ON COLUMN referral_rates.rate_no IS 'Number of the rate';
COMMENT ON COLUMN referral_rates.from_day IS 'First day it holds, UTC days since 1970';
COMMENT ON COLUMN referral_rates.rate IS 'Share of the fees, millionths; at most a half';
COMMENT ON COLUMN referral_rates.proposal_id IS 'The proposal it came from; null for a sandbox''s first rate';
GRANT SELECT ON referral_rates TO fairtick_console, fairtick_money, fairtick_reader;

CREATE TABLE referral_shares (
  day integer NOT NULL,
  member_id bigint NOT NULL,
  inviter_id bigint NOT NULL,
  fees bigint NOT NULL,
  share bigint NOT NULL
);
ALTER TABLE referral_shares ADD CONSTRAINT referral_shares_pkey PRIMARY KEY (day, member_id);
ALTER TABLE referral_shares ADD CONSTRAINT referral_shares_fees_check CHECK ((fees > 0));
ALTER TABLE referral_shares ADD CONSTRAINT referral_shares_inviter_id_fkey FOREIGN KEY (inviter_id) REFERENCES members(member_id);
ALTER TABLE referral_shares ADD CONSTRAINT referral_shares_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
ALTER TABLE referral_shares ADD CONSTRAINT referral_shares_share_check CHECK ((share > 0));
CREATE INDEX referral_shares_by_member ON public.referral_shares USING btree (member_id);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.referral_shares FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE referral_shares ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.referral_shares FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE referral_shares ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE referral_shares IS 'What an invited member''s fees of a day earned. Their sum for an inviter, rounded up to the cent, is the transfer of that day.';
COMMENT ON COLUMN referral_shares.day IS 'UTC days since 1970';
COMMENT ON COLUMN referral_shares.member_id IS 'The invited member';
COMMENT ON COLUMN referral_shares.inviter_id IS 'The member who invited them';
COMMENT ON COLUMN referral_shares.fees IS 'Fees paid with the real wallet that day, micro-USD';
COMMENT ON COLUMN referral_shares.share IS 'Their part of it, not rounded to cents, micro-USD';
GRANT INSERT, SELECT ON referral_shares TO fairtick_money;
GRANT SELECT ON referral_shares TO fairtick_console, fairtick_reader;

CREATE TABLE refusal_progress (
  one boolean NOT NULL DEFAULT true,
  through bigint NOT NULL
);
ALTER TABLE refusal_progress ADD CONSTRAINT refusal_progress_pkey PRIMARY KEY (one);
ALTER TABLE refusal_progress ADD CONSTRAINT refusal_progress_one_check CHECK (one);
COMMENT ON TABLE refusal_progress IS 'How far the public log''s refusals are counted.';
COMMENT ON COLUMN refusal_progress.one IS 'Always true: the table has exactly one row';
COMMENT ON COLUMN refusal_progress.through IS 'Entries of the log before this place are counted';

CREATE TABLE region_terms (
  version integer NOT NULL,
  iso2 text NOT NULL,
  dial_code text NOT NULL,
  currency text NOT NULL,
  policy text NOT NULL,
  deposits boolean NOT NULL,
  products text[] NOT NULL,
  legal_age integer NOT NULL,
  rule_name text,
  rule_year integer
);
ALTER TABLE region_terms ADD CONSTRAINT region_terms_pkey PRIMARY KEY (version, iso2);
ALTER TABLE region_terms ADD CONSTRAINT region_terms_check CHECK ((((policy = 'full'::text) = (rule_name IS NULL)) AND ((rule_name IS NULL) = (rule_year IS NULL))));
ALTER TABLE region_terms ADD CONSTRAINT region_terms_iso2_check CHECK ((iso2 ~ '^[A-Z]{2}$'::text));
ALTER TABLE region_terms ADD CONSTRAINT region_terms_legal_age_check CHECK (((legal_age >= 18) AND (legal_age <= 99)));
ALTER TABLE region_terms ADD CONSTRAINT region_terms_policy_check CHECK ((policy = ANY (ARRAY['full'::text, 'practice'::text, 'blocked'::text])));
ALTER TABLE region_terms ADD CONSTRAINT region_terms_products_check CHECK (((cardinality(products) > 0) AND (products <@ '{fx,crypto}'::text[])));
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.region_terms FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE region_terms ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.region_terms FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE region_terms ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE region_terms IS 'Each version of the regions in rows, to look up by a member''s region.';
COMMENT ON COLUMN region_terms.version IS 'Number of the version';
COMMENT ON COLUMN region_terms.iso2 IS 'Region, ISO 3166 alpha-2';
COMMENT ON COLUMN region_terms.dial_code IS 'Country calling code';
COMMENT ON COLUMN region_terms.currency IS 'Currency the region pays in, ISO 4217';
COMMENT ON COLUMN region_terms.policy IS '`full`: both wallets; `practice`: the practice wallet only; `blocked`: nobody registers and nothing new starts';
COMMENT ON COLUMN region_terms.deposits IS 'Whether new deposits are accepted. Withdrawals are never closed';
COMMENT ON COLUMN region_terms.products IS 'Kinds of instruments that can be traded';
COMMENT ON COLUMN region_terms.legal_age IS 'Lowest age, years';
COMMENT ON COLUMN region_terms.rule_name IS 'The rule that closes the region; null where it is fully open';
COMMENT ON COLUMN region_terms.rule_year IS 'Year of that rule';
GRANT SELECT ON region_terms TO fairtick_reader;

CREATE TABLE reveals (
  order_id bigint NOT NULL,
  member_id bigint NOT NULL,
  revealed_at bigint NOT NULL,
  nonce bytea NOT NULL,
  direction direction NOT NULL,
  limit_price bigint
);
ALTER TABLE reveals ADD CONSTRAINT reveals_pkey PRIMARY KEY (order_id);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.reveals FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE reveals ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.reveals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE reveals ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE reveals IS 'What sealed orders were opened to. Written once.';
COMMENT ON COLUMN reveals.order_id IS 'The order';
COMMENT ON COLUMN reveals.member_id IS 'The member';
COMMENT ON COLUMN reveals.revealed_at IS 'When it was revealed, ms since 1970 UTC';
COMMENT ON COLUMN reveals.nonce IS 'Random bytes that open the seal together with direction and limit price';
COMMENT ON COLUMN reveals.direction IS 'Up or down';
COMMENT ON COLUMN reveals.limit_price IS 'Worst entry price the member accepts, points; null for any';
GRANT INSERT, SELECT ON reveals TO fairtick_orders;
GRANT SELECT ON reveals TO fairtick_console, fairtick_jobs, fairtick_reader, fairtick_settlement;

CREATE TABLE reversal_requests (
  proposal_id bigint NOT NULL,
  deposit_id bigint NOT NULL,
  return_id bigint
);
ALTER TABLE reversal_requests ADD CONSTRAINT reversal_requests_pkey PRIMARY KEY (proposal_id);
ALTER TABLE reversal_requests ADD CONSTRAINT reversal_requests_deposit_id_fkey FOREIGN KEY (deposit_id) REFERENCES deposits(deposit_id);
ALTER TABLE reversal_requests ADD CONSTRAINT reversal_requests_proposal_id_fkey FOREIGN KEY (proposal_id) REFERENCES proposals(proposal_id);
ALTER TABLE reversal_requests ADD CONSTRAINT reversal_requests_return_id_fkey FOREIGN KEY (return_id) REFERENCES statement_returns(return_id);
CREATE INDEX reversal_requests_by_deposit ON public.reversal_requests USING btree (deposit_id);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.reversal_requests FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE reversal_requests ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.reversal_requests FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE reversal_requests ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE reversal_requests IS 'Proposals to reverse a deposit.';
COMMENT ON COLUMN reversal_requests.proposal_id IS 'The proposal';
COMMENT ON COLUMN reversal_requests.deposit_id IS 'The deposit';
COMMENT ON COLUMN reversal_requests.return_id IS 'The line that takes it back; null where a person knows from elsewhere';
GRANT SELECT ON reversal_requests TO fairtick_console, fairtick_jobs;

CREATE TABLE revoked_keys (
  key_id text NOT NULL,
  operator_id bigint NOT NULL,
  session_id bigint NOT NULL,
  reason text NOT NULL,
  at bigint NOT NULL
);
ALTER TABLE revoked_keys ADD CONSTRAINT revoked_keys_pkey PRIMARY KEY (key_id);
ALTER TABLE revoked_keys ADD CONSTRAINT revoked_keys_key_id_fkey FOREIGN KEY (key_id) REFERENCES operator_keys(key_id);
ALTER TABLE revoked_keys ADD CONSTRAINT revoked_keys_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(operator_id);
ALTER TABLE revoked_keys ADD CONSTRAINT revoked_keys_reason_check CHECK ((length(btrim(reason)) >= 3));
ALTER TABLE revoked_keys ADD CONSTRAINT revoked_keys_session_id_operator_id_fkey FOREIGN KEY (session_id, operator_id) REFERENCES operator_sessions(session_id, operator_id);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.revoked_keys FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE revoked_keys ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.revoked_keys FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE revoked_keys ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE revoked_keys IS 'Keys that were taken back by one person of finance or one admin: that takes power away and gives none.';
COMMENT ON COLUMN revoked_keys.key_id IS 'SHA-256 of the public key, hexadecimal';
COMMENT ON COLUMN revoked_keys.operator_id IS 'The operator who took it back';
COMMENT ON COLUMN revoked_keys.session_id IS 'Their session';
COMMENT ON COLUMN revoked_keys.reason IS 'Why, in the words of whoever did it';
COMMENT ON COLUMN revoked_keys.at IS 'When it happened, ms since 1970 UTC';
GRANT SELECT ON revoked_keys TO fairtick_console, fairtick_jobs;

CREATE TABLE sessions (
  session_id bigint NOT NULL,
  member_id bigint NOT NULL,
  token_hash bytea NOT NULL,
  device text NOT NULL,
  place text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  seen_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  device_hash bytea,
  offered_hash bytea
);
ALTER TABLE sessions ADD CONSTRAINT sessions_pkey PRIMARY KEY (session_id);
ALTER TABLE sessions ADD CONSTRAINT sessions_device_hash_check CHECK ((length(device_hash) = 32));
ALTER TABLE sessions ADD CONSTRAINT sessions_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
ALTER TABLE sessions ADD CONSTRAINT sessions_offered_hash_check CHECK ((length(offered_hash) = 32));
ALTER TABLE sessions ADD CONSTRAINT sessions_token_hash_key UNIQUE (token_hash);
CREATE INDEX sessions_by_member ON public.sessions USING btree (member_id) WHERE (ended_at IS NULL);
COMMENT ON TABLE sessions IS 'Sessions of members.';
COMMENT ON COLUMN sessions.session_id IS 'Number of the session';
COMMENT ON COLUMN sessions.member_id IS 'The member';
COMMENT ON COLUMN sessions.token_hash IS 'SHA-256 of the session''s token';
COMMENT ON COLUMN sessions.device IS 'Browser and system, as shown to the member';
COMMENT ON COLUMN sessions.place IS 'Where it was opened from, as shown to the member';
COMMENT ON COLUMN sessions.created_at IS 'When it was opened';
COMMENT ON COLUMN sessions.seen_at IS 'When it was last used';
COMMENT ON COLUMN sessions.expires_at IS 'When it expires';
COMMENT ON COLUMN sessions.ended_at IS 'When it ended; null while it lasts';
COMMENT ON COLUMN sessions.device_hash IS 'SHA-256 of the key of the device it runs on: every call has to come from there';
COMMENT ON COLUMN sessions.offered_hash IS 'SHA-256 of the key its login handed out. The first call that brings it back binds the session to it';
GRANT INSERT, SELECT, UPDATE ON sessions TO fairtick_sessions;
GRANT SELECT (session_id, expires_at, ended_at) ON sessions TO fairtick_jobs;
GRANT SELECT (session_id, member_id, expires_at, ended_at) ON sessions TO fairtick_reader;

CREATE TABLE settlement_progress (
  symbol text NOT NULL,
  limits_through bigint NOT NULL
);
ALTER TABLE settlement_progress ADD CONSTRAINT settlement_progress_pkey PRIMARY KEY (symbol);
COMMENT ON TABLE settlement_progress IS 'How far each instrument''s sealed ticks were examined for limit prices and for missing entries.';
COMMENT ON COLUMN settlement_progress.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN settlement_progress.limits_through IS 'Examined up to here, ms since 1970 UTC';
GRANT INSERT, SELECT, UPDATE ON settlement_progress TO fairtick_settlement;
GRANT SELECT ON settlement_progress TO fairtick_jobs, fairtick_reader;

CREATE TABLE settlements (
  order_id bigint NOT NULL,
  member_id bigint NOT NULL,
  member_seq bigint NOT NULL,
  settled_at bigint NOT NULL,
  entry_seq bigint,
  entry_at bigint,
  entry_price bigint,
  exit_seq bigint,
  exit_at bigint,
  exit_price bigint,
  profit bigint NOT NULL,
  credit bigint NOT NULL,
  available_after bigint NOT NULL,
  outcome outcome NOT NULL,
  void_reason void_reason
) PARTITION BY RANGE (order_id);
ALTER TABLE settlements ADD CONSTRAINT settlements_pkey PRIMARY KEY (order_id);
ALTER TABLE settlements ADD CONSTRAINT settlements_check CHECK (((outcome = 'voided'::outcome) = (void_reason IS NOT NULL)));
CREATE INDEX settlements_by_time ON ONLY public.settlements USING brin (settled_at);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.settlements FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE settlements ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.settlements FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE settlements ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE settlements IS 'How each order ended, split by order number. Written once.';
COMMENT ON COLUMN settlements.order_id IS 'The order';
COMMENT ON COLUMN settlements.member_id IS 'The member';
COMMENT ON COLUMN settlements.member_seq IS 'The member''s number of this fact about their money: each one is one higher';
COMMENT ON COLUMN settlements.settled_at IS 'When it was settled, ms since 1970 UTC';
COMMENT ON COLUMN settlements.entry_seq IS 'Number of the entry tick; null if there was none';
COMMENT ON COLUMN settlements.entry_at IS 'Time of the entry tick, ms since 1970 UTC';
COMMENT ON COLUMN settlements.entry_price IS 'Entry price, points';
COMMENT ON COLUMN settlements.exit_seq IS 'Number of the exit tick; null if there was none';
COMMENT ON COLUMN settlements.exit_at IS 'Time of the exit tick, ms since 1970 UTC';
COMMENT ON COLUMN settlements.exit_price IS 'Exit price, points';
COMMENT ON COLUMN settlements.profit IS 'Net effect on the wallet, micro-USD';
COMMENT ON COLUMN settlements.credit IS 'What went back to available, micro-USD';
COMMENT ON COLUMN settlements.available_after IS 'Available in its wallet afterwards, micro-USD';
COMMENT ON COLUMN settlements.outcome IS 'Won, lost, tied or voided';
COMMENT ON COLUMN settlements.void_reason IS 'Why it was voided; null otherwise';
GRANT INSERT, SELECT ON settlements TO fairtick_settlement;
GRANT SELECT ON settlements TO fairtick_console, fairtick_jobs, fairtick_orders, fairtick_reader;

CREATE TABLE short_endings (
  withdrawal_id bigint NOT NULL,
  transfer_id bigint NOT NULL
);
ALTER TABLE short_endings ADD CONSTRAINT short_endings_pkey PRIMARY KEY (withdrawal_id);
ALTER TABLE short_endings ADD CONSTRAINT short_endings_transfer_id_fkey FOREIGN KEY (transfer_id) REFERENCES transfers(transfer_id);
ALTER TABLE short_endings ADD CONSTRAINT short_endings_transfer_id_key UNIQUE (transfer_id);
ALTER TABLE short_endings ADD CONSTRAINT short_endings_withdrawal_id_fkey FOREIGN KEY (withdrawal_id) REFERENCES short_payments(withdrawal_id);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.short_endings FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE short_endings ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.short_endings FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE short_endings ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE short_endings IS 'Short payments that were ended.';
COMMENT ON COLUMN short_endings.withdrawal_id IS 'The withdrawal';
COMMENT ON COLUMN short_endings.transfer_id IS 'The transfer that gave back what was missing';
GRANT SELECT ON short_endings TO fairtick_jobs;

CREATE TABLE short_payments (
  withdrawal_id bigint NOT NULL,
  tx_hash text NOT NULL,
  height bigint NOT NULL,
  arrived numeric(78,0) NOT NULL,
  rest bigint NOT NULL,
  found_at bigint NOT NULL
);
ALTER TABLE short_payments ADD CONSTRAINT short_payments_pkey PRIMARY KEY (withdrawal_id);
ALTER TABLE short_payments ADD CONSTRAINT short_payments_arrived_check CHECK ((arrived > (0)::numeric));
ALTER TABLE short_payments ADD CONSTRAINT short_payments_rest_check CHECK (((rest > 0) AND ((rest % (10000)::bigint) = 0)));
ALTER TABLE short_payments ADD CONSTRAINT short_payments_tx_hash_fkey FOREIGN KEY (tx_hash) REFERENCES withdrawal_attempts(tx_hash);
ALTER TABLE short_payments ADD CONSTRAINT short_payments_withdrawal_id_fkey FOREIGN KEY (withdrawal_id) REFERENCES withdrawals(withdrawal_id);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.short_payments FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE short_payments ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.short_payments FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE short_payments ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE short_payments IS 'Payments of which less arrived than was sent, because the token kept a fee. Two people of finance end each: what is missing goes back to the member out of the house''s capital.';
COMMENT ON COLUMN short_payments.withdrawal_id IS 'The withdrawal';
COMMENT ON COLUMN short_payments.tx_hash IS 'Hash of the transaction on the chain';
COMMENT ON COLUMN short_payments.height IS 'Height of its block';
COMMENT ON COLUMN short_payments.arrived IS 'What arrived by the final receipt, in the token''s smallest unit';
COMMENT ON COLUMN short_payments.rest IS 'What did not arrive, in whole cents, rounded up, micro-USD';
COMMENT ON COLUMN short_payments.found_at IS 'When it was found, ms since 1970 UTC';
GRANT SELECT ON short_payments TO fairtick_console, fairtick_jobs, fairtick_money, fairtick_payout, fairtick_reader;

CREATE TABLE slot_heads (
  k bigint NOT NULL,
  hash bytea NOT NULL,
  through_batch bigint NOT NULL,
  "time" bigint NOT NULL,
  from_time bigint NOT NULL DEFAULT 0,
  ticks text NOT NULL DEFAULT ''::text
);
ALTER TABLE slot_heads ADD CONSTRAINT slot_heads_pkey PRIMARY KEY (k);
CREATE INDEX slot_heads_by_batch ON public.slot_heads USING btree (through_batch, k);
CREATE INDEX slot_heads_by_time ON public.slot_heads USING btree ("time");
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.slot_heads FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE slot_heads ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.slot_heads FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE slot_heads ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE slot_heads IS 'Heads of the tick slots. Each binds every acceptance committed before it and the slot''s ticks.';
COMMENT ON COLUMN slot_heads.k IS 'Number of the slot';
COMMENT ON COLUMN slot_heads.hash IS 'The head: a hash chained to the one before';
COMMENT ON COLUMN slot_heads.through_batch IS 'Newest acceptance batch that it binds';
COMMENT ON COLUMN slot_heads."time" IS 'Time of its newest tick, ms since 1970 UTC';
COMMENT ON COLUMN slot_heads.from_time IS 'Time of its oldest tick, ms since 1970 UTC';
COMMENT ON COLUMN slot_heads.ticks IS 'The slot''s ticks, as `symbol,first,count` joined by semicolons, by symbol';
GRANT INSERT, SELECT ON slot_heads TO fairtick_market;
GRANT SELECT ON slot_heads TO fairtick_jobs, fairtick_orders, fairtick_reader;

CREATE TABLE sm1_epochs (
  epoch bigint NOT NULL,
  commit bytea NOT NULL,
  params_hash bytea NOT NULL,
  mix bytea,
  start_at bigint,
  starts_from jsonb,
  seed bytea,
  digests jsonb
);
ALTER TABLE sm1_epochs ADD CONSTRAINT sm1_epochs_pkey PRIMARY KEY (epoch);
ALTER TABLE sm1_epochs ADD CONSTRAINT sm1_epochs_params_hash_fkey FOREIGN KEY (params_hash) REFERENCES sm1_params(params_hash);
COMMENT ON TABLE sm1_epochs IS 'Epochs of the simulated market. The seed stays with the market process until it is revealed.';
COMMENT ON COLUMN sm1_epochs.epoch IS 'Number of the epoch';
COMMENT ON COLUMN sm1_epochs.commit IS 'Commitment to the seed, published before the epoch';
COMMENT ON COLUMN sm1_epochs.params_hash IS 'The parameters it runs under';
COMMENT ON COLUMN sm1_epochs.mix IS 'What is mixed into the seed from outside; null until known';
COMMENT ON COLUMN sm1_epochs.start_at IS 'First moment of the epoch, ms since 1970 UTC; null until it is open';
COMMENT ON COLUMN sm1_epochs.starts_from IS 'State each instrument started from, once revealed: symbol → [x, r]';
COMMENT ON COLUMN sm1_epochs.seed IS 'The seed, once revealed';
COMMENT ON COLUMN sm1_epochs.digests IS 'Digest of each instrument''s prices, by symbol, once revealed';
GRANT INSERT, SELECT ON sm1_epochs TO fairtick_market;
GRANT SELECT ON sm1_epochs TO fairtick_jobs, fairtick_reader;
GRANT UPDATE (mix, start_at, starts_from, seed, digests) ON sm1_epochs TO fairtick_market;

CREATE TABLE sm1_params (
  params_hash bytea NOT NULL,
  entry text NOT NULL
);
ALTER TABLE sm1_params ADD CONSTRAINT sm1_params_pkey PRIMARY KEY (params_hash);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.sm1_params FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE sm1_params ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.sm1_params FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE sm1_params ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE sm1_params IS 'Parameters of the simulated market.';
COMMENT ON COLUMN sm1_params.params_hash IS 'SHA-256 of the entry';
COMMENT ON COLUMN sm1_params.entry IS 'Parameters as the log shows them, canonical JSON';
GRANT INSERT, SELECT ON sm1_params TO fairtick_market;
GRANT SELECT ON sm1_params TO fairtick_jobs, fairtick_reader;

CREATE TABLE sm2_rounds (
  epoch bigint NOT NULL,
  round bigint NOT NULL,
  signature bytea
);
ALTER TABLE sm2_rounds ADD CONSTRAINT sm2_rounds_pkey PRIMARY KEY (epoch, round);
ALTER TABLE sm2_rounds ADD CONSTRAINT sm2_rounds_epoch_fkey FOREIGN KEY (epoch) REFERENCES sm1_epochs(epoch);
ALTER TABLE sm2_rounds ADD CONSTRAINT sm2_rounds_round_check CHECK ((round > 0));
ALTER TABLE sm2_rounds ADD CONSTRAINT sm2_rounds_signature_check CHECK ((octet_length(signature) = 48));
CREATE TRIGGER refuse_row_change BEFORE UPDATE ON public.sm2_rounds FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE sm2_rounds ENABLE ALWAYS TRIGGER refuse_row_change;
COMMENT ON TABLE sm2_rounds IS 'What became of each beacon round of an epoch, decided before a tick of its time is stored; kept until the epoch after it is revealed.';
COMMENT ON COLUMN sm2_rounds.epoch IS 'The epoch in whose time the round fell due';
COMMENT ON COLUMN sm2_rounds.round IS 'Number of the round in its chain, from 1';
COMMENT ON COLUMN sm2_rounds.signature IS 'The chain''s signature of it; null: it did not come in time, and its ticks were never made';
GRANT DELETE, INSERT, SELECT ON sm2_rounds TO fairtick_market;
GRANT SELECT ON sm2_rounds TO fairtick_jobs, fairtick_reader;

CREATE TABLE statement_entries (
  entry_id bigint NOT NULL,
  statement_id bigint NOT NULL,
  account text NOT NULL,
  entry_reference text NOT NULL,
  amount bigint NOT NULL,
  digits smallint NOT NULL,
  currency text NOT NULL,
  booked_on date NOT NULL,
  debtor text NOT NULL,
  remittance text NOT NULL,
  reference text,
  also_reference text
);
ALTER TABLE statement_entries ADD CONSTRAINT statement_entries_pkey PRIMARY KEY (entry_id);
ALTER TABLE statement_entries ADD CONSTRAINT statement_entries_account_entry_reference_key UNIQUE (account, entry_reference);
ALTER TABLE statement_entries ADD CONSTRAINT statement_entries_amount_check CHECK ((amount > 0));
ALTER TABLE statement_entries ADD CONSTRAINT statement_entries_digits_check CHECK (((digits >= 0) AND (digits <= 3)));
ALTER TABLE statement_entries ADD CONSTRAINT statement_entries_statement_id_fkey FOREIGN KEY (statement_id) REFERENCES bank_statements(statement_id);
CREATE INDEX statement_entries_by_other ON public.statement_entries USING btree (account, also_reference) WHERE (also_reference IS NOT NULL);
CREATE INDEX statement_entries_by_reference ON public.statement_entries USING btree (reference) WHERE (reference IS NOT NULL);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.statement_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE statement_entries ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.statement_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE statement_entries ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE statement_entries IS 'Lines of statements: money that came in.';
COMMENT ON COLUMN statement_entries.entry_id IS 'Number of the line';
COMMENT ON COLUMN statement_entries.statement_id IS 'The statement it came in';
COMMENT ON COLUMN statement_entries.account IS 'Our account';
COMMENT ON COLUMN statement_entries.entry_reference IS 'The bank''s reference of the line';
COMMENT ON COLUMN statement_entries.amount IS 'Amount, in the currency''s smallest unit';
COMMENT ON COLUMN statement_entries.digits IS 'Decimal places of the currency''s smallest unit';
COMMENT ON COLUMN statement_entries.currency IS 'ISO 4217 code of the currency';
COMMENT ON COLUMN statement_entries.booked_on IS 'Day it was booked';
COMMENT ON COLUMN statement_entries.debtor IS 'Who paid';
COMMENT ON COLUMN statement_entries.remittance IS 'The payer''s text';
COMMENT ON COLUMN statement_entries.reference IS 'Our reference found in the text, if any';
COMMENT ON COLUMN statement_entries.also_reference IS 'The bank''s second reference. A bank names a payment on the entry and on the transaction within and may fill in either, so a line is recognised by both';
GRANT INSERT, SELECT ON statement_entries TO fairtick_console;
GRANT SELECT ON statement_entries TO fairtick_jobs;

CREATE TABLE statement_returns (
  return_id bigint NOT NULL,
  statement_id bigint NOT NULL,
  account text NOT NULL,
  entry_reference text NOT NULL,
  amount bigint NOT NULL,
  digits smallint NOT NULL,
  currency text NOT NULL,
  booked_on date NOT NULL,
  debtor text NOT NULL,
  remittance text NOT NULL,
  reference text,
  also_reference text
);
ALTER TABLE statement_returns ADD CONSTRAINT statement_returns_pkey PRIMARY KEY (return_id);
ALTER TABLE statement_returns ADD CONSTRAINT statement_returns_account_entry_reference_key UNIQUE (account, entry_reference);
ALTER TABLE statement_returns ADD CONSTRAINT statement_returns_amount_check CHECK ((amount > 0));
ALTER TABLE statement_returns ADD CONSTRAINT statement_returns_digits_check CHECK (((digits >= 0) AND (digits <= 3)));
ALTER TABLE statement_returns ADD CONSTRAINT statement_returns_statement_id_fkey FOREIGN KEY (statement_id) REFERENCES bank_statements(statement_id);
CREATE INDEX statement_returns_by_other ON public.statement_returns USING btree (account, also_reference) WHERE (also_reference IS NOT NULL);
CREATE INDEX statement_returns_by_reference ON public.statement_returns USING btree (reference) WHERE (reference IS NOT NULL);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.statement_returns FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE statement_returns ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.statement_returns FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE statement_returns ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE statement_returns IS 'Lines of statements that take money back: a reversed credit, a return, or a debit with one of our references.';
COMMENT ON COLUMN statement_returns.return_id IS 'Number of the line';
COMMENT ON COLUMN statement_returns.statement_id IS 'The statement it came in';
COMMENT ON COLUMN statement_returns.account IS 'Our account';
COMMENT ON COLUMN statement_returns.entry_reference IS 'The bank''s reference of the line; a reversal may have the same as the line it takes back';
COMMENT ON COLUMN statement_returns.amount IS 'Amount, in the currency''s smallest unit';
COMMENT ON COLUMN statement_returns.digits IS 'Decimal places of the currency''s smallest unit';
COMMENT ON COLUMN statement_returns.currency IS 'ISO 4217 code of the currency';
COMMENT ON COLUMN statement_returns.booked_on IS 'Day it was booked';
COMMENT ON COLUMN statement_returns.debtor IS 'Who had paid';
COMMENT ON COLUMN statement_returns.remittance IS 'The bank''s text';
COMMENT ON COLUMN statement_returns.reference IS 'Our reference found in the text, if any';
COMMENT ON COLUMN statement_returns.also_reference IS 'The bank''s second reference';
GRANT INSERT, SELECT ON statement_returns TO fairtick_console;
GRANT SELECT ON statement_returns TO fairtick_jobs;

CREATE TABLE statement_takes (
  take_id bigint NOT NULL,
  operator_id bigint NOT NULL,
  session_id bigint NOT NULL,
  entries bigint[] NOT NULL,
  taken_at bigint NOT NULL,
  alive_at bigint NOT NULL,
  done_at bigint
);
ALTER TABLE statement_takes ADD CONSTRAINT statement_takes_pkey PRIMARY KEY (take_id);
ALTER TABLE statement_takes ADD CONSTRAINT statement_takes_session_id_operator_id_fkey FOREIGN KEY (session_id, operator_id) REFERENCES operator_sessions(session_id, operator_id);
CREATE INDEX statement_takes_open ON public.statement_takes USING btree (take_id) WHERE (done_at IS NULL);
CREATE TRIGGER keep_all_takes BEFORE TRUNCATE ON public.statement_takes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE statement_takes ENABLE ALWAYS TRIGGER keep_all_takes;
CREATE TRIGGER keep_takes BEFORE DELETE ON public.statement_takes FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE statement_takes ENABLE ALWAYS TRIGGER keep_takes;
COMMENT ON TABLE statement_takes IS 'Imports of statements, and what of each is still to be credited, so that an import that stopped halfway goes on.';
COMMENT ON COLUMN statement_takes.take_id IS 'Number of the import';
COMMENT ON COLUMN statement_takes.operator_id IS 'The operator who imported it and answers for it';
COMMENT ON COLUMN statement_takes.session_id IS 'Their session';
COMMENT ON COLUMN statement_takes.entries IS 'Lines of the file, new ones and ones that an earlier file brought';
COMMENT ON COLUMN statement_takes.taken_at IS 'When it was imported, ms since 1970 UTC';
COMMENT ON COLUMN statement_takes.alive_at IS 'When a server last worked on it, ms since 1970 UTC: others keep off while that is recent';
COMMENT ON COLUMN statement_takes.done_at IS 'When it was finished, ms since 1970 UTC; null while under way';
GRANT SELECT ON statement_takes TO fairtick_console;

CREATE TABLE support_messages (
  message_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  member_id bigint NOT NULL,
  operator_id bigint,
  body text,
  file_id bigint,
  topic text,
  amount bigint,
  client_id text NOT NULL,
  sent_at bigint NOT NULL
);
ALTER TABLE support_messages ADD CONSTRAINT support_messages_pkey PRIMARY KEY (message_id);
ALTER TABLE support_messages ADD CONSTRAINT support_messages_amount_check CHECK ((amount >= 0));
ALTER TABLE support_messages ADD CONSTRAINT support_messages_body_check CHECK (((length(body) >= 1) AND (length(body) <= 4000)));
ALTER TABLE support_messages ADD CONSTRAINT support_messages_check CHECK (((body IS NOT NULL) OR (file_id IS NOT NULL)));
ALTER TABLE support_messages ADD CONSTRAINT support_messages_client_id_check CHECK ((client_id ~ '^[A-Za-z0-9_-]{8,64}$'::text));
ALTER TABLE support_messages ADD CONSTRAINT support_messages_file_id_fkey FOREIGN KEY (file_id) REFERENCES files(file_id);
ALTER TABLE support_messages ADD CONSTRAINT support_messages_member_id_fkey FOREIGN KEY (member_id) REFERENCES support_threads(member_id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE support_messages ADD CONSTRAINT support_messages_member_id_operator_id_client_id_key UNIQUE NULLS NOT DISTINCT (member_id, operator_id, client_id);
ALTER TABLE support_messages ADD CONSTRAINT support_messages_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(operator_id);
ALTER TABLE support_messages ADD CONSTRAINT support_messages_topic_check CHECK ((topic = ANY (ARRAY['cardDeposit'::text, 'withdrawal'::text, 'order'::text, 'other'::text])));
CREATE INDEX support_messages_by_member ON public.support_messages USING btree (member_id, message_id DESC);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.support_messages FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE support_messages ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.support_messages FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE support_messages ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE support_messages IS 'Messages in the chat with customer service.';
COMMENT ON COLUMN support_messages.message_id IS 'Number of the message';
COMMENT ON COLUMN support_messages.member_id IS 'The member';
COMMENT ON COLUMN support_messages.operator_id IS 'The operator who wrote it; null for the member';
COMMENT ON COLUMN support_messages.body IS 'Text; card numbers were masked before it came here';
COMMENT ON COLUMN support_messages.file_id IS 'Attached file';
COMMENT ON COLUMN support_messages.topic IS 'What it is about';
COMMENT ON COLUMN support_messages.amount IS 'Amount it is about, micro-USD';
COMMENT ON COLUMN support_messages.client_id IS 'The client id: repeating it never does the same thing twice';
COMMENT ON COLUMN support_messages.sent_at IS 'When it was sent, ms since 1970 UTC';
GRANT SELECT ON support_messages TO fairtick_console, fairtick_reader, fairtick_sessions;

CREATE TABLE support_reads (
  member_id bigint NOT NULL,
  side text NOT NULL,
  through_id bigint NOT NULL,
  read_at bigint NOT NULL
);
ALTER TABLE support_reads ADD CONSTRAINT support_reads_pkey PRIMARY KEY (member_id, side, through_id);
ALTER TABLE support_reads ADD CONSTRAINT support_reads_member_id_fkey FOREIGN KEY (member_id) REFERENCES support_threads(member_id);
ALTER TABLE support_reads ADD CONSTRAINT support_reads_side_check CHECK ((side = ANY (ARRAY['member'::text, 'operator'::text])));
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.support_reads FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE support_reads ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.support_reads FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE support_reads ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE support_reads IS 'How far each side had read, and when.';
COMMENT ON COLUMN support_reads.member_id IS 'The member';
COMMENT ON COLUMN support_reads.side IS 'Member or operator';
COMMENT ON COLUMN support_reads.through_id IS 'Newest message read';
COMMENT ON COLUMN support_reads.read_at IS 'When it was read, ms since 1970 UTC';
GRANT SELECT ON support_reads TO fairtick_console, fairtick_reader, fairtick_sessions;

CREATE TABLE support_threads (
  member_id bigint NOT NULL,
  opened_at bigint NOT NULL,
  closed_at bigint,
  assigned_to bigint,
  newest_id bigint NOT NULL,
  newest_at bigint NOT NULL,
  waiting_since bigint,
  member_read bigint NOT NULL DEFAULT 0,
  operator_read bigint NOT NULL DEFAULT 0
);
ALTER TABLE support_threads ADD CONSTRAINT support_threads_pkey PRIMARY KEY (member_id);
ALTER TABLE support_threads ADD CONSTRAINT support_threads_assigned_to_fkey FOREIGN KEY (assigned_to) REFERENCES operators(operator_id);
ALTER TABLE support_threads ADD CONSTRAINT support_threads_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
CREATE INDEX support_threads_open ON public.support_threads USING btree (waiting_since, newest_at DESC) WHERE (closed_at IS NULL);
COMMENT ON TABLE support_threads IS 'The chat with customer service: one thread per member.';
COMMENT ON COLUMN support_threads.member_id IS 'The member';
COMMENT ON COLUMN support_threads.opened_at IS 'When it was opened, ms since 1970 UTC';
COMMENT ON COLUMN support_threads.closed_at IS 'When it was closed, ms since 1970 UTC; null while open. The member''s next message opens it again';
COMMENT ON COLUMN support_threads.assigned_to IS 'The operator who looks after it';
COMMENT ON COLUMN support_threads.newest_id IS 'Number of its newest message';
COMMENT ON COLUMN support_threads.newest_at IS 'When that was written, ms since 1970 UTC';
COMMENT ON COLUMN support_threads.waiting_since IS 'Since when the member waits for an answer, ms since 1970 UTC; null if not waiting';
COMMENT ON COLUMN support_threads.member_read IS 'Newest message the member has read';
COMMENT ON COLUMN support_threads.operator_read IS 'Newest message an operator has read';
GRANT SELECT ON support_threads TO fairtick_console, fairtick_reader, fairtick_sessions;

CREATE TABLE suspensions (
  suspension_id bigint NOT NULL,
  member_id bigint NOT NULL,
  standing_before text NOT NULL,
  suspended_by bigint NOT NULL,
  suspended_at bigint NOT NULL,
  reason text NOT NULL,
  reviewed_by bigint,
  reviewed_at bigint,
  review_reason text,
  lifted_by bigint,
  lifted_at bigint,
  lift_reason text
);
ALTER TABLE suspensions ADD CONSTRAINT suspensions_pkey PRIMARY KEY (suspension_id);
ALTER TABLE suspensions ADD CONSTRAINT reviewer_is_not_suspender CHECK ((reviewed_by <> suspended_by));
ALTER TABLE suspensions ADD CONSTRAINT suspensions_lifted_by_fkey FOREIGN KEY (lifted_by) REFERENCES operators(operator_id);
ALTER TABLE suspensions ADD CONSTRAINT suspensions_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
ALTER TABLE suspensions ADD CONSTRAINT suspensions_reason_check CHECK ((length(btrim(reason)) >= 3));
ALTER TABLE suspensions ADD CONSTRAINT suspensions_reviewed_by_fkey FOREIGN KEY (reviewed_by) REFERENCES operators(operator_id);
ALTER TABLE suspensions ADD CONSTRAINT suspensions_suspended_by_fkey FOREIGN KEY (suspended_by) REFERENCES operators(operator_id);
CREATE UNIQUE INDEX suspensions_open ON public.suspensions USING btree (member_id) WHERE (lifted_at IS NULL);
COMMENT ON TABLE suspensions IS 'Suspensions of members. One person suspends for 24 hours, then a second one reviews; lifting takes an approved proposal.';
COMMENT ON COLUMN suspensions.suspension_id IS 'Number of the suspension';
COMMENT ON COLUMN suspensions.member_id IS 'The member';
COMMENT ON COLUMN suspensions.standing_before IS 'The member''s standing before';
COMMENT ON COLUMN suspensions.suspended_by IS 'The operator who suspended';
COMMENT ON COLUMN suspensions.suspended_at IS 'When they suspended, ms since 1970 UTC';
COMMENT ON COLUMN suspensions.reason IS 'Why, in their words';
COMMENT ON COLUMN suspensions.reviewed_by IS 'The second operator, who reviewed it';
COMMENT ON COLUMN suspensions.reviewed_at IS 'When it was reviewed, ms since 1970 UTC';
COMMENT ON COLUMN suspensions.review_reason IS 'What the reviewer said';
COMMENT ON COLUMN suspensions.lifted_by IS 'The operator who lifted it';
COMMENT ON COLUMN suspensions.lifted_at IS 'When it was lifted, ms since 1970 UTC; null while it lasts';
COMMENT ON COLUMN suspensions.lift_reason IS 'Why it was lifted';
GRANT SELECT ON suspensions TO fairtick_console;

CREATE TABLE sweep_attempts (
  sweep_id bigint NOT NULL,
  step text NOT NULL,
  attempt integer NOT NULL,
  max_fee numeric(78,0) NOT NULL,
  priority_fee numeric(78,0) NOT NULL,
  tx_hash text NOT NULL,
  raw text NOT NULL,
  made_at bigint NOT NULL
);
ALTER TABLE sweep_attempts ADD CONSTRAINT sweep_attempts_pkey PRIMARY KEY (sweep_id, step, attempt);
ALTER TABLE sweep_attempts ADD CONSTRAINT sweep_attempts_attempt_check CHECK ((attempt > 0));
ALTER TABLE sweep_attempts ADD CONSTRAINT sweep_attempts_sweep_id_step_fkey FOREIGN KEY (sweep_id, step) REFERENCES sweep_steps(sweep_id, step);
ALTER TABLE sweep_attempts ADD CONSTRAINT sweep_attempts_tx_hash_key UNIQUE (tx_hash);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.sweep_attempts FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE sweep_attempts ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.sweep_attempts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE sweep_attempts ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE sweep_attempts IS 'Every transaction ever signed for a step, stored before it is sent. All attempts share the step''s nonce.';
COMMENT ON COLUMN sweep_attempts.sweep_id IS 'The sweep';
COMMENT ON COLUMN sweep_attempts.step IS 'Gas or collect';
COMMENT ON COLUMN sweep_attempts.attempt IS 'Number of the attempt, from 1';
COMMENT ON COLUMN sweep_attempts.max_fee IS 'Highest fee per unit of gas, wei';
COMMENT ON COLUMN sweep_attempts.priority_fee IS 'Priority fee per unit of gas, wei';
COMMENT ON COLUMN sweep_attempts.tx_hash IS 'Hash of the transaction on the chain';
COMMENT ON COLUMN sweep_attempts.raw IS 'The signed transaction, hexadecimal';
COMMENT ON COLUMN sweep_attempts.made_at IS 'When it was made, ms since 1970 UTC';
GRANT INSERT, SELECT ON sweep_attempts TO fairtick_payout;
GRANT SELECT ON sweep_attempts TO fairtick_console, fairtick_jobs;

CREATE TABLE sweep_deposits (
  sweep_id bigint NOT NULL,
  deposit_id bigint NOT NULL
);
ALTER TABLE sweep_deposits ADD CONSTRAINT sweep_deposits_pkey PRIMARY KEY (sweep_id, deposit_id);
ALTER TABLE sweep_deposits ADD CONSTRAINT sweep_deposits_deposit_id_fkey FOREIGN KEY (deposit_id) REFERENCES deposits(deposit_id);
ALTER TABLE sweep_deposits ADD CONSTRAINT sweep_deposits_sweep_id_fkey FOREIGN KEY (sweep_id) REFERENCES sweeps(sweep_id);
CREATE INDEX sweep_deposits_by_deposit ON public.sweep_deposits USING btree (deposit_id);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.sweep_deposits FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE sweep_deposits ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.sweep_deposits FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE sweep_deposits ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE sweep_deposits IS 'Which deposits each sweep brings in.';
COMMENT ON COLUMN sweep_deposits.sweep_id IS 'The sweep';
COMMENT ON COLUMN sweep_deposits.deposit_id IS 'The deposit';
GRANT SELECT ON sweep_deposits TO fairtick_console, fairtick_jobs, fairtick_payout;

CREATE TABLE sweep_steps (
  sweep_id bigint NOT NULL,
  step text NOT NULL,
  instance_id integer NOT NULL,
  address text NOT NULL,
  nonce bigint NOT NULL,
  amount numeric(78,0) NOT NULL
);
ALTER TABLE sweep_steps ADD CONSTRAINT sweep_steps_pkey PRIMARY KEY (sweep_id, step);
ALTER TABLE sweep_steps ADD CONSTRAINT sweep_steps_amount_check CHECK ((amount > (0)::numeric));
ALTER TABLE sweep_steps ADD CONSTRAINT sweep_steps_instance_id_address_fkey FOREIGN KEY (instance_id, address) REFERENCES sweep_wallets(instance_id, address);
ALTER TABLE sweep_steps ADD CONSTRAINT sweep_steps_instance_id_address_nonce_key UNIQUE (instance_id, address, nonce);
ALTER TABLE sweep_steps ADD CONSTRAINT sweep_steps_step_check CHECK ((step = ANY (ARRAY['gas'::text, 'collect'::text])));
ALTER TABLE sweep_steps ADD CONSTRAINT sweep_steps_sweep_id_fkey FOREIGN KEY (sweep_id) REFERENCES sweeps(sweep_id);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.sweep_steps FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE sweep_steps ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.sweep_steps FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE sweep_steps ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE sweep_steps IS 'The transactions a sweep takes: coins for gas, then collecting the tokens.';
COMMENT ON COLUMN sweep_steps.sweep_id IS 'The sweep';
COMMENT ON COLUMN sweep_steps.step IS 'Gas or collect';
COMMENT ON COLUMN sweep_steps.instance_id IS 'The chain instance it belongs to';
COMMENT ON COLUMN sweep_steps.address IS 'Address that signs it, lower case';
COMMENT ON COLUMN sweep_steps.nonce IS 'Nonce of the transaction';
COMMENT ON COLUMN sweep_steps.amount IS 'Amount, in the coin''s or the token''s smallest unit';
GRANT INSERT, SELECT ON sweep_steps TO fairtick_payout;
GRANT SELECT ON sweep_steps TO fairtick_console, fairtick_jobs;

CREATE TABLE sweep_wallets (
  instance_id integer NOT NULL,
  address text NOT NULL,
  next_nonce bigint NOT NULL,
  coin_balance numeric(78,0),
  seen_at bigint
);
ALTER TABLE sweep_wallets ADD CONSTRAINT sweep_wallets_pkey PRIMARY KEY (instance_id, address);
ALTER TABLE sweep_wallets ADD CONSTRAINT sweep_wallets_address_check CHECK ((address = lower(address)));
ALTER TABLE sweep_wallets ADD CONSTRAINT sweep_wallets_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES chain_instances(instance_id);
ALTER TABLE sweep_wallets ADD CONSTRAINT sweep_wallets_next_nonce_check CHECK ((next_nonce >= 0));
COMMENT ON TABLE sweep_wallets IS 'The gas wallet and every address that was swept.';
COMMENT ON COLUMN sweep_wallets.instance_id IS 'The chain instance it belongs to';
COMMENT ON COLUMN sweep_wallets.address IS 'Address on the chain, lower case';
COMMENT ON COLUMN sweep_wallets.next_nonce IS 'The next nonce to give out; counted here, never asked of a node';
COMMENT ON COLUMN sweep_wallets.coin_balance IS 'Balance of the gas wallet''s coin when last seen, in its smallest unit';
COMMENT ON COLUMN sweep_wallets.seen_at IS 'When it was last seen, ms since 1970 UTC';
GRANT INSERT, SELECT ON sweep_wallets TO fairtick_payout;
GRANT SELECT ON sweep_wallets TO fairtick_console, fairtick_jobs;
GRANT SELECT (address) ON sweep_wallets TO fairtick_money;
GRANT UPDATE (next_nonce, coin_balance, seen_at) ON sweep_wallets TO fairtick_payout;

CREATE TABLE sweeps (
  sweep_id bigint NOT NULL,
  instance_id integer NOT NULL,
  address text NOT NULL,
  child integer NOT NULL,
  units numeric(78,0) NOT NULL,
  worth bigint NOT NULL,
  stage text NOT NULL,
  created_at bigint NOT NULL,
  stage_at bigint NOT NULL,
  reason text,
  tx_hash text,
  transfer_id bigint
);
ALTER TABLE sweeps ADD CONSTRAINT sweeps_pkey PRIMARY KEY (sweep_id);
ALTER TABLE sweeps ADD CONSTRAINT sweeps_address_check CHECK ((address = lower(address)));
ALTER TABLE sweeps ADD CONSTRAINT sweeps_check CHECK (((stage = 'done'::text) = (transfer_id IS NOT NULL)));
ALTER TABLE sweeps ADD CONSTRAINT sweeps_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES chain_instances(instance_id);
ALTER TABLE sweeps ADD CONSTRAINT sweeps_stage_check CHECK ((stage = ANY (ARRAY['planned'::text, 'gas'::text, 'collect'::text, 'done'::text, 'failed'::text])));
ALTER TABLE sweeps ADD CONSTRAINT sweeps_transfer_id_fkey FOREIGN KEY (transfer_id) REFERENCES transfers(transfer_id);
ALTER TABLE sweeps ADD CONSTRAINT sweeps_transfer_id_key UNIQUE (transfer_id);
ALTER TABLE sweeps ADD CONSTRAINT sweeps_units_check CHECK ((units > (0)::numeric));
ALTER TABLE sweeps ADD CONSTRAINT sweeps_worth_check CHECK ((worth > 0));
CREATE INDEX sweeps_by_stage_at ON public.sweeps USING btree (stage_at);
CREATE UNIQUE INDEX sweeps_open ON public.sweeps USING btree (instance_id, address) WHERE (stage <> ALL (ARRAY['done'::text, 'failed'::text]));
CREATE TRIGGER free_unswept AFTER UPDATE OF stage ON public.sweeps FOR EACH ROW WHEN (((new.stage = 'failed'::text) AND (old.stage <> 'failed'::text))) EXECUTE FUNCTION free_unswept();
ALTER TABLE sweeps ENABLE ALWAYS TRIGGER free_unswept;
CREATE TRIGGER keep_sweeps BEFORE DELETE ON public.sweeps FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE sweeps ENABLE ALWAYS TRIGGER keep_sweeps;
CREATE TRIGGER step_sweep AFTER UPDATE ON public.sweeps FOR EACH ROW EXECUTE FUNCTION step_sweep();
ALTER TABLE sweeps ENABLE ALWAYS TRIGGER step_sweep;
COMMENT ON TABLE sweeps IS 'Bringing what lies at a member''s address to the wallet that pays.';
COMMENT ON COLUMN sweeps.sweep_id IS 'Number of the sweep';
COMMENT ON COLUMN sweeps.instance_id IS 'The chain instance it belongs to';
COMMENT ON COLUMN sweeps.address IS 'The member''s deposit address, lower case';
COMMENT ON COLUMN sweeps.child IS 'Number of the account''s key behind the address';
COMMENT ON COLUMN sweeps.units IS 'How much, in the token''s smallest unit';
COMMENT ON COLUMN sweeps.worth IS 'What its deposits took out of the chain''s clearing account, micro-USD';
COMMENT ON COLUMN sweeps.stage IS 'Where it stands; step_sweep lists the transitions';
COMMENT ON COLUMN sweeps.created_at IS 'When it was created, ms since 1970 UTC';
COMMENT ON COLUMN sweeps.stage_at IS 'When it reached its stage, ms since 1970 UTC';
COMMENT ON COLUMN sweeps.reason IS 'Why it failed';
COMMENT ON COLUMN sweeps.tx_hash IS 'Transaction that was seen in a block';
COMMENT ON COLUMN sweeps.transfer_id IS 'The transfer that booked it; null while none did';
GRANT SELECT ON sweeps TO fairtick_console, fairtick_jobs, fairtick_payout;
GRANT UPDATE (stage, stage_at, reason) ON sweeps TO fairtick_payout;

CREATE TABLE tick_quotes (
  symbol text NOT NULL,
  "time" bigint NOT NULL,
  seq bigint NOT NULL,
  sources text NOT NULL,
  quote_hash bytea
) PARTITION BY RANGE ("time");
ALTER TABLE tick_quotes ADD CONSTRAINT tick_quotes_pkey PRIMARY KEY (symbol, "time");
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.tick_quotes FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE tick_quotes ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.tick_quotes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE tick_quotes ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE tick_quotes IS 'What each tick from outside sources was made of, split by day.';
COMMENT ON COLUMN tick_quotes.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN tick_quotes."time" IS 'Time of the tick, ms since 1970 UTC';
COMMENT ON COLUMN tick_quotes.seq IS 'Number of the tick, counting up per instrument';
COMMENT ON COLUMN tick_quotes.sources IS 'Prices the tick is the median of: name=points joined by +, by name; name~points of sources that were fresh and too far from the others';
COMMENT ON COLUMN tick_quotes.quote_hash IS 'The signed quote of the same day among them; null without one';
GRANT INSERT, SELECT ON tick_quotes TO fairtick_market;
GRANT SELECT ON tick_quotes TO fairtick_jobs, fairtick_reader;

CREATE TABLE ticks (
  symbol text NOT NULL,
  seq bigint NOT NULL,
  "time" bigint NOT NULL,
  price bigint NOT NULL,
  seal_before bigint NOT NULL,
  late boolean NOT NULL DEFAULT false,
  pre_genesis boolean NOT NULL DEFAULT false
) PARTITION BY RANGE ("time");
ALTER TABLE ticks ADD CONSTRAINT ticks_pkey PRIMARY KEY (symbol, "time");
ALTER TABLE ticks ADD CONSTRAINT ticks_check CHECK (("time" > seal_before));
ALTER TABLE ticks ADD CONSTRAINT ticks_price_check CHECK ((price > 0));
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.ticks FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE ticks ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.ticks FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE ticks ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE ticks IS 'Every price of every instrument, split by day.';
COMMENT ON COLUMN ticks.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN ticks.seq IS 'Number of the tick, counting up per instrument';
COMMENT ON COLUMN ticks."time" IS 'Time of the tick, ms since 1970 UTC';
COMMENT ON COLUMN ticks.price IS 'Price, points';
COMMENT ON COLUMN ticks.seal_before IS 'The instrument''s seal when this tick was stored, ms since 1970 UTC: nothing at or below it is ever added';
COMMENT ON COLUMN ticks.late IS 'Whether it was stored later than its slot';
COMMENT ON COLUMN ticks.pre_genesis IS 'Whether it belongs to the made-up past before the first epoch';
GRANT INSERT, SELECT ON ticks TO fairtick_market;
GRANT SELECT ON ticks TO fairtick_jobs, fairtick_log, fairtick_orders, fairtick_reader, fairtick_settlement;

CREATE TABLE trading_configs (
  version integer NOT NULL,
  effective_at bigint NOT NULL,
  body jsonb NOT NULL,
  body_hash bytea NOT NULL,
  proposal_id bigint
);
ALTER TABLE trading_configs ADD CONSTRAINT trading_configs_pkey PRIMARY KEY (version);
ALTER TABLE trading_configs ADD CONSTRAINT trading_configs_proposal_id_fkey FOREIGN KEY (proposal_id) REFERENCES proposals(proposal_id);
ALTER TABLE trading_configs ADD CONSTRAINT trading_configs_proposal_id_key UNIQUE (proposal_id);
CREATE TRIGGER keep_instruments BEFORE INSERT ON public.trading_configs FOR EACH ROW EXECUTE FUNCTION keep_instruments();
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.trading_configs FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE trading_configs ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.trading_configs FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE trading_configs ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE trading_configs IS 'What operators configure for trading, one row per version. Each order names the version it was accepted under.';
COMMENT ON COLUMN trading_configs.version IS 'Number of the version';
COMMENT ON COLUMN trading_configs.effective_at IS 'When it takes effect, ms since 1970 UTC';
COMMENT ON COLUMN trading_configs.body IS 'The whole configuration';
COMMENT ON COLUMN trading_configs.body_hash IS 'SHA-256 of the configuration in canonical form';
COMMENT ON COLUMN trading_configs.proposal_id IS 'The proposal it came from; null for the first ones';
GRANT INSERT, SELECT ON trading_configs TO fairtick_jobs;
GRANT SELECT ON trading_configs TO fairtick_console, fairtick_log, fairtick_market, fairtick_money, fairtick_orders, fairtick_reader, fairtick_sessions, fairtick_settlement;

CREATE TABLE transfers (
  transfer_id bigint NOT NULL,
  kind text NOT NULL,
  wallet wallet NOT NULL,
  member_id bigint,
  member_seq bigint,
  available_after bigint,
  made_at bigint NOT NULL,
  idempotency_key text NOT NULL,
  remark text
);
ALTER TABLE transfers ADD CONSTRAINT transfers_pkey PRIMARY KEY (transfer_id);
ALTER TABLE transfers ADD CONSTRAINT transfers_check CHECK (((member_id IS NULL) = (member_seq IS NULL)));
ALTER TABLE transfers ADD CONSTRAINT transfers_check1 CHECK (((member_id IS NULL) = (available_after IS NULL)));
ALTER TABLE transfers ADD CONSTRAINT transfers_idempotency_key_key UNIQUE (idempotency_key);
ALTER TABLE transfers ADD CONSTRAINT transfers_kind_check CHECK ((kind = ANY (ARRAY['practice_issue'::text, 'house_capital'::text, 'deposit'::text, 'withdrawal_hold'::text, 'withdrawal_paid'::text, 'withdrawal_release'::text, 'referral'::text, 'correction'::text, 'deposit_reversed'::text, 'debt_settled'::text, 'sweep'::text])));
ALTER TABLE transfers ADD CONSTRAINT transfers_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
CREATE INDEX transfers_by_member ON public.transfers USING btree (member_id, member_seq);
CREATE INDEX transfers_by_time ON public.transfers USING brin (made_at);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.transfers FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE transfers ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.transfers FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE transfers ENABLE ALWAYS TRIGGER refuse_truncate;
CREATE TRIGGER restrict_chain_transfers BEFORE INSERT ON public.transfers FOR EACH ROW EXECUTE FUNCTION restrict_chain_transfers();
ALTER TABLE transfers ENABLE ALWAYS TRIGGER restrict_chain_transfers;
COMMENT ON TABLE transfers IS 'Every movement of money that is neither an order nor a settlement.';
COMMENT ON COLUMN transfers.transfer_id IS 'Number of the transfer';
COMMENT ON COLUMN transfers.kind IS 'What it is';
COMMENT ON COLUMN transfers.wallet IS 'Which wallet: practice or real';
COMMENT ON COLUMN transfers.member_id IS 'The member whose money it moves; null where it moves only the house''s';
COMMENT ON COLUMN transfers.member_seq IS 'The member''s number of this fact about their money: each one is one higher';
COMMENT ON COLUMN transfers.available_after IS 'Available in its wallet afterwards, micro-USD; null where no member is involved';
COMMENT ON COLUMN transfers.made_at IS 'When it was booked, ms since 1970 UTC';
COMMENT ON COLUMN transfers.idempotency_key IS 'What makes it happen once: a fixed key of its kind, or the member''s client id';
COMMENT ON COLUMN transfers.remark IS 'Note shown with it';
GRANT INSERT, SELECT ON transfers TO fairtick_chain, fairtick_money;
GRANT SELECT ON transfers TO fairtick_console, fairtick_jobs, fairtick_orders, fairtick_reader;

CREATE TABLE verification_codes (
  purpose text NOT NULL,
  address text NOT NULL,
  code_hash bytea NOT NULL,
  sent_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  tries smallint NOT NULL DEFAULT 0,
  device bytea NOT NULL DEFAULT '\x'::bytea
);
ALTER TABLE verification_codes ADD CONSTRAINT verification_codes_pkey PRIMARY KEY (purpose, address, device);
ALTER TABLE verification_codes ADD CONSTRAINT verification_codes_purpose_check CHECK ((purpose = ANY (ARRAY['register'::text, 'reset'::text, 'tradePassword'::text])));
COMMENT ON TABLE verification_codes IS 'Codes sent by e-mail or SMS: only the newest per purpose, address and device. Unknown addresses get a row too, so that asking tells nothing.';
COMMENT ON COLUMN verification_codes.purpose IS 'What the code is for';
COMMENT ON COLUMN verification_codes.address IS 'E-mail address or phone number';
COMMENT ON COLUMN verification_codes.code_hash IS 'SHA-256 over purpose, address and code';
COMMENT ON COLUMN verification_codes.sent_at IS 'When it was sent, ms since 1970 UTC';
COMMENT ON COLUMN verification_codes.expires_at IS 'When it expires, ms since 1970 UTC';
COMMENT ON COLUMN verification_codes.tries IS 'Number of wrong tries';
COMMENT ON COLUMN verification_codes.device IS 'Hash of the device that asked for it, so a stranger can''t replace the code or use up its tries; empty for clients without a cookie';
GRANT DELETE, INSERT, SELECT, UPDATE ON verification_codes TO fairtick_sessions;

CREATE TABLE vip_assignments (
  member_id bigint NOT NULL,
  post text NOT NULL,
  operator_id bigint NOT NULL,
  assigned_by bigint NOT NULL,
  assigned_at bigint NOT NULL,
  by_rule boolean NOT NULL DEFAULT false
);
ALTER TABLE vip_assignments ADD CONSTRAINT vip_assignments_pkey PRIMARY KEY (member_id, post);
ALTER TABLE vip_assignments ADD CONSTRAINT vip_assignments_assigned_by_fkey FOREIGN KEY (assigned_by) REFERENCES operators(operator_id);
ALTER TABLE vip_assignments ADD CONSTRAINT vip_assignments_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
ALTER TABLE vip_assignments ADD CONSTRAINT vip_assignments_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(operator_id);
ALTER TABLE vip_assignments ADD CONSTRAINT vip_assignments_post_check CHECK ((post = ANY (ARRAY['manager'::text, 'analyst'::text])));
COMMENT ON TABLE vip_assignments IS 'The VIP manager and the analyst of each verified member.';
COMMENT ON COLUMN vip_assignments.member_id IS 'The member';
COMMENT ON COLUMN vip_assignments.post IS 'Manager or analyst';
COMMENT ON COLUMN vip_assignments.operator_id IS 'The operator who has the post';
COMMENT ON COLUMN vip_assignments.assigned_by IS 'The operator who assigned them';
COMMENT ON COLUMN vip_assignments.assigned_at IS 'When they were assigned, ms since 1970 UTC';
COMMENT ON COLUMN vip_assignments.by_rule IS 'Whether the rule chose them, not a person';
GRANT SELECT ON vip_assignments TO fairtick_console;

CREATE TABLE withdrawal_addresses (
  address_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  member_id bigint NOT NULL,
  chain text NOT NULL,
  address text NOT NULL,
  label text,
  added_at bigint NOT NULL,
  usable_at bigint NOT NULL,
  removed_at bigint
);
ALTER TABLE withdrawal_addresses ADD CONSTRAINT withdrawal_addresses_pkey PRIMARY KEY (address_id);
ALTER TABLE withdrawal_addresses ADD CONSTRAINT withdrawal_addresses_address_check CHECK ((address = lower(address)));
ALTER TABLE withdrawal_addresses ADD CONSTRAINT withdrawal_addresses_check CHECK ((usable_at >= added_at));
ALTER TABLE withdrawal_addresses ADD CONSTRAINT withdrawal_addresses_check1 CHECK ((removed_at >= added_at));
ALTER TABLE withdrawal_addresses ADD CONSTRAINT withdrawal_addresses_label_check CHECK (((length(label) >= 1) AND (length(label) <= 40)));
ALTER TABLE withdrawal_addresses ADD CONSTRAINT withdrawal_addresses_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
CREATE UNIQUE INDEX withdrawal_addresses_one ON public.withdrawal_addresses USING btree (member_id, chain, address) WHERE (removed_at IS NULL);
CREATE TRIGGER keep_all_withdrawal_addresses BEFORE TRUNCATE ON public.withdrawal_addresses FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE withdrawal_addresses ENABLE ALWAYS TRIGGER keep_all_withdrawal_addresses;
CREATE TRIGGER keep_withdrawal_address BEFORE DELETE OR UPDATE ON public.withdrawal_addresses FOR EACH ROW EXECUTE FUNCTION keep_withdrawal_address();
ALTER TABLE withdrawal_addresses ENABLE ALWAYS TRIGGER keep_withdrawal_address;
COMMENT ON TABLE withdrawal_addresses IS 'Each member''s address book for withdrawals. A new address waits before anything is paid to it, so that its member hears of it first: money sent on a chain can''t be called back.';
COMMENT ON COLUMN withdrawal_addresses.address_id IS 'Number of the address';
COMMENT ON COLUMN withdrawal_addresses.member_id IS 'The member';
COMMENT ON COLUMN withdrawal_addresses.chain IS 'Name of the chain in the settings';
COMMENT ON COLUMN withdrawal_addresses.address IS 'Address on the chain, lower case';
COMMENT ON COLUMN withdrawal_addresses.label IS 'What the member calls it';
COMMENT ON COLUMN withdrawal_addresses.added_at IS 'When it was added, ms since 1970 UTC';
COMMENT ON COLUMN withdrawal_addresses.usable_at IS 'From when payments go to it, ms since 1970 UTC';
COMMENT ON COLUMN withdrawal_addresses.removed_at IS 'When it was removed, ms since 1970 UTC. An address added again is a new row and waits again';
GRANT SELECT ON withdrawal_addresses TO fairtick_money, fairtick_reader;

CREATE TABLE withdrawal_approvals (
  withdrawal_id bigint NOT NULL,
  digest bytea NOT NULL,
  operator_id bigint NOT NULL,
  session_id bigint NOT NULL,
  key_id text NOT NULL,
  signature text NOT NULL,
  reason text NOT NULL,
  at bigint NOT NULL
);
ALTER TABLE withdrawal_approvals ADD CONSTRAINT withdrawal_approvals_pkey PRIMARY KEY (withdrawal_id, digest, operator_id);
ALTER TABLE withdrawal_approvals ADD CONSTRAINT withdrawal_approvals_key_id_operator_id_fkey FOREIGN KEY (key_id, operator_id) REFERENCES operator_keys(key_id, operator_id);
ALTER TABLE withdrawal_approvals ADD CONSTRAINT withdrawal_approvals_reason_check CHECK ((length(btrim(reason)) >= 3));
ALTER TABLE withdrawal_approvals ADD CONSTRAINT withdrawal_approvals_session_id_operator_id_fkey FOREIGN KEY (session_id, operator_id) REFERENCES operator_sessions(session_id, operator_id);
ALTER TABLE withdrawal_approvals ADD CONSTRAINT withdrawal_approvals_withdrawal_id_digest_key_id_key UNIQUE (withdrawal_id, digest, key_id);
ALTER TABLE withdrawal_approvals ADD CONSTRAINT withdrawal_approvals_withdrawal_id_digest_session_id_key UNIQUE (withdrawal_id, digest, session_id);
ALTER TABLE withdrawal_approvals ADD CONSTRAINT withdrawal_approvals_withdrawal_id_fkey FOREIGN KEY (withdrawal_id) REFERENCES withdrawals(withdrawal_id);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.withdrawal_approvals FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE withdrawal_approvals ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.withdrawal_approvals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE withdrawal_approvals ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE withdrawal_approvals IS 'Which operator approved exactly which payment.';
COMMENT ON COLUMN withdrawal_approvals.withdrawal_id IS 'The withdrawal';
COMMENT ON COLUMN withdrawal_approvals.digest IS 'What they signed, as in the withdrawal';
COMMENT ON COLUMN withdrawal_approvals.operator_id IS 'The operator';
COMMENT ON COLUMN withdrawal_approvals.session_id IS 'Their session';
COMMENT ON COLUMN withdrawal_approvals.key_id IS 'The key they signed with';
COMMENT ON COLUMN withdrawal_approvals.signature IS 'Signature over it, raw r and s, base64url';
COMMENT ON COLUMN withdrawal_approvals.reason IS 'Why, in their words';
COMMENT ON COLUMN withdrawal_approvals.at IS 'When they approved, ms since 1970 UTC';
GRANT SELECT ON withdrawal_approvals TO fairtick_console, fairtick_jobs, fairtick_payout;
GRANT SELECT (withdrawal_id, digest) ON withdrawal_approvals TO fairtick_money;
GRANT SELECT (withdrawal_id, digest) ON withdrawal_approvals TO fairtick_reader;

CREATE TABLE withdrawal_attempts (
  withdrawal_id bigint NOT NULL,
  attempt integer NOT NULL,
  max_fee numeric(78,0) NOT NULL,
  priority_fee numeric(78,0) NOT NULL,
  tx_hash text NOT NULL,
  raw text NOT NULL,
  made_at bigint NOT NULL
);
ALTER TABLE withdrawal_attempts ADD CONSTRAINT withdrawal_attempts_pkey PRIMARY KEY (withdrawal_id, attempt);
ALTER TABLE withdrawal_attempts ADD CONSTRAINT withdrawal_attempts_attempt_check CHECK ((attempt > 0));
ALTER TABLE withdrawal_attempts ADD CONSTRAINT withdrawal_attempts_tx_hash_key UNIQUE (tx_hash);
ALTER TABLE withdrawal_attempts ADD CONSTRAINT withdrawal_attempts_withdrawal_id_fkey FOREIGN KEY (withdrawal_id) REFERENCES payout_nonces(withdrawal_id);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.withdrawal_attempts FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE withdrawal_attempts ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.withdrawal_attempts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE withdrawal_attempts ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE withdrawal_attempts IS 'Every transaction ever signed for a withdrawal, stored before it is sent and kept for good. All attempts share one nonce.';
COMMENT ON COLUMN withdrawal_attempts.withdrawal_id IS 'The withdrawal';
COMMENT ON COLUMN withdrawal_attempts.attempt IS 'Number of the attempt, from 1';
COMMENT ON COLUMN withdrawal_attempts.max_fee IS 'Highest fee per unit of gas, wei';
COMMENT ON COLUMN withdrawal_attempts.priority_fee IS 'Priority fee per unit of gas, wei';
COMMENT ON COLUMN withdrawal_attempts.tx_hash IS 'Hash of the transaction on the chain';
COMMENT ON COLUMN withdrawal_attempts.raw IS 'The signed transaction, hexadecimal';
COMMENT ON COLUMN withdrawal_attempts.made_at IS 'When it was made, ms since 1970 UTC';
GRANT INSERT, SELECT ON withdrawal_attempts TO fairtick_payout;
GRANT SELECT ON withdrawal_attempts TO fairtick_console, fairtick_jobs, fairtick_money, fairtick_reader;

CREATE TABLE withdrawal_freezes (
  member_id bigint NOT NULL,
  incident_id bigint NOT NULL,
  frozen_at bigint NOT NULL,
  lifted_at bigint
);
ALTER TABLE withdrawal_freezes ADD CONSTRAINT withdrawal_freezes_pkey PRIMARY KEY (member_id, incident_id);
ALTER TABLE withdrawal_freezes ADD CONSTRAINT withdrawal_freezes_incident_id_fkey FOREIGN KEY (incident_id) REFERENCES incidents(incident_id);
ALTER TABLE withdrawal_freezes ADD CONSTRAINT withdrawal_freezes_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
COMMENT ON TABLE withdrawal_freezes IS 'Incidents that hold a member''s withdrawals. While one lasts, none is approved or paid.';
COMMENT ON COLUMN withdrawal_freezes.member_id IS 'The member';
COMMENT ON COLUMN withdrawal_freezes.incident_id IS 'The incident';
COMMENT ON COLUMN withdrawal_freezes.frozen_at IS 'When it began, ms since 1970 UTC';
COMMENT ON COLUMN withdrawal_freezes.lifted_at IS 'When it was lifted, ms since 1970 UTC; null while it lasts';
GRANT INSERT, SELECT ON withdrawal_freezes TO fairtick_chain;
GRANT SELECT ON withdrawal_freezes TO fairtick_console, fairtick_jobs, fairtick_money, fairtick_payout, fairtick_reader;

CREATE TABLE withdrawal_releases (
  withdrawal_id bigint NOT NULL,
  operator_id bigint NOT NULL,
  session_id bigint NOT NULL,
  reason text NOT NULL,
  at bigint NOT NULL
);
ALTER TABLE withdrawal_releases ADD CONSTRAINT withdrawal_releases_pkey PRIMARY KEY (withdrawal_id, operator_id);
ALTER TABLE withdrawal_releases ADD CONSTRAINT withdrawal_releases_reason_check CHECK ((length(btrim(reason)) >= 3));
ALTER TABLE withdrawal_releases ADD CONSTRAINT withdrawal_releases_session_id_operator_id_fkey FOREIGN KEY (session_id, operator_id) REFERENCES operator_sessions(session_id, operator_id);
ALTER TABLE withdrawal_releases ADD CONSTRAINT withdrawal_releases_withdrawal_id_fkey FOREIGN KEY (withdrawal_id) REFERENCES withdrawals(withdrawal_id);
ALTER TABLE withdrawal_releases ADD CONSTRAINT withdrawal_releases_withdrawal_id_session_id_key UNIQUE (withdrawal_id, session_id);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.withdrawal_releases FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE withdrawal_releases ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.withdrawal_releases FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE withdrawal_releases ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE withdrawal_releases IS 'Operators who agreed to release the hold of a payment whose every attempt is dead.';
COMMENT ON COLUMN withdrawal_releases.withdrawal_id IS 'The withdrawal';
COMMENT ON COLUMN withdrawal_releases.operator_id IS 'The operator';
COMMENT ON COLUMN withdrawal_releases.session_id IS 'Their session';
COMMENT ON COLUMN withdrawal_releases.reason IS 'Why, in their words';
COMMENT ON COLUMN withdrawal_releases.at IS 'When they agreed, ms since 1970 UTC';
GRANT SELECT ON withdrawal_releases TO fairtick_console;
GRANT SELECT (withdrawal_id, operator_id) ON withdrawal_releases TO fairtick_jobs;

CREATE TABLE withdrawal_rests (
  rest_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  member_id bigint NOT NULL,
  password text NOT NULL,
  began_at bigint NOT NULL,
  ends_at bigint NOT NULL
);
ALTER TABLE withdrawal_rests ADD CONSTRAINT withdrawal_rests_pkey PRIMARY KEY (rest_id);
ALTER TABLE withdrawal_rests ADD CONSTRAINT withdrawal_rests_check CHECK ((ends_at > began_at));
ALTER TABLE withdrawal_rests ADD CONSTRAINT withdrawal_rests_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
ALTER TABLE withdrawal_rests ADD CONSTRAINT withdrawal_rests_password_check CHECK ((password = ANY (ARRAY['login'::text, 'transaction'::text, 'factor'::text, 'freeze'::text])));
CREATE INDEX withdrawal_rests_by_member ON public.withdrawal_rests USING btree (member_id, ends_at);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.withdrawal_rests FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE withdrawal_rests ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.withdrawal_rests FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE withdrawal_rests ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE withdrawal_rests IS 'Periods in which a member''s withdrawals rest after a reset, so that the member hears of it before anything is paid.';
COMMENT ON COLUMN withdrawal_rests.rest_id IS 'Number of the rest';
COMMENT ON COLUMN withdrawal_rests.member_id IS 'The member';
COMMENT ON COLUMN withdrawal_rests.password IS 'What was reset: a password, the second factor that was removed, or the freeze that was lifted';
COMMENT ON COLUMN withdrawal_rests.began_at IS 'When it began, ms since 1970 UTC';
COMMENT ON COLUMN withdrawal_rests.ends_at IS 'When it ends, ms since 1970 UTC';

CREATE TABLE withdrawal_rules (
  one boolean NOT NULL DEFAULT true,
  automatic_max bigint NOT NULL,
  single_max bigint NOT NULL
);
ALTER TABLE withdrawal_rules ADD CONSTRAINT withdrawal_rules_pkey PRIMARY KEY (one);
ALTER TABLE withdrawal_rules ADD CONSTRAINT withdrawal_rules_check CHECK (((0 <= automatic_max) AND (automatic_max <= single_max)));
ALTER TABLE withdrawal_rules ADD CONSTRAINT withdrawal_rules_one_check CHECK (one);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.withdrawal_rules FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE withdrawal_rules ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.withdrawal_rules FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE withdrawal_rules ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE withdrawal_rules IS 'How many operators approve a withdrawal while no version of the withdrawal terms is stored.';
COMMENT ON COLUMN withdrawal_rules.one IS 'Always true: the table has exactly one row';
COMMENT ON COLUMN withdrawal_rules.automatic_max IS 'Up to this amount, none, micro-USD';
COMMENT ON COLUMN withdrawal_rules.single_max IS 'Up to this amount, one; above it, two, micro-USD';
GRANT SELECT ON withdrawal_rules TO fairtick_console, fairtick_jobs, fairtick_money, fairtick_payout, fairtick_reader;

CREATE TABLE withdrawal_steps (
  withdrawal_id bigint NOT NULL,
  step integer NOT NULL,
  stage text NOT NULL,
  at bigint NOT NULL
);
ALTER TABLE withdrawal_steps ADD CONSTRAINT withdrawal_steps_pkey PRIMARY KEY (withdrawal_id, step);
ALTER TABLE withdrawal_steps ADD CONSTRAINT withdrawal_steps_withdrawal_id_fkey FOREIGN KEY (withdrawal_id) REFERENCES withdrawals(withdrawal_id);
CREATE INDEX withdrawal_steps_by_time ON public.withdrawal_steps USING btree (at);
CREATE TRIGGER refuse_row_change BEFORE DELETE OR UPDATE ON public.withdrawal_steps FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE withdrawal_steps ENABLE ALWAYS TRIGGER refuse_row_change;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.withdrawal_steps FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE withdrawal_steps ENABLE ALWAYS TRIGGER refuse_truncate;
COMMENT ON TABLE withdrawal_steps IS 'Each stage a withdrawal reached, in order.';
COMMENT ON COLUMN withdrawal_steps.withdrawal_id IS 'The withdrawal';
COMMENT ON COLUMN withdrawal_steps.step IS 'Number of the step, from 1';
COMMENT ON COLUMN withdrawal_steps.stage IS 'The stage';
COMMENT ON COLUMN withdrawal_steps.at IS 'When it happened, ms since 1970 UTC';
GRANT SELECT ON withdrawal_steps TO fairtick_console, fairtick_jobs, fairtick_money, fairtick_payout, fairtick_reader;

CREATE TABLE withdrawals (
  withdrawal_id bigint NOT NULL,
  member_id bigint NOT NULL,
  client_id text NOT NULL,
  request_hash bytea NOT NULL,
  chain text NOT NULL,
  instance_id integer NOT NULL,
  address text NOT NULL,
  amount bigint NOT NULL,
  fee bigint NOT NULL,
  units bigint NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  digest bytea NOT NULL,
  stage text NOT NULL,
  stage_at bigint NOT NULL,
  reason text,
  tx_hash text,
  mined_height bigint,
  dead_at bigint,
  hold_id bigint NOT NULL,
  end_id bigint,
  pays_from bigint NOT NULL DEFAULT 0,
  payout_waits text
);
ALTER TABLE withdrawals ADD CONSTRAINT withdrawals_pkey PRIMARY KEY (withdrawal_id);
ALTER TABLE withdrawals ADD CONSTRAINT withdrawals_address_check CHECK ((address = lower(address)));
ALTER TABLE withdrawals ADD CONSTRAINT withdrawals_amount_check CHECK ((amount > 0));
ALTER TABLE withdrawals ADD CONSTRAINT withdrawals_check CHECK (((fee >= 0) AND (fee < amount)));
ALTER TABLE withdrawals ADD CONSTRAINT withdrawals_check1 CHECK (((stage = ANY (ARRAY['confirmed'::text, 'canceled'::text, 'rejected'::text, 'reverted'::text])) = (end_id IS NOT NULL)));
ALTER TABLE withdrawals ADD CONSTRAINT withdrawals_end_id_fkey FOREIGN KEY (end_id) REFERENCES transfers(transfer_id);
ALTER TABLE withdrawals ADD CONSTRAINT withdrawals_end_id_key UNIQUE (end_id);
ALTER TABLE withdrawals ADD CONSTRAINT withdrawals_hold_id_fkey FOREIGN KEY (hold_id) REFERENCES transfers(transfer_id);
ALTER TABLE withdrawals ADD CONSTRAINT withdrawals_hold_id_key UNIQUE (hold_id);
ALTER TABLE withdrawals ADD CONSTRAINT withdrawals_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES chain_instances(instance_id);
ALTER TABLE withdrawals ADD CONSTRAINT withdrawals_member_id_client_id_key UNIQUE (member_id, client_id);
ALTER TABLE withdrawals ADD CONSTRAINT withdrawals_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id);
ALTER TABLE withdrawals ADD CONSTRAINT withdrawals_payout_waits_check CHECK ((payout_waits = ANY (ARRAY['walletFilling'::text, 'payoutsStopped'::text, 'payoutLimit'::text, 'payoutRefused'::text])));
ALTER TABLE withdrawals ADD CONSTRAINT withdrawals_stage_check CHECK ((stage = ANY (ARRAY['requested'::text, 'review'::text, 'approved'::text, 'reserved'::text, 'signed'::text, 'broadcast'::text, 'confirmed'::text, 'canceled'::text, 'rejected'::text, 'reverted'::text, 'needs_review'::text])));
ALTER TABLE withdrawals ADD CONSTRAINT withdrawals_units_check CHECK ((units > 0));
CREATE INDEX withdrawals_by_address ON public.withdrawals USING btree (address);
CREATE INDEX withdrawals_by_member ON public.withdrawals USING btree (member_id, withdrawal_id);
CREATE INDEX withdrawals_by_stage_at ON public.withdrawals USING btree (stage_at);
CREATE INDEX withdrawals_open ON public.withdrawals USING btree (withdrawal_id) WHERE (end_id IS NULL);
CREATE TRIGGER keep_all_withdrawals BEFORE TRUNCATE ON public.withdrawals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE withdrawals ENABLE ALWAYS TRIGGER keep_all_withdrawals;
CREATE TRIGGER keep_withdrawals BEFORE DELETE ON public.withdrawals FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE withdrawals ENABLE ALWAYS TRIGGER keep_withdrawals;
CREATE TRIGGER log_approved_withdrawal AFTER UPDATE OF stage ON public.withdrawals FOR EACH ROW WHEN (((new.stage = 'approved'::text) AND (old.stage <> 'approved'::text))) EXECUTE FUNCTION log_approved_withdrawal();
ALTER TABLE withdrawals ENABLE ALWAYS TRIGGER log_approved_withdrawal;
CREATE TRIGGER note_ended_authorization AFTER UPDATE OF stage ON public.withdrawals FOR EACH ROW WHEN (((new.stage = ANY (ARRAY['canceled'::text, 'rejected'::text])) AND (old.stage <> new.stage))) EXECUTE FUNCTION note_ended_authorization();
ALTER TABLE withdrawals ENABLE ALWAYS TRIGGER note_ended_authorization;
CREATE TRIGGER step_withdrawal AFTER INSERT OR UPDATE ON public.withdrawals FOR EACH ROW EXECUTE FUNCTION step_withdrawal();
ALTER TABLE withdrawals ENABLE ALWAYS TRIGGER step_withdrawal;
CREATE TRIGGER tally_approvals AFTER UPDATE OF stage ON public.withdrawals FOR EACH ROW WHEN (((new.stage = ANY (ARRAY['approved'::text, 'reserved'::text])) AND (old.stage <> new.stage))) EXECUTE FUNCTION count_approvals();
ALTER TABLE withdrawals ENABLE ALWAYS TRIGGER tally_approvals;
CREATE TRIGGER wait_for_address AFTER UPDATE OF stage, pays_from ON public.withdrawals FOR EACH ROW EXECUTE FUNCTION wait_for_address();
ALTER TABLE withdrawals ENABLE ALWAYS TRIGGER wait_for_address;
COMMENT ON TABLE withdrawals IS 'Every withdrawal: what the member asked for, and where it stands.';
COMMENT ON COLUMN withdrawals.withdrawal_id IS 'Number of the withdrawal';
COMMENT ON COLUMN withdrawals.member_id IS 'The member';
COMMENT ON COLUMN withdrawals.client_id IS 'The client id: repeating it never does the same thing twice';
COMMENT ON COLUMN withdrawals.request_hash IS 'SHA-256 of what was asked: the same client id with another request is a conflict';
COMMENT ON COLUMN withdrawals.chain IS 'Name of the chain in the settings';
COMMENT ON COLUMN withdrawals.instance_id IS 'The chain instance it is paid on; approvals cover its genesis block';
COMMENT ON COLUMN withdrawals.address IS 'Address it is paid to, lower case, without a checksum';
COMMENT ON COLUMN withdrawals.amount IS 'What is held, micro-USD';
COMMENT ON COLUMN withdrawals.fee IS 'What stays with the house, micro-USD';
COMMENT ON COLUMN withdrawals.units IS 'What arrives, in the token''s smallest unit';
COMMENT ON COLUMN withdrawals.created_at IS 'When it was asked for, ms since 1970 UTC';
COMMENT ON COLUMN withdrawals.expires_at IS 'Until when approvals of `digest` are good, ms since 1970 UTC';
COMMENT ON COLUMN withdrawals.digest IS 'What operators sign: SHA-256 over id, chain, genesis, token, address, units and expiry';
COMMENT ON COLUMN withdrawals.stage IS 'Where it stands; step_withdrawal lists the transitions';
COMMENT ON COLUMN withdrawals.stage_at IS 'When it reached its stage, ms since 1970 UTC';
COMMENT ON COLUMN withdrawals.reason IS 'A stable word that the app translates, or the words of whoever rejected it';
COMMENT ON COLUMN withdrawals.tx_hash IS 'Transaction that was seen in a block';
COMMENT ON COLUMN withdrawals.mined_height IS 'Height of that block';
COMMENT ON COLUMN withdrawals.dead_at IS 'Since when no attempt can pay any more, ms since 1970 UTC: only then may the hold return';
COMMENT ON COLUMN withdrawals.hold_id IS 'The transfer that held the amount';
COMMENT ON COLUMN withdrawals.end_id IS 'The transfer that ended the hold: paid or released';
COMMENT ON COLUMN withdrawals.pays_from IS 'Not approved or given a nonce before this, ms since 1970 UTC; 0 where the address was usable already';
COMMENT ON COLUMN withdrawals.payout_waits IS 'Why it isn''t sent though it is approved: the wallet has too little, is stopped, the signer''s limit for a day is reached, or the signer refuses it; null if nothing holds it up';
GRANT SELECT ON withdrawals TO fairtick_console, fairtick_jobs, fairtick_money, fairtick_payout, fairtick_reader;
GRANT UPDATE (instance_id, expires_at, digest, stage, stage_at, reason, tx_hash, mined_height, dead_at, payout_waits) ON withdrawals TO fairtick_payout;

CREATE VIEW approvals_that_count AS
 SELECT a.withdrawal_id, a.digest, a.operator_id, a.session_id, a.key_id, a.signature, a.reason,
    a.at
   FROM withdrawal_approvals a
     JOIN operators o USING (operator_id)
  WHERE o.disabled_at IS NULL AND (EXISTS ( SELECT
           FROM operator_roles r
          WHERE r.operator_id = a.operator_id AND r.role = 'finance'::text)) AND NOT (EXISTS ( SELECT
           FROM revoked_keys k
          WHERE k.key_id = a.key_id));
COMMENT ON VIEW approvals_that_count IS 'Approvals of operators who work in finance and whose key was not taken back.';
COMMENT ON COLUMN approvals_that_count.withdrawal_id IS 'The withdrawal';
COMMENT ON COLUMN approvals_that_count.digest IS 'What they signed, as in the withdrawal';
COMMENT ON COLUMN approvals_that_count.operator_id IS 'The operator';
COMMENT ON COLUMN approvals_that_count.session_id IS 'Their session';
COMMENT ON COLUMN approvals_that_count.key_id IS 'The key they signed with';
COMMENT ON COLUMN approvals_that_count.signature IS 'Signature over it, raw r and s, base64url';
COMMENT ON COLUMN approvals_that_count.reason IS 'Why, in their words';
COMMENT ON COLUMN approvals_that_count.at IS 'When they approved, ms since 1970 UTC';
GRANT SELECT ON approvals_that_count TO fairtick_console, fairtick_jobs, fairtick_payout;
GRANT SELECT (withdrawal_id, digest) ON approvals_that_count TO fairtick_money;
GRANT SELECT (withdrawal_id, digest) ON approvals_that_count TO fairtick_reader;

CREATE VIEW open_orders AS
 SELECT each.order_id, each.member_id, g.accepted_at, g.limit_price, g.duration, g.symbol,
    NULL::bigint AS reveal_by
   FROM open_groups g
     CROSS JOIN LATERAL UNNEST(g.order_ids, g.member_ids) each(order_id, member_id)
UNION ALL
 SELECT awaiting_reveals.order_id, awaiting_reveals.member_id, awaiting_reveals.accepted_at,
    NULL::bigint AS limit_price, awaiting_reveals.duration, awaiting_reveals.symbol,
    awaiting_reveals.reveal_by
   FROM awaiting_reveals;
COMMENT ON VIEW open_orders IS 'One row per running order, those that wait to be revealed among them, for whoever counts or looks at all of them.';
COMMENT ON COLUMN open_orders.order_id IS 'The order';
COMMENT ON COLUMN open_orders.member_id IS 'The member';
COMMENT ON COLUMN open_orders.accepted_at IS 'When it was accepted, ms since 1970 UTC';
COMMENT ON COLUMN open_orders.limit_price IS 'Limit price, points; null for none';
COMMENT ON COLUMN open_orders.duration IS 'Duration from entry to expiry, seconds';
COMMENT ON COLUMN open_orders.symbol IS 'The instrument, such as EURUSD';
COMMENT ON COLUMN open_orders.reveal_by IS 'Until when it can be revealed, ms since 1970 UTC; null while it is not due';
GRANT SELECT ON open_orders TO fairtick_console, fairtick_jobs, fairtick_orders, fairtick_reader, fairtick_settlement;
GRANT SELECT (member_id) ON open_orders TO fairtick_sessions;

CREATE VIEW postings_all AS
 SELECT 'stake_hold'::text AS kind, orders.order_id AS fact_id, orders.member_id, orders.member_seq,
    orders.wallet, 'available'::text AS from_account, 'locked'::text AS to_account,
    orders.stake + orders.fee AS amount
   FROM orders
UNION ALL
 SELECT
        CASE s.outcome
            WHEN 'won'::outcome THEN 'settle_won'::text
            WHEN 'lost'::outcome THEN 'settle_lost'::text
            ELSE 'release'::text
        END AS kind,
    s.order_id AS fact_id, s.member_id, s.member_seq, o.wallet, line.from_account, line.to_account,
    line.amount
   FROM settlements s
     JOIN orders o USING (member_id, order_id)
     CROSS JOIN LATERAL ( SELECT 'locked'::text AS from_account, 'available'::text AS to_account,
            o.stake AS amount
          WHERE s.outcome = 'won'::outcome
        UNION ALL
         SELECT 'pool'::text, 'available'::text, o.profit_if_won + o.fee
          WHERE s.outcome = 'won'::outcome
        UNION ALL
         SELECT 'locked'::text, 'pool'::text, o.stake
          WHERE s.outcome = 'lost'::outcome
        UNION ALL
         SELECT 'locked'::text, 'fees'::text, o.fee
          WHERE (s.outcome = ANY (ARRAY['won'::outcome, 'lost'::outcome])) AND o.fee > 0
        UNION ALL
         SELECT 'locked'::text, 'available'::text, o.stake + o.fee
          WHERE s.outcome = ANY (ARRAY['tied'::outcome, 'voided'::outcome])) line
UNION ALL
 SELECT t.kind, t.transfer_id AS fact_id, t.member_id, t.member_seq, t.wallet, p.from_account,
    p.to_account, p.amount
   FROM transfers t
     JOIN postings p USING (transfer_id);
COMMENT ON VIEW postings_all IS 'Every fact about money as postings: orders, settlements and transfers.';
COMMENT ON COLUMN postings_all.kind IS 'What happened';
COMMENT ON COLUMN postings_all.fact_id IS 'Number of the order or transfer';
COMMENT ON COLUMN postings_all.member_id IS 'The member';
COMMENT ON COLUMN postings_all.member_seq IS 'The member''s number of this fact about their money: each one is one higher';
COMMENT ON COLUMN postings_all.wallet IS 'Which wallet: practice or real';
COMMENT ON COLUMN postings_all.from_account IS 'Account it comes from';
COMMENT ON COLUMN postings_all.to_account IS 'Account it goes to';
COMMENT ON COLUMN postings_all.amount IS 'Amount, micro-USD';
GRANT SELECT ON postings_all TO fairtick_jobs, fairtick_reader;

CREATE VIEW published_by AS
 SELECT 'config'::text AS kind, trading_configs.version, trading_configs.proposal_id
   FROM trading_configs
  WHERE trading_configs.proposal_id IS NOT NULL
UNION ALL
 SELECT policies.name AS kind, policies.version, policies.proposal_id
   FROM policies
  WHERE policies.proposal_id IS NOT NULL
UNION ALL
 SELECT p.kind, t.version, p.proposal_id
   FROM trading_configs t
     JOIN proposals p ON p.kind = 'config'::text AND ((p.body::jsonb -> 'config'::text) - 'effectiveAt'::text) = (t.body - 'effectiveAt'::text)
     JOIN decisions d ON d.proposal_id = p.proposal_id AND d.decision = 'approved'::text
  WHERE t.proposal_id IS NULL
UNION ALL
 SELECT p.kind, t.version, p.proposal_id
   FROM policies t
     JOIN proposals p ON p.kind = t.name AND ((p.body::jsonb -> 'policy'::text) - 'effectiveAt'::text) = (t.body::jsonb - 'effectiveAt'::text)
     JOIN decisions d ON d.proposal_id = p.proposal_id AND d.decision = 'approved'::text
  WHERE t.proposal_id IS NULL;
COMMENT ON VIEW published_by IS 'Which version each approved proposal became.';
COMMENT ON COLUMN published_by.kind IS 'Configuration or policy';
COMMENT ON COLUMN published_by.version IS 'Number of the version';
COMMENT ON COLUMN published_by.proposal_id IS 'The proposal';
GRANT SELECT ON published_by TO fairtick_console;

CREATE VIEW receiving_cards_now AS
 SELECT DISTINCT ON (card_id) card_id, version, regions, currency, digits, bank, bank_code, holder,
    number, note, rate, active, proposal_id, made_at
   FROM receiving_cards
  ORDER BY card_id, version DESC;
COMMENT ON VIEW receiving_cards_now IS 'The newest version of each receiving account.';
COMMENT ON COLUMN receiving_cards_now.card_id IS 'Number of the account';
COMMENT ON COLUMN receiving_cards_now.version IS 'Number of the version';
COMMENT ON COLUMN receiving_cards_now.regions IS 'Regions it is for, ISO 3166; empty for every region with a real wallet';
COMMENT ON COLUMN receiving_cards_now.currency IS 'ISO 4217 code of the currency';
COMMENT ON COLUMN receiving_cards_now.digits IS 'Decimal places of the currency''s smallest unit';
COMMENT ON COLUMN receiving_cards_now.bank IS 'Name of the bank';
COMMENT ON COLUMN receiving_cards_now.bank_code IS 'BIC, or the bank''s number in its country; null where there is none';
COMMENT ON COLUMN receiving_cards_now.holder IS 'Account holder';
COMMENT ON COLUMN receiving_cards_now.number IS 'IBAN or account number, without spaces';
COMMENT ON COLUMN receiving_cards_now.note IS 'Note shown to members';
COMMENT ON COLUMN receiving_cards_now.rate IS 'Currency per USD, millionths';
COMMENT ON COLUMN receiving_cards_now.active IS 'Whether members are shown it';
COMMENT ON COLUMN receiving_cards_now.proposal_id IS 'The proposal it came from; null for a sandbox''s own';
COMMENT ON COLUMN receiving_cards_now.made_at IS 'When it was made, ms since 1970 UTC';
GRANT SELECT ON receiving_cards_now TO fairtick_console, fairtick_jobs, fairtick_money, fairtick_reader;

CREATE VIEW region_terms_now AS
 SELECT version, iso2, dial_code, currency, policy, deposits, products, legal_age, rule_name,
    rule_year
   FROM region_terms
  WHERE version = (( SELECT policy_version_now('regions'::text) AS policy_version_now));
COMMENT ON VIEW region_terms_now IS 'The regions in force.';
COMMENT ON COLUMN region_terms_now.version IS 'Number of the version';
COMMENT ON COLUMN region_terms_now.iso2 IS 'Region, ISO 3166 alpha-2';
COMMENT ON COLUMN region_terms_now.dial_code IS 'Country calling code';
COMMENT ON COLUMN region_terms_now.currency IS 'Currency the region pays in, ISO 4217';
COMMENT ON COLUMN region_terms_now.policy IS '`full`: both wallets; `practice`: the practice wallet only; `blocked`: nobody registers and nothing new starts';
COMMENT ON COLUMN region_terms_now.deposits IS 'Whether new deposits are accepted. Withdrawals are never closed';
COMMENT ON COLUMN region_terms_now.products IS 'Kinds of instruments that can be traded';
COMMENT ON COLUMN region_terms_now.legal_age IS 'Lowest age, years';
COMMENT ON COLUMN region_terms_now.rule_name IS 'The rule that closes the region; null where it is fully open';
COMMENT ON COLUMN region_terms_now.rule_year IS 'Year of that rule';
GRANT SELECT ON region_terms_now TO fairtick_console, fairtick_jobs, fairtick_money, fairtick_reader, fairtick_sessions;

CREATE VIEW returned_deposits AS
 SELECT r.return_id, b.deposit_id
   FROM statement_returns r
     JOIN bank_deposits b ON b.reference = r.reference
     JOIN statement_entries e ON e.entry_id = b.matched_entry AND e.account = r.account AND e.currency = r.currency
UNION
 SELECT r.return_id, b.deposit_id
   FROM statement_returns r
     JOIN statement_entries e USING (account, currency)
     JOIN bank_deposits b ON b.matched_entry = e.entry_id
  WHERE r.entry_reference = e.entry_reference
UNION
 SELECT r.return_id, b.deposit_id
   FROM statement_returns r
     JOIN statement_entries e USING (account, currency)
     JOIN bank_deposits b ON b.matched_entry = e.entry_id
  WHERE r.entry_reference = e.also_reference
UNION
 SELECT r.return_id, b.deposit_id
   FROM statement_returns r
     JOIN statement_entries e USING (account, currency)
     JOIN bank_deposits b ON b.matched_entry = e.entry_id
  WHERE r.also_reference = e.entry_reference
UNION
 SELECT r.return_id, b.deposit_id
   FROM statement_returns r
     JOIN statement_entries e USING (account, currency)
     JOIN bank_deposits b ON b.matched_entry = e.entry_id
  WHERE r.also_reference = e.also_reference;
COMMENT ON VIEW returned_deposits IS 'Which lines of statements take back which deposits.';
COMMENT ON COLUMN returned_deposits.return_id IS 'The line that takes it back';
COMMENT ON COLUMN returned_deposits.deposit_id IS 'The deposit';
GRANT SELECT ON returned_deposits TO fairtick_console, fairtick_jobs;

CREATE VIEW returns_waiting AS
 SELECT w.deposit_id
   FROM returned_deposits w
     JOIN deposits d USING (deposit_id)
  WHERE d.stage <> 'reversed'::text AND NOT (EXISTS ( SELECT
           FROM reversal_requests q
             JOIN decisions e USING (proposal_id)
          WHERE q.deposit_id = w.deposit_id AND q.return_id >= w.return_id AND e.decided_by <> e.made_by));
COMMENT ON VIEW returns_waiting IS 'Deposits that a line of a statement takes back and two people have not decided on yet.';
COMMENT ON COLUMN returns_waiting.deposit_id IS 'The deposit';

CREATE VIEW reversals_waiting AS
 SELECT returns_waiting.deposit_id
   FROM returns_waiting
UNION
 SELECT q.deposit_id
   FROM reversal_requests q
  WHERE NOT (EXISTS ( SELECT
           FROM decisions e
          WHERE e.proposal_id = q.proposal_id));
COMMENT ON VIEW reversals_waiting IS 'Deposits whose reversal someone has to decide.';
COMMENT ON COLUMN reversals_waiting.deposit_id IS 'The deposit';
GRANT SELECT ON reversals_waiting TO fairtick_console;

CREATE VIEW unswept_deposits AS
 SELECT t.instance_id, t.to_address AS address, d.deposit_id, t.raw_amount AS units,
    (( SELECT sum(p.amount) AS sum
           FROM postings p
          WHERE p.transfer_id = d.transfer_id AND p.from_account = 'chain_clearing'::text))::bigint AS worth
   FROM deposits d
     JOIN chain_transfers t USING (deposit_id)
     JOIN chain_instances i USING (instance_id)
  WHERE d.method = 'crypto'::text AND d.stage = 'credited'::text AND t.lost_at_height IS NULL AND t.token = i.token AND i.ended_at IS NULL AND t.sweep_id IS NULL;
COMMENT ON VIEW unswept_deposits IS 'Credited deposits that still lie at their addresses.';
COMMENT ON COLUMN unswept_deposits.instance_id IS 'The chain instance it belongs to';
COMMENT ON COLUMN unswept_deposits.address IS 'The member''s deposit address, lower case';
COMMENT ON COLUMN unswept_deposits.deposit_id IS 'The deposit';
COMMENT ON COLUMN unswept_deposits.units IS 'How much, in the token''s smallest unit';
COMMENT ON COLUMN unswept_deposits.worth IS 'What it took out of the chain''s clearing account, micro-USD';
GRANT SELECT ON unswept_deposits TO fairtick_console, fairtick_jobs, fairtick_payout;

CREATE VIEW withdrawal_terms_now AS
 SELECT version, effective_at, body
   FROM policies
  WHERE name = 'withdrawals'::text AND version = (( SELECT policy_version_now('withdrawals'::text) AS policy_version_now));
COMMENT ON VIEW withdrawal_terms_now IS 'The withdrawal terms in force.';
COMMENT ON COLUMN withdrawal_terms_now.version IS 'Number of the version';
COMMENT ON COLUMN withdrawal_terms_now.effective_at IS 'When it takes effect, ms since 1970 UTC';
COMMENT ON COLUMN withdrawal_terms_now.body IS 'Canonical JSON: the exact bytes that the log''s entry hashes';
GRANT SELECT ON withdrawal_terms_now TO fairtick_console, fairtick_money, fairtick_payout, fairtick_reader;

-- FUNCTION above_one_person(entry bigint, worth bigint) RETURNS boolean
GRANT EXECUTE ON above_one_person(bigint,bigint) TO PUBLIC;

-- FUNCTION accept_within(accepted_at bigint, valid_from bigint, valid_until bigint) RETURNS bigint
GRANT EXECUTE ON accept_within(bigint,bigint,bigint) TO PUBLIC;

-- FUNCTION add_order_device(device bigint, member bigint, key bytea, name text, random bytea, hash bytea) RETURNS bigint
GRANT EXECUTE ON add_order_device(bigint,bigint,bytea,text,bytea,bytea) TO fairtick_sessions;

-- FUNCTION add_withdrawal_address(member bigint, on_chain text, to_address text, called text, hours integer, OUT id bigint, OUT usable bigint, OUT is_new boolean) RETURNS record
GRANT EXECUTE ON add_withdrawal_address(bigint,text,text,text,integer) TO fairtick_money;

-- FUNCTION all_written(written bigint, meant integer) RETURNS boolean
GRANT EXECUTE ON all_written(bigint,integer) TO PUBLIC;

-- FUNCTION announce_bank_deposit(member bigint, client text, payload bytea, new_deposit bigint, card bigint, usd bigint, new_reference text, open_for bigint DEFAULT 1209600000) RETURNS boolean
GRANT EXECUTE ON announce_bank_deposit(bigint,text,bytea,bigint,bigint,bigint,text,bigint) TO fairtick_money;

-- FUNCTION answer_member(session bigint, member bigint, said text, file bigint, client text, subject text) RETURNS bigint
GRANT EXECUTE ON answer_member(bigint,bigint,text,bigint,text,text) TO fairtick_console;

-- FUNCTION apply_capital(proposal bigint, new_transfer bigint) RETURNS void
GRANT EXECUTE ON apply_capital(bigint,bigint) TO fairtick_console;

-- FUNCTION apply_card_deposit(proposal bigint, new_transfer bigint) RETURNS bigint
GRANT EXECUTE ON apply_card_deposit(bigint,bigint) TO fairtick_console;

-- FUNCTION apply_correction(proposal bigint, new_transfer bigint) RETURNS void
GRANT EXECUTE ON apply_correction(bigint,bigint) TO fairtick_console;

-- FUNCTION apply_operator_change(proposal bigint, new_invite_hash bytea) RETURNS bigint[]
GRANT EXECUTE ON apply_operator_change(bigint,bytea) TO fairtick_console;

-- FUNCTION apply_transfer(transfer bigint) RETURNS void
GRANT EXECUTE ON apply_transfer(bigint) TO fairtick_chain, fairtick_money;

-- FUNCTION approvals_needed(amount bigint, reviewed boolean) RETURNS integer
GRANT EXECUTE ON approvals_needed(bigint,boolean) TO fairtick_console, fairtick_payout;

-- FUNCTION approve_withdrawal(session bigint, withdrawal bigint, of_digest bytea, with_key text, signed text, why text) RETURNS text
GRANT EXECUTE ON approve_withdrawal(bigint,bigint,bytea,text,text,text) TO fairtick_console;

-- FUNCTION approved_proposal(proposal bigint, of_kind text) RETURNS proposals

-- FUNCTION assign_support(session bigint, member bigint, mine boolean) RETURNS boolean
GRANT EXECUTE ON assign_support(bigint,bigint,boolean) TO fairtick_console;

-- FUNCTION assign_vip(session bigint, member bigint, of_post text, person bigint) RETURNS void
GRANT EXECUTE ON assign_vip(bigint,bigint,text,bigint) TO fairtick_console;

-- FUNCTION assign_vip_by_rule(session bigint, member bigint, of_post text, person bigint) RETURNS boolean
GRANT EXECUTE ON assign_vip_by_rule(bigint,bigint,text,bigint) TO fairtick_console;

-- FUNCTION audit_hash(previous bytea, row_no bigint, row_at bigint, operator bigint, session bigint, from_ip text, from_device text, what text, about text, why text, asked text, ended text) RETURNS bytea
GRANT EXECUTE ON audit_hash(bytea,bigint,bigint,bigint,bigint,text,text,text,text,text,text,text) TO PUBLIC;

-- FUNCTION audit_standing(at_no bigint, OUT length bigint, OUT head bytea, OUT hash_there bytea) RETURNS record
GRANT EXECUTE ON audit_standing(bigint) TO fairtick_jobs;

-- FUNCTION bare_name(name text) RETURNS text

-- FUNCTION begin_member_freeze(member bigint, way text) RETURNS boolean
GRANT EXECUTE ON begin_member_freeze(bigint,text) TO fairtick_sessions;

-- FUNCTION begin_take(session bigint, take bigint, of_entries bigint[]) RETURNS void
GRANT EXECUTE ON begin_take(bigint,bigint,bigint[]) TO fairtick_console;

-- FUNCTION begin_withdrawal_rest(member bigint, of_password text, hours integer) RETURNS bigint
GRANT EXECUTE ON begin_withdrawal_rest(bigint,text,integer) TO fairtick_console, fairtick_sessions;

-- FUNCTION bind_deposit_request(member bigint, client text, payload bytea, deposit bigint) RETURNS boolean

-- FUNCTION book_deposit(deposit bigint, new_transfer bigint, key text, credited bigint) RETURNS void

-- FUNCTION broken_audit_between(first bigint, last bigint) RETURNS bigint
GRANT EXECUTE ON broken_audit_between(bigint,bigint) TO fairtick_jobs;

-- FUNCTION cancel_withdrawal(member bigint, withdrawal bigint, end_transfer bigint) RETURNS boolean
GRANT EXECUTE ON cancel_withdrawal(bigint,bigint,bigint) TO fairtick_money;

-- FUNCTION card_entry(c receiving_cards) RETURNS text
GRANT EXECUTE ON card_entry(receiving_cards) TO PUBLIC;

-- FUNCTION changes_between(before jsonb, after jsonb) RETURNS jsonb

-- FUNCTION check_decision() RETURNS trigger

-- FUNCTION check_proposal() RETURNS trigger

-- FUNCTION claim_file(file bigint, member bigint, of_purpose text, subject text) RETURNS boolean
GRANT EXECUTE ON claim_file(bigint,bigint,text,text) TO fairtick_console, fairtick_money, fairtick_sessions;

-- FUNCTION claim_transfer(member bigint, client text, payload bytea, new_deposit bigint, of_chain text, units numeric, hash text, usd bigint, file bigint, subject text) RETURNS boolean
GRANT EXECUTE ON claim_transfer(bigint,text,bytea,bigint,text,numeric,text,bigint,bigint,text) TO fairtick_money;

-- FUNCTION client_key(client_order_id text) RETURNS uuid
GRANT EXECUTE ON client_key(text) TO fairtick_jobs, fairtick_reader;

-- FUNCTION close_incident(session bigint, incident bigint, why text) RETURNS boolean
GRANT EXECUTE ON close_incident(bigint,bigint,text) TO fairtick_console;

-- FUNCTION close_support(session bigint, member bigint) RETURNS boolean
GRANT EXECUTE ON close_support(bigint,bigint) TO fairtick_console;

-- FUNCTION confirm_withdrawal(withdrawal bigint, end_transfer bigint, paid_by text, at_height bigint) RETURNS boolean
GRANT EXECUTE ON confirm_withdrawal(bigint,bigint,text,bigint) TO fairtick_chain;

-- FUNCTION count_approvals() RETURNS trigger

-- FUNCTION count_fairness(from_time bigint, to_time bigint, first_id bigint, first_day bigint) RETURNS bigint
GRANT EXECUTE ON count_fairness(bigint,bigint,bigint,bigint) TO fairtick_jobs;

-- FUNCTION count_refusals(entries_max bigint, first_day bigint) RETURNS bigint
GRANT EXECUTE ON count_refusals(bigint,bigint) TO fairtick_jobs;

-- FUNCTION credit_bank_deposit(session bigint, deposit bigint, new_transfer bigint) RETURNS bigint
GRANT EXECUTE ON credit_bank_deposit(bigint,bigint,bigint) TO fairtick_console;

-- FUNCTION credit_below_minimum(session bigint, deposit bigint, new_transfer bigint) RETURNS bigint
GRANT EXECUTE ON credit_below_minimum(bigint,bigint,bigint) TO fairtick_console;

-- FUNCTION decide_identity(session bigint, of_case bigint, proposal bigint, verdict text, read_date date, expires date, why text) RETURNS boolean
GRANT EXECUTE ON decide_identity(bigint,bigint,bigint,text,date,date,text) TO fairtick_console;

-- FUNCTION delete_canned_answer(session bigint, answer bigint) RETURNS void
GRANT EXECUTE ON delete_canned_answer(bigint,bigint) TO fairtick_console;

-- FUNCTION drop_filed_day(the_day bigint, at bigint) RETURNS text
GRANT EXECUTE ON drop_filed_day(bigint,bigint) TO fairtick_jobs;

-- FUNCTION drop_filed_quotes(the_day bigint) RETURNS text
GRANT EXECUTE ON drop_filed_quotes(bigint) TO fairtick_jobs;

-- FUNCTION end_member_freeze(member bigint, way text, proposal bigint) RETURNS boolean

-- FUNCTION end_take(take bigint) RETURNS void
GRANT EXECUTE ON end_take(bigint) TO fairtick_console;

-- FUNCTION end_withdrawal(w withdrawals, end_transfer bigint, to_stage text, why text) RETURNS void

-- FUNCTION enrol_payout_key(proposal bigint, colleague_key text, colleague_signature text) RETURNS text
GRANT EXECUTE ON enrol_payout_key(bigint,text,text) TO fairtick_console;

-- FUNCTION ensure_settlement_partitions(from_time bigint, to_time bigint) RETURNS void
GRANT EXECUTE ON ensure_settlement_partitions(bigint,bigint) TO fairtick_jobs;

-- FUNCTION ensure_tick_partitions(from_time bigint, to_time bigint) RETURNS void
GRANT EXECUTE ON ensure_tick_partitions(bigint,bigint) TO fairtick_market;

-- FUNCTION epoch_ms() RETURNS bigint
GRANT EXECUTE ON epoch_ms() TO PUBLIC;

-- FUNCTION expire_identities() RETURNS TABLE(member bigint, last_day date)
GRANT EXECUTE ON expire_identities() TO fairtick_jobs;

-- FUNCTION expire_remittances() RETURNS TABLE(member bigint, deposit bigint)
GRANT EXECUTE ON expire_remittances() TO fairtick_jobs;

-- FUNCTION fairness_delays_between(from_time bigint, to_time bigint, first_id bigint) RETURNS SETOF fairness_delays
GRANT EXECUTE ON fairness_delays_between(bigint,bigint,bigint) TO fairtick_reader;

-- FUNCTION fairness_members_between(from_time bigint, to_time bigint, first_id bigint) RETURNS SETOF fairness_members
GRANT EXECUTE ON fairness_members_between(bigint,bigint,bigint) TO fairtick_reader;

-- FUNCTION fairness_sealed_between(from_time bigint, to_time bigint, first_id bigint) RETURNS SETOF fairness_sealed
GRANT EXECUTE ON fairness_sealed_between(bigint,bigint,bigint) TO fairtick_reader;

-- FUNCTION fairness_windows_between(from_time bigint, to_time bigint, first_id bigint) RETURNS SETOF fairness_windows
GRANT EXECUTE ON fairness_windows_between(bigint,bigint,bigint) TO fairtick_reader;

-- FUNCTION find_card_wish(who bigint, client text) RETURNS bigint
GRANT EXECUTE ON find_card_wish(bigint,text) TO fairtick_console;

-- FUNCTION finish_sweep(sweep bigint, new_transfer bigint, by_tx text) RETURNS boolean
GRANT EXECUTE ON finish_sweep(bigint,bigint,text) TO fairtick_chain;

-- FUNCTION first_broken_audit() RETURNS bigint
GRANT EXECUTE ON first_broken_audit() TO fairtick_console;

-- FUNCTION flag_identity(session bigint, of_case bigint, read_date date) RETURNS void
GRANT EXECUTE ON flag_identity(bigint,bigint,date) TO fairtick_console;

-- FUNCTION found_operators(founders jsonb) RETURNS boolean
GRANT EXECUTE ON found_operators(jsonb) TO fairtick_console;

-- FUNCTION found_receiving_cards(cards jsonb) RETURNS boolean
GRANT EXECUTE ON found_receiving_cards(jsonb) TO fairtick_console;

-- FUNCTION found_referral_rate(first_rate integer) RETURNS boolean
GRANT EXECUTE ON found_referral_rate(integer) TO fairtick_console;

-- FUNCTION free_card_payment() RETURNS trigger

-- FUNCTION free_unswept() RETURNS trigger

-- FUNCTION give_back_case(session bigint, in_queue text, of_case text) RETURNS void
GRANT EXECUTE ON give_back_case(bigint,text,text) TO fairtick_console;

-- FUNCTION has_second_factor(member bigint) RETURNS boolean
GRANT EXECUTE ON has_second_factor(bigint) TO fairtick_console, fairtick_money, fairtick_reader, fairtick_sessions;

-- FUNCTION identity_is_open(member bigint) RETURNS text

-- FUNCTION identity_payer_differs(of_case bigint) RETURNS boolean

-- FUNCTION identity_state(member bigint) RETURNS text
GRANT EXECUTE ON identity_state(bigint) TO PUBLIC;

-- FUNCTION incident_holds(one incidents) RETURNS text[]
GRANT EXECUTE ON incident_holds(incidents) TO PUBLIC;

-- FUNCTION incident_seen(one incidents) RETURNS text
GRANT EXECUTE ON incident_seen(incidents) TO PUBLIC;

-- FUNCTION is_frozen(member bigint) RETURNS boolean
GRANT EXECUTE ON is_frozen(bigint) TO PUBLIC;

-- FUNCTION is_frozen_by_incident(member bigint) RETURNS boolean

-- FUNCTION is_same_line(one text, one_also text, other text, other_also text) RETURNS boolean
GRANT EXECUTE ON is_same_line(text,text,text,text) TO PUBLIC;

-- FUNCTION issue_freeze_link(member bigint, hash bytea) RETURNS void
GRANT EXECUTE ON issue_freeze_link(bigint,bytea) TO fairtick_jobs;

-- FUNCTION issue_starting_practice(new_member bigint, new_transfer bigint, at_time bigint, amount bigint) RETURNS void
GRANT EXECUTE ON issue_starting_practice(bigint,bigint,bigint,bigint) TO fairtick_sessions;

-- FUNCTION keep_claimed_file() RETURNS trigger
GRANT EXECUTE ON keep_claimed_file() TO PUBLIC;

-- FUNCTION keep_identity_case() RETURNS trigger

-- FUNCTION keep_instruments() RETURNS trigger

-- FUNCTION keep_member_message() RETURNS trigger
GRANT EXECUTE ON keep_member_message() TO PUBLIC;

-- FUNCTION keep_second_factor() RETURNS trigger

-- FUNCTION keep_signed_nonces() RETURNS trigger

-- FUNCTION keep_withdrawal_address() RETURNS trigger
GRANT EXECUTE ON keep_withdrawal_address() TO PUBLIC;

-- FUNCTION kept_before_address_books(of_member bigint) RETURNS TABLE(section text, entry jsonb)

-- FUNCTION kept_of_member(of_member bigint) RETURNS TABLE(section text, entry jsonb)
GRANT EXECUTE ON kept_of_member(bigint) TO fairtick_sessions;

-- FUNCTION lift_incident(proposal bigint) RETURNS boolean
GRANT EXECUTE ON lift_incident(bigint) TO fairtick_console;

-- FUNCTION lift_member_freeze(proposal bigint) RETURNS boolean
GRANT EXECUTE ON lift_member_freeze(bigint) TO fairtick_console;

-- FUNCTION lift_own_freeze(member bigint) RETURNS boolean
GRANT EXECUTE ON lift_own_freeze(bigint) TO fairtick_sessions;

-- FUNCTION lift_suspension(session bigint, member bigint, proposal bigint, why text) RETURNS boolean
GRANT EXECUTE ON lift_suspension(bigint,bigint,bigint,text) TO fairtick_console;

-- FUNCTION link_claim(claim bigint) RETURNS void

-- FUNCTION link_waiting_claims() RETURNS trigger

-- FUNCTION log_approval(of_subject text, of_number bigint, at_time bigint, of_body text) RETURNS void

-- FUNCTION log_approved_withdrawal() RETURNS trigger

-- FUNCTION log_decision() RETURNS trigger

-- FUNCTION log_receiving_card() RETURNS trigger

-- FUNCTION match_statement(session bigint, deposit bigint, entry bigint) RETURNS bigint
GRANT EXECUTE ON match_statement(bigint,bigint,bigint) TO fairtick_console;

-- FUNCTION member_frozen_since(member bigint) RETURNS bigint
GRANT EXECUTE ON member_frozen_since(bigint) TO fairtick_chain, fairtick_console, fairtick_jobs, fairtick_money, fairtick_payout, fairtick_reader, fairtick_sessions;

-- FUNCTION needs_second_person(who bigint, entry bigint, worth bigint) RETURNS boolean

-- FUNCTION note_differing_line(session bigint, line_account text, line_reference text, line_amount text) RETURNS void
GRANT EXECUTE ON note_differing_line(bigint,text,text,text) TO fairtick_console;

-- FUNCTION note_ended_authorization() RETURNS trigger

-- FUNCTION note_short_payment(withdrawal bigint, paid_by text, at_height bigint, came numeric) RETURNS boolean
GRANT EXECUTE ON note_short_payment(bigint,text,bigint,numeric) TO fairtick_payout;

-- FUNCTION now_ms() RETURNS bigint
GRANT EXECUTE ON now_ms() TO PUBLIC;

-- FUNCTION one_person_max() RETURNS bigint
GRANT EXECUTE ON one_person_max() TO PUBLIC;

-- FUNCTION open_lost_factor(proposal bigint, hours integer) RETURNS bigint
GRANT EXECUTE ON open_lost_factor(bigint,integer) TO fairtick_console;

-- FUNCTION operator_with(session bigint, roles text[]) RETURNS bigint

-- FUNCTION plan_sweep(new_sweep bigint, instance integer, of_address text, of_child integer, above numeric) RETURNS boolean
GRANT EXECUTE ON plan_sweep(bigint,integer,text,integer,numeric) TO fairtick_payout;

-- FUNCTION policy_version_now(of_name text) RETURNS integer
GRANT EXECUTE ON policy_version_now(text) TO fairtick_console, fairtick_jobs, fairtick_money, fairtick_payout, fairtick_reader, fairtick_sessions;

-- FUNCTION propose_card_deposit(proposal bigint, new_deposit bigint) RETURNS void
GRANT EXECUTE ON propose_card_deposit(bigint,bigint) TO fairtick_console;

-- FUNCTION propose_reversal(proposal bigint, deposit bigint) RETURNS void
GRANT EXECUTE ON propose_reversal(bigint,bigint) TO fairtick_console;

-- FUNCTION publish_announcement(session bigint, announcement bigint) RETURNS void
GRANT EXECUTE ON publish_announcement(bigint,bigint) TO fairtick_console;

-- FUNCTION publish_config(proposal bigint, config text) RETURNS integer
GRANT EXECUTE ON publish_config(bigint,text) TO fairtick_console;

-- FUNCTION publish_policy(proposal bigint, of_name text, policy_body text) RETURNS integer
GRANT EXECUTE ON publish_policy(bigint,text,text) TO fairtick_console;

-- FUNCTION publish_receiving_card(proposal bigint, new_card bigint) RETURNS bigint
GRANT EXECUTE ON publish_receiving_card(bigint,bigint) TO fairtick_console;

-- FUNCTION put_receipt(member bigint, deposit bigint, file bigint, subject text) RETURNS boolean
GRANT EXECUTE ON put_receipt(bigint,bigint,bigint,text) TO fairtick_money;

-- FUNCTION raise_terms_version() RETURNS trigger
GRANT EXECUTE ON raise_terms_version() TO PUBLIC;

-- FUNCTION read_as_member(member bigint) RETURNS boolean
GRANT EXECUTE ON read_as_member(bigint) TO fairtick_sessions;

-- FUNCTION read_as_operator(session bigint, member bigint) RETURNS boolean
GRANT EXECUTE ON read_as_operator(bigint,bigint) TO fairtick_console;

-- FUNCTION read_support(member bigint, by_side text) RETURNS boolean

-- FUNCTION refuse_change() RETURNS trigger
GRANT EXECUTE ON refuse_change() TO PUBLIC;

-- FUNCTION refuse_growth() RETURNS trigger
GRANT EXECUTE ON refuse_growth() TO PUBLIC;

-- FUNCTION refuse_odd_payer() RETURNS trigger

-- FUNCTION reject_card_deposit(proposal bigint) RETURNS bigint
GRANT EXECUTE ON reject_card_deposit(bigint) TO fairtick_console;

-- FUNCTION reject_deposit(session bigint, deposit bigint, why text) RETURNS boolean
GRANT EXECUTE ON reject_deposit(bigint,bigint,text) TO fairtick_console;

-- FUNCTION reject_withdrawal(session bigint, withdrawal bigint, end_transfer bigint, why text) RETURNS boolean
GRANT EXECUTE ON reject_withdrawal(bigint,bigint,bigint,text) TO fairtick_console;

-- FUNCTION release_withdrawal(session bigint, withdrawal bigint, end_transfer bigint, why text) RETURNS text
GRANT EXECUTE ON release_withdrawal(bigint,bigint,bigint,text) TO fairtick_console;

-- FUNCTION remind_of_expiry() RETURNS TABLE(member bigint, last_day date)
GRANT EXECUTE ON remind_of_expiry() TO fairtick_jobs;

-- FUNCTION remove_order_device(device bigint, member bigint, hash bytea) RETURNS bigint
GRANT EXECUTE ON remove_order_device(bigint,bigint,bytea) TO fairtick_sessions;

-- FUNCTION remove_withdrawal_address(member bigint, id bigint) RETURNS boolean
GRANT EXECUTE ON remove_withdrawal_address(bigint,bigint) TO fairtick_money;

-- FUNCTION renewal_opens(expires date) RETURNS boolean
GRANT EXECUTE ON renewal_opens(date) TO PUBLIC;

-- FUNCTION request_withdrawal(new_withdrawal bigint, hold_transfer bigint, member bigint, client text, asked bytea, on_chain text, on_instance integer, to_address text, held bigint, kept bigint, arrives bigint, expires bigint, signed_digest bytea) RETURNS void
GRANT EXECUTE ON request_withdrawal(bigint,bigint,bigint,text,bytea,text,integer,text,bigint,bigint,bigint,bigint,bytea) TO fairtick_money;

-- FUNCTION require_finance(session bigint) RETURNS bigint

-- FUNCTION require_second_factor(operator bigint, has_totp boolean, without_passkey bigint) RETURNS void

-- FUNCTION require_session(session bigint) RETURNS void

-- FUNCTION require_support(session bigint) RETURNS bigint

-- FUNCTION restrict_chain_transfers() RETURNS trigger
GRANT EXECUTE ON restrict_chain_transfers() TO PUBLIC;

-- FUNCTION resume_take(take bigint, silent_ms bigint) RETURNS boolean
GRANT EXECUTE ON resume_take(bigint,bigint) TO fairtick_console;

-- FUNCTION return_nonces(withdrawal bigint, burnt boolean) RETURNS TABLE(withdrawal_id bigint, member_id bigint, stage text)
GRANT EXECUTE ON return_nonces(bigint,boolean) TO fairtick_payout;

-- FUNCTION reverse_deposit(proposal bigint, new_transfer bigint, OUT owed bigint, OUT ended bigint[]) RETURNS record
GRANT EXECUTE ON reverse_deposit(bigint,bigint) TO fairtick_console;

-- FUNCTION review_suspension(session bigint, member bigint, why text) RETURNS boolean
GRANT EXECUTE ON review_suspension(bigint,bigint,text) TO fairtick_console;

-- FUNCTION revoke_identity(proposal bigint) RETURNS boolean
GRANT EXECUTE ON revoke_identity(bigint) TO fairtick_console;

-- FUNCTION revoke_payout_key(session bigint, key text, why text) RETURNS boolean
GRANT EXECUTE ON revoke_payout_key(bigint,text,text) TO fairtick_console;

-- FUNCTION save_announcement(session bigint, announcement bigint, texts jsonb, from_when bigint, until_when bigint) RETURNS bigint
GRANT EXECUTE ON save_announcement(bigint,bigint,jsonb,bigint,bigint) TO fairtick_console;

-- FUNCTION save_canned_answer(session bigint, answer bigint, of_title text, texts jsonb) RETURNS bigint
GRANT EXECUTE ON save_canned_answer(bigint,bigint,text,jsonb) TO fairtick_console;

-- FUNCTION say_to_support(member bigint, said text, file bigint, about text, about_amount bigint, client text) RETURNS bigint
GRANT EXECUTE ON say_to_support(bigint,text,bigint,text,bigint,text) TO fairtick_sessions;

-- FUNCTION second_factor_since(member bigint) RETURNS bigint
GRANT EXECUTE ON second_factor_since(bigint) TO fairtick_money;

-- FUNCTION seed_policy(of_name text, policy_body text) RETURNS boolean
GRANT EXECUTE ON seed_policy(text,text) TO fairtick_jobs;

-- FUNCTION set_own_hours(session bigint, new_hours text) RETURNS void
GRANT EXECUTE ON set_own_hours(bigint,text) TO fairtick_console;

-- FUNCTION set_referral_rate(proposal bigint) RETURNS integer
GRANT EXECUTE ON set_referral_rate(bigint) TO fairtick_console;

-- FUNCTION settle_debt() RETURNS trigger

-- FUNCTION settle_exact_entry(take bigint, entry bigint, new_transfer bigint, OUT deposit bigint, OUT is_credited boolean) RETURNS record
GRANT EXECUTE ON settle_exact_entry(bigint,bigint,bigint) TO fairtick_console;

-- FUNCTION settle_short_withdrawal(session bigint, withdrawal bigint, end_transfer bigint, rest_transfer bigint, why text) RETURNS text
GRANT EXECUTE ON settle_short_withdrawal(bigint,bigint,bigint,bigint,text) TO fairtick_console;

-- FUNCTION spend_passkey(member bigint, passkey bigint, new_counter bigint, is_synced boolean, at_time bigint) RETURNS boolean
GRANT EXECUTE ON spend_passkey(bigint,bigint,bigint,boolean,bigint) TO fairtick_money, fairtick_sessions;

-- FUNCTION spend_recovery_code(member bigint, hash bytea) RETURNS boolean
GRANT EXECUTE ON spend_recovery_code(bigint,bytea) TO fairtick_money, fairtick_sessions;

-- FUNCTION spend_totp_step(member bigint, step bigint, at_time bigint) RETURNS boolean
GRANT EXECUTE ON spend_totp_step(bigint,bigint,bigint) TO fairtick_money, fairtick_sessions;

-- FUNCTION step_deposit() RETURNS trigger
GRANT EXECUTE ON step_deposit() TO PUBLIC;

-- FUNCTION step_sweep() RETURNS trigger
GRANT EXECUTE ON step_sweep() TO PUBLIC;

-- FUNCTION step_withdrawal() RETURNS trigger

-- FUNCTION stop_payout_wallet(instance integer, of_address text, on_chain text, why text, at_time bigint) RETURNS boolean
GRANT EXECUTE ON stop_payout_wallet(integer,text,text,text,bigint) TO fairtick_payout;

-- FUNCTION store_policy(of_name text, policy_body text, proposal bigint DEFAULT NULL::bigint) RETURNS integer

-- FUNCTION store_quoted_tick_slot(gate bigint, writer bigint, tick_symbols text[], tick_seqs bigint[], tick_times bigint[], tick_prices bigint[], tick_lates boolean[], seal_symbols text[], seals bigint[], quoted_symbols text[], quoted_seqs bigint[], quoted_times bigint[], quoted_sources text[], quoted_vaas bytea[], quoted_messages bytea[], quoted_branches bytea[], OUT head_k bigint, OUT head_hash bytea) RETURNS record
GRANT EXECUTE ON store_quoted_tick_slot(bigint,bigint,text[],bigint[],bigint[],bigint[],boolean[],text[],bigint[],text[],bigint[],bigint[],text[],bytea[],bytea[],bytea[]) TO fairtick_market;

-- FUNCTION store_sent_file(session bigint, file bigint, member bigint, of_bytes integer, of_width integer, of_height integer, of_digest bytea, of_media text, of_name text) RETURNS void
GRANT EXECUTE ON store_sent_file(bigint,bigint,bigint,integer,integer,integer,bytea,text,text) TO fairtick_console;

-- FUNCTION store_tick_slot(gate bigint, writer bigint, tick_symbols text[], tick_seqs bigint[], tick_times bigint[], tick_prices bigint[], tick_lates boolean[], seal_symbols text[], seals bigint[], OUT head_k bigint, OUT head_hash bytea) RETURNS record
GRANT EXECUTE ON store_tick_slot(bigint,bigint,text[],bigint[],bigint[],bigint[],boolean[],text[],bigint[]) TO fairtick_market;

-- FUNCTION submit_identity_basics(member bigint, family text, given text, of_gender text, born date) RETURNS text
GRANT EXECUTE ON submit_identity_basics(bigint,text,text,text,date) TO fairtick_sessions;

-- FUNCTION submit_identity_documents(new_case bigint, member bigint, of_type text, sealed_number bytea, hash bytea, front bigint, back bigint) RETURNS text
GRANT EXECUTE ON submit_identity_documents(bigint,bigint,text,bytea,bytea,bigint,bigint) TO fairtick_sessions;

-- FUNCTION support_is_there() RETURNS boolean
GRANT EXECUTE ON support_is_there() TO fairtick_console, fairtick_reader, fairtick_sessions;

-- FUNCTION support_name(operator bigint) RETURNS text
GRANT EXECUTE ON support_name(bigint) TO fairtick_console, fairtick_reader, fairtick_sessions;

-- FUNCTION suspend_member(new_suspension bigint, session bigint, member bigint, why text) RETURNS boolean
GRANT EXECUTE ON suspend_member(bigint,bigint,bigint,text) TO fairtick_console;

-- FUNCTION take_case(session bigint, in_queue text, of_case text, at bigint, ends bigint) RETURNS void
GRANT EXECUTE ON take_case(bigint,text,text,bigint,bigint) TO fairtick_console;

-- FUNCTION take_groups(symbols text[], durations integer[], firsts bigint[], lasts bigint[], orders_max integer, aside bigint[]) RETURNS SETOF open_groups
GRANT EXECUTE ON take_groups(text[],integer[],bigint[],bigint[],integer,bigint[]) TO fairtick_settlement;

-- FUNCTION take_market(gate bigint, lease bigint, former bigint DEFAULT 0) RETURNS bigint
GRANT EXECUTE ON take_market(bigint,bigint,bigint) TO fairtick_market;

-- FUNCTION take_statement(session bigint, statement bigint, message text, file_hash bytea) RETURNS boolean
GRANT EXECUTE ON take_statement(bigint,bigint,text,bytea) TO fairtick_console;

-- FUNCTION takes_members(person bigint) RETURNS boolean

-- FUNCTION tell_member(member bigint, message text, figures jsonb) RETURNS bigint
GRANT EXECUTE ON tell_member(bigint,text,jsonb) TO fairtick_chain, fairtick_console, fairtick_jobs, fairtick_money, fairtick_sessions;

-- FUNCTION use_freeze_link(hash bytea) RETURNS bigint
GRANT EXECUTE ON use_freeze_link(bytea) TO fairtick_sessions;

-- FUNCTION values_of(document jsonb, path text DEFAULT ''::text) RETURNS TABLE(place text, value jsonb)

-- FUNCTION vip_of(member bigint) RETURNS TABLE(post text, name text, hours text)
GRANT EXECUTE ON vip_of(bigint) TO fairtick_sessions;

-- FUNCTION wait_for_address() RETURNS trigger

-- FUNCTION waits_for_reversal(of_deposit bigint) RETURNS boolean

-- FUNCTION warn_member(member bigint, message text, figures jsonb, link_hash bytea, OUT message_id bigint, OUT phone text, OUT email text, OUT language text) RETURNS record
GRANT EXECUTE ON warn_member(bigint,text,jsonb,bytea) TO fairtick_console, fairtick_money, fairtick_sessions;

-- FUNCTION withdraw_announcement(session bigint, announcement bigint, why text) RETURNS void
GRANT EXECUTE ON withdraw_announcement(bigint,bigint,text) TO fairtick_console;

-- FUNCTION withdrawal_now() RETURNS bigint
GRANT EXECUTE ON withdrawal_now() TO PUBLIC;

-- FUNCTION withdrawals_rest_until(member bigint) RETURNS bigint
GRANT EXECUTE ON withdrawals_rest_until(bigint) TO fairtick_chain, fairtick_console, fairtick_jobs, fairtick_money, fairtick_payout, fairtick_reader;

-- FUNCTION withdrawals_wait_for(member bigint) RETURNS text
GRANT EXECUTE ON withdrawals_wait_for(bigint) TO fairtick_chain, fairtick_console, fairtick_jobs, fairtick_money, fairtick_payout, fairtick_reader;

-- FUNCTION worth_of_entry(deposit bigint, entry bigint) RETURNS bigint
GRANT EXECUTE ON worth_of_entry(bigint,bigint) TO PUBLIC;

-- FUNCTION write_audit(operator bigint, session bigint, from_ip text, from_device text, what text, about text, why text, asked text, ended text) RETURNS bigint
GRANT EXECUTE ON write_audit(bigint,bigint,text,text,text,text,text,text,text) TO fairtick_console;

-- PROCEDURE write_once(IN table_name regclass)
GRANT EXECUTE ON write_once(regclass) TO PUBLIC;

-- FUNCTION write_support_message(member bigint, operator bigint, said text, file bigint, about text, about_amount bigint, client text) RETURNS bigint

-- FUNCTION write_to_member(session bigint, member bigint, of_title text, of_body text) RETURNS bigint
GRANT EXECUTE ON write_to_member(bigint,bigint,text,text) TO fairtick_console;

-- Schema public
GRANT CREATE, USAGE ON SCHEMA public TO pg_database_owner;
GRANT USAGE ON SCHEMA public TO PUBLIC, fairtick_chain, fairtick_console, fairtick_jobs, fairtick_log, fairtick_market, fairtick_money, fairtick_orders, fairtick_payout, fairtick_reader, fairtick_sessions, fairtick_settlement;
