ALTER TABLE "media_job_tasks" ADD COLUMN "deletion_told_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "upload_requests" ADD COLUMN "deletion_told_at" timestamp with time zone;