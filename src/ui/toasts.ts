import type { Store } from 'jotai'
import { toastsAtom, type Toast, type ToastAction, type ToastKind } from './toast-atoms.ts'

/** What can be done about messages; which ones are shown is in `toastsAtom`. */
export interface ToastCommands {
  readonly show: (kind: ToastKind, text: string, action?: ToastAction) => void
  readonly close: (id: number) => void
  readonly closeAll: () => void
  /**
   * Stops all clocks while a person reads (hover, focus inside, window in the background). Nested
   * holds count.
   */
  readonly hold: () => void
  readonly release: () => void
}

export interface ToastClock {
  readonly now: () => number
  /** Returns how to cancel. */
  readonly after: (delayMs: number, run: () => void) => () => void
}

/** The clock of one message: it runs, or it stands still while a person reads. */
interface Timer {
  remainingMs: number
  running: { readonly sinceMs: number; readonly cancel: () => void } | null
}

/**
 * The messages in the corner. The same text of the same kind is shown once: its clock starts again.
 * @param autoCloseMs how long each is shown, not counting time on hold
 */
export function createToasts(store: Store, autoCloseMs: number, clock: ToastClock): ToastCommands {
  const timers = new Map<number, Timer>()
  let holds = 0
  let lastId = 0

  const close = (id: number) => {
    timers.get(id)?.running?.cancel()
    timers.delete(id)
    store.set(toastsAtom, (shown) => shown.filter((toast) => toast.id !== id))
  }
  const start = (timer: Timer, id: number) => {
    timer.running = {
      sinceMs: clock.now(),
      cancel: clock.after(timer.remainingMs, () => close(id)),
    }
  }
  const pause = (timer: Timer) => {
    if (timer.running === null) return
    timer.running.cancel()
    timer.remainingMs = Math.max(0, timer.remainingMs - (clock.now() - timer.running.sinceMs))
    timer.running = null
  }

  return {
    show: (kind, text, action) => {
      const same = store.get(toastsAtom).find((each) => each.kind === kind && each.text === text)
      if (same !== undefined) close(same.id)
      lastId += 1
      const toast: Toast = { id: lastId, kind, text, action: action ?? null }
      const timer: Timer = { remainingMs: autoCloseMs, running: null }
      timers.set(toast.id, timer)
      if (holds === 0) start(timer, toast.id)
      store.set(toastsAtom, (shown) => [...shown, toast])
    },
    close,
    closeAll: () => {
      for (const timer of timers.values()) timer.running?.cancel()
      timers.clear()
      store.set(toastsAtom, [])
    },
    hold: () => {
      holds += 1
      if (holds === 1) for (const timer of timers.values()) pause(timer)
    },
    release: () => {
      holds = Math.max(0, holds - 1)
      if (holds > 0) return
      for (const [id, timer] of timers) if (timer.running === null) start(timer, id)
    },
  }
}
