CREATE TABLE "upload_imports" (
	"upload_request_id" uuid PRIMARY KEY NOT NULL,
	"host" text NOT NULL,
	"link_cipher" text NOT NULL,
	"validator" text,
	"takes_ranges" boolean NOT NULL,
	"whole_tries" integer DEFAULT 0 NOT NULL,
	"changes" integer DEFAULT 0 NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"problem" text,
	"next_at" timestamp with time zone NOT NULL,
	"partial_bytes" bigint DEFAULT 0 NOT NULL,
	"seen_at" timestamp with time zone,
	"last_byte_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "upload_imports" ADD CONSTRAINT "upload_imports_upload_request_id_upload_requests_id_fk" FOREIGN KEY ("upload_request_id") REFERENCES "public"."upload_requests"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "upload_imports_due" ON "upload_imports" USING btree ("next_at");