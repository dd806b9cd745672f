/** The page's composition root: makes everything that is passed in elsewhere, once. */
import '#src/styles/index.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { createGuards } from '#src/app/guards/guards.ts'
import { PwaContext } from '#src/app/pwa/pwa-context.ts'
import { startPwa } from '#src/app/pwa/start-pwa.ts'
import { createRoutes } from '#src/app/routes.tsx'
import { StartFailure } from '#src/app/screens/StartFailure.tsx'
import { env } from '#src/config/env.ts'
import { TOAST_AUTO_CLOSE_MS } from '#src/config/limits.ts'
import { LocalContext } from '#src/hooks/local-context.ts'
import { createPagePorts } from '#src/hooks/page-ports.ts'
import { createQueryClient } from '#src/hooks/query-client.ts'
import { createUploads, UploadsContext } from '#src/hooks/uploads-context.ts'
import { createLog } from '#src/lib/log.ts'
import { composePage } from '#src/local/compose.ts'
import type { PageLocal } from '#src/local/compose.ts'
import { createToastStore } from '#src/ui/toast-store.ts'
import { ToastsContext } from '#src/ui/toasts-context.ts'
import { createUnsavedWork, UnsavedWorkContext } from '#src/ui/unsaved-work.ts'

const toasts = createToastStore(TOAST_AUTO_CLOSE_MS, {
  now: () => performance.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
})
const unsaved = createUnsavedWork()
const pwa = startPwa({ toasts, unsaved, hasServiceWorker: !env.isDevelopment })

function renderApp(local: PageLocal): void {
  const guards = createGuards({ local, storage: sessionStorage, origin: window.location.origin })
  const router = createBrowserRouter(createRoutes(guards))
  const uploads = createUploads(local)
  root.render(
    <StrictMode>
      <LocalContext value={local}>
        <UploadsContext value={uploads}>
          <QueryClientProvider client={createQueryClient()}>
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
    </StrictMode>,
  )
}

const element = document.getElementById('root')
if (element === null) throw new Error('index.html has no #root')
const root = createRoot(element)
composePage(createPagePorts()).then(renderApp, (thrown: unknown) => {
  createLog('main').error('the device could not be opened', {
    name: thrown instanceof Error ? thrown.name : 'unknown',
  })
  root.render(<StartFailure />)
})
