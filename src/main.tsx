/** The page's composition root: makes everything that is passed in elsewhere, once. */
import { createStore } from 'jotai'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { createGuards } from '#src/app/guards/guards.ts'
import { PageRoot } from '#src/app/PageRoot.tsx'
import { startPwa } from '#src/app/pwa/start-pwa.ts'
import { createRoutes } from '#src/app/routes.tsx'
import { StartFailure } from '#src/app/screens/StartFailure.tsx'
import { keepFocus } from '#src/app/shell/keep-focus.ts'
import { askSupportMail } from '#src/app/support/ask-support-mail.ts'
import { env } from '#src/config/env.ts'
import { TOAST_AUTO_CLOSE_MS } from '#spec/numbers.ts'
import { createPagePorts } from '#src/hooks/page-ports.ts'
import { createQueryClient } from '#src/hooks/query-client.ts'
import { createUploads } from '#src/hooks/uploads-context.ts'
import { describeBug } from '#src/lib/describe-bug.ts'
import { createLog, logUnhandled } from '#src/lib/log.ts'
import { nextTask } from '#src/lib/next-task.ts'
import { composePage } from '#src/local/compose.ts'
import type { PageLocal } from '#src/local/compose.ts'
import { openDeviceDb } from '#src/local/db/device-db.ts'
import { createKeptLog } from '#src/local/db/kept-log.ts'
import { createToasts } from '#src/ui/toasts.ts'

const keptLog = createKeptLog({ openDb: openDeviceDb, now: () => Date.now() })
const log = createLog('page', keptLog.keep)
logUnhandled(window, log)
const store = createStore()
const toasts = createToasts(store, TOAST_AUTO_CLOSE_MS, {
  now: () => performance.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
})
const pwa = startPwa({ store, toasts, hasServiceWorker: !env.isDevelopment })

function renderApp(local: PageLocal): void {
  const guards = createGuards({ local, storage: sessionStorage, origin: window.location.origin })
  const router = createBrowserRouter(createRoutes(guards))
  const app = (
    <StrictMode>
      <PageRoot
        local={local}
        store={store}
        uploads={createUploads(local, store)}
        queries={createQueryClient()}
        pwa={pwa}
        toasts={toasts}
        router={router}
      />
    </StrictMode>
  )
  // In steps, between which the page answers.
  const show = () => startTransition(() => root.render(app))
  if (hasShell) keepFocus(container)
  if (!hasShell || router.state.initialized) return show()
  // The shell stands until its screen can take its place; see [Note: shell].
  const stop = router.subscribe(({ initialized }) => {
    if (!initialized) return
    stop()
    show()
  })
}

const container = requireRoot()
const hasShell = container.childElementCount > 0
const root = createRoot(container)
const ports = createPagePorts()
start().catch((thrown: unknown) => {
  log.error('the device could not be opened', describeBug(thrown))
  root.render(<StartFailure askSupportMail={() => askSupportMail(ports)} />)
})

/** In steps: on a phone each of them takes up to 170 ms, and together they hold the page up. */
async function start(): Promise<void> {
  await nextTask()
  const local = await composePage(ports, keptLog)
  await nextTask()
  renderApp(local)
}

function requireRoot(): HTMLElement {
  const element = document.getElementById('root')
  if (element === null) throw new Error('index.html has no #root')
  return element
}
