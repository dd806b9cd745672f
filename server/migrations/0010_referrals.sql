CREATE TABLE "referral_codes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"code" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "referral_codes_code_unique" UNIQUE("code")
);
--> statement-breakpoint
CREATE TABLE "referral_redemptions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"code_id" uuid NOT NULL,
	"referee_user_id" uuid NOT NULL,
	"referee_mailbox_hash" text NOT NULL,
	"claimed_at" timestamp with time zone NOT NULL,
	"qualified_at" timestamp with time zone,
	"rewarded_at" timestamp with time zone,
	CONSTRAINT "referral_redemptions_referee_user_id_unique" UNIQUE("referee_user_id"),
	CONSTRAINT "referral_redemptions_referee_mailbox_hash_unique" UNIQUE("referee_mailbox_hash")
);
--> statement-breakpoint
ALTER TABLE "magic_links" ADD COLUMN "referral_code" text;--> statement-breakpoint
ALTER TABLE "referral_codes" ADD CONSTRAINT "referral_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referral_redemptions" ADD CONSTRAINT "referral_redemptions_code_id_referral_codes_id_fk" FOREIGN KEY ("code_id") REFERENCES "public"."referral_codes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referral_redemptions" ADD CONSTRAINT "referral_redemptions_referee_user_id_users_id_fk" FOREIGN KEY ("referee_user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "referral_codes_user" ON "referral_codes" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "referral_redemptions_code" ON "referral_redemptions" USING btree ("code_id","claimed_at");--> statement-breakpoint
CREATE INDEX "users_mailbox" ON "users" USING btree (replace(
    replace(split_part(split_part("email", '@', 1), '+', 1), '.', '') || '@' || split_part("email", '@', 2),
    '@googlemail.com', '@gmail.com'
  ));