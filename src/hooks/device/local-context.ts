import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Account, PageLocal } from '#src/local/compose.ts'

/**
 * Provide it once, in `main.tsx`: `<PageRoot local={await composePage(ports, keptLog)} ...>`.
 */
export const LocalContext = createContext<PageLocal | null>(null)

/** This device. Throws outside of the provider: a bug of wiring. */
export function useLocal(): PageLocal {
  const local = useContext(LocalContext)
  if (local === null) throw new Error('LocalContext is missing')
  return local
}

/** The open account's database and outbox; null while signed out or while it is being opened. */
export function useAccount(): Account | null {
  const local = useLocal()
  return useSyncExternalStore(local.subscribeAccount, local.account)
}
