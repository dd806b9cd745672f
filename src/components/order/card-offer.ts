import { CARD_MINIMUM_COINS, TOP_UP_MAX_TOKENS } from '#spec/numbers.ts'

/** What a card would pay of an order now. All amounts are whole tokens. */
export interface CardOffer {
  /** Asked for: the rest of the order, at most what one payment can buy. */
  readonly coinAmount: number
  /** Charged and credited: at least what a card can pay. */
  readonly chargedCoinAmount: number
  /** Charged beyond the order; it stays in the wallet. */
  readonly keptCoinAmount: number
  /** Still payable afterwards. */
  readonly leftToPay: number
}

/**
 * Works out a payment by card (ORD-06, docs/product-decisions.md#card-minimum).
 * @param remainingPayableCoinAmount above 0
 */
export function cardOffer(remainingPayableCoinAmount: number): CardOffer {
  const coinAmount = Math.min(remainingPayableCoinAmount, TOP_UP_MAX_TOKENS)
  const chargedCoinAmount = Math.max(coinAmount, CARD_MINIMUM_COINS)
  return {
    coinAmount,
    chargedCoinAmount,
    keptCoinAmount: chargedCoinAmount - coinAmount,
    leftToPay: remainingPayableCoinAmount - coinAmount,
  }
}
