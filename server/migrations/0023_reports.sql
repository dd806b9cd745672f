CREATE TABLE "attestations" (
	"upload_request_id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"media_job_id" uuid NOT NULL,
	"version" text NOT NULL,
	"text_sha256" text NOT NULL,
	"attested_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "blocked_files" (
	"sha256" text PRIMARY KEY NOT NULL,
	"size_bytes" bigint NOT NULL,
	"report_id" uuid NOT NULL,
	"blocked_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "report_steps" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"report_id" uuid NOT NULL,
	"step" text NOT NULL,
	"actor" text NOT NULL,
	"upload_request_id" uuid,
	"note" text,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"receipt_number" text NOT NULL,
	"video" text NOT NULL,
	"relation" text NOT NULL,
	"reason" text NOT NULL,
	"signature" text NOT NULL,
	"contact" text NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	CONSTRAINT "reports_receipt_number_unique" UNIQUE("receipt_number")
);
--> statement-breakpoint
ALTER TABLE "upload_requests" ADD COLUMN "held_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "attestations" ADD CONSTRAINT "attestations_upload_request_id_upload_requests_id_fk" FOREIGN KEY ("upload_request_id") REFERENCES "public"."upload_requests"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attestations" ADD CONSTRAINT "attestations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "blocked_files" ADD CONSTRAINT "blocked_files_report_id_reports_id_fk" FOREIGN KEY ("report_id") REFERENCES "public"."reports"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_steps" ADD CONSTRAINT "report_steps_report_id_reports_id_fk" FOREIGN KEY ("report_id") REFERENCES "public"."reports"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "attestations_user" ON "attestations" USING btree ("user_id","attested_at");--> statement-breakpoint
CREATE INDEX "blocked_files_size" ON "blocked_files" USING btree ("size_bytes");--> statement-breakpoint
CREATE INDEX "report_steps_report" ON "report_steps" USING btree ("report_id","id");--> statement-breakpoint
CREATE INDEX "report_steps_upload" ON "report_steps" USING btree ("upload_request_id");--> statement-breakpoint
CREATE INDEX "reports_received" ON "reports" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "upload_requests_held" ON "upload_requests" USING btree ("held_at") WHERE held_at is not null;--> statement-breakpoint
CREATE FUNCTION "refuse_change_of_report_steps"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'report_steps only grows';
END
$$;--> statement-breakpoint
CREATE TRIGGER "report_steps_only_grow" BEFORE UPDATE OR DELETE ON "report_steps" FOR EACH ROW EXECUTE FUNCTION "refuse_change_of_report_steps"();
