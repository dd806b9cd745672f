ALTER TABLE "oauth_states" ADD COLUMN "wants_pick" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "upload_imports" ADD COLUMN "external_auth_id" uuid;--> statement-breakpoint
ALTER TABLE "upload_imports" ADD COLUMN "md5" text;--> statement-breakpoint
ALTER TABLE "upload_imports" ADD CONSTRAINT "upload_imports_external_auth_id_external_auths_id_fk" FOREIGN KEY ("external_auth_id") REFERENCES "public"."external_auths"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "upload_imports_drive" ON "upload_imports" USING btree ("external_auth_id") WHERE external_auth_id is not null;