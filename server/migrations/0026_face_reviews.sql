CREATE TABLE "face_findings" (
	"upload_request_id" uuid PRIMARY KEY NOT NULL,
	"finding" jsonb NOT NULL,
	"size_bytes" bigint NOT NULL,
	"found_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "face_reviews" (
	"task_id" uuid PRIMARY KEY NOT NULL,
	"revision" integer NOT NULL,
	"decisions" jsonb NOT NULL,
	"saved_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "media_job_tasks" ADD COLUMN "review_state" text;--> statement-breakpoint
ALTER TABLE "media_job_tasks" ADD COLUMN "review_asked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "face_findings" ADD CONSTRAINT "face_findings_upload_request_id_upload_requests_id_fk" FOREIGN KEY ("upload_request_id") REFERENCES "public"."upload_requests"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "face_reviews" ADD CONSTRAINT "face_reviews_task_id_media_job_tasks_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."media_job_tasks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "media_job_tasks_reviews" ON "media_job_tasks" USING btree ("review_asked_at") WHERE review_state = 'waiting' and status = 'created';