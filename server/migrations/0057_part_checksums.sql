CREATE TABLE "part_checksums" (
	"upload_request_id" uuid NOT NULL,
	"part_number" integer NOT NULL,
	"checksum_sha256" text NOT NULL,
	CONSTRAINT "part_checksums_upload_request_id_part_number_checksum_sha256_pk" PRIMARY KEY("upload_request_id","part_number","checksum_sha256")
);
--> statement-breakpoint
ALTER TABLE "part_checksums" ADD CONSTRAINT "part_checksums_upload_request_id_upload_requests_id_fk" FOREIGN KEY ("upload_request_id") REFERENCES "public"."upload_requests"("id") ON DELETE cascade ON UPDATE no action;