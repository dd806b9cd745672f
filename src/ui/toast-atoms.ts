import { atom } from 'jotai'

/** Kinds of the specification. */
export type ToastKind = 'default' | 'warning' | 'error' | 'success' | 'info'

export interface Toast {
  readonly id: number
  readonly kind: ToastKind
  readonly text: string
  readonly action: ToastAction | null
}

/** One action of a message; pressing it closes the toast. */
export interface ToastAction {
  readonly label: string
  readonly onPress: () => void
}

/** The messages in the corner, oldest first. Written by `createToasts` only. */
export const toastsAtom = atom<readonly Toast[]>([])
