ALTER TABLE "upload_requests" ADD COLUMN "moment_video" jsonb;--> statement-breakpoint
ALTER TABLE "upload_requests" ADD COLUMN "moment_video_bytes" bigint DEFAULT 0 NOT NULL;