CREATE TABLE "samples" (
	"id" uuid PRIMARY KEY NOT NULL,
	"upload_request_id" uuid NOT NULL,
	"preset_slug" text NOT NULL,
	"payload" jsonb NOT NULL,
	"sound" integer NOT NULL,
	"state" text NOT NULL,
	"message" text,
	"start_ms" integer,
	"duration_ms" integer,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "samples" ADD CONSTRAINT "samples_upload_request_id_upload_requests_id_fk" FOREIGN KEY ("upload_request_id") REFERENCES "public"."upload_requests"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "samples_upload" ON "samples" USING btree ("upload_request_id","preset_slug");--> statement-breakpoint
CREATE INDEX "samples_created" ON "samples" USING btree ("created_at");