import { expect, it } from 'vitest'
import { readReferralCode } from '#src/components/read-referral-code.ts'

it('TYP-03 a referral code is read in quotation marks, groups, full width and from its link', () => {
  for (const text of [
    'ADA2026',
    ' ADA2026. ',
    '“ADA2026”',
    'ADA-2026',
    'ADA 2026',
    'ＡＤＡ２０２６',
    'ADA२०२६',
    'https://onecut.example/invite/ADA2026?from=mail',
    '<https://onecut.example/invite/ADA2026>',
  ])
    expect([text, readReferralCode(text)]).toEqual([text, 'ADA2026'])
  expect(readReferralCode('  ')).toBe('')
  expect(readReferralCode('ADÄ')).toBe('ADÄ')
})
