import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { accountLinks, navigationItems, tokensLabel } from '#src/app/layout/navigation.ts'
import { PERMISSIONS } from '#src/config/permissions.ts'

const on = { paymentsEnabled: true }

it('APP-11 a visitor sees Log in and Sign up', () => {
  expect(navigationItems(null, on).map((item) => [item.label, item.path])).toEqual([
    ['Log in', '/login'],
    ['Sign up', '/signup'],
  ])
})

it('APP-11 everybody else sees New Upload and My Edits, and Referrals and Subscribe each with its right and payments on', () => {
  fc.assert(
    fc.property(fc.subarray(Object.values(PERMISSIONS)), fc.boolean(), (held, paymentsEnabled) => {
      const mayRefer = paymentsEnabled && held.includes('read:referralCodes')
      const maySubscribe = paymentsEnabled && held.includes('create:walletSubscriptions')
      expect(
        navigationItems(held, { paymentsEnabled }).map((item) => [item.label, item.path]),
      ).toEqual([
        ['New Upload', '/uploads/new'],
        ['My Edits', '/edits'],
        ...(mayRefer ? [['Referrals', '/referral-codes']] : []),
        ...(maySubscribe ? [['Subscribe', '/subscriptions/stripe/checkout']] : []),
      ])
    }),
  )
})

it('APP-12 the account menu leads to My Subscriptions with the right to read them, to Media Assets with either of its rights, and to Integrations', () => {
  expect(accountLinks(null).map(({ path }) => path)).toEqual(['/help'])
  fc.assert(
    fc.property(fc.subarray(Object.values(PERMISSIONS)), (held) => {
      expect(accountLinks(held).map((item) => [item.label, item.path])).toEqual([
        ['My Account', '/user-profile'],
        ...(held.includes('read:walletSubscriptions')
          ? [['My Subscriptions', '/subscriptions']]
          : []),
        ...(held.some((one) => one.endsWith(':mediaAssets'))
          ? [['Media Assets', '/media-assets']]
          : []),
        ['Integrations', '/external-auths'],
        ['My Payments', '/payments'],
        ['Help', '/help'],
      ])
    }),
  )
})

it('APP-12 the balance reads like {n} tokens', () => {
  expect(tokensLabel(0)).toBe('0 tokens')
  expect(tokensLabel(12_345)).toBe('12,345 tokens')
})
