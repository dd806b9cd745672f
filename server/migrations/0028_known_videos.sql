CREATE TABLE "known_videos" (
	"upload_request_id" uuid PRIMARY KEY NOT NULL,
	"pictures" "bytea",
	"made_at" timestamp with time zone NOT NULL
);
