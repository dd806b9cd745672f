CREATE TABLE "task_segments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"task_id" uuid NOT NULL,
	"n" integer NOT NULL,
	"from_ms" integer NOT NULL,
	"to_ms" integer,
	"plan_digest" text NOT NULL,
	"state" text NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"has_slot" boolean DEFAULT false NOT NULL,
	"progress_ratio" double precision DEFAULT 0 NOT NULL,
	"object_key" text
);
--> statement-breakpoint
ALTER TABLE "task_segments" ADD CONSTRAINT "task_segments_task_id_media_job_tasks_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."media_job_tasks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "task_segments_task" ON "task_segments" USING btree ("task_id","n");