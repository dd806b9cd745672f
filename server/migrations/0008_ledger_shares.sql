ALTER TABLE "wallets" DROP CONSTRAINT "wallets_user_id_users_id_fk";
--> statement-breakpoint
ALTER TABLE "lot_spends" ADD COLUMN "return_id" uuid;--> statement-breakpoint
ALTER TABLE "wallet_transactions" ADD COLUMN "reverts_id" uuid;--> statement-breakpoint
ALTER TABLE "lot_spends" ADD CONSTRAINT "lot_spends_return_id_wallet_transactions_id_fk" FOREIGN KEY ("return_id") REFERENCES "public"."wallet_transactions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet_transactions" ADD CONSTRAINT "wallet_transactions_reverts_id_wallet_transactions_id_fk" FOREIGN KEY ("reverts_id") REFERENCES "public"."wallet_transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- Until now a refund did not say which shares it returned: it took the last spent first. This gives
-- each refund its shares by the same rule, and divides a share of which only a part came back.
WITH "taken" AS (
	SELECT "s"."id", "s"."spend_id", "s"."lot_id", "s"."coin_amount", "t"."order_id", "t"."wallet_id",
		sum("s"."coin_amount") OVER "newest_first" - "s"."coin_amount" AS "starts",
		sum("s"."coin_amount") OVER "newest_first" AS "ends"
	FROM "lot_spends" "s" JOIN "wallet_transactions" "t" ON "t"."id" = "s"."spend_id"
	WINDOW "newest_first" AS (PARTITION BY "t"."order_id", "t"."wallet_id" ORDER BY "s"."id" DESC)
), "given" AS (
	SELECT "id", "order_id", "wallet_id",
		sum("coin_amount") OVER "oldest_first" - "coin_amount" AS "starts",
		sum("coin_amount") OVER "oldest_first" AS "ends"
	FROM "wallet_transactions" WHERE "kind" = 'order-refund'
	WINDOW "oldest_first" AS (PARTITION BY "order_id", "wallet_id" ORDER BY "created_at", "id")
), "pieces" AS (
	SELECT "taken"."id", "taken"."spend_id", "taken"."lot_id", "taken"."coin_amount" AS "whole", "given"."id" AS "return_id",
		(least("taken"."ends", "given"."ends") - greatest("taken"."starts", "given"."starts"))::int AS "coin_amount"
	FROM "taken" JOIN "given" USING ("order_id", "wallet_id")
	WHERE least("taken"."ends", "given"."ends") > greatest("taken"."starts", "given"."starts")
), "returned" AS (
	SELECT "id", "whole", sum("coin_amount")::int AS "coin_amount" FROM "pieces" GROUP BY "id", "whole"
), "inserted" AS (
	INSERT INTO "lot_spends" ("spend_id", "lot_id", "return_id", "coin_amount")
	SELECT "spend_id", "lot_id", "return_id", "coin_amount" FROM "pieces"
), "deleted" AS (
	DELETE FROM "lot_spends" USING "returned" WHERE "lot_spends"."id" = "returned"."id" AND "returned"."coin_amount" = "returned"."whole"
)
UPDATE "lot_spends" SET "coin_amount" = "lot_spends"."coin_amount" - "returned"."coin_amount"
FROM "returned" WHERE "lot_spends"."id" = "returned"."id" AND "returned"."coin_amount" < "returned"."whole";
