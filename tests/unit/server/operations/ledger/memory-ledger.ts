import {
  grantEntry,
  returnEntries,
  spendEntry,
  type Entry,
  type ShareChange,
  type StoredShare,
} from '#server/operations/core/ledger/entries.ts'
import {
  isLive,
  reversibleLots,
  spendableLots,
  unusedOf,
  walletState,
  type Lot,
} from '#server/operations/core/ledger/lots.ts'
import type { LedgerUnderTest } from '#tests/suites/ledger.ts'

interface Row {
  id: number
  readonly spend: string
  coinAmount: number
  lotId: string | null
  isReturned: boolean
}

interface Transaction {
  readonly id: string
  readonly coinAmount: number
  readonly expiresAt: Date | null
  readonly originId: string
}

/**
 * One wallet whose rows are in memory. What it books comes from the server's own rules, so that
 * thousands of histories can be played; tests/integration plays fewer on PostgreSQL.
 */
export function createMemoryLedger(creditLimit: number): LedgerUnderTest {
  const transactions: Transaction[] = []
  const shares: Row[] = []
  const payments: { readonly order: number; readonly id: string }[] = []
  const chargebacks: string[] = []
  const grants: string[] = []

  const lotOf = (lotId: string | null): Transaction | undefined =>
    transactions.find((one) => one.id === lotId)
  const stored = (rows: readonly Row[]): readonly StoredShare[] =>
    rows
      .toSorted((a, b) => (a.spend === b.spend ? a.id - b.id : a.spend < b.spend ? -1 : 1))
      .map(({ id, coinAmount, lotId }) => ({
        id,
        walletId: 'wallet',
        coinAmount,
        lotId,
        expiresAt: lotOf(lotId)?.expiresAt ?? null,
        originId: lotOf(lotId)?.originId ?? null,
      }))
  const debts = () => stored(shares.filter((row) => row.lotId === null))
  const unreturned = (spends: readonly string[]) =>
    stored(shares.filter((row) => spends.includes(row.spend) && !row.isReturned))
  const lots = (): Lot[] =>
    transactions
      .filter((one) => one.coinAmount > 0)
      .map(({ id, originId, coinAmount, expiresAt }) => ({
        id,
        originId,
        expiresAt,
        remaining: shares
          .filter((row) => row.lotId === id)
          .reduce((left, row) => left - row.coinAmount, coinAmount),
      }))
  const debt = () => debts().reduce((sum, share) => sum + share.coinAmount, 0)
  const change = ({ kind, shareId, coinAmount }: ShareChange, lotId: string): void => {
    const row = shares.find((one) => one.id === shareId)
    if (row === undefined || row.coinAmount < coinAmount) throw new Error('No such tokens')
    const part = row.coinAmount === coinAmount ? row : { ...row, id: shares.length, coinAmount }
    if (part !== row) {
      row.coinAmount -= coinAmount
      shares.push(part)
    }
    if (kind !== 'return') part.lotId = lotId
    if (kind !== 'settle') part.isReturned = true
  }
  const record = (entry: Entry): string => {
    const id = `transaction ${String(transactions.length).padStart(4, '0')}`
    const { coinAmount: amount, expiresAt, originId } = entry
    transactions.push({ id, coinAmount: amount, expiresAt, originId: originId ?? id })
    for (const { lotId, coinAmount } of entry.shares)
      shares.push({ id: shares.length, spend: id, lotId, coinAmount, isReturned: false })
    for (const one of entry.changes) change(one, id)
    return id
  }
  const giveBack = (
    spends: readonly string[],
    coinAmount: number,
    now: number,
    extraDays: number,
  ): number => {
    const when = { now: new Date(now), extraDays }
    const entries = returnEntries(unreturned(spends), debts(), coinAmount, when)
    entries.forEach(record)
    return entries.reduce((sum, entry) => sum + entry.coinAmount, 0)
  }
  return {
    async grant(coinAmount, expiresAt, now) {
      const lot = { coinAmount, expiresAt: expiresAt === null ? null : new Date(expiresAt) }
      grants.push(record(grantEntry(debts(), lot, new Date(now))))
    },
    async spend(order, coinAmount, now) {
      const { spendableCoinAmount } = walletState(lots(), debt(), creditLimit, new Date(now))
      if (coinAmount > spendableCoinAmount) return false
      const id = record(spendEntry(spendableLots(lots(), new Date(now)), coinAmount))
      payments.push({ order, id })
      return true
    },
    refund: async (order, coinAmount, now) =>
      giveBack(
        payments.filter((one) => one.order === order).map((one) => one.id),
        coinAmount,
        now,
        7,
      ),
    async chargeBack(grant, coinAmount) {
      chargebacks.push(record(spendEntry(reversibleLots(lots(), grants[grant] ?? ''), coinAmount)))
    },
    returnChargeback: async (chargeback, now) =>
      giveBack([chargebacks[chargeback] ?? ''], Number.MAX_SAFE_INTEGER, now, 30),
    async state(now) {
      const at = new Date(now)
      const state = walletState(lots(), debt(), creditLimit, at)
      const expired = lots().filter((lot) => !isLive(lot, at))
      return {
        unused: grants.map((id) => unusedOf(lots(), id, null, at)),
        coinBalance: state.coinBalance,
        spendableCoinAmount: state.spendableCoinAmount,
        byExpiry: byExpiry(state.expiringLots),
        booked: transactions.reduce((sum, one) => sum + one.coinAmount, 0),
        expired: expired.reduce((sum, lot) => sum + lot.remaining, 0),
        debt: debt(),
      }
    },
  }
}

/** Tokens that expire, summed by their expiry, soonest first. */
export function byExpiry(
  lots: readonly { readonly coinAmount: number; readonly expiresAt: Date }[],
): [number, number][] {
  const sums = new Map<number, number>()
  for (const { coinAmount, expiresAt } of lots)
    sums.set(expiresAt.getTime(), (sums.get(expiresAt.getTime()) ?? 0) + coinAmount)
  return [...sums].toSorted(([a], [b]) => a - b)
}
