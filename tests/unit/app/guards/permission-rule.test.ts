import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { mayOpen } from '#src/app/guards/permission-rule.ts'
import { paths } from '#src/config/paths.ts'
import { PERMISSIONS } from '#src/config/permissions.ts'
import { runs } from '#tests/seeds.ts'

/** The rights that each route needs beside a signed-in user; all others need none. */
const needed: Readonly<Record<string, readonly string[]>> = {
  '/media-assets': ['create:mediaAssets', 'read:mediaAssets'],
  '/create-media-asset': ['create:mediaAssets', 'read:mediaAssets'],
  '/referral-codes': ['read:referralCodes'],
  '/subscriptions/stripe/checkout': ['create:walletSubscriptions'],
}
const allPaths = Object.values(paths).map((path) =>
  typeof path === 'string' ? path : path('an-id'),
)

it('APP-08 for every set of permissions, each route opens exactly with the rights that it needs', () => {
  fc.assert(
    fc.property(
      fc.subarray(Object.values(PERMISSIONS)),
      fc.constantFrom(...allPaths),
      (held: readonly string[], path) => {
        const hasAll = (needed[path] ?? []).every((one) => held.includes(one))
        expect(mayOpen(path, held)).toBe(hasAll)
      },
    ),
    { numRuns: runs(2000) },
  )
})
