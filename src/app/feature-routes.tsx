import type { RouteObject } from 'react-router'

/** The private screens of the features, behind user and profile guard. Screens are lazy. */
export const featureRoutes: readonly RouteObject[] = [
  {
    // One screen for the four steps of the checkout flow: it stays while they change (APP-10).
    path: '/uploads',
    lazy: async () => ({
      Component: (await import('#src/features/upload/UploadFlowScreen.tsx')).UploadFlowScreen,
    }),
    children: [
      { path: 'new', element: null },
      { path: ':uploadRequestId/media-jobs/new', element: null },
      { path: 'media-jobs/:mediaJobId/status', element: null },
      { path: 'orders/:orderId/checkout', element: null },
    ],
  },
  {
    path: '/edits',
    lazy: async () => ({
      Component: (await import('#src/features/edits/EditsScreen.tsx')).EditsScreen,
    }),
  },
]
