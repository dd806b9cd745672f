ALTER TABLE "stored_payment_methods" ADD COLUMN "card_hash" text;--> statement-breakpoint
ALTER TABLE "referral_redemptions" ADD COLUMN "card_hash" text;--> statement-breakpoint
ALTER TABLE "referral_redemptions" ADD COLUMN "owner_waits_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "referral_redemptions" ADD COLUMN "owner_look_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "referral_redemptions" ADD COLUMN "owner_rewarded_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "referral_redemptions" ADD COLUMN "no_reward" text;--> statement-breakpoint
CREATE INDEX "stored_payment_methods_card" ON "stored_payment_methods" USING btree ("card_hash");--> statement-breakpoint
CREATE INDEX "referral_redemptions_look" ON "referral_redemptions" USING btree ("owner_look_at");--> statement-breakpoint
ALTER TABLE "referral_redemptions" ADD CONSTRAINT "referral_redemptions_card_hash_unique" UNIQUE("card_hash");--> statement-breakpoint
UPDATE "referral_redemptions" r SET "owner_rewarded_at" = r."rewarded_at" WHERE r."rewarded_at" IS NOT NULL AND EXISTS (SELECT 1 FROM "wallet_transactions" t WHERE t."cause" = 'referral:' || r."id" || ':referrer');--> statement-breakpoint
UPDATE "referral_redemptions" r SET "no_reward" = 'owner-not-in-standing' WHERE r."rewarded_at" IS NOT NULL AND r."owner_rewarded_at" IS NULL;
