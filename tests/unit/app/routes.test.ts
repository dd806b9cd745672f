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

/** The paths of routes, each with its own loader and those of the routes around it. */
function routesIn(
  routes: readonly RouteObject[],
  around: readonly unknown[] = [],
): { readonly path: string; readonly loaders: readonly unknown[] }[] {
  return routes.flatMap(({ path, loader, children }) => {
    const loaders = [...around, loader]
    return [
      ...(path === undefined ? [] : [{ path, loaders }]),
      ...routesIn(children ?? [], loaders),
    ]
  })
}

it('APP-02 has the private routes of the specification, the page without rights, and one for any other address', () => {
  const paths = routesIn(createRoutes({} as Guards)).map(({ path }) => path)
  const asked = [...PRIVATE, '/not-authorized', '*']
  expect(asked.filter((path) => !paths.includes(path))).toEqual([])
  expect(new Set(paths).size).toBe(paths.length)
})

it('APP-06 each private route needs a signed-in user, and no public one does', () => {
  const requireUser: Guards['requireUser'] = async () => null
  const guarded = routesIn(createRoutes({ requireUser } as Guards))
    .filter(({ loaders }) => loaders.includes(requireUser))
    .map(({ path }) => path)
  expect(PRIVATE.filter((path) => !guarded.includes(path))).toEqual([])
  const open = ['/', '/terms-of-use', '/privacy-policy', '/referral-terms', '/signup', '/login']
  expect(
    [...open, '/invite/:code?', '/not-authorized', '*'].filter((path) => guarded.includes(path)),
  ).toEqual([])
})

it('APP-10 the four routes of the checkout flow are one screen', () => {
  const all = (routes: readonly RouteObject[]): RouteObject[] =>
    routes.flatMap((route) => [route, ...all(route.children ?? [])])
  const screens = all(createRoutes({} as Guards)).filter(({ lazy }) => lazy !== undefined)
  const flow = [
    '/uploads/new',
    '/uploads/:uploadRequestId/media-jobs/new',
    '/uploads/media-jobs/:mediaJobId/status',
    '/uploads/orders/:orderId/checkout',
  ]
  const owners = flow.map((path) =>
    screens.filter((screen) => all([screen]).some((route) => route.path === path)),
  )
  expect(owners.map((each) => each.length)).toEqual([1, 1, 1, 1])
  expect(new Set(owners.flat()).size).toBe(1)
})
