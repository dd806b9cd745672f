import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import type { DataRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { PwaContext, type Pwa } from './pwa/pwa-context.ts'
import { LocalContext } from '#src/hooks/local-context.ts'
import { UploadsContext, type Uploads } from '#src/hooks/uploads-context.ts'
import type { PageLocal } from '#src/local/compose.ts'
import type { ToastStore } from '#src/ui/toast-store.ts'
import { ToastsContext } from '#src/ui/toasts-context.ts'
import { UnsavedWorkContext, type UnsavedWork } from '#src/ui/unsaved-work.ts'

/** Everything that the screens get from outside. */
export interface PageParts {
  readonly local: PageLocal
  readonly uploads: Uploads
  readonly queries: QueryClient
  readonly pwa: Pwa
  readonly toasts: ToastStore
  readonly unsaved: UnsavedWork
  readonly router: DataRouter
}

/** The page over its parts: `main.tsx` gives the browser's, screen tests give fakes. */
export function PageRoot({ local, uploads, queries, pwa, toasts, unsaved, router }: PageParts) {
  return (
    <LocalContext value={local}>
      <UploadsContext value={uploads}>
        <QueryClientProvider client={queries}>
          <PwaContext value={pwa}>
            <ToastsContext value={toasts}>
              <UnsavedWorkContext value={unsaved}>
                <RouterProvider router={router} />
              </UnsavedWorkContext>
            </ToastsContext>
          </PwaContext>
        </QueryClientProvider>
      </UploadsContext>
    </LocalContext>
  )
}
