CREATE TABLE "idempotent_answers" (
	"user_id" uuid NOT NULL,
	"operation" text NOT NULL,
	"key" text NOT NULL,
	"body_hash" text NOT NULL,
	"status" integer NOT NULL,
	"body" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "idempotent_answers_user_id_operation_key_pk" PRIMARY KEY("user_id","operation","key")
);
--> statement-breakpoint
CREATE TABLE "lot_spends" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"spend_id" uuid NOT NULL,
	"lot_id" uuid,
	"coin_amount" integer NOT NULL,
	CONSTRAINT "lot_spends_positive" CHECK ("lot_spends"."coin_amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "magic_links" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"purpose" text NOT NULL,
	"token_hash" text NOT NULL,
	"code_hash" text NOT NULL,
	"code_attempts" integer DEFAULT 0 NOT NULL,
	"browser_hash" text NOT NULL,
	"redirect_uri" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "magic_links_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"recipient" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"html" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "media_assets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"upload_request_id" uuid NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "media_assets_upload_request_id_unique" UNIQUE("upload_request_id")
);
--> statement-breakpoint
CREATE TABLE "media_job_tasks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"media_job_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"preset_slug" text NOT NULL,
	"name" text NOT NULL,
	"payload" jsonb NOT NULL,
	"status" text NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"retried_at" timestamp with time zone,
	"progress_ratio" double precision DEFAULT 0 NOT NULL,
	"error_message" text,
	"support_log" text,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "media_jobs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"upload_request_id" uuid NOT NULL,
	"name" text NOT NULL,
	"workflow_started_at" timestamp with time zone,
	"workflow_ended_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "order_line_items" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"task_id" uuid,
	"position" integer NOT NULL,
	"product_slug" text NOT NULL,
	"description" text NOT NULL,
	"preset_slug" text,
	"pricing" jsonb NOT NULL,
	"coin_amount" integer NOT NULL,
	CONSTRAINT "order_line_items_amount" CHECK ("order_line_items"."coin_amount" >= 0)
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"media_job_id" uuid NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"paid_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "presets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"image_url" text NOT NULL,
	"tab" text NOT NULL,
	"badge" text,
	"has_options" boolean NOT NULL,
	"pricing_strategies" jsonb NOT NULL,
	"position" integer NOT NULL,
	"is_visible" boolean DEFAULT true NOT NULL,
	CONSTRAINT "presets_slug_unique" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "rate_events" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "server_secrets" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"last_seen_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "sessions_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "spent_challenges" (
	"signature" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "task_outputs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"task_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"kind" text NOT NULL,
	"button_text" text,
	"text" text,
	"file_name" text,
	"content_type" text,
	"size_bytes" bigint,
	"width_px" integer,
	"height_px" integer,
	"duration_ms" integer,
	"object_key" text
);
--> statement-breakpoint
CREATE TABLE "upload_parts" (
	"upload_request_id" uuid NOT NULL,
	"part_number" integer NOT NULL,
	"e_tag" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"stored_at" timestamp with time zone NOT NULL,
	CONSTRAINT "upload_parts_upload_request_id_part_number_pk" PRIMARY KEY("upload_request_id","part_number")
);
--> statement-breakpoint
CREATE TABLE "upload_requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"idempotency_key" text NOT NULL,
	"body_hash" text NOT NULL,
	"purpose" text NOT NULL,
	"provider" text NOT NULL,
	"client_filename" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"part_size_bytes" bigint NOT NULL,
	"part_count" integer NOT NULL,
	"state" text NOT NULL,
	"store_upload_id" text,
	"object_key" text NOT NULL,
	"failure_reason" text,
	"support_log" text,
	"media_kind" text,
	"probe" jsonb,
	"moments" jsonb,
	"thumbnail_key" text,
	"created_at" timestamp with time zone NOT NULL,
	"upload_ended_at" timestamp with time zone,
	"metadata_processed_at" timestamp with time zone,
	CONSTRAINT "upload_requests_key" UNIQUE("user_id","idempotency_key")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"profession" text,
	"trial_ends_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "wallet_transactions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"wallet_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"coin_amount" integer NOT NULL,
	"description" text NOT NULL,
	"coins_expire_after_at" timestamp with time zone,
	"order_id" uuid,
	"cause" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "wallet_transactions_cause" UNIQUE("wallet_id","cause"),
	CONSTRAINT "wallet_transactions_nonzero" CHECK ("wallet_transactions"."coin_amount" <> 0)
);
--> statement-breakpoint
CREATE TABLE "wallets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"credit_limit_coin_amount" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "idempotent_answers" ADD CONSTRAINT "idempotent_answers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lot_spends" ADD CONSTRAINT "lot_spends_spend_id_wallet_transactions_id_fk" FOREIGN KEY ("spend_id") REFERENCES "public"."wallet_transactions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lot_spends" ADD CONSTRAINT "lot_spends_lot_id_wallet_transactions_id_fk" FOREIGN KEY ("lot_id") REFERENCES "public"."wallet_transactions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "media_assets" ADD CONSTRAINT "media_assets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "media_assets" ADD CONSTRAINT "media_assets_upload_request_id_upload_requests_id_fk" FOREIGN KEY ("upload_request_id") REFERENCES "public"."upload_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "media_job_tasks" ADD CONSTRAINT "media_job_tasks_media_job_id_media_jobs_id_fk" FOREIGN KEY ("media_job_id") REFERENCES "public"."media_jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "media_jobs" ADD CONSTRAINT "media_jobs_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "media_jobs" ADD CONSTRAINT "media_jobs_upload_request_id_upload_requests_id_fk" FOREIGN KEY ("upload_request_id") REFERENCES "public"."upload_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_line_items" ADD CONSTRAINT "order_line_items_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_line_items" ADD CONSTRAINT "order_line_items_task_id_media_job_tasks_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."media_job_tasks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_media_job_id_media_jobs_id_fk" FOREIGN KEY ("media_job_id") REFERENCES "public"."media_jobs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_outputs" ADD CONSTRAINT "task_outputs_task_id_media_job_tasks_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."media_job_tasks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upload_parts" ADD CONSTRAINT "upload_parts_upload_request_id_upload_requests_id_fk" FOREIGN KEY ("upload_request_id") REFERENCES "public"."upload_requests"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upload_requests" ADD CONSTRAINT "upload_requests_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet_transactions" ADD CONSTRAINT "wallet_transactions_wallet_id_wallets_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "lot_spends_spend" ON "lot_spends" USING btree ("spend_id");--> statement-breakpoint
CREATE INDEX "lot_spends_lot" ON "lot_spends" USING btree ("lot_id");--> statement-breakpoint
CREATE INDEX "magic_links_email" ON "magic_links" USING btree ("email","created_at");--> statement-breakpoint
CREATE INDEX "mails_created" ON "mails" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "media_assets_user" ON "media_assets" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "media_job_tasks_job" ON "media_job_tasks" USING btree ("media_job_id","position");--> statement-breakpoint
CREATE INDEX "media_job_tasks_status" ON "media_job_tasks" USING btree ("status");--> statement-breakpoint
CREATE INDEX "media_jobs_user" ON "media_jobs" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "media_jobs_upload" ON "media_jobs" USING btree ("upload_request_id");--> statement-breakpoint
CREATE INDEX "order_line_items_order" ON "order_line_items" USING btree ("order_id","position");--> statement-breakpoint
CREATE INDEX "orders_user" ON "orders" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_one_per_job" ON "orders" USING btree ("media_job_id") WHERE status <> 'canceled';--> statement-breakpoint
CREATE INDEX "rate_events_key" ON "rate_events" USING btree ("key","at");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "task_outputs_task" ON "task_outputs" USING btree ("task_id","position");--> statement-breakpoint
CREATE INDEX "upload_requests_user" ON "upload_requests" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "upload_requests_state" ON "upload_requests" USING btree ("state","created_at");--> statement-breakpoint
CREATE INDEX "wallet_transactions_wallet" ON "wallet_transactions" USING btree ("wallet_id","created_at");--> statement-breakpoint
CREATE INDEX "wallet_transactions_order" ON "wallet_transactions" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "wallets_user" ON "wallets" USING btree ("user_id");