CREATE INDEX "idempotent_answers_created" ON "idempotent_answers" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "magic_links_expiry" ON "magic_links" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "order_line_items_task" ON "order_line_items" USING btree ("task_id");--> statement-breakpoint
CREATE INDEX "orders_job" ON "orders" USING btree ("media_job_id");--> statement-breakpoint
CREATE INDEX "rate_events_at" ON "rate_events" USING btree ("at");--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "spent_challenges_expiry" ON "spent_challenges" USING btree ("expires_at");