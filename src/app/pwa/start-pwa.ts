import type { Store } from 'jotai'
import { createInstall } from './install.ts'
import type { Pwa } from './pwa-context.ts'
import { takeLaunchedFiles } from './launched-files.ts'
import { createUpdate } from './update.ts'
import { startServiceWorker } from '#src/bridge/service-worker-bridge.ts'
import { HOUR_MS } from '#src/lib/time.ts'
import type { ToastCommands } from '#src/ui/toasts.ts'
import { unsavedWorkAtom } from '#src/ui/unsaved-work-atoms.ts'

export interface PwaDeps {
  readonly store: Store
  readonly toasts: ToastCommands
  /** False in development, where there is no built service worker. */
  readonly hasServiceWorker: boolean
  /** Resolves when the first installation disturbs neither the first screen nor an upload. */
  readonly mayInstall: Promise<void>
}

/**
 * Starts everything that makes the page an app: its service worker, the hourly check for a new
 * version, the install offer.
 */
export function startPwa({ store, toasts, hasServiceWorker, mayInstall }: PwaDeps): Pwa {
  let isTouched = false
  const touch = () => {
    isTouched = true
  }
  window.addEventListener('pointerdown', touch, { once: true, capture: true })
  window.addEventListener('keydown', touch, { once: true, capture: true })
  const update = createUpdate({
    store,
    isAtStake: () => store.get(unsavedWorkAtom) > 0,
    isTouched: () => isTouched,
    reload: () => window.location.reload(),
    onReadyOffline: () => toasts.show('success', 'Onecut is ready to work offline'),
  })
  takeLaunchedFiles(store, window)
  if (hasServiceWorker) {
    void startServiceWorker('/sw.js', update.events, mayInstall).then((bridge) => {
      update.attach(bridge)
      if (bridge === null) return
      setInterval(() => {
        if (navigator.onLine) void bridge.check()
      }, HOUR_MS)
    })
  }
  return { install: createInstall(store, window), update }
}
