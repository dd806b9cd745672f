/** The page's composition root: makes everything that is passed in elsewhere, once. */
import { createStore, Provider } from 'jotai'
import { StrictMode, startTransition, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, type DataRouter } from 'react-router'
import { createGuards } from '#src/app/guards/guards.ts'
// The app's file takes a phone two tasks of 43 ms to evaluate; without this one of 80.
import '#src/app/shell/own-task.ts'
import { PageRoot } from '#src/app/PageRoot.tsx'
import { lockWhenAway, untilNothingRuns } from '#src/app/lock/follow-lock.ts'
import { LockScreen } from '#src/app/lock/LockScreen.tsx'
import type { Pwa } from '#src/app/pwa/pwa-context.ts'
import { takeLook } from '#src/app/pwa/plain-look.ts'
import { startPwa } from '#src/app/pwa/start-pwa.ts'
import { createRoutes } from '#src/app/routes.tsx'
import { StartFailure, type StartTrouble } from '#src/app/screens/StartFailure.tsx'
import { keepFocus } from '#src/app/shell/keep-focus.ts'
import { saySilence } from '#src/app/shell/say-silence.ts'
import { askSupportMail } from '#src/app/support/ask-support-mail.ts'
import { answerServiceWorker } from '#src/bridge/answer-service-worker.ts'
import { env } from '#src/config/env.ts'
import { paths } from '#src/config/paths.ts'
import { TOAST_AUTO_CLOSE_MS } from '#spec/numbers.ts'
import { askLockPasskey, type LockFailure } from '#src/hooks/account/lock-passkey.ts'
import { createPagePorts } from '#src/hooks/device/page-ports.ts'
import { createQueryClient } from '#src/hooks/sync/query-client.ts'
import { createUploads, type Uploads } from '#src/hooks/uploads/uploads-context.ts'
import { describeBug } from '#src/lib/describe-bug.ts'
import { createLog, logUnhandled } from '#src/lib/log.ts'
import { nextTask } from '#src/lib/next-task.ts'
import { SECOND_MS } from '#src/lib/time.ts'
import { composePage } from '#src/local/compose.ts'
import type { LockedDevice, PageLocal } from '#src/local/compose.ts'
import type { Unlocked } from '#src/local/compose-lock.ts'
import { openDeviceDb } from '#src/local/db/device-db.ts'
import { createKeptLog } from '#src/local/db/kept-log.ts'
import { untilUploadsAllow } from '#src/local/uploads/page/until-uploads-allow.ts'
import { createToasts } from '#src/ui/toasts.ts'
import { unsavedWorkAtom } from '#src/ui/unsaved-work-atoms.ts'

/** In it the first screen draws what this device and the server say. */
const SCREEN_FILLS_MS = SECOND_MS

const keptLog = createKeptLog({ openDb: openDeviceDb, now: () => Date.now() })
const log = createLog('page', keptLog.keep)
logUnhandled(window, log)
const store = createStore()
takeLook(store, document)
const toasts = createToasts(store, TOAST_AUTO_CLOSE_MS, {
  now: () => performance.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
})
const mayInstall = Promise.withResolvers<void>()
let isLockShown = false

/** Shows the lock screen until a person has unlocked the device. */
function showLock(locked: LockedDevice): Promise<Unlocked | null> {
  isLockShown = true
  return new Promise((resolve) => {
    const unlock = async (): Promise<LockFailure | null> => {
      const asked = await askLockPasskey(locked.lock)
      if (!asked.ok) return asked.error
      const opened = await locked.open(asked.value)
      if (!opened.ok) return opened.error
      isLockShown = false
      resolve(opened.value)
      return null
    }
    const leave = async (): Promise<void> => {
      await locked.leave()
      sessionStorage.clear()
      window.location.replace(paths.logIn)
    }
    root.render(
      <Provider store={store}>
        <LockScreen unlock={unlock} leave={leave} />
      </Provider>,
    )
  })
}

/**
 * Locks this page at once. It begins again without the keys, after what runs in it has ended; until
 * then a person may unlock it and finds it as it was.
 */
async function lockPage(local: PageLocal, { maker }: Uploads, app: ReactNode): Promise<void> {
  // Without an account there is nothing to lock, and perhaps a form of a visitor.
  if (isLockShown || local.account() === null) return
  const isWorking = store.get(unsavedWorkAtom) > 0
  root.render(null)
  const locked = isWorking ? await local.lock.read() : null
  if (locked === null) return local.ports.reload()
  const unlocked = showLock(locked).then(() => true)
  const isOpened = await Promise.race([unlocked, untilNothingRuns(local, maker).then(() => false)])
  if (isOpened) root.render(app)
  else local.ports.reload()
}

async function renderApp(local: PageLocal, pwa: Pwa): Promise<Uploads> {
  const guards = createGuards({ local, storage: sessionStorage, origin: window.location.origin })
  const router = createBrowserRouter(createRoutes(guards))
  // The router alone takes a phone 46 ms.
  await nextTask()
  const uploads = createUploads(local, store)
  const app = (
    <StrictMode>
      <PageRoot
        local={local}
        store={store}
        uploads={uploads}
        queries={createQueryClient()}
        pwa={pwa}
        toasts={toasts}
        router={router}
      />
    </StrictMode>
  )
  if (hasShell) {
    keepFocus(container)
    // The shell stands until its screen can take its place; see [Note: shell].
    await initialized(router)
  }
  local.lock.onLocked(() => void lockPage(local, uploads, app))
  lockWhenAway(local, document)
  // Kept by the browser while it was left, a page may have missed that the app was locked.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted && local.account()?.db.keys != null) void lockPage(local, uploads, app)
  })
  answerServiceWorker((userId) => {
    const account = isLockShown ? null : local.account()
    return account?.userId === userId ? account.db.keys : null
  })
  // In steps, between which the page answers.
  startTransition(() => root.render(app))
  return uploads
}

async function initialized(router: DataRouter): Promise<void> {
  if (router.state.initialized) return
  await new Promise<void>((resolve) => {
    const stop = router.subscribe((state) => {
      if (!state.initialized) return
      stop()
      resolve()
    })
  })
}

const container = requireRoot()
const hasShell = container.childElementCount > 0
const root = createRoot(container)
const ports = createPagePorts()
void start()
  .catch((thrown: unknown) => {
    log.error('the device could not be opened', describeBug(thrown))
    sayFailure('refused')
  })
  .finally(mayInstall.resolve)

/** In steps: on a phone each of them takes up to 170 ms, and together they hold the page up. */
async function start(): Promise<void> {
  await nextTask()
  const pwa = startPwa({
    store,
    toasts,
    hasServiceWorker: !env.isDevelopment,
    mayInstall: mayInstall.promise,
  })
  await nextTask()
  const local = await saySilence(ports.clock, composePage(ports, keptLog, showLock), () => {
    if (isLockShown) return
    log.warn('the browser has not opened the device so far')
    sayFailure('silent')
  })
  await nextTask()
  const { media } = await renderApp(local, pwa)
  await ports.clock.sleep(SCREEN_FILLS_MS)
  await untilUploadsAllow({
    clock: ports.clock,
    uploads: async () => (await local.account()?.db.uploads.toArray()) ?? [],
    isReading: media.isReading,
  })
}

function sayFailure(trouble: StartTrouble): void {
  root.render(
    <Provider store={store}>
      <StartFailure trouble={trouble} askSupportMail={() => askSupportMail(ports)} />
    </Provider>,
  )
}

function requireRoot(): HTMLElement {
  const element = document.getElementById('root')
  if (element === null) throw new Error('index.html has no #root')
  return element
}
