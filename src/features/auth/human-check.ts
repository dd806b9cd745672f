import { isAbort } from '#src/lib/abort.ts'

/** Where a human verification stands. */
export type HumanState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'working' }
  | { readonly kind: 'solved'; readonly token: string }
  | { readonly kind: 'expired' }
  | { readonly kind: 'failed' }

export interface SolvedCheck {
  readonly token: string
  readonly expiresAtEpochMs: number | null
}

export interface HumanCheckDeps {
  /** Does the check by itself, null when it failed; absent for widgets that a person must use. */
  readonly work: ((signal: AbortSignal) => Promise<SolvedCheck | null>) | null
  readonly now: () => number
  /** Returns how to cancel. */
  readonly after: (delayMs: number, run: () => void) => () => void
}

/** One verification of one form. Tokens are single-use: `reset` after each submit. */
export interface HumanCheck {
  readonly state: () => HumanState
  readonly subscribe: (listener: () => void) => () => void
  /** Begins the work when nothing is running or solved. Does nothing for widgets. */
  readonly start: () => void
  /** The token: at once if there is one, after the work if that can still give one, else null. */
  readonly token: () => Promise<string | null>
  /** For widgets: the person solved it. */
  readonly accept: (solved: SolvedCheck) => void
  readonly expire: () => void
  readonly fail: () => void
  /** Forgets the token and any work. */
  readonly reset: () => void
}

/**
 * Makes the state of one form's human verification. A token is cleared when it expires and when the
 * check fails.
 */
export function createHumanCheck(deps: HumanCheckDeps): HumanCheck {
  let state: HumanState = { kind: 'idle' }
  let running: { readonly controller: AbortController; readonly done: Promise<void> } | null = null
  let cancelExpiry: () => void = () => undefined
  const listeners = new Set<() => void>()
  const become = (next: HumanState) => {
    cancelExpiry()
    cancelExpiry = () => undefined
    state = next
    for (const listener of listeners) listener()
  }
  const accept = ({ token, expiresAtEpochMs }: SolvedCheck) => {
    become({ kind: 'solved', token })
    if (expiresAtEpochMs !== null)
      cancelExpiry = deps.after(Math.max(0, expiresAtEpochMs - deps.now()), () =>
        become({ kind: 'expired' }),
      )
  }
  const start = () => {
    if (deps.work === null || state.kind === 'working' || state.kind === 'solved') return
    const controller = new AbortController()
    become({ kind: 'working' })
    const done = deps.work(controller.signal).then(
      (solved) => {
        if (!controller.signal.aborted) {
          if (solved === null) become({ kind: 'failed' })
          else accept(solved)
        }
      },
      (thrown: unknown) => {
        if (!controller.signal.aborted && !isAbort(thrown)) become({ kind: 'failed' })
      },
    )
    running = { controller, done }
  }
  return {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    start,
    token: async () => {
      start()
      if (state.kind === 'working') await running?.done
      return state.kind === 'solved' ? state.token : null
    },
    accept,
    expire: () => become({ kind: 'expired' }),
    fail: () => become({ kind: 'failed' }),
    reset: () => {
      running?.controller.abort()
      running = null
      become({ kind: 'idle' })
    },
  }
}
