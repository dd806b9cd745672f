import { createInstallStore } from './install-store.ts'
import type { Pwa } from './pwa-context.ts'
import { createUpdateStore } from './update-store.ts'
import { startServiceWorker } from '#src/bridge/service-worker-bridge.ts'
import { HOUR_MS } from '#src/lib/time.ts'
import type { ToastStore } from '#src/ui/toast-store.ts'
import type { UnsavedWork } from '#src/ui/unsaved-work.ts'

export interface PwaDeps {
  readonly toasts: ToastStore
  readonly unsaved: UnsavedWork
  /** False in development, where there is no built service worker. */
  readonly hasServiceWorker: boolean
}

/**
 * Starts everything that makes the page an app: its service worker, the hourly look for a new
 * version, the install offer.
 */
export function startPwa({ toasts, unsaved, hasServiceWorker }: PwaDeps): Pwa {
  let isTouched = false
  const touch = () => {
    isTouched = true
  }
  window.addEventListener('pointerdown', touch, { once: true, capture: true })
  window.addEventListener('keydown', touch, { once: true, capture: true })
  const update = createUpdateStore({
    isAtStake: unsaved.isAny,
    isTouched: () => isTouched,
    reload: () => window.location.reload(),
    onReadyOffline: () => toasts.show('success', 'Onecut is ready to work offline'),
  })
  if (hasServiceWorker) {
    void startServiceWorker('/sw.js', update.events).then((bridge) => {
      update.attach(bridge)
      if (bridge === null) return
      setInterval(() => {
        if (navigator.onLine) void bridge.check()
      }, HOUR_MS)
    })
  }
  return { install: createInstallStore(window), update }
}
