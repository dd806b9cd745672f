ALTER TABLE "upload_requests" ADD COLUMN "trim_from_ms" integer;--> statement-breakpoint
ALTER TABLE "upload_requests" ADD COLUMN "trim_to_ms" integer;--> statement-breakpoint
ALTER TABLE "upload_requests" ADD COLUMN "trim_of_bytes" bigint;