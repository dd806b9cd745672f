import type { components } from '#openapi/schema.gen.ts'

type ExpiringLot = components['schemas']['Wallet']['expiringLots'][number]

/** Tokens that expire on one day of the visitor's zone. */
export interface ExpiringDay {
  readonly coinAmount: number
  readonly atEpochMs: number
}

/**
 * What expires and when, soonest first. Lots of one day are one: the tokens of a refund come back
 * beside those of their lot that were not spent.
 */
export function expiringDays(lots: readonly ExpiringLot[]): readonly ExpiringDay[] {
  const days = new Map<string, ExpiringDay>()
  for (const { coinAmount, expiresAt } of lots) {
    const atEpochMs = Date.parse(expiresAt)
    const day = new Date(atEpochMs).toDateString()
    const known = days.get(day) ?? { coinAmount: 0, atEpochMs }
    days.set(day, { ...known, coinAmount: known.coinAmount + coinAmount })
  }
  return [...days.values()].toSorted((a, b) => a.atEpochMs - b.atEpochMs)
}
