import { CARD_MINIMUM_COINS, TOP_UP_MAX_TOKENS } from '#spec/numbers.ts'

/** What a card would pay of an order now. All amounts are whole tokens. */
export interface CardOffer {
  /** Of the wallet, which pay the order together with those bought; 0 where it covers all. */
  readonly walletCoinAmount: number
  /** Asked for: what the wallet lacks, at most what one payment can buy. */
  readonly coinAmount: number
  /** Charged and credited: at least what a card can pay. */
  readonly chargedCoinAmount: number
  /** Charged beyond the order; it stays in the wallet. */
  readonly keptCoinAmount: number
  /** Still payable afterwards. */
  readonly leftToPay: number
}

/**
 * Works out a payment by card (ORD-06, docs/product-decisions.md#card-minimum). Tokens that cover
 * a part of the order are used first (WAY-03); where they cover all, the person wants to keep them.
 * @param remainingPayableCoinAmount above 0
 */
export function cardOffer(
  remainingPayableCoinAmount: number,
  spendableCoinAmount: number,
): CardOffer {
  const coversAll = spendableCoinAmount >= remainingPayableCoinAmount
  const walletCoinAmount = coversAll ? 0 : Math.max(0, spendableCoinAmount)
  const lacking = remainingPayableCoinAmount - walletCoinAmount
  const coinAmount = Math.min(lacking, TOP_UP_MAX_TOKENS)
  const chargedCoinAmount = Math.max(coinAmount, CARD_MINIMUM_COINS)
  return {
    walletCoinAmount,
    coinAmount,
    chargedCoinAmount,
    keptCoinAmount: chargedCoinAmount - coinAmount,
    leftToPay: lacking - coinAmount,
  }
}
