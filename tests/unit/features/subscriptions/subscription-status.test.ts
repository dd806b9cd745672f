import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  planName,
  STATUS_MEANING,
  subscriptionStatus,
} from '#src/features/subscriptions/subscription-status.ts'
import { runs } from '#tests/seeds.ts'

const NOW = Date.parse('2026-11-21T10:00:00.000Z')
const facts = fc.record({
  status: fc.constantFrom('active', 'payment-problem', 'canceling', 'expired'),
  expiresAt: fc.oneof(
    fc.constant(null),
    fc
      .integer({ min: -10, max: 10 })
      .map((hours) => new Date(NOW + hours * 3_600_000).toISOString()),
  ),
  cancelAtPeriodEnd: fc.boolean(),
})
/** As the specification tells it, with what the server knows beside it. */
const expected = ({
  status,
  expiresAt,
  cancelAtPeriodEnd,
}: typeof facts extends fc.Arbitrary<infer T> ? T : never) => {
  if (expiresAt === null) return 'Lifetime'
  if (Date.parse(expiresAt) <= NOW || status === 'expired') return 'Expired'
  if (cancelAtPeriodEnd) return 'Cancels at period end'
  return status === 'payment-problem' ? 'Payment problem' : 'Active'
}

it('SUB-04 any subscription has exactly one status, found in the order of the specification', () => {
  fc.assert(
    fc.property(facts, (one) => {
      expect(STATUS_MEANING[subscriptionStatus(one, NOW)].label).toBe(expected(one))
    }),
    { numRuns: runs(2000) },
  )
})

it('SUB-05 cancelling is offered exactly where an end is set, lies ahead, and nothing is cancelled', () => {
  fc.assert(
    fc.property(facts, (one) => {
      const { change } = STATUS_MEANING[subscriptionStatus(one, NOW)]
      const isRunning =
        one.expiresAt !== null && Date.parse(one.expiresAt) > NOW && one.status !== 'expired'
      expect(change === 'cancel').toBe(isRunning && !one.cancelAtPeriodEnd)
      expect(change === 'resume').toBe(isRunning && one.cancelAtPeriodEnd)
    }),
    { numRuns: runs(2000) },
  )
})

it('SUB-03 a plan is named by its slug, with spaces and capitals', () => {
  expect(['standard', 'brand-ambassador'].map(planName)).toEqual(['Standard', 'Brand Ambassador'])
})
