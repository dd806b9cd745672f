import fc from 'fast-check'
import { expect } from 'vitest'
import { createLedgerModel, type LedgerState } from './ledger-model.ts'

/**
 * One wallet of a ledger under test. Times are epoch milliseconds; `order` is the number of an
 * order, `grant` and `chargeback` count bookings of their kind from 0.
 */
export interface LedgerUnderTest {
  grant(coinAmount: number, expiresAt: number | null, now: number): Promise<void>
  /** False when it is refused for want of tokens. */
  spend(order: number, coinAmount: number, now: number): Promise<boolean>
  /** What came back. */
  refund(order: number, coinAmount: number, now: number): Promise<number>
  chargeBack(grant: number, coinAmount: number, now: number): Promise<void>
  /** What came back. */
  returnChargeback(chargeback: number, now: number): Promise<number>
  state(now: number): Promise<LedgerState & LedgerSums>
}

/** Sums over what is stored, which the balance must be made of. */
interface LedgerSums {
  /** Of all transactions. */
  readonly booked: number
  /** What lots that have expired still hold. */
  readonly expired: number
  readonly debt: number
}

const DAY_MS = 86_400_000
const START = Date.parse('2026-11-21T12:00:00Z')

type Step =
  | { readonly kind: 'grant'; readonly coinAmount: number; readonly days: number | null }
  | { readonly kind: 'spend' | 'refund'; readonly coinAmount: number; readonly order: number }
  | { readonly kind: 'charge back'; readonly coinAmount: number; readonly which: number }
  | { readonly kind: 'return chargeback'; readonly which: number }
  | { readonly kind: 'wait'; readonly days: number }

/** What happens to a wallet, and the credit it has. */
export interface History {
  readonly creditLimit: number
  readonly steps: readonly Step[]
}

/** Histories in which all amounts are at most `most`, with up to `longest` steps. */
export function histories(most: number, longest: number): fc.Arbitrary<History> {
  const coinAmount = fc.integer({ min: 1, max: most })
  const order = fc.integer({ min: 0, max: 2 })
  const which = fc.nat({ max: 4 })
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('grant' as const),
      coinAmount,
      days: fc.option(fc.integer({ min: 0, max: 10 }), { nil: null }),
    }),
    fc.record({ kind: fc.constantFrom('spend' as const, 'refund' as const), coinAmount, order }),
    fc.record({ kind: fc.constantFrom('spend' as const, 'refund' as const), coinAmount, order }),
    fc.record({ kind: fc.constant('charge back' as const), coinAmount, which }),
    fc.record({ kind: fc.constant('return chargeback' as const), which }),
    fc.record({ kind: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 6 }) }),
  )
  return fc.record({
    creditLimit: fc.constantFrom(0, 0, Math.ceil(most / 3)),
    steps: fc.array(step, { minLength: 1, maxLength: longest }),
  })
}

/**
 * Plays a history on a new ledger and on the model, and compares them after each step. It also
 * holds what must be true of every ledger, whatever the model says: balance = everything booked
 * less what expired; a lot that comes leaves no older debt; only reversals take what is not there.
 */
export async function playHistory(
  { creditLimit, steps }: History,
  ledger: LedgerUnderTest,
): Promise<void> {
  const model = createLedgerModel(creditLimit)
  const table = { now: START, grants: 0, chargebacks: 0 }
  let before = await ledger.state(table.now)
  for (const step of steps) {
    await playStep(step, table, ledger, model)
    const { booked, expired, debt, ...state } = await ledger.state(table.now)
    expect(state, JSON.stringify(step)).toEqual(model.state(table.now))
    expect(state.coinBalance).toBe(booked - expired)
    const added = booked - before.booked
    if (added > 0 && !isStillborn(step)) {
      expect(debt).toBe(Math.max(0, before.debt - added))
      expect(state.coinBalance).toBe(before.coinBalance + added)
    }
    // What is not a reversal takes nothing that the wallet and its credit do not have.
    if (step.kind === 'spend')
      expect(Math.min(0, before.coinBalance + creditLimit)).toBeLessThanOrEqual(
        state.coinBalance + creditLimit,
      )
    if (step.kind === 'wait') expect(debt).toBe(before.debt)
    before = { ...state, booked, expired, debt }
  }
}

/** A lot that has expired when it is booked counts nothing and settles nothing. */
function isStillborn(step: Step): boolean {
  return step.kind === 'grant' && step.days === 0
}

async function playStep(
  step: Step,
  table: { now: number; grants: number; chargebacks: number },
  ledger: LedgerUnderTest,
  model: ReturnType<typeof createLedgerModel>,
): Promise<void> {
  const { now } = table
  switch (step.kind) {
    case 'wait':
      table.now += step.days * DAY_MS
      return
    case 'grant': {
      const expiresAt = step.days === null ? null : now + step.days * DAY_MS
      await ledger.grant(step.coinAmount, expiresAt, now)
      model.grant(step.coinAmount, expiresAt, now)
      table.grants += 1
      return
    }
    case 'spend':
      expect(await ledger.spend(step.order, step.coinAmount, now)).toBe(
        model.spend(step.order, step.coinAmount, now),
      )
      return
    case 'refund':
      expect(await ledger.refund(step.order, step.coinAmount, now)).toBe(
        model.refund(step.order, step.coinAmount, now),
      )
      return
    case 'charge back': {
      if (table.grants === 0) return
      const grant = step.which % table.grants
      await ledger.chargeBack(grant, step.coinAmount, now)
      model.chargeBack(grant, step.coinAmount)
      table.chargebacks += 1
      return
    }
    case 'return chargeback': {
      if (table.chargebacks === 0) return
      const chargeback = step.which % table.chargebacks
      expect(await ledger.returnChargeback(chargeback, now)).toBe(
        model.returnChargeback(chargeback, now),
      )
    }
  }
}
