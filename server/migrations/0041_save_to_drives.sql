CREATE TABLE "drive_saves" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"external_auth_id" uuid NOT NULL,
	"output_id" uuid NOT NULL,
	"state" text NOT NULL,
	"problem" text,
	"failure" text,
	"file_id" text,
	"session_cipher" text,
	"saved_bytes" bigint DEFAULT 0 NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone,
	"last_byte_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "drive_saves_once" UNIQUE("output_id","external_auth_id")
);
--> statement-breakpoint
ALTER TABLE "drive_saves" ADD CONSTRAINT "drive_saves_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "drive_saves" ADD CONSTRAINT "drive_saves_external_auth_id_external_auths_id_fk" FOREIGN KEY ("external_auth_id") REFERENCES "public"."external_auths"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "drive_saves" ADD CONSTRAINT "drive_saves_output_id_task_outputs_id_fk" FOREIGN KEY ("output_id") REFERENCES "public"."task_outputs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "drive_saves_user" ON "drive_saves" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "drive_saves_drive" ON "drive_saves" USING btree ("external_auth_id");--> statement-breakpoint
CREATE INDEX "drive_saves_due" ON "drive_saves" USING btree ("next_at") WHERE state = 'open';