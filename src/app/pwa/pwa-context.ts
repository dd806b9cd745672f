import { createContext, use } from 'react'
import type { InstallCommands } from './install.ts'
import type { UpdateCommands } from './update.ts'

/** Installation and versions of the app; made in `main.tsx`. Their state is in `pwa-atoms.ts`. */
export interface Pwa {
  readonly install: InstallCommands
  readonly update: UpdateCommands
}

export const PwaContext = createContext<Pwa | null>(null)

/** The commands. Throws outside of the provider: a bug of wiring. */
export function usePwa(): Pwa {
  const pwa = use(PwaContext)
  if (pwa === null) throw new Error('PwaContext is missing')
  return pwa
}
