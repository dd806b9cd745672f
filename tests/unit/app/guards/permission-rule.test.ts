import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { mayOpen } from '#src/app/guards/permission-rule.ts'
import { paths } from '#src/config/paths.ts'
import { PERMISSIONS } from '#src/config/permissions.ts'

const restricted = ['/media-assets', '/create-media-asset']
const allPaths = Object.values(paths).map((path) =>
  typeof path === 'string' ? path : path('an-id'),
)

it('APP-08 for every set of permissions, the two asset routes need both asset permissions and all others need none', () => {
  fc.assert(
    fc.property(
      fc.subarray(Object.values(PERMISSIONS)),
      fc.constantFrom(...allPaths),
      (held, path) => {
        const hasBoth = held.includes('create:mediaAssets') && held.includes('read:mediaAssets')
        expect(mayOpen(path, held)).toBe(!restricted.includes(path) || hasBoth)
      },
    ),
    { numRuns: 2000 },
  )
})
