/**
 * The ledger as one would write it on paper; what the real one is compared with. Times are epoch
 * milliseconds. Purchases and chargebacks are named by their place in the order of their booking.
 */
export interface LedgerModel {
  grant(coinAmount: number, expiresAt: number | null, now: number): void
  /** False when the wallet cannot cover it. */
  spend(order: number, coinAmount: number, now: number): boolean
  /** What really came back. */
  refund(order: number, coinAmount: number, now: number): number
  chargeBack(grant: number, coinAmount: number): void
  /** What really came back. */
  returnChargeback(chargeback: number, now: number): number
  state(now: number): LedgerState
}

/** What both ledgers must agree on. `byExpiry` has the tokens that expire. */
export interface LedgerState {
  /** What counts of each grant, also when it was spent and came back. */
  readonly unused: readonly number[]
  readonly coinBalance: number
  readonly spendableCoinAmount: number
  readonly byExpiry: readonly (readonly [expiresAt: number, coinAmount: number])[]
}

/** One token is one entry, so that nothing about dividing lots can go wrong here. */
interface Token {
  expiresAt: number
  /** The number of the grant that brought it first; null for what is owed. */
  grant: number | null
  isOwed: boolean
}

const never = Number.POSITIVE_INFINITY

export function createLedgerModel(creditLimit: number): LedgerModel {
  const held: Token[] = []
  const owed: Token[] = []
  const spentByOrder = new Map<number, Token[]>()
  const chargebacks: Token[][] = []
  const grants: number[] = []

  const live = (now: number): Token[] => held.filter((token) => token.expiresAt > now)
  const balance = (now: number): number => live(now).length - owed.length
  const spendable = (now: number): number => Math.max(0, balance(now) + creditLimit)
  /** Takes tokens in their given order; the rest is owed. */
  const take = (inOrder: readonly Token[], coinAmount: number): Token[] => {
    const taken = inOrder.slice(0, coinAmount)
    remove(held, taken)
    const debt = Array.from({ length: coinAmount - taken.length }, () => ({
      expiresAt: never,
      grant: null,
      isOwed: true,
    }))
    owed.push(...debt)
    return [...taken, ...debt]
  }
  /** A token that comes pays for the oldest one that is owed, or is held. */
  const add = ({ expiresAt, grant }: Pick<Token, 'expiresAt' | 'grant'>, now: number): void => {
    const debt = expiresAt > now ? owed.shift() : undefined
    if (debt === undefined) held.push({ expiresAt, grant, isOwed: false })
    else Object.assign(debt, { expiresAt, grant, isOwed: false })
  }
  const giveBack = (taken: Token[], coinAmount: number, now: number, extraDays: number): number => {
    const back = taken.toSorted(longestLivedFirst).slice(0, coinAmount)
    remove(taken, back)
    remove(
      owed,
      back.filter((token) => token.isOwed),
    )
    const returned = back
      .filter((token) => !token.isOwed)
      .map(({ expiresAt, grant }) => ({
        expiresAt: expiresAt <= now ? now + extraDays * 86_400_000 : expiresAt,
        grant,
        isOwed: false,
      }))
      .toSorted(longestLivedFirst)
    for (const token of returned) add(token, now)
    return back.length
  }
  return {
    grant(coinAmount, expiresAt, now) {
      const grant = grants.push(coinAmount) - 1
      for (let token = 0; token < coinAmount; token += 1)
        add({ expiresAt: expiresAt ?? never, grant }, now)
    },
    spend(order, coinAmount, now) {
      if (coinAmount > spendable(now)) return false
      const taken = take(live(now).toSorted(soonestFirst), coinAmount)
      spentByOrder.set(order, [...(spentByOrder.get(order) ?? []), ...taken])
      return true
    },
    refund: (order, coinAmount, now) => giveBack(spentByOrder.get(order) ?? [], coinAmount, now, 7),
    chargeBack(grant, coinAmount) {
      const own = held.filter((token) => token.grant === grant).toSorted(soonestFirst)
      const others = held.filter((token) => token.grant !== grant && token.expiresAt === never)
      chargebacks.push(take([...own, ...others], coinAmount))
    },
    returnChargeback(chargeback, now) {
      const taken = chargebacks[chargeback] ?? []
      return giveBack(taken, taken.length, now, 30)
    },
    state(now) {
      const byExpiry = new Map<number, number>()
      for (const { expiresAt } of live(now))
        if (expiresAt !== never) byExpiry.set(expiresAt, (byExpiry.get(expiresAt) ?? 0) + 1)
      return {
        unused: [...grants.keys()].map(
          (grant) => live(now).filter((token) => token.grant === grant).length,
        ),
        coinBalance: balance(now),
        spendableCoinAmount: spendable(now),
        byExpiry: [...byExpiry].toSorted(([a], [b]) => a - b),
      }
    },
  }
}

function remove(tokens: Token[], gone: readonly Token[]): void {
  const set = new Set(gone)
  tokens.splice(0, tokens.length, ...tokens.filter((token) => !set.has(token)))
}

function soonestFirst(a: Pick<Token, 'expiresAt'>, b: Pick<Token, 'expiresAt'>): number {
  return a.expiresAt === b.expiresAt ? 0 : a.expiresAt - b.expiresAt
}

function longestLivedFirst(a: Token, b: Token): number {
  if (a.isOwed !== b.isOwed) return a.isOwed ? -1 : 1
  return soonestFirst(b, a) || (a.grant ?? 0) - (b.grant ?? 0)
}
