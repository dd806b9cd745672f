import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { permissionsOf, type SubscriptionFact } from '#server/policies/permissions.ts'
import { requirePermission } from '#server/policies/require-permission.ts'

const now = new Date('2026-11-21T12:00:00Z')
const user = (trialEndsInMs: number) => ({ trialEndsAt: new Date(now.getTime() + trialEndsInMs) })
const everyone = [
  'read:referralCodes',
  'create:mediaAssets',
  'read:mediaAssets',
  'create:uploadRequestDropboxChooser',
  'create:uploadRequestGoogleDrivePicker',
  'create:walletSubscriptions',
]

describe('permissions', () => {
  it('APP-19 every account holds the six common permissions, whatever else is true', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1e10, max: 1e10 }),
        fc.array(fc.constantFrom<SubscriptionFact['status']>('active', 'canceling', 'ended')),
        (ms, statuses) => {
          expect(
            permissionsOf(
              user(ms),
              statuses.map((status) => ({ status })),
              now,
            ),
          ).toEqual(expect.arrayContaining(everyone))
        },
      ),
    )
  })

  it('APP-19 ordering and spending belong to a running trial or a running subscription, and to nothing else', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1e10, max: 1e10 }),
        fc.array(fc.constantFrom<SubscriptionFact['status']>('active', 'canceling', 'ended')),
        (ms, statuses) => {
          const held = permissionsOf(
            user(ms),
            statuses.map((status) => ({ status })),
            now,
          )
          const mayOrder = ms > 0 || statuses.some((status) => status !== 'ended')
          expect(held.includes('create:orders')).toBe(mayOrder)
          expect(held.includes('create:fundSourceWalletCoinTransactions')).toBe(mayOrder)
          expect(held.includes('read:walletSubscriptions')).toBe(statuses.length > 0)
        },
      ),
    )
  })

  it('a trial ends at its very end', () => {
    expect(permissionsOf(user(1), [], now)).toContain('create:orders')
    expect(permissionsOf(user(0), [], now)).not.toContain('create:orders')
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
