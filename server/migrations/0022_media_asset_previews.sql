ALTER TABLE "media_assets" ADD COLUMN "deleted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "upload_requests" ADD COLUMN "asset_preview" text;--> statement-breakpoint
CREATE INDEX "media_assets_deleted" ON "media_assets" USING btree ("deleted_at") WHERE deleted_at is not null;--> statement-breakpoint
CREATE INDEX "upload_requests_assets" ON "upload_requests" USING btree ("upload_ended_at") WHERE purpose = 'media-asset' and source_removed_at is null;--> statement-breakpoint
CREATE INDEX "upload_requests_previews" ON "upload_requests" USING btree ("metadata_processed_at") WHERE asset_preview = 'waiting';--> statement-breakpoint
UPDATE "upload_requests" SET "asset_preview" = 'waiting' WHERE "purpose" = 'media-asset' AND "state" = 'validated' AND "media_kind" IN ('video', 'audio');
