/** Kinds of the specification (000 §8). */
export type ToastKind = 'default' | 'warning' | 'error' | 'success' | 'info'

export interface Toast {
  readonly id: number
  readonly kind: ToastKind
  readonly text: string
  readonly action: ToastAction | null
}

/** One thing to do about it; pressing it closes the toast. */
export interface ToastAction {
  readonly label: string
  readonly onPress: () => void
}

export interface ToastStore {
  readonly show: (kind: ToastKind, text: string, action?: ToastAction) => void
  readonly close: (id: number) => void
  readonly closeAll: () => void
  /**
   * Stops all clocks while somebody reads (hover, focus inside, window in the background). Nested
   * holds count.
   */
  readonly hold: () => void
  readonly release: () => void
  readonly current: () => readonly Toast[]
  readonly subscribe: (listener: () => void) => () => void
}

export interface ToastClock {
  readonly now: () => number
  /** Returns how to cancel. */
  readonly after: (delayMs: number, run: () => void) => () => void
}

interface Running {
  readonly toast: Toast
  remainingMs: number
  startedAtMs: number
  cancel: (() => void) | null
}

/**
 * The messages in the corner. The same text of the same kind is shown once: its clock starts again.
 * @param autoCloseMs how long each is shown, not counting time on hold
 */
export function createToastStore(autoCloseMs: number, clock: ToastClock): ToastStore {
  let running: readonly Running[] = []
  let snapshot: readonly Toast[] = []
  let holds = 0
  let lastId = 0
  const listeners = new Set<() => void>()

  const publish = (next: readonly Running[]) => {
    running = next
    snapshot = next.map((entry) => entry.toast)
    for (const listener of listeners) listener()
  }
  const close = (id: number) => {
    running.find((entry) => entry.toast.id === id)?.cancel?.()
    publish(running.filter((entry) => entry.toast.id !== id))
  }
  const start = (entry: Running) => {
    entry.startedAtMs = clock.now()
    entry.cancel = clock.after(entry.remainingMs, () => close(entry.toast.id))
  }
  const pause = (entry: Running) => {
    entry.cancel?.()
    entry.cancel = null
    entry.remainingMs = Math.max(0, entry.remainingMs - (clock.now() - entry.startedAtMs))
  }

  return {
    show: (kind, text, action) => {
      const same = running.find((entry) => entry.toast.kind === kind && entry.toast.text === text)
      if (same !== undefined) close(same.toast.id)
      lastId += 1
      const entry: Running = {
        toast: { id: lastId, kind, text, action: action ?? null },
        remainingMs: autoCloseMs,
        startedAtMs: 0,
        cancel: null,
      }
      if (holds === 0) start(entry)
      publish([...running, entry])
    },
    close,
    closeAll: () => {
      for (const entry of running) entry.cancel?.()
      publish([])
    },
    hold: () => {
      holds += 1
      if (holds === 1) running.forEach(pause)
    },
    release: () => {
      holds = Math.max(0, holds - 1)
      if (holds === 0) running.filter((entry) => entry.cancel === null).forEach(start)
    },
    current: () => snapshot,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
