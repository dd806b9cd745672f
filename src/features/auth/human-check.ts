import { atom, type Atom, type Store } from 'jotai'
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
  readonly store: Store
  /** Does the check without a person, null when it failed; null for widgets that need one. */
  readonly work: ((signal: AbortSignal) => Promise<SolvedCheck | null>) | null
  readonly now: () => number
  /** Returns how to cancel. */
  readonly after: (delayMs: number, run: () => void) => () => void
}

/** One verification of one form. Tokens are single-use: `reset` after each submit. */
export interface HumanCheck {
  readonly state: Atom<HumanState>
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
  const stateAtom = atom<HumanState>({ kind: 'idle' })
  const present = () => deps.store.get(stateAtom)
  let running: { readonly controller: AbortController; readonly done: Promise<void> } | null = null
  let cancelExpiry: () => void = () => undefined
  const become = (next: HumanState) => {
    cancelExpiry()
    cancelExpiry = () => undefined
    deps.store.set(stateAtom, next)
  }
  const accept = ({ token, expiresAtEpochMs }: SolvedCheck) => {
    become({ kind: 'solved', token })
    if (expiresAtEpochMs !== null)
      cancelExpiry = deps.after(Math.max(0, expiresAtEpochMs - deps.now()), () =>
        become({ kind: 'expired' }),
      )
  }
  const start = () => {
    if (deps.work === null || present().kind === 'working' || present().kind === 'solved') return
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
    state: stateAtom,
    start,
    token: async () => {
      start()
      if (present().kind === 'working') await running?.done
      const state = present()
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
