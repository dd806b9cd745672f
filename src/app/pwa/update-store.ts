import type { ServiceWorkerBridge, ServiceWorkerEvents } from '#src/bridge/service-worker-bridge.ts'

/** What the update bar shows. */
export type UpdateState =
  | { readonly kind: 'current' }
  | { readonly kind: 'waiting' }
  /** Put off by the person until the next start. */
  | { readonly kind: 'later' }
  /** The new version took over elsewhere; this page still runs the old one. */
  | { readonly kind: 'replaced' }

export interface UpdateDeps {
  /** True while reloading could cost something: a running upload, a payment, an unsaved form. */
  readonly isAtStake: () => boolean
  /** True once somebody pressed or typed anything on this page. */
  readonly isTouched: () => boolean
  readonly reload: () => void
  readonly onReadyOffline: () => void
}

export interface UpdateStore {
  readonly state: () => UpdateState
  readonly subscribe: (listener: () => void) => () => void
  /** 'Reload' was pressed: the new version takes over and the page reloads once. */
  readonly accept: () => void
  readonly later: () => void
  /** Hand these to the bridge, then give the bridge back. */
  readonly events: ServiceWorkerEvents
  readonly attach: (bridge: ServiceWorkerBridge | null) => void
}

/**
 * [Note: update by consent] A new version waits until somebody accepts it. It is taken without
 * asking only on a page that nobody touched yet and where nothing is at stake; other tabs follow
 * when nothing is at stake there.
 */
export function createUpdateStore(deps: UpdateDeps): UpdateStore {
  let state: UpdateState = { kind: 'current' }
  let bridge: ServiceWorkerBridge | null = null
  let isAccepted = false
  let isReloading = false
  const listeners = new Set<() => void>()
  const become = (next: UpdateState) => {
    state = next
    for (const listener of listeners) listener()
  }
  const reloadOnce = () => {
    if (isReloading) return
    isReloading = true
    deps.reload()
  }
  const accept = () => {
    if (state.kind === 'replaced') return reloadOnce()
    isAccepted = true
    bridge?.accept()
  }
  const takeIfUntouched = () => {
    if (state.kind === 'waiting' && !deps.isTouched() && !deps.isAtStake()) accept()
  }
  return {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    accept,
    later: () => become({ kind: 'later' }),
    events: {
      onReadyOffline: deps.onReadyOffline,
      onWaiting: () => {
        become({ kind: 'waiting' })
        takeIfUntouched()
      },
      onReplaced: () => {
        if (isAccepted || !deps.isAtStake()) reloadOnce()
        else become({ kind: 'replaced' })
      },
    },
    attach: (given) => {
      bridge = given
      takeIfUntouched()
    },
  }
}
