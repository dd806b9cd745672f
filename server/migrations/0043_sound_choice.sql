ALTER TABLE "upload_requests" ADD COLUMN "sounds" jsonb;--> statement-breakpoint
ALTER TABLE "upload_requests" ADD COLUMN "chosen_sound" integer;