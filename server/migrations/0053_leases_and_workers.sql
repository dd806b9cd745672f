CREATE TABLE "leases" (
	"name" text PRIMARY KEY NOT NULL,
	"owner" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"generation" bigserial NOT NULL
);
--> statement-breakpoint
CREATE TABLE "workers" (
	"id" text PRIMARY KEY NOT NULL,
	"heartbeat_at" timestamp with time zone NOT NULL,
	"long_slots" integer NOT NULL,
	"ffmpeg_version" text NOT NULL,
	"filters" text[] NOT NULL,
	"encoders" text[] NOT NULL,
	"can_run_node" boolean NOT NULL,
	"finds_faces" boolean NOT NULL,
	"scratch_free_bytes" bigint NOT NULL
);
