import { expect, it } from 'vitest'
import { offlineText } from '#src/app/pwa/offline-text.ts'

const now = new Date(2026, 10, 21, 14, 0)

it('MIS-03 the offline bar says how old what is shown is', () => {
  expect(offlineText('no-answer', new Date(2026, 10, 21, 10, 42).getTime(), now, 'en-GB')).toBe(
    'Offline. Showing what this device has, as of 10:42',
  )
  expect(offlineText('no-answer', new Date(2026, 10, 20, 9, 5).getTime(), now, 'en-GB')).toBe(
    'Offline. Showing what this device has, as of 20 Nov, 09:05',
  )
})

it('MIS-03 without anything to show it promises nothing', () => {
  expect(offlineText('no-answer', null, now, 'en-GB')).not.toContain('as of')
})

it('SAF-07 the bar tells a captive portal and a gateway from being offline', () => {
  const asOf = new Date(2026, 10, 21, 10, 42).getTime()
  expect(offlineText('portal', asOf, now, 'en-GB')).toBe(
    'This network wants you to sign in first. Showing what this device has, as of 10:42.',
  )
  expect(offlineText('foreign-answer', asOf, now, 'en-GB')).toBe(
    'The server cannot be reached right now. Showing what this device has, as of 10:42',
  )
})
