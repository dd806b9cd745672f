import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { Provider, type Store } from 'jotai'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import type { DataRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { GuardFailure } from './guards/guards.ts'
import { PwaContext, type Pwa } from './pwa/pwa-context.ts'
import { LocalContext } from '#src/hooks/device/local-context.ts'
import { UploadsContext, type Uploads } from '#src/hooks/uploads/uploads-context.ts'
import { describeBug } from '#src/lib/describe-bug.ts'
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
  const onError = (thrown: unknown) => {
    // A guard that found no data says so on its screen: not a bug.
    if (!(thrown instanceof GuardFailure)) local.log.error('a screen failed', describeBug(thrown))
  }
  return (
    // The page is in English, from left to right, in browsers of every language. Without this the
    // library would take its hidden words, and the direction of arrow keys, from the browser's.
    <I18nProvider locale="en-US">
      <Provider store={store}>
        <LocalContext value={local}>
          <UploadsContext value={uploads}>
            <QueryClientProvider client={queries}>
              <PwaContext value={pwa}>
                <ToastsContext value={toasts}>
                  <RouterProvider router={router} onError={onError} />
                </ToastsContext>
              </PwaContext>
            </QueryClientProvider>
          </UploadsContext>
        </LocalContext>
      </Provider>
    </I18nProvider>
  )
}
