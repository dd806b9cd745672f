ALTER TABLE "upload_requests" ADD COLUMN "excerpt_of" uuid;--> statement-breakpoint
ALTER TABLE "upload_requests" ADD COLUMN "excerpt_stretches" jsonb;--> statement-breakpoint
ALTER TABLE "media_job_tasks" ADD COLUMN "source_upload_id" uuid;--> statement-breakpoint
ALTER TABLE "upload_requests" ADD CONSTRAINT "upload_requests_excerpt_of_upload_requests_id_fk" FOREIGN KEY ("excerpt_of") REFERENCES "public"."upload_requests"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "media_job_tasks" ADD CONSTRAINT "media_job_tasks_source_upload_id_upload_requests_id_fk" FOREIGN KEY ("source_upload_id") REFERENCES "public"."upload_requests"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "upload_requests_excerpts" ON "upload_requests" USING btree ("excerpt_of") WHERE purpose = 'excerpt';--> statement-breakpoint
CREATE INDEX "media_job_tasks_source" ON "media_job_tasks" USING btree ("source_upload_id") WHERE source_upload_id is not null;