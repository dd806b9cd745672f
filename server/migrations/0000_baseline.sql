-- The tables as the 59 migrations before the first release left them, written by pg_dump: columns
-- stand in the order in which they were added. Its time in meta/_journal.json is that of the last
-- of the 59, so a database that has them all already has this one. It is never edited.

CREATE FUNCTION left_of_lot() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    UPDATE "lots" SET "remaining_coin_amount" = "remaining_coin_amount" + OLD."coin_amount" WHERE "id" = OLD."lot_id";
  END IF;
  IF TG_OP <> 'DELETE' THEN
    UPDATE "lots" SET "remaining_coin_amount" = "remaining_coin_amount" - NEW."coin_amount" WHERE "id" = NEW."lot_id";
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION lot_of_grant() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO "lots" ("id", "wallet_id", "origin_id", "coins_expire_after_at", "remaining_coin_amount")
  VALUES (NEW."id", NEW."wallet_id", coalesce(NEW."origin_id", NEW."id"), NEW."coins_expire_after_at", NEW."coin_amount");
  RETURN NULL;
END $$;

CREATE FUNCTION refuse_change_of_report_steps() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
	RAISE EXCEPTION 'report_steps only grows';
END
$$;

CREATE TABLE attestations (
    upload_request_id uuid NOT NULL,
    user_id uuid NOT NULL,
    media_job_id uuid NOT NULL,
    version text NOT NULL,
    text_sha256 text NOT NULL,
    attested_at timestamp with time zone NOT NULL
);

CREATE TABLE blocked_files (
    sha256 text NOT NULL,
    size_bytes bigint NOT NULL,
    report_id uuid NOT NULL,
    blocked_at timestamp with time zone NOT NULL
);

CREATE TABLE checkout_sessions (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    wallet_id uuid NOT NULL,
    order_id uuid,
    kind text NOT NULL,
    plan_slug text,
    coin_amount integer,
    charged_coin_amount integer,
    provider text NOT NULL,
    provider_session_id text,
    intent_key text NOT NULL,
    status text NOT NULL,
    payment text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    read_at timestamp with time zone,
    settled_at timestamp with time zone,
    wallet_coin_amount integer DEFAULT 0 NOT NULL
);

CREATE TABLE deletion_log (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    upload_request_id uuid NOT NULL,
    what text NOT NULL,
    reason text NOT NULL,
    size_bytes bigint NOT NULL,
    object_key text NOT NULL,
    begun_at timestamp with time zone NOT NULL,
    done_at timestamp with time zone
);

CREATE TABLE drive_saves (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    external_auth_id uuid NOT NULL,
    output_id uuid NOT NULL,
    state text NOT NULL,
    problem text,
    failure text,
    file_id text,
    session_cipher text,
    saved_bytes bigint DEFAULT 0 NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    next_at timestamp with time zone NOT NULL,
    seen_at timestamp with time zone,
    last_byte_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE edit_sets (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    name text NOT NULL,
    requests jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE external_auths (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    provider text NOT NULL,
    account_email text,
    scopes text NOT NULL,
    access_cipher text,
    access_expires_at timestamp with time zone NOT NULL,
    refresh_cipher text,
    refresh_broken_at timestamp with time zone,
    disconnected_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE face_findings (
    upload_request_id uuid NOT NULL,
    finding jsonb NOT NULL,
    size_bytes bigint NOT NULL,
    found_at timestamp with time zone NOT NULL
);

CREATE TABLE face_reviews (
    task_id uuid NOT NULL,
    revision integer NOT NULL,
    decisions jsonb NOT NULL,
    saved_at timestamp with time zone NOT NULL
);

CREATE TABLE idempotent_answers (
    user_id uuid NOT NULL,
    operation text NOT NULL,
    key text NOT NULL,
    body_hash text NOT NULL,
    status integer NOT NULL,
    body jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE known_videos (
    upload_request_id uuid NOT NULL,
    pictures bytea,
    made_at timestamp with time zone NOT NULL
);

CREATE TABLE leases (
    name text NOT NULL,
    owner text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    generation bigint NOT NULL
);

CREATE SEQUENCE leases_generation_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE leases_generation_seq OWNED BY leases.generation;

CREATE TABLE lot_spends (
    id bigint NOT NULL,
    spend_id uuid NOT NULL,
    lot_id uuid,
    coin_amount integer NOT NULL,
    return_id uuid,
    CONSTRAINT lot_spends_positive CHECK ((coin_amount > 0))
);

CREATE SEQUENCE lot_spends_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE lot_spends_id_seq OWNED BY lot_spends.id;

CREATE TABLE lots (
    id uuid NOT NULL,
    wallet_id uuid NOT NULL,
    origin_id uuid NOT NULL,
    coins_expire_after_at timestamp with time zone,
    remaining_coin_amount integer NOT NULL,
    CONSTRAINT lots_remaining CHECK ((remaining_coin_amount >= 0))
);

CREATE TABLE magic_links (
    id uuid NOT NULL,
    email text NOT NULL,
    purpose text NOT NULL,
    token_hash text NOT NULL,
    code_hash text NOT NULL,
    code_attempts integer DEFAULT 0 NOT NULL,
    browser_hash text NOT NULL,
    redirect_uri text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    referral_code text,
    has_trial boolean DEFAULT true NOT NULL
);

CREATE TABLE mails (
    id uuid NOT NULL,
    recipient text NOT NULL,
    subject text NOT NULL,
    text text NOT NULL,
    html text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    sent_at timestamp with time zone,
    unsubscribe_url text
);

CREATE TABLE media_assets (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    upload_request_id uuid NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    deleted_at timestamp with time zone
);

CREATE TABLE media_job_tasks (
    id uuid NOT NULL,
    media_job_id uuid NOT NULL,
    "position" integer NOT NULL,
    preset_slug text NOT NULL,
    name text NOT NULL,
    payload jsonb NOT NULL,
    status text NOT NULL,
    attempt integer DEFAULT 0 NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    retried_at timestamp with time zone,
    progress_ratio double precision DEFAULT 0 NOT NULL,
    error_message text,
    support_log text,
    started_at timestamp with time zone,
    ended_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    cost_s integer,
    files_removed_at timestamp with time zone,
    deletion_told_at timestamp with time zone,
    review_state text,
    review_asked_at timestamp with time zone,
    redo_of_task_id uuid,
    source_upload_id uuid
);

CREATE TABLE media_jobs (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    upload_request_id uuid NOT NULL,
    name text NOT NULL,
    workflow_started_at timestamp with time zone,
    workflow_ended_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE notices (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    kind text NOT NULL,
    cause uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    seen_at timestamp with time zone
);

CREATE TABLE oauth_states (
    state_hash text NOT NULL,
    session_id uuid NOT NULL,
    verifier_cipher text NOT NULL,
    landing_path text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    wants_pick boolean DEFAULT false NOT NULL
);

CREATE TABLE order_line_items (
    id uuid NOT NULL,
    order_id uuid NOT NULL,
    task_id uuid,
    "position" integer NOT NULL,
    product_slug text NOT NULL,
    description text NOT NULL,
    preset_slug text,
    pricing jsonb NOT NULL,
    coin_amount integer NOT NULL,
    CONSTRAINT order_line_items_amount CHECK ((coin_amount >= 0))
);

CREATE TABLE orders (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    media_job_id uuid NOT NULL,
    status text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    paid_at timestamp with time zone,
    receipt_number text
);

CREATE TABLE part_checksums (
    upload_request_id uuid NOT NULL,
    part_number integer NOT NULL,
    checksum_sha256 text NOT NULL
);

CREATE TABLE passkeys (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    credential_id text NOT NULL,
    public_key text NOT NULL,
    counter bigint NOT NULL,
    transports text[] NOT NULL,
    is_backed_up boolean NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone
);

CREATE TABLE payment_events (
    provider text NOT NULL,
    event_id text NOT NULL,
    type text NOT NULL,
    object_kind text,
    object_id text,
    occurred_at timestamp with time zone NOT NULL,
    received_at timestamp with time zone NOT NULL,
    settled_at timestamp with time zone,
    read_at timestamp with time zone
);

CREATE TABLE payments (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    provider text NOT NULL,
    provider_payment_id text NOT NULL,
    checkout_session_id uuid NOT NULL,
    wallet_subscription_id uuid,
    amount_cents integer NOT NULL,
    tax_cents integer NOT NULL,
    currency text NOT NULL,
    coin_amount integer NOT NULL,
    paid_at timestamp with time zone NOT NULL,
    wallet_transaction_id uuid NOT NULL,
    receipt_number text NOT NULL,
    state text NOT NULL,
    refunded_cents integer NOT NULL,
    withdrawn_at timestamp with time zone,
    withdrawn_cents integer,
    read_at timestamp with time zone,
    read_due_at timestamp with time zone,
    CONSTRAINT payments_withdrawal CHECK (((withdrawn_at IS NULL) = (withdrawn_cents IS NULL)))
);

CREATE TABLE presets (
    id uuid NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    image_url text NOT NULL,
    tab text NOT NULL,
    badge text,
    has_options boolean NOT NULL,
    pricing_strategies jsonb NOT NULL,
    "position" integer NOT NULL,
    is_visible boolean DEFAULT true NOT NULL
);

CREATE TABLE push_subscriptions (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    session_id uuid NOT NULL,
    endpoint text NOT NULL,
    p256dh text NOT NULL,
    auth text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_ok_at timestamp with time zone,
    failures integer DEFAULT 0 NOT NULL
);

CREATE TABLE pushes (
    id uuid NOT NULL,
    subscription_id uuid NOT NULL,
    topic text NOT NULL,
    title text NOT NULL,
    path text NOT NULL,
    shown_on text[] NOT NULL,
    created_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone NOT NULL
);

CREATE TABLE rate_events (
    id bigint NOT NULL,
    key text NOT NULL,
    at timestamp with time zone NOT NULL
);

CREATE SEQUENCE rate_events_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE rate_events_id_seq OWNED BY rate_events.id;

CREATE TABLE receipt_counters (
    series text NOT NULL,
    year integer NOT NULL,
    last integer NOT NULL
);

CREATE TABLE referral_codes (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    code text NOT NULL,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE referral_redemptions (
    id uuid NOT NULL,
    code_id uuid NOT NULL,
    referee_user_id uuid NOT NULL,
    referee_mailbox_hash text NOT NULL,
    claimed_at timestamp with time zone NOT NULL,
    qualified_at timestamp with time zone,
    rewarded_at timestamp with time zone,
    reversed_at timestamp with time zone,
    card_hash text,
    owner_waits_until timestamp with time zone,
    owner_look_at timestamp with time zone,
    owner_rewarded_at timestamp with time zone,
    no_reward text
);

CREATE TABLE render_speeds (
    work text NOT NULL,
    picture_size text NOT NULL,
    ratios double precision[] NOT NULL,
    learned_at timestamp with time zone NOT NULL
);

CREATE TABLE report_steps (
    id bigint NOT NULL,
    report_id uuid NOT NULL,
    step text NOT NULL,
    actor text NOT NULL,
    upload_request_id uuid,
    note text,
    at timestamp with time zone NOT NULL
);

CREATE SEQUENCE report_steps_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE report_steps_id_seq OWNED BY report_steps.id;

CREATE TABLE reports (
    id uuid NOT NULL,
    receipt_number text NOT NULL,
    video text NOT NULL,
    relation text NOT NULL,
    reason text NOT NULL,
    signature text NOT NULL,
    contact text NOT NULL,
    received_at timestamp with time zone NOT NULL
);

CREATE TABLE security_events (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    event text NOT NULL,
    user_id uuid,
    client_hash text,
    facts jsonb NOT NULL
);

CREATE SEQUENCE security_events_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE security_events_id_seq OWNED BY security_events.id;

CREATE TABLE server_secrets (
    name text NOT NULL,
    value text NOT NULL,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE sessions (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    token_hash text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_seen_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    device_name text
);

CREATE TABLE spent_challenges (
    signature text NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

CREATE TABLE stored_payment_methods (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    provider text NOT NULL,
    provider_method_id text NOT NULL,
    is_active boolean NOT NULL,
    created_at timestamp with time zone NOT NULL,
    card_hash text
);

CREATE TABLE task_outputs (
    id uuid NOT NULL,
    task_id uuid NOT NULL,
    "position" integer NOT NULL,
    kind text NOT NULL,
    button_text text,
    text text,
    file_name text,
    content_type text,
    size_bytes bigint,
    width_px integer,
    height_px integer,
    duration_ms integer,
    object_key text,
    crc32 bigint
);

CREATE TABLE test_notices (
    id text NOT NULL,
    type text NOT NULL,
    object_kind text NOT NULL,
    object_id text NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone NOT NULL,
    copies integer NOT NULL
);

CREATE TABLE test_payments (
    id text NOT NULL,
    intent_key text NOT NULL,
    state jsonb NOT NULL,
    due_at timestamp with time zone
);

CREATE TABLE upload_imports (
    upload_request_id uuid NOT NULL,
    host text NOT NULL,
    link_cipher text NOT NULL,
    validator text,
    takes_ranges boolean NOT NULL,
    whole_tries integer DEFAULT 0 NOT NULL,
    changes integer DEFAULT 0 NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    problem text,
    next_at timestamp with time zone NOT NULL,
    partial_bytes bigint DEFAULT 0 NOT NULL,
    seen_at timestamp with time zone,
    last_byte_at timestamp with time zone NOT NULL,
    head_sha256 text,
    external_auth_id uuid,
    md5 text
);

CREATE TABLE upload_parts (
    upload_request_id uuid NOT NULL,
    part_number integer NOT NULL,
    e_tag text NOT NULL,
    size_bytes bigint NOT NULL,
    stored_at timestamp with time zone NOT NULL
);

CREATE TABLE upload_requests (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    idempotency_key text NOT NULL,
    body_hash text NOT NULL,
    purpose text NOT NULL,
    provider text NOT NULL,
    client_filename text NOT NULL,
    size_bytes bigint NOT NULL,
    part_size_bytes bigint NOT NULL,
    part_count integer NOT NULL,
    state text NOT NULL,
    store_upload_id text,
    object_key text NOT NULL,
    failure_reason text,
    support_log text,
    media_kind text,
    probe jsonb,
    moments jsonb,
    thumbnail_key text,
    created_at timestamp with time zone NOT NULL,
    upload_ended_at timestamp with time zone,
    metadata_processed_at timestamp with time zone,
    failure_code text,
    content_type text,
    early_duration_ms integer,
    findings jsonb,
    early_has_audio boolean,
    checksum_sha256 text,
    reopened_at timestamp with time zone,
    source_removed_at timestamp with time zone,
    check_kills integer DEFAULT 0 NOT NULL,
    asset_preview text,
    held_at timestamp with time zone,
    deletion_told_at timestamp with time zone,
    secret text DEFAULT encode(sha256(convert_to(((gen_random_uuid())::text || (gen_random_uuid())::text), 'UTF8'::name)), 'hex'::text) NOT NULL,
    moment_pictures jsonb,
    moment_video jsonb,
    moment_video_bytes bigint DEFAULT 0 NOT NULL,
    sounds jsonb,
    chosen_sound integer,
    excerpt_of uuid,
    excerpt_stretches jsonb,
    trim_from_ms integer,
    trim_to_ms integer,
    trim_of_bytes bigint,
    store_call text,
    store_call_at timestamp with time zone,
    bytes_gone_at timestamp with time zone
);

CREATE TABLE users (
    id uuid NOT NULL,
    email text NOT NULL,
    profession text,
    trial_ends_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    deletion_requested_at timestamp with time zone,
    deleted_at timestamp with time zone,
    erased_at timestamp with time zone,
    mailbox_hash text,
    erase_begun_at timestamp with time zone,
    locked_at timestamp with time zone,
    notices_off text[] DEFAULT '{}'::text[] NOT NULL,
    delete_sources_after_days integer,
    source_rule_set_at timestamp with time zone,
    mails_name_videos boolean DEFAULT false NOT NULL,
    pushes_off text[] DEFAULT '{}'::text[] NOT NULL,
    discreet boolean DEFAULT false NOT NULL,
    CONSTRAINT users_deleted CHECK (((deleted_at IS NULL) = (mailbox_hash IS NULL)))
);

CREATE TABLE wallet_subscriptions (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    wallet_id uuid NOT NULL,
    plan_slug text NOT NULL,
    provider text NOT NULL,
    provider_subscription_id text NOT NULL,
    status text NOT NULL,
    paid_through timestamp with time zone,
    period_ends_at timestamp with time zone NOT NULL,
    cancels_at timestamp with time zone,
    top_up_coin_amount integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    read_at timestamp with time zone NOT NULL,
    read_due_at timestamp with time zone
);

CREATE TABLE wallet_transactions (
    id uuid NOT NULL,
    wallet_id uuid NOT NULL,
    kind text NOT NULL,
    coin_amount integer NOT NULL,
    description text NOT NULL,
    coins_expire_after_at timestamp with time zone,
    order_id uuid,
    cause text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    reverts_id uuid,
    subscription_id uuid,
    origin_id uuid,
    CONSTRAINT wallet_transactions_nonzero CHECK ((coin_amount <> 0))
);

CREATE TABLE wallets (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    kind text NOT NULL,
    credit_limit_coin_amount integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE workers (
    id text NOT NULL,
    heartbeat_at timestamp with time zone NOT NULL,
    long_slots integer NOT NULL,
    ffmpeg_version text NOT NULL,
    filters text[] NOT NULL,
    encoders text[] NOT NULL,
    can_run_node boolean NOT NULL,
    finds_faces boolean NOT NULL,
    scratch_free_bytes bigint NOT NULL
);

ALTER TABLE ONLY leases ALTER COLUMN generation SET DEFAULT nextval('leases_generation_seq'::regclass);
ALTER TABLE ONLY lot_spends ALTER COLUMN id SET DEFAULT nextval('lot_spends_id_seq'::regclass);
ALTER TABLE ONLY rate_events ALTER COLUMN id SET DEFAULT nextval('rate_events_id_seq'::regclass);
ALTER TABLE ONLY report_steps ALTER COLUMN id SET DEFAULT nextval('report_steps_id_seq'::regclass);
ALTER TABLE ONLY security_events ALTER COLUMN id SET DEFAULT nextval('security_events_id_seq'::regclass);
ALTER TABLE attestations ADD CONSTRAINT attestations_pkey PRIMARY KEY (upload_request_id);
ALTER TABLE blocked_files ADD CONSTRAINT blocked_files_pkey PRIMARY KEY (sha256);
ALTER TABLE checkout_sessions ADD CONSTRAINT checkout_sessions_intent UNIQUE (user_id, intent_key);
ALTER TABLE checkout_sessions ADD CONSTRAINT checkout_sessions_pkey PRIMARY KEY (id);
ALTER TABLE checkout_sessions ADD CONSTRAINT checkout_sessions_provider_session_id_unique UNIQUE (provider_session_id);
ALTER TABLE deletion_log ADD CONSTRAINT deletion_log_pkey PRIMARY KEY (id);
ALTER TABLE drive_saves ADD CONSTRAINT drive_saves_once UNIQUE (output_id, external_auth_id);
ALTER TABLE drive_saves ADD CONSTRAINT drive_saves_pkey PRIMARY KEY (id);
ALTER TABLE edit_sets ADD CONSTRAINT edit_sets_pkey PRIMARY KEY (id);
ALTER TABLE external_auths ADD CONSTRAINT external_auths_account UNIQUE NULLS NOT DISTINCT (user_id, provider, account_email);
ALTER TABLE external_auths ADD CONSTRAINT external_auths_pkey PRIMARY KEY (id);
ALTER TABLE face_findings ADD CONSTRAINT face_findings_pkey PRIMARY KEY (upload_request_id);
ALTER TABLE face_reviews ADD CONSTRAINT face_reviews_pkey PRIMARY KEY (task_id);
ALTER TABLE idempotent_answers ADD CONSTRAINT idempotent_answers_user_id_operation_key_pk PRIMARY KEY (user_id, operation, key);
ALTER TABLE known_videos ADD CONSTRAINT known_videos_pkey PRIMARY KEY (upload_request_id);
ALTER TABLE leases ADD CONSTRAINT leases_pkey PRIMARY KEY (name);
ALTER TABLE lot_spends ADD CONSTRAINT lot_spends_pkey PRIMARY KEY (id);
ALTER TABLE lots ADD CONSTRAINT lots_pkey PRIMARY KEY (id);
ALTER TABLE magic_links ADD CONSTRAINT magic_links_pkey PRIMARY KEY (id);
ALTER TABLE magic_links ADD CONSTRAINT magic_links_token_hash_unique UNIQUE (token_hash);
ALTER TABLE mails ADD CONSTRAINT mails_pkey PRIMARY KEY (id);
ALTER TABLE media_assets ADD CONSTRAINT media_assets_pkey PRIMARY KEY (id);
ALTER TABLE media_assets ADD CONSTRAINT media_assets_upload_request_id_unique UNIQUE (upload_request_id);
ALTER TABLE media_job_tasks ADD CONSTRAINT media_job_tasks_pkey PRIMARY KEY (id);
ALTER TABLE media_jobs ADD CONSTRAINT media_jobs_pkey PRIMARY KEY (id);
ALTER TABLE notices ADD CONSTRAINT notices_once UNIQUE (kind, cause);
ALTER TABLE notices ADD CONSTRAINT notices_pkey PRIMARY KEY (id);
ALTER TABLE oauth_states ADD CONSTRAINT oauth_states_pkey PRIMARY KEY (state_hash);
ALTER TABLE order_line_items ADD CONSTRAINT order_line_items_pkey PRIMARY KEY (id);
ALTER TABLE orders ADD CONSTRAINT orders_pkey PRIMARY KEY (id);
ALTER TABLE orders ADD CONSTRAINT orders_receipt_number_unique UNIQUE (receipt_number);
ALTER TABLE part_checksums ADD CONSTRAINT part_checksums_upload_request_id_part_number_checksum_sha256_pk PRIMARY KEY (upload_request_id, part_number, checksum_sha256);
ALTER TABLE passkeys ADD CONSTRAINT passkeys_credential_id_unique UNIQUE (credential_id);
ALTER TABLE passkeys ADD CONSTRAINT passkeys_pkey PRIMARY KEY (id);
ALTER TABLE payment_events ADD CONSTRAINT payment_events_provider_event_id_pk PRIMARY KEY (provider, event_id);
ALTER TABLE payments ADD CONSTRAINT payments_pkey PRIMARY KEY (id);
ALTER TABLE payments ADD CONSTRAINT payments_provider_payment_id_unique UNIQUE (provider_payment_id);
ALTER TABLE payments ADD CONSTRAINT payments_receipt_number_unique UNIQUE (receipt_number);
ALTER TABLE presets ADD CONSTRAINT presets_pkey PRIMARY KEY (id);
ALTER TABLE presets ADD CONSTRAINT presets_slug_unique UNIQUE (slug);
ALTER TABLE push_subscriptions ADD CONSTRAINT push_subscriptions_endpoint_unique UNIQUE (endpoint);
ALTER TABLE push_subscriptions ADD CONSTRAINT push_subscriptions_pkey PRIMARY KEY (id);
ALTER TABLE push_subscriptions ADD CONSTRAINT push_subscriptions_session_id_unique UNIQUE (session_id);
ALTER TABLE pushes ADD CONSTRAINT pushes_once UNIQUE (subscription_id, topic);
ALTER TABLE pushes ADD CONSTRAINT pushes_pkey PRIMARY KEY (id);
ALTER TABLE rate_events ADD CONSTRAINT rate_events_pkey PRIMARY KEY (id);
ALTER TABLE receipt_counters ADD CONSTRAINT receipt_counters_series_year_pk PRIMARY KEY (series, year);
ALTER TABLE referral_codes ADD CONSTRAINT referral_codes_code_unique UNIQUE (code);
ALTER TABLE referral_codes ADD CONSTRAINT referral_codes_pkey PRIMARY KEY (id);
ALTER TABLE referral_redemptions ADD CONSTRAINT referral_redemptions_card_hash_unique UNIQUE (card_hash);
ALTER TABLE referral_redemptions ADD CONSTRAINT referral_redemptions_pkey PRIMARY KEY (id);
ALTER TABLE referral_redemptions ADD CONSTRAINT referral_redemptions_referee_mailbox_hash_unique UNIQUE (referee_mailbox_hash);
ALTER TABLE referral_redemptions ADD CONSTRAINT referral_redemptions_referee_user_id_unique UNIQUE (referee_user_id);
ALTER TABLE render_speeds ADD CONSTRAINT render_speeds_work_picture_size_pk PRIMARY KEY (work, picture_size);
ALTER TABLE report_steps ADD CONSTRAINT report_steps_pkey PRIMARY KEY (id);
ALTER TABLE reports ADD CONSTRAINT reports_pkey PRIMARY KEY (id);
ALTER TABLE reports ADD CONSTRAINT reports_receipt_number_unique UNIQUE (receipt_number);
ALTER TABLE security_events ADD CONSTRAINT security_events_pkey PRIMARY KEY (id);
ALTER TABLE server_secrets ADD CONSTRAINT server_secrets_pkey PRIMARY KEY (name);
ALTER TABLE sessions ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);
ALTER TABLE sessions ADD CONSTRAINT sessions_token_hash_unique UNIQUE (token_hash);
ALTER TABLE spent_challenges ADD CONSTRAINT spent_challenges_pkey PRIMARY KEY (signature);
ALTER TABLE stored_payment_methods ADD CONSTRAINT stored_payment_methods_pkey PRIMARY KEY (id);
ALTER TABLE stored_payment_methods ADD CONSTRAINT stored_payment_methods_provider_method_id_unique UNIQUE (provider_method_id);
ALTER TABLE task_outputs ADD CONSTRAINT task_outputs_pkey PRIMARY KEY (id);
ALTER TABLE test_notices ADD CONSTRAINT test_notices_pkey PRIMARY KEY (id);
ALTER TABLE test_payments ADD CONSTRAINT test_payments_intent_key_unique UNIQUE (intent_key);
ALTER TABLE test_payments ADD CONSTRAINT test_payments_pkey PRIMARY KEY (id);
ALTER TABLE upload_imports ADD CONSTRAINT upload_imports_pkey PRIMARY KEY (upload_request_id);
ALTER TABLE upload_parts ADD CONSTRAINT upload_parts_upload_request_id_part_number_pk PRIMARY KEY (upload_request_id, part_number);
ALTER TABLE upload_requests ADD CONSTRAINT upload_requests_key UNIQUE (user_id, idempotency_key);
ALTER TABLE upload_requests ADD CONSTRAINT upload_requests_pkey PRIMARY KEY (id);
ALTER TABLE users ADD CONSTRAINT users_email_unique UNIQUE (email);
ALTER TABLE users ADD CONSTRAINT users_pkey PRIMARY KEY (id);
ALTER TABLE wallet_subscriptions ADD CONSTRAINT wallet_subscriptions_pkey PRIMARY KEY (id);
ALTER TABLE wallet_subscriptions ADD CONSTRAINT wallet_subscriptions_provider_subscription_id_unique UNIQUE (provider_subscription_id);
ALTER TABLE wallet_transactions ADD CONSTRAINT wallet_transactions_cause UNIQUE (wallet_id, cause);
ALTER TABLE wallet_transactions ADD CONSTRAINT wallet_transactions_pkey PRIMARY KEY (id);
ALTER TABLE wallets ADD CONSTRAINT wallets_pkey PRIMARY KEY (id);
ALTER TABLE workers ADD CONSTRAINT workers_pkey PRIMARY KEY (id);
CREATE INDEX attestations_user ON attestations USING btree (user_id, attested_at);
CREATE INDEX blocked_files_size ON blocked_files USING btree (size_bytes);
CREATE UNIQUE INDEX checkout_sessions_one_open_subscription ON checkout_sessions USING btree (user_id, plan_slug) WHERE ((kind = 'subscription'::text) AND (status = 'open'::text));
CREATE INDEX checkout_sessions_order ON checkout_sessions USING btree (order_id);
CREATE INDEX checkout_sessions_unsettled ON checkout_sessions USING btree (read_at) WHERE (settled_at IS NULL);
CREATE INDEX checkout_sessions_user ON checkout_sessions USING btree (user_id, created_at);
CREATE INDEX deletion_log_undone ON deletion_log USING btree (begun_at) WHERE (done_at IS NULL);
CREATE INDEX deletion_log_user ON deletion_log USING btree (user_id, begun_at);
CREATE INDEX drive_saves_drive ON drive_saves USING btree (external_auth_id);
CREATE INDEX drive_saves_due ON drive_saves USING btree (next_at) WHERE (state = 'open'::text);
CREATE INDEX drive_saves_user ON drive_saves USING btree (user_id, created_at);
CREATE INDEX edit_sets_user ON edit_sets USING btree (user_id, created_at);
CREATE INDEX external_auths_unrevoked ON external_auths USING btree (disconnected_at) WHERE ((disconnected_at IS NOT NULL) AND (refresh_cipher IS NOT NULL));
CREATE INDEX idempotent_answers_created ON idempotent_answers USING btree (created_at);
CREATE INDEX lot_spends_debt ON lot_spends USING btree (spend_id) WHERE (lot_id IS NULL);
CREATE INDEX lot_spends_lot ON lot_spends USING btree (lot_id);
CREATE INDEX lot_spends_spend ON lot_spends USING btree (spend_id);
CREATE INDEX lots_left ON lots USING btree (wallet_id, coins_expire_after_at) WHERE (remaining_coin_amount > 0);
CREATE INDEX lots_wallet ON lots USING btree (wallet_id);
CREATE INDEX magic_links_email ON magic_links USING btree (email, created_at);
CREATE INDEX magic_links_expiry ON magic_links USING btree (expires_at);
CREATE INDEX mails_created ON mails USING btree (created_at);
CREATE INDEX mails_recipient ON mails USING btree (recipient);
CREATE INDEX mails_untold ON mails USING btree (created_at) WHERE ((sent_at IS NULL) AND (unsubscribe_url IS NOT NULL));
CREATE INDEX media_assets_deleted ON media_assets USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX media_assets_user ON media_assets USING btree (user_id, created_at);
CREATE INDEX media_job_tasks_job ON media_job_tasks USING btree (media_job_id, "position");
CREATE INDEX media_job_tasks_kept ON media_job_tasks USING btree (ended_at) WHERE ((files_removed_at IS NULL) AND (status = 'succeeded'::text));
CREATE UNIQUE INDEX media_job_tasks_one_redo ON media_job_tasks USING btree (redo_of_task_id) WHERE ((redo_of_task_id IS NOT NULL) AND (status <> ALL (ARRAY['failed'::text, 'canceled'::text])));
CREATE INDEX media_job_tasks_redo ON media_job_tasks USING btree (redo_of_task_id) WHERE (redo_of_task_id IS NOT NULL);
CREATE INDEX media_job_tasks_reviews ON media_job_tasks USING btree (review_asked_at) WHERE ((review_state = 'waiting'::text) AND (status = 'created'::text));
CREATE INDEX media_job_tasks_source ON media_job_tasks USING btree (source_upload_id) WHERE (source_upload_id IS NOT NULL);
CREATE INDEX media_job_tasks_status ON media_job_tasks USING btree (status);
CREATE INDEX media_jobs_at_work ON media_jobs USING btree (workflow_started_at) WHERE ((workflow_started_at IS NOT NULL) AND (workflow_ended_at IS NULL));
CREATE INDEX media_jobs_ended ON media_jobs USING btree (workflow_ended_at) WHERE (workflow_ended_at IS NOT NULL);
CREATE INDEX media_jobs_upload ON media_jobs USING btree (upload_request_id);
CREATE INDEX media_jobs_user ON media_jobs USING btree (user_id, created_at);
CREATE INDEX notices_user ON notices USING btree (user_id);
CREATE INDEX oauth_states_expiry ON oauth_states USING btree (expires_at);
CREATE INDEX order_line_items_order ON order_line_items USING btree (order_id, "position");
CREATE INDEX order_line_items_task ON order_line_items USING btree (task_id);
CREATE INDEX orders_job ON orders USING btree (media_job_id);
CREATE UNIQUE INDEX orders_one_per_job ON orders USING btree (media_job_id) WHERE (status <> 'canceled'::text);
CREATE INDEX orders_user ON orders USING btree (user_id, created_at);
CREATE INDEX passkeys_user ON passkeys USING btree (user_id);
CREATE INDEX payment_events_settled ON payment_events USING btree (settled_at);
CREATE INDEX payment_events_unsettled ON payment_events USING btree (received_at) WHERE (settled_at IS NULL);
CREATE INDEX payments_due ON payments USING btree (read_due_at);
CREATE INDEX payments_lot ON payments USING btree (wallet_transaction_id);
CREATE INDEX payments_user ON payments USING btree (user_id, paid_at);
CREATE INDEX push_subscriptions_user ON push_subscriptions USING btree (user_id);
CREATE INDEX pushes_created ON pushes USING btree (created_at);
CREATE INDEX pushes_due ON pushes USING btree (due_at);
CREATE INDEX rate_events_at ON rate_events USING btree (at);
CREATE INDEX rate_events_key ON rate_events USING btree (key, at);
CREATE INDEX referral_codes_user ON referral_codes USING btree (user_id, created_at);
CREATE INDEX referral_redemptions_code ON referral_redemptions USING btree (code_id, claimed_at);
CREATE INDEX referral_redemptions_look ON referral_redemptions USING btree (owner_look_at);
CREATE INDEX report_steps_report ON report_steps USING btree (report_id, id);
CREATE INDEX report_steps_upload ON report_steps USING btree (upload_request_id);
CREATE INDEX reports_received ON reports USING btree (received_at);
CREATE INDEX security_events_at ON security_events USING btree (at);
CREATE INDEX security_events_event ON security_events USING btree (event, id);
CREATE INDEX security_events_user ON security_events USING btree (user_id, id);
CREATE INDEX sessions_expiry ON sessions USING btree (expires_at);
CREATE INDEX sessions_user ON sessions USING btree (user_id);
CREATE INDEX spent_challenges_expiry ON spent_challenges USING btree (expires_at);
CREATE INDEX stored_payment_methods_card ON stored_payment_methods USING btree (card_hash);
CREATE INDEX stored_payment_methods_user ON stored_payment_methods USING btree (user_id, created_at);
CREATE INDEX task_outputs_task ON task_outputs USING btree (task_id, "position");
CREATE INDEX test_notices_due ON test_notices USING btree (due_at);
CREATE INDEX test_payments_due ON test_payments USING btree (due_at);
CREATE INDEX upload_imports_drive ON upload_imports USING btree (external_auth_id) WHERE (external_auth_id IS NOT NULL);
CREATE INDEX upload_imports_due ON upload_imports USING btree (next_at);
CREATE INDEX upload_requests_assets ON upload_requests USING btree (upload_ended_at) WHERE ((purpose = 'media-asset'::text) AND (source_removed_at IS NULL));
CREATE INDEX upload_requests_bytes_left ON upload_requests USING btree (created_at) WHERE ((state = 'aborted'::text) AND (bytes_gone_at IS NULL));
CREATE INDEX upload_requests_excerpts ON upload_requests USING btree (excerpt_of) WHERE (purpose = 'excerpt'::text);
CREATE INDEX upload_requests_held ON upload_requests USING btree (held_at) WHERE (held_at IS NOT NULL);
CREATE INDEX upload_requests_kept ON upload_requests USING btree (upload_ended_at) WHERE ((source_removed_at IS NULL) AND (state = ANY (ARRAY['validated'::text, 'failed'::text])));
CREATE INDEX upload_requests_previews ON upload_requests USING btree (metadata_processed_at) WHERE (asset_preview = 'waiting'::text);
CREATE INDEX upload_requests_state ON upload_requests USING btree (state, created_at);
CREATE INDEX upload_requests_store_calls ON upload_requests USING btree (store_call_at) WHERE (store_call IS NOT NULL);
CREATE INDEX upload_requests_user ON upload_requests USING btree (user_id, created_at);
CREATE INDEX users_mailbox ON users USING btree (replace(((replace(split_part(split_part(email, '@'::text, 1), '+'::text, 1), '.'::text, ''::text) || '@'::text) || split_part(email, '@'::text, 2)), '@googlemail.com'::text, '@gmail.com'::text));
CREATE INDEX users_mailbox_hash ON users USING btree (mailbox_hash);
CREATE INDEX users_source_rule ON users USING btree (source_rule_set_at) WHERE (delete_sources_after_days IS NOT NULL);
CREATE INDEX users_to_delete ON users USING btree (deletion_requested_at) WHERE ((erased_at IS NULL) AND (deletion_requested_at IS NOT NULL));
CREATE INDEX users_trial ON users USING btree (trial_ends_at);
CREATE INDEX wallet_subscriptions_due ON wallet_subscriptions USING btree (read_due_at);
CREATE INDEX wallet_subscriptions_user ON wallet_subscriptions USING btree (user_id, created_at);
CREATE INDEX wallet_transactions_expiry ON wallet_transactions USING btree (coins_expire_after_at) WHERE (coins_expire_after_at IS NOT NULL);
CREATE INDEX wallet_transactions_order ON wallet_transactions USING btree (order_id);
CREATE INDEX wallet_transactions_wallet ON wallet_transactions USING btree (wallet_id, created_at);
CREATE INDEX wallets_user ON wallets USING btree (user_id);
CREATE TRIGGER left_of_lot AFTER INSERT OR DELETE OR UPDATE OF lot_id, coin_amount ON lot_spends FOR EACH ROW EXECUTE FUNCTION left_of_lot();
CREATE TRIGGER lot_of_grant AFTER INSERT ON wallet_transactions FOR EACH ROW WHEN ((new.coin_amount > 0)) EXECUTE FUNCTION lot_of_grant();
CREATE TRIGGER report_steps_only_grow BEFORE DELETE OR UPDATE ON report_steps FOR EACH ROW EXECUTE FUNCTION refuse_change_of_report_steps();
ALTER TABLE attestations ADD CONSTRAINT attestations_upload_request_id_upload_requests_id_fk FOREIGN KEY (upload_request_id) REFERENCES upload_requests(id) ON DELETE CASCADE;
ALTER TABLE attestations ADD CONSTRAINT attestations_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
ALTER TABLE blocked_files ADD CONSTRAINT blocked_files_report_id_reports_id_fk FOREIGN KEY (report_id) REFERENCES reports(id);
ALTER TABLE checkout_sessions ADD CONSTRAINT checkout_sessions_order_id_orders_id_fk FOREIGN KEY (order_id) REFERENCES orders(id);
ALTER TABLE checkout_sessions ADD CONSTRAINT checkout_sessions_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id);
ALTER TABLE checkout_sessions ADD CONSTRAINT checkout_sessions_wallet_id_wallets_id_fk FOREIGN KEY (wallet_id) REFERENCES wallets(id);
ALTER TABLE deletion_log ADD CONSTRAINT deletion_log_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
ALTER TABLE drive_saves ADD CONSTRAINT drive_saves_external_auth_id_external_auths_id_fk FOREIGN KEY (external_auth_id) REFERENCES external_auths(id) ON DELETE CASCADE;
ALTER TABLE drive_saves ADD CONSTRAINT drive_saves_output_id_task_outputs_id_fk FOREIGN KEY (output_id) REFERENCES task_outputs(id) ON DELETE CASCADE;
ALTER TABLE drive_saves ADD CONSTRAINT drive_saves_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
ALTER TABLE edit_sets ADD CONSTRAINT edit_sets_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
ALTER TABLE external_auths ADD CONSTRAINT external_auths_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
ALTER TABLE face_findings ADD CONSTRAINT face_findings_upload_request_id_upload_requests_id_fk FOREIGN KEY (upload_request_id) REFERENCES upload_requests(id) ON DELETE CASCADE;
ALTER TABLE face_reviews ADD CONSTRAINT face_reviews_task_id_media_job_tasks_id_fk FOREIGN KEY (task_id) REFERENCES media_job_tasks(id) ON DELETE CASCADE;
ALTER TABLE idempotent_answers ADD CONSTRAINT idempotent_answers_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
ALTER TABLE lot_spends ADD CONSTRAINT lot_spends_lot_id_wallet_transactions_id_fk FOREIGN KEY (lot_id) REFERENCES wallet_transactions(id) ON DELETE CASCADE;
ALTER TABLE lot_spends ADD CONSTRAINT lot_spends_return_id_wallet_transactions_id_fk FOREIGN KEY (return_id) REFERENCES wallet_transactions(id) ON DELETE CASCADE;
ALTER TABLE lot_spends ADD CONSTRAINT lot_spends_spend_id_wallet_transactions_id_fk FOREIGN KEY (spend_id) REFERENCES wallet_transactions(id) ON DELETE CASCADE;
ALTER TABLE lots ADD CONSTRAINT lots_id_wallet_transactions_id_fk FOREIGN KEY (id) REFERENCES wallet_transactions(id) ON DELETE CASCADE;
ALTER TABLE lots ADD CONSTRAINT lots_origin_id_wallet_transactions_id_fk FOREIGN KEY (origin_id) REFERENCES wallet_transactions(id) ON DELETE CASCADE;
ALTER TABLE lots ADD CONSTRAINT lots_wallet_id_wallets_id_fk FOREIGN KEY (wallet_id) REFERENCES wallets(id) ON DELETE CASCADE;
ALTER TABLE media_assets ADD CONSTRAINT media_assets_upload_request_id_upload_requests_id_fk FOREIGN KEY (upload_request_id) REFERENCES upload_requests(id);
ALTER TABLE media_assets ADD CONSTRAINT media_assets_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
ALTER TABLE media_job_tasks ADD CONSTRAINT media_job_tasks_media_job_id_media_jobs_id_fk FOREIGN KEY (media_job_id) REFERENCES media_jobs(id) ON DELETE CASCADE;
ALTER TABLE media_job_tasks ADD CONSTRAINT media_job_tasks_redo_of_task_id_media_job_tasks_id_fk FOREIGN KEY (redo_of_task_id) REFERENCES media_job_tasks(id) ON DELETE SET NULL;
ALTER TABLE media_job_tasks ADD CONSTRAINT media_job_tasks_source_upload_id_upload_requests_id_fk FOREIGN KEY (source_upload_id) REFERENCES upload_requests(id) ON DELETE SET NULL;
ALTER TABLE media_jobs ADD CONSTRAINT media_jobs_upload_request_id_upload_requests_id_fk FOREIGN KEY (upload_request_id) REFERENCES upload_requests(id);
ALTER TABLE media_jobs ADD CONSTRAINT media_jobs_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
ALTER TABLE notices ADD CONSTRAINT notices_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
ALTER TABLE oauth_states ADD CONSTRAINT oauth_states_session_id_sessions_id_fk FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE;
ALTER TABLE order_line_items ADD CONSTRAINT order_line_items_order_id_orders_id_fk FOREIGN KEY (order_id) REFERENCES orders(id) ON DELETE CASCADE;
ALTER TABLE order_line_items ADD CONSTRAINT order_line_items_task_id_media_job_tasks_id_fk FOREIGN KEY (task_id) REFERENCES media_job_tasks(id) ON DELETE CASCADE;
ALTER TABLE orders ADD CONSTRAINT orders_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id);
ALTER TABLE part_checksums ADD CONSTRAINT part_checksums_upload_request_id_upload_requests_id_fk FOREIGN KEY (upload_request_id) REFERENCES upload_requests(id) ON DELETE CASCADE;
ALTER TABLE passkeys ADD CONSTRAINT passkeys_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
ALTER TABLE payments ADD CONSTRAINT payments_checkout_session_id_checkout_sessions_id_fk FOREIGN KEY (checkout_session_id) REFERENCES checkout_sessions(id);
ALTER TABLE payments ADD CONSTRAINT payments_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id);
ALTER TABLE payments ADD CONSTRAINT payments_wallet_subscription_id_wallet_subscriptions_id_fk FOREIGN KEY (wallet_subscription_id) REFERENCES wallet_subscriptions(id);
ALTER TABLE payments ADD CONSTRAINT payments_wallet_transaction_id_wallet_transactions_id_fk FOREIGN KEY (wallet_transaction_id) REFERENCES wallet_transactions(id);
ALTER TABLE push_subscriptions ADD CONSTRAINT push_subscriptions_session_id_sessions_id_fk FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE;
ALTER TABLE push_subscriptions ADD CONSTRAINT push_subscriptions_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
ALTER TABLE pushes ADD CONSTRAINT pushes_subscription_id_push_subscriptions_id_fk FOREIGN KEY (subscription_id) REFERENCES push_subscriptions(id) ON DELETE CASCADE;
ALTER TABLE referral_codes ADD CONSTRAINT referral_codes_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id);
ALTER TABLE referral_redemptions ADD CONSTRAINT referral_redemptions_code_id_referral_codes_id_fk FOREIGN KEY (code_id) REFERENCES referral_codes(id);
ALTER TABLE referral_redemptions ADD CONSTRAINT referral_redemptions_referee_user_id_users_id_fk FOREIGN KEY (referee_user_id) REFERENCES users(id);
ALTER TABLE report_steps ADD CONSTRAINT report_steps_report_id_reports_id_fk FOREIGN KEY (report_id) REFERENCES reports(id);
ALTER TABLE sessions ADD CONSTRAINT sessions_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
ALTER TABLE stored_payment_methods ADD CONSTRAINT stored_payment_methods_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id);
ALTER TABLE task_outputs ADD CONSTRAINT task_outputs_task_id_media_job_tasks_id_fk FOREIGN KEY (task_id) REFERENCES media_job_tasks(id) ON DELETE CASCADE;
ALTER TABLE upload_imports ADD CONSTRAINT upload_imports_external_auth_id_external_auths_id_fk FOREIGN KEY (external_auth_id) REFERENCES external_auths(id) ON DELETE SET NULL;
ALTER TABLE upload_imports ADD CONSTRAINT upload_imports_upload_request_id_upload_requests_id_fk FOREIGN KEY (upload_request_id) REFERENCES upload_requests(id) ON DELETE CASCADE;
ALTER TABLE upload_parts ADD CONSTRAINT upload_parts_upload_request_id_upload_requests_id_fk FOREIGN KEY (upload_request_id) REFERENCES upload_requests(id) ON DELETE CASCADE;
ALTER TABLE upload_requests ADD CONSTRAINT upload_requests_excerpt_of_upload_requests_id_fk FOREIGN KEY (excerpt_of) REFERENCES upload_requests(id) ON DELETE SET NULL;
ALTER TABLE upload_requests ADD CONSTRAINT upload_requests_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
ALTER TABLE wallet_subscriptions ADD CONSTRAINT wallet_subscriptions_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id);
ALTER TABLE wallet_subscriptions ADD CONSTRAINT wallet_subscriptions_wallet_id_wallets_id_fk FOREIGN KEY (wallet_id) REFERENCES wallets(id);
ALTER TABLE wallet_transactions ADD CONSTRAINT wallet_transactions_origin_id_wallet_transactions_id_fk FOREIGN KEY (origin_id) REFERENCES wallet_transactions(id);
ALTER TABLE wallet_transactions ADD CONSTRAINT wallet_transactions_reverts_id_wallet_transactions_id_fk FOREIGN KEY (reverts_id) REFERENCES wallet_transactions(id);
ALTER TABLE wallet_transactions ADD CONSTRAINT wallet_transactions_subscription_id_wallet_subscriptions_id_fk FOREIGN KEY (subscription_id) REFERENCES wallet_subscriptions(id);
ALTER TABLE wallet_transactions ADD CONSTRAINT wallet_transactions_wallet_id_wallets_id_fk FOREIGN KEY (wallet_id) REFERENCES wallets(id) ON DELETE CASCADE;
ALTER TABLE wallets ADD CONSTRAINT wallets_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id);
