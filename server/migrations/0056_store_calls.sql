ALTER TABLE "upload_requests" ADD COLUMN "store_call" text;--> statement-breakpoint
ALTER TABLE "upload_requests" ADD COLUMN "store_call_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "upload_requests" ADD COLUMN "bytes_gone_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "upload_requests_store_calls" ON "upload_requests" USING btree ("store_call_at") WHERE store_call is not null;--> statement-breakpoint
CREATE INDEX "upload_requests_bytes_left" ON "upload_requests" USING btree ("created_at") WHERE state = 'aborted' and bytes_gone_at is null;