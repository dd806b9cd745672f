ALTER TABLE "users" ADD COLUMN "delete_sources_after_days" integer;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "source_rule_set_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "users_source_rule" ON "users" USING btree ("source_rule_set_at") WHERE delete_sources_after_days is not null;