import type { Store } from 'jotai'
import { updateAtom } from './pwa-atoms.ts'
import type { ServiceWorkerBridge, ServiceWorkerEvents } from '#src/bridge/service-worker-bridge.ts'

export interface UpdateDeps {
  readonly store: Store
  /** True while reloading could cost something: a running upload, a payment, an unsaved form. */
  readonly isAtStake: () => boolean
  /** True once a person pressed or typed anything on this page. */
  readonly isTouched: () => boolean
  readonly reload: () => void
  readonly onReadyOffline: () => void
}

export interface UpdateCommands {
  /** 'Reload' was pressed: the new version takes over and the page reloads once. */
  readonly accept: () => void
  readonly later: () => void
  /** Hand these to the bridge, then give the bridge back. */
  readonly events: ServiceWorkerEvents
  readonly attach: (bridge: ServiceWorkerBridge | null) => void
}

/**
 * [Note: update by consent] A new version waits until a person accepts it. It is taken without
 * asking only on a page that was not touched yet and where nothing is at stake; other tabs follow
 * when nothing is at stake there. What the bar shows is in `updateAtom`.
 */
export function createUpdate(deps: UpdateDeps): UpdateCommands {
  const { store } = deps
  let consent: 'open' | 'given' | 'reloading' = 'open'
  let bridge: ServiceWorkerBridge | null = null
  const reloadOnce = () => {
    if (consent === 'reloading') return
    consent = 'reloading'
    deps.reload()
  }
  const accept = () => {
    if (store.get(updateAtom).kind === 'replaced') return reloadOnce()
    if (consent === 'open') consent = 'given'
    bridge?.accept()
  }
  const takeIfUntouched = () => {
    if (store.get(updateAtom).kind === 'waiting' && !deps.isTouched() && !deps.isAtStake()) accept()
  }
  return {
    accept,
    later: () => store.set(updateAtom, { kind: 'later' }),
    events: {
      onReadyOffline: deps.onReadyOffline,
      onWaiting: () => {
        store.set(updateAtom, { kind: 'waiting' })
        takeIfUntouched()
      },
      onReplaced: () => {
        if (consent !== 'open' || !deps.isAtStake()) reloadOnce()
        else store.set(updateAtom, { kind: 'replaced' })
      },
    },
    attach: (given) => {
      bridge = given
      // 'Reload' may be pressed before there is a bridge to pass it on.
      if (consent === 'given') bridge?.accept()
      else takeIfUntouched()
    },
  }
}
