import { expect, it } from 'vitest'
import { elsewhereWords } from '#src/components/upload-words/elsewhere-words.ts'
import { HOUR_MS, MINUTE_MS } from '#src/lib/time.ts'

const NOW = 1_800_000_000_000
const GB = 1_000_000_000
const words = (safeBytes: number, agoMs: number | null) =>
  elsewhereWords(
    { safeBytes, lastReceivedAtEpochMs: agoMs === null ? null : NOW - agoMs },
    25 * GB,
    NOW,
  )

it.each([
  [0, null, 'Nothing has arrived yet.'],
  [3.1 * GB, null, '3.1 of 25 GB is safe.'],
  [3.1 * GB, MINUTE_MS, '3.1 of 25 GB is safe. The last part arrived about 1 minute ago.'],
  [3.1 * GB, 2 * HOUR_MS, '3.1 of 25 GB is safe. The last part arrived about 2 hours ago.'],
])('SAF-04 %s bytes of 25 GB, the last of them %s ms ago: %s', (safeBytes, agoMs, facts) => {
  expect(words(safeBytes, agoMs)).toEqual({ facts, warning: null })
})

it('SAF-04 says that another device may be sending what arrived a moment ago', () => {
  const { facts, warning } = words(3.1 * GB, MINUTE_MS - 1)
  expect(facts).toContain('less than a minute ago')
  expect(warning).toContain('Another device or browser may be sending this file right now.')
  // The clock of this device may run behind what it worked out of the server's.
  expect(words(3.1 * GB, -5).warning).not.toBeNull()
})
