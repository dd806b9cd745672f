import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SHARE_TEXT, shareLinks } from '#src/features/referral-codes/share-links.ts'
import { redemptionStatus } from '#src/features/referral-codes/redemption-status.ts'

const link = 'https://onecut.example/invite/MARA2026?a=1&b=ü'

it('REF-03 each place gets the specified text and the link, whole after decoding', () => {
  expect(SHARE_TEXT).toBe(
    "Here's the video editor that saves me HOURS. Subscribe via my link and we each get 1 month of tokens free",
  )
  expect(
    shareLinks(link).map(({ name, href }) => {
      const { protocol, host, pathname, searchParams } = new URL(href)
      return [name, `${protocol}${host}${pathname}`, Object.fromEntries(searchParams)]
    }),
  ).toEqual([
    ['Telegram', 'https:t.me/share/url', { url: link, text: SHARE_TEXT }],
    ['WhatsApp', 'https:wa.me/', { text: `${SHARE_TEXT} ${link}` }],
    ['Twitter', 'https:twitter.com/intent/tweet', { text: SHARE_TEXT, url: link }],
    ['SMS', 'sms:', { body: `${SHARE_TEXT} ${link}` }],
  ])
})

it('REF-07 a redemption is rewarded, else without a reward, else qualified, else pending', () => {
  const instant = fc.option(fc.constant('2026-11-21T10:00:00.000Z'))
  const reason = fc.constantFrom('card-known', 'owner-not-in-standing', null)
  fc.assert(
    fc.property(
      instant,
      instant,
      instant,
      reason,
      (qualifiedAt, rewardedAt, reversedAt, noReward) => {
        const furthest = qualifiedAt === null ? 'Pending' : 'Qualified'
        const isNone = reversedAt !== null || noReward !== null
        const without = isNone ? 'No reward' : furthest
        const rewarded = reversedAt === null ? 'Rewarded' : 'Reversed'
        expect(redemptionStatus({ qualifiedAt, rewardedAt, reversedAt, noReward })).toBe(
          rewardedAt === null ? without : rewarded,
        )
      },
    ),
  )
})
