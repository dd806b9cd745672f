CREATE TABLE "notices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"cause" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "notices_once" UNIQUE("kind","cause")
);
--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "unsubscribe_url" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "notices_off" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notices_user" ON "notices" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "media_jobs_ended" ON "media_jobs" USING btree ("workflow_ended_at") WHERE workflow_ended_at is not null;--> statement-breakpoint
CREATE INDEX "users_trial" ON "users" USING btree ("trial_ends_at");