ALTER TABLE "wallet_transactions" ADD COLUMN "origin_id" uuid;--> statement-breakpoint
ALTER TABLE "wallet_transactions" ADD CONSTRAINT "wallet_transactions_origin_id_wallet_transactions_id_fk" FOREIGN KEY ("origin_id") REFERENCES "public"."wallet_transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- Tokens that came back before this: known where all of them came from one grant.
WITH RECURSIVE "origins" ("lot_id", "origin_id") AS (
	SELECT "id", "id" FROM "wallet_transactions" AS "t"
	WHERE "coin_amount" > 0 AND NOT EXISTS (SELECT FROM "lot_spends" WHERE "return_id" = "t"."id")
	UNION
	SELECT "s"."return_id", "o"."origin_id" FROM "origins" AS "o"
	JOIN "lot_spends" AS "s" ON "s"."lot_id" = "o"."lot_id" AND "s"."return_id" <> "s"."lot_id"
)
UPDATE "wallet_transactions" AS "t" SET "origin_id" = "one"."origin_id"
FROM (
	SELECT "lot_id", min("origin_id"::text)::uuid AS "origin_id" FROM "origins"
	GROUP BY "lot_id" HAVING count(*) = 1
) AS "one"
WHERE "t"."id" = "one"."lot_id" AND "t"."id" <> "one"."origin_id";
