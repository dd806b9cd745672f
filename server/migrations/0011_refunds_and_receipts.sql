CREATE TABLE "receipt_counters" (
	"series" text NOT NULL,
	"year" integer NOT NULL,
	"last" integer NOT NULL,
	CONSTRAINT "receipt_counters_series_year_pk" PRIMARY KEY("series","year")
);
--> statement-breakpoint
ALTER TABLE "payments" ALTER COLUMN "checkout_session_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "receipt_number" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "wallet_transaction_id" uuid;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "receipt_number" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "state" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "refunded_cents" integer;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "withdrawn_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "withdrawn_cents" integer;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "read_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "read_due_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "wallet_transactions" ADD COLUMN "subscription_id" uuid;--> statement-breakpoint
-- A payment belongs to the lot that was credited for it: of tokens by its session, of a month by its
-- invoice, whose id the only provider until now repeats in the payment's.
UPDATE "payments" "p" SET "state" = 'paid', "refunded_cents" = 0, "read_due_at" = now(), "wallet_transaction_id" = (
	SELECT "t"."id" FROM "wallet_transactions" "t" JOIN "checkout_sessions" "c" ON "c"."wallet_id" = "t"."wallet_id"
	WHERE "c"."id" = "p"."checkout_session_id" AND "t"."cause" = CASE
		WHEN "p"."wallet_subscription_id" IS NULL THEN 'checkout:' || "c"."id"
		ELSE 'invoice:' || regexp_replace("p"."provider_payment_id", '_pay$', '') END
);
--> statement-breakpoint
UPDATE "wallet_transactions" "t" SET "subscription_id" = "p"."wallet_subscription_id"
FROM "payments" "p" WHERE "p"."wallet_transaction_id" = "t"."id";
--> statement-breakpoint
UPDATE "payments" "p" SET "receipt_number" = "n"."year" || '-' || lpad("n"."nth"::text, 6, '0') FROM (
	SELECT "id", "year", row_number() OVER (PARTITION BY "year" ORDER BY "paid_at", "id") AS "nth" FROM (
		SELECT "id", "paid_at", extract(year FROM "paid_at" AT TIME ZONE 'UTC') AS "year" FROM "payments"
	) "dated"
) "n" WHERE "n"."id" = "p"."id";
--> statement-breakpoint
UPDATE "orders" "o" SET "receipt_number" = 'O-' || "n"."year" || '-' || lpad("n"."nth"::text, 6, '0') FROM (
	SELECT "id", "year", row_number() OVER (PARTITION BY "year" ORDER BY "paid_at", "id") AS "nth" FROM (
		SELECT "id", "paid_at", extract(year FROM "paid_at" AT TIME ZONE 'UTC') AS "year" FROM "orders" "paid"
		WHERE "paid_at" IS NOT NULL AND EXISTS (
			SELECT 1 FROM "wallet_transactions" "t" WHERE "t"."order_id" = "paid"."id" AND "t"."kind" = 'order-payment'
		)
	) "dated"
) "n" WHERE "n"."id" = "o"."id";
--> statement-breakpoint
INSERT INTO "receipt_counters" ("series", "year", "last")
SELECT 'payment', split_part("receipt_number", '-', 1)::int, count(*) FROM "payments" GROUP BY 2
UNION ALL
SELECT 'order', split_part("receipt_number", '-', 2)::int, count(*) FROM "orders" WHERE "receipt_number" IS NOT NULL GROUP BY 2;
--> statement-breakpoint
ALTER TABLE "payments" ALTER COLUMN "wallet_transaction_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ALTER COLUMN "receipt_number" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ALTER COLUMN "state" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ALTER COLUMN "refunded_cents" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_wallet_transaction_id_wallet_transactions_id_fk" FOREIGN KEY ("wallet_transaction_id") REFERENCES "public"."wallet_transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet_transactions" ADD CONSTRAINT "wallet_transactions_subscription_id_wallet_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."wallet_subscriptions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payments_due" ON "payments" USING btree ("read_due_at");--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_receipt_number_unique" UNIQUE("receipt_number");--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_receipt_number_unique" UNIQUE("receipt_number");--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_withdrawal" CHECK (("payments"."withdrawn_at" is null) = ("payments"."withdrawn_cents" is null));