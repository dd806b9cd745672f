import type { RouteObject } from 'react-router'
import { expect, it } from 'vitest'
import type { Guards } from '#src/app/guards/guards.ts'
import { createRoutes } from '#src/app/routes.tsx'

/** The private routes of the specification whose screens are built. */
const PRIVATE = [
  '/create-profile',
  '/uploads/new',
  '/uploads/:uploadRequestId/media-jobs/new',
  '/uploads/media-jobs/:mediaJobId/status',
  '/uploads/orders/:orderId/checkout',
  '/user-profile',
  '/subscriptions/stripe/checkout',
  '/wallet-coin-transactions/stripe/checkout',
  '/media-jobs',
  '/edits',
  '/orders/:orderId/checkout',
  '/select-media-job-task-presets',
  '/select-team-skeet-trailer-options',
  '/select-dynamic-watermark-options',
  '/select-incognito-full-scene-options',
  '/select-short-trailer-gif-options',
  '/select-tube-cut-options',
  '/media-assets',
  '/create-media-asset',
  '/subscriptions',
  '/subscriptions/:walletSubscriptionId',
  '/wallets',
  '/wallets/:walletId',
  '/referral-codes',
  '/external-auths',
  '/stored-payment-methods',
]

function pathsOf(routes: readonly RouteObject[]): string[] {
  return routes.flatMap(({ path, children }) => [
    ...(path === undefined ? [] : [path]),
    ...pathsOf(children ?? []),
  ])
}

it('APP-02 has the private routes of the specification', () => {
  const paths = pathsOf(createRoutes({} as Guards))
  expect(PRIVATE.filter((path) => !paths.includes(path))).toEqual([])
  expect(new Set(paths).size).toBe(paths.length)
})
