ALTER TABLE "upload_requests" ADD COLUMN "failure_code" text;--> statement-breakpoint
ALTER TABLE "upload_requests" ADD COLUMN "content_type" text;