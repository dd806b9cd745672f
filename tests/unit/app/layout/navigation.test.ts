import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { navigationItems, tokensLabel } from '#src/app/layout/navigation.ts'
import { PERMISSIONS } from '#src/config/permissions.ts'

it('APP-11 a visitor sees Log in and Sign up, everybody else New Upload and My Edits whatever they may do', () => {
  expect(navigationItems(null).map((item) => [item.label, item.path])).toEqual([
    ['Log in', '/login'],
    ['Sign up', '/signup'],
  ])
  fc.assert(
    fc.property(fc.subarray(Object.values(PERMISSIONS)), (held) => {
      expect(navigationItems(held).map((item) => [item.label, item.path])).toEqual([
        ['New Upload', '/uploads/new'],
        ['My Edits', '/edits'],
      ])
    }),
  )
})

it('APP-12 the balance reads like {n} tokens', () => {
  expect(tokensLabel(0)).toBe('0 tokens')
  expect(tokensLabel(12_345)).toBe('12,345 tokens')
})
