import { createContext, use, useSyncExternalStore } from 'react'
import type { InstallStore, InstallWay } from './install-store.ts'
import type { UpdateState, UpdateStore } from './update-store.ts'

/** Installation and versions of the app; made in `main.tsx`. */
export interface Pwa {
  readonly install: InstallStore
  readonly update: UpdateStore
}

export const PwaContext = createContext<Pwa | null>(null)

/** The stores themselves, for their commands. */
export function usePwa(): Pwa {
  const pwa = use(PwaContext)
  if (pwa === null) throw new Error('PwaContext is missing')
  return pwa
}

/** How the app can be installed right now. */
export function useInstallWay(): InstallWay {
  const { install } = usePwa()
  return useSyncExternalStore(install.subscribe, install.way)
}

/** Whether a new version waits. */
export function useUpdateState(): UpdateState {
  const { update } = usePwa()
  return useSyncExternalStore(update.subscribe, update.state)
}
