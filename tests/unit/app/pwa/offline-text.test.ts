import { expect, it } from 'vitest'
import { offlineText } from '#src/app/pwa/offline-text.ts'

const now = new Date(2026, 10, 21, 14, 0).getTime()

it('MIS-03 the offline bar says how old what is shown is', () => {
  expect(offlineText('no-answer', new Date(2026, 10, 21, 10, 42).getTime(), now)).toBe(
    'Offline. Showing what this device has, as of 10:42 AM',
  )
  expect(offlineText('no-answer', new Date(2026, 10, 20, 9, 5).getTime(), now)).toBe(
    'Offline. Showing what this device has, as of Nov 20, 2026, 9:05 AM',
  )
})

it('MIS-03 without anything to show it promises nothing', () => {
  expect(offlineText('no-answer', null, now)).not.toContain('as of')
})

it('SAF-07 the bar tells a captive portal and a gateway from being offline', () => {
  const asOf = new Date(2026, 10, 21, 10, 42).getTime()
  expect(offlineText('portal', asOf, now)).toBe(
    'This network wants you to sign in first. Showing what this device has, as of 10:42 AM.',
  )
  expect(offlineText('foreign-answer', asOf, now)).toBe(
    'The server cannot be reached right now. Showing what this device has, as of 10:42 AM',
  )
})
