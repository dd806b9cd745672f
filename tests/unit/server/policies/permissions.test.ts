import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { permissionsOf, type SubscriptionStanding } from '#server/policies/permissions.ts'
import { requirePermission } from '#server/policies/require-permission.ts'

const now = new Date('2026-11-21T12:00:00Z')
const user = (trialEndsInMs: number) => ({ trialEndsAt: new Date(now.getTime() + trialEndsInMs) })
const paying = { now, takesPayments: true }
const everyone = [
  'read:referralCodes',
  'create:mediaAssets',
  'read:mediaAssets',
  'create:uploadRequestDropboxChooser',
  'create:uploadRequestGoogleDrivePicker',
  'create:walletSubscriptions',
]

const DAY_MS = 86_400_000
const never: SubscriptionStanding = { hasSubscribed: false, paidThrough: null }
const paidUntil = (ms: number): SubscriptionStanding => ({
  hasSubscribed: true,
  paidThrough: new Date(now.getTime() + ms),
})
const anyMs = fc.integer({ min: -1e10, max: 1e10 })
const anyStanding = fc.oneof(
  fc.constantFrom(never, { hasSubscribed: true, paidThrough: null }),
  anyMs.map(paidUntil),
)

describe('permissions', () => {
  it('APP-19 every account holds the six common permissions, whatever else is true', () => {
    fc.assert(
      fc.property(anyMs, anyStanding, (ms, standing) => {
        expect(permissionsOf(user(ms), standing, paying)).toEqual(expect.arrayContaining(everyone))
      }),
    )
  })

  it('APP-19 ordering and spending belong to a running trial or a paid month with its grace, and to nothing else', () => {
    fc.assert(
      fc.property(anyMs, anyStanding, (ms, standing) => {
        const held = permissionsOf(user(ms), standing, paying)
        const { paidThrough } = standing
        const isPaid = paidThrough !== null && paidThrough.getTime() + 3 * DAY_MS > now.getTime()
        expect(held.includes('create:orders')).toBe(ms > 0 || isPaid)
        expect(held.includes('create:fundSourceWalletCoinTransactions')).toBe(ms > 0 || isPaid)
        expect(held.includes('read:walletSubscriptions')).toBe(standing.hasSubscribed)
      }),
    )
  })

  it('a trial ends at its very end', () => {
    expect(permissionsOf(user(1), never, paying)).toContain('create:orders')
    expect(permissionsOf(user(0), never, paying)).not.toContain('create:orders')
  })

  it('a subscription ends three days after its last paid month', () => {
    expect(permissionsOf(user(0), paidUntil(-3 * DAY_MS + 1), paying)).toContain('create:orders')
    expect(permissionsOf(user(0), paidUntil(-3 * DAY_MS), paying)).not.toContain('create:orders')
  })

  it('a server that takes no payments asks for no subscription', () => {
    const free = { now, takesPayments: false }
    expect(permissionsOf(user(0), never, free)).toContain('create:orders')
  })

  it('refuses with a sentence when the permission is missing', () => {
    expect(() => requirePermission({ permissions: everyone }, 'create:orders')).toThrow(
      expect.objectContaining({ code: 'auth/permission-missing' }),
    )
    expect(() =>
      requirePermission({ permissions: ['create:orders'] }, 'create:orders'),
    ).not.toThrow()
  })
})
