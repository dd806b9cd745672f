import { createContext, use } from 'react'
import type { ToastCommands } from './toasts.ts'

/** Provided by the composition root. */
export const ToastsContext = createContext<ToastCommands | null>(null)

/** The messages in the corner: `useToasts().show('success', 'Saved')`. */
export function useToasts(): ToastCommands {
  const toasts = use(ToastsContext)
  if (toasts === null) throw new Error('useToasts needs a ToastsContext above it')
  return toasts
}
