import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { Provider, type Store } from 'jotai'
import type { DataRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { PwaContext, type Pwa } from './pwa/pwa-context.ts'
import { LocalContext } from '#src/hooks/local-context.ts'
import { UploadsContext, type Uploads } from '#src/hooks/uploads-context.ts'
import type { PageLocal } from '#src/local/compose.ts'
import type { ToastCommands } from '#src/ui/toasts.ts'
import { ToastsContext } from '#src/ui/toasts-context.ts'

/** Everything that the screens get from outside. */
export interface PageParts {
  readonly local: PageLocal
  /** The page's in-memory state; the parts below write their atoms in it. */
  readonly store: Store
  readonly uploads: Uploads
  readonly queries: QueryClient
  readonly pwa: Pwa
  readonly toasts: ToastCommands
  readonly router: DataRouter
}

/** The page over its parts: `main.tsx` gives the browser's, screen tests give fakes. */
export function PageRoot({ local, store, uploads, queries, pwa, toasts, router }: PageParts) {
  return (
    <Provider store={store}>
      <LocalContext value={local}>
        <UploadsContext value={uploads}>
          <QueryClientProvider client={queries}>
            <PwaContext value={pwa}>
              <ToastsContext value={toasts}>
                <RouterProvider router={router} />
              </ToastsContext>
            </PwaContext>
          </QueryClientProvider>
        </UploadsContext>
      </LocalContext>
    </Provider>
  )
}
