import { createContext, use } from 'react'
import type { ToastStore } from './toast-store.ts'

/** Given by the composition root. */
export const ToastsContext = createContext<ToastStore | null>(null)

/** The store of messages in the corner: `useToasts().show('success', 'Saved')`. */
export function useToasts(): ToastStore {
  const store = use(ToastsContext)
  if (store === null) throw new Error('useToasts needs a ToastsContext above it')
  return store
}
