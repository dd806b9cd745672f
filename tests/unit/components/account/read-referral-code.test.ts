import { expect, it } from 'vitest'
import { readReferralCode, referralCodeReadAs } from '#src/components/account/read-referral-code.ts'

it('TYP-03 a referral code is read in quotation marks, groups, full width and from its link', () => {
  for (const text of [
    'ADA2026',
    ' ADA2026. ',
    '“ADA2026”',
    '„ADA2026“',
    '「ADA2026」',
    'ADA-2026',
    'ADA 2026',
    'ADA\u20112026',
    'ADA—2026',
    'Join Onecut with my link and both of us get tokens: https://onecut.example/invite/ADA2026 See you!',
    'ＡＤＡ２０２６',
    'ADA२०२६',
    'https://onecut.example/invite/ADA2026?from=mail',
    '<https://onecut.example/invite/ADA2026>',
  ])
    expect([text, readReferralCode(text)]).toEqual([text, 'ADA2026'])
  expect(referralCodeReadAs('ADA-2026')).toBe('Read as ADA2026')
  for (const plain of [
    'ADA2026',
    ' ada2026 ',
    '',
    'a - b',
    'no code, but a whole sentence of words',
  ])
    expect([plain, referralCodeReadAs(plain)]).toEqual([plain, null])
  expect(readReferralCode('  ')).toBe('')
  expect(readReferralCode('ADÄ')).toBe('ADÄ')
})
