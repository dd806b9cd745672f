import { expect, it } from 'vitest'
import { makeRight, type KnownOfPlan } from '#src/local/made/rights.ts'

const DAY = 86_400_000
const NOW = Date.parse('2026-11-21T10:00:00.000Z')
const known = (changes: Partial<KnownOfPlan> = {}): KnownOfPlan => ({
  flags: { isInTrial: false, trialEndsAt: '2026-11-01T00:00:00.000Z', hasActiveSubscription: true },
  askedAtEpochMs: NOW - DAY,
  paidUntilEpochMs: NOW + 5 * DAY,
  madeCount: 12,
  ...changes,
})

it('NOW-06 a plan makes edits until its end, and for a week more without a word of the server', () => {
  expect(makeRight(known(), NOW)).toBe('granted')
  expect(makeRight(known(), NOW + 12 * DAY)).toBe('granted')
  expect(makeRight(known(), NOW + 12 * DAY + 1)).toBe('go-online')
})

it('NOW-06 a plan that the server called active counts, whatever the clock of the device says', () => {
  const ahead = NOW + 400 * DAY
  expect(makeRight(known({ askedAtEpochMs: ahead }), ahead)).toBe('granted')
  expect(makeRight(known({ paidUntilEpochMs: null }), NOW)).toBe('granted')
})

it('NOW-06 without a plan a trial has one edit, and after it there is none', () => {
  const flags = {
    isInTrial: true,
    trialEndsAt: '2026-11-27T09:00:00.000Z',
    hasActiveSubscription: false,
  }
  expect(makeRight(known({ flags, madeCount: 0 }), NOW)).toBe('granted')
  expect(makeRight(known({ flags, madeCount: 1 }), NOW)).toBe('trial-used')
  expect(makeRight(known({ flags, madeCount: 0 }), NOW + 7 * DAY)).toBe('no-plan')
  const over = { ...flags, isInTrial: false }
  expect(makeRight(known({ flags: over, madeCount: 0 }), NOW)).toBe('no-plan')
})
