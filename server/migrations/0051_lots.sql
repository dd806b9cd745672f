CREATE TABLE "lots" (
	"id" uuid PRIMARY KEY NOT NULL,
	"wallet_id" uuid NOT NULL,
	"origin_id" uuid NOT NULL,
	"coins_expire_after_at" timestamp with time zone,
	"remaining_coin_amount" integer NOT NULL,
	CONSTRAINT "lots_remaining" CHECK ("lots"."remaining_coin_amount" >= 0)
);
--> statement-breakpoint
ALTER TABLE "lots" ADD CONSTRAINT "lots_id_wallet_transactions_id_fk" FOREIGN KEY ("id") REFERENCES "public"."wallet_transactions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lots" ADD CONSTRAINT "lots_wallet_id_wallets_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lots" ADD CONSTRAINT "lots_origin_id_wallet_transactions_id_fk" FOREIGN KEY ("origin_id") REFERENCES "public"."wallet_transactions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "lots_wallet" ON "lots" USING btree ("wallet_id");--> statement-breakpoint
CREATE INDEX "lots_left" ON "lots" USING btree ("wallet_id","coins_expire_after_at") WHERE remaining_coin_amount > 0;--> statement-breakpoint
CREATE INDEX "lot_spends_debt" ON "lot_spends" USING btree ("spend_id") WHERE lot_id is null;--> statement-breakpoint
INSERT INTO "lots" ("id", "wallet_id", "origin_id", "coins_expire_after_at", "remaining_coin_amount")
SELECT t."id", t."wallet_id", coalesce(t."origin_id", t."id"), t."coins_expire_after_at", t."coin_amount" - coalesce(
  (SELECT sum(s."coin_amount") FROM "lot_spends" s WHERE s."lot_id" = t."id"), 0)
FROM "wallet_transactions" t WHERE t."coin_amount" > 0;
--> statement-breakpoint
CREATE FUNCTION "lot_of_grant"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "lots" ("id", "wallet_id", "origin_id", "coins_expire_after_at", "remaining_coin_amount")
  VALUES (NEW."id", NEW."wallet_id", coalesce(NEW."origin_id", NEW."id"), NEW."coins_expire_after_at", NEW."coin_amount");
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "left_of_lot"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    UPDATE "lots" SET "remaining_coin_amount" = "remaining_coin_amount" + OLD."coin_amount" WHERE "id" = OLD."lot_id";
  END IF;
  IF TG_OP <> 'DELETE' THEN
    UPDATE "lots" SET "remaining_coin_amount" = "remaining_coin_amount" - NEW."coin_amount" WHERE "id" = NEW."lot_id";
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "lot_of_grant" AFTER INSERT ON "wallet_transactions"
FOR EACH ROW WHEN (NEW."coin_amount" > 0) EXECUTE FUNCTION "lot_of_grant"();
--> statement-breakpoint
CREATE TRIGGER "left_of_lot" AFTER INSERT OR DELETE OR UPDATE OF "lot_id", "coin_amount" ON "lot_spends"
FOR EACH ROW EXECUTE FUNCTION "left_of_lot"();
