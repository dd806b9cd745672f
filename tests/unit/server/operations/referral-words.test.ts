import { describe, expect, it } from 'vitest'
import { hasAllowedWords } from '#server/operations/commerce/referrals/allowed-words.ts'

describe('words in referral codes', () => {
  it.each(['GOOGLE', 'MYG00G1E', 'XFUCKX', 'ON1YFAN5', 'N4Z1', 'TEAMSKEET', '0NECUTVIP'])(
    'REF-05 refuses %s',
    (code) => {
      expect(hasAllowedWords(code)).toBe(false)
    },
  )

  it.each(['MARA2026', 'CUT4YOU', 'GRAPES', 'SAVE1000', '1234', 'CHILLVIDS', 'AMARA'])(
    'REF-05 takes %s',
    (code) => {
      expect(hasAllowedWords(code)).toBe(true)
    },
  )
})
