/**
 * The ledger as one would write it on paper; what the real one is compared with. Times are epoch
 * milliseconds.
 */
export interface LedgerModel {
  grant(coinAmount: number, expiresAt: number | null): void
  /** False when the wallet cannot cover it. */
  spend(order: number, coinAmount: number, now: number): boolean
  /** What really came back. */
  refund(order: number, coinAmount: number, now: number): number
  state(now: number): {
    coinBalance: number
    spendableCoinAmount: number
    byExpiry: [number, number][]
  }
}

/** One token is one entry, so that nothing about dividing lots can go wrong here. */
interface Token {
  readonly expiresAt: number
  readonly isCredit: boolean
}

export function createLedgerModel(creditLimit: number): LedgerModel {
  const never = Number.POSITIVE_INFINITY
  let held: Token[] = []
  let usedCredit = 0
  const spentByOrder = new Map<number, Token[]>()
  const live = (now: number): Token[] => held.filter((token) => token.expiresAt > now)
  const spendable = (now: number): number =>
    Math.max(0, live(now).length - usedCredit + creditLimit)
  return {
    grant(coinAmount, expiresAt) {
      held.push(
        ...Array.from({ length: coinAmount }, () => ({
          expiresAt: expiresAt ?? never,
          isCredit: false,
        })),
      )
    },
    spend(order, coinAmount, now) {
      if (coinAmount > spendable(now)) return false
      const inOrder = live(now).toSorted((a, b) =>
        a.expiresAt === b.expiresAt ? 0 : a.expiresAt - b.expiresAt,
      )
      const taken = inOrder.slice(0, coinAmount)
      const gone = new Set(taken)
      held = held.filter((token) => !gone.has(token))
      const credit = coinAmount - taken.length
      usedCredit += credit
      spentByOrder.set(order, [
        ...(spentByOrder.get(order) ?? []),
        ...taken,
        ...Array.from({ length: credit }, () => ({ expiresAt: never, isCredit: true })),
      ])
      return true
    },
    refund(order, coinAmount, now) {
      const spent = spentByOrder.get(order) ?? []
      const back = spent.splice(Math.max(0, spent.length - coinAmount))
      held.push(
        ...back.map(({ expiresAt }) => ({
          expiresAt: expiresAt <= now ? now + 7 * 86_400_000 : expiresAt,
          isCredit: false,
        })),
      )
      return back.length
    },
    state(now) {
      const byExpiry = new Map<number, number>()
      for (const { expiresAt } of live(now))
        if (expiresAt !== never) byExpiry.set(expiresAt, (byExpiry.get(expiresAt) ?? 0) + 1)
      return {
        coinBalance: live(now).length - usedCredit,
        spendableCoinAmount: spendable(now),
        byExpiry: [...byExpiry].toSorted(([a], [b]) => a - b),
      }
    },
  }
}
