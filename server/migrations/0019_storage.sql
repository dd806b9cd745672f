CREATE TABLE "deletion_log" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"upload_request_id" uuid NOT NULL,
	"what" text NOT NULL,
	"reason" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"object_key" text NOT NULL,
	"begun_at" timestamp with time zone NOT NULL,
	"done_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "media_job_tasks" ADD COLUMN "files_removed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "upload_requests" ADD COLUMN "source_removed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "deletion_log" ADD CONSTRAINT "deletion_log_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deletion_log_user" ON "deletion_log" USING btree ("user_id","begun_at");--> statement-breakpoint
CREATE INDEX "deletion_log_undone" ON "deletion_log" USING btree ("begun_at") WHERE done_at is null;--> statement-breakpoint
CREATE INDEX "media_job_tasks_kept" ON "media_job_tasks" USING btree ("ended_at") WHERE files_removed_at is null and status = 'succeeded';--> statement-breakpoint
CREATE INDEX "upload_requests_kept" ON "upload_requests" USING btree ("upload_ended_at") WHERE source_removed_at is null and state in ('validated', 'failed');