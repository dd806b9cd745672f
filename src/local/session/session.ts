import { cookieValue } from './cookies.ts'
import { decodeToken, type SessionUser } from './token.ts'
import { SESSION_COOKIE, XSRF_COOKIE } from '#src/config/paths.ts'
import type { Channel } from '#src/local/channel/channel.ts'
import { createSettable, type Subscribable } from '#src/lib/subscribable.ts'

/**
 * Who uses this page. `ended`: the session is over without a sign-out (a 401 that the server
 * confirmed, or a vanished cookie); running work waits for signing in again, and private
 * data is not shown.
 */
export type SessionState =
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'signed-in'; readonly user: SessionUser }
  | { readonly kind: 'ended'; readonly user: SessionUser }

export interface SessionDeps {
  /** `document.cookie`; workers are told who works and have no session of their own. */
  readonly readCookies: () => string
  readonly channel: Channel
  /**
   * The session that was signed out of without the server knowing yet; null when there is none. See
   * [Note: left session].
   */
  readonly leftMark?: string | null
}

/**
 * [Note: left session] After a sign-out without network the session still lives at the server, and
 * its HttpOnly cookie here: the first answer would bring the readable cookie back, and with it the
 * account. Which session the cookies belong to is told by the anti-forgery value, which the server
 * derives from it. Until the server knows, cookies of the session that was left count for nothing.
 */

/** The session of a page. */
export interface Session extends Subscribable<SessionState> {
  /**
   * Reads the cookie again: after every answer, when the page becomes visible, after signing in.
   * Tells other tabs of a change.
   */
  refresh(): void
  /** The server said 401, twice: the cookie that was seen with it counts no more. */
  markEnded(): void
  /** The server accepts the session of the present cookies: they count again. */
  markAccepted(): void
  /** The user signed out here or in another tab; call after the cookie was removed. */
  markSignedOut(): void
  /** What tells the session of the present cookies from another one; null without cookies. */
  mark(): string | null
  close(): void
}

const SIGNED_OUT: SessionState = { kind: 'signed-out' }

/** Reads the login cookie and follows it, also across tabs. Close it at the end. */
export function createSession(deps: SessionDeps): Session {
  const follower = followCookie(deps)
  const { state, cookie } = follower
  /** Tells other tabs of a sign-in that the reading showed. */
  const readBy = (read: () => void): void => {
    const before = userIdOf(state.current())
    read()
    const after = userIdOf(state.current())
    if (after !== null && after !== before)
      deps.channel.send({ v: 1, type: 'session-changed', userId: after })
  }
  const unsubscribe = [
    deps.channel.on('session-changed', ({ userId }) => follower.changed(userId)),
    // A worker of another account, which ends only now, says nothing about this session.
    deps.channel.on('session-ended', ({ userId }) => {
      if (userIdOf(state.current()) === userId) follower.end()
    }),
  ]
  return {
    current: state.current,
    subscribe: state.subscribe,
    refresh: () => readBy(follower.read),
    markEnded: () => {
      const before = state.current()
      follower.end()
      if (before !== state.current() && before.kind === 'signed-in')
        deps.channel.send({ v: 1, type: 'session-ended', userId: before.user._id })
    },
    markAccepted: () => readBy(follower.accept),
    markSignedOut: () => {
      follower.changed(null)
      deps.channel.send({ v: 1, type: 'session-changed', userId: null })
    },
    mark: cookie.mark,
    close: () => {
      for (const stop of unsubscribe) stop()
      state.close()
    },
  }
}

/** The state that the login cookie stands for, without a word to other tabs. */
function followCookie(deps: SessionDeps) {
  const cookie = createLoginCookie(deps)
  let seenToken = cookie.token()
  let refusedToken: string | null = null
  const state = createSettable(stateOf(seenToken, SIGNED_OUT))
  const become = (next: SessionState): void => {
    if (!isSame(state.current(), next)) state.become(next)
  }
  const read = (): void => {
    const token = cookie.token()
    if (token !== null && token === refusedToken) return
    seenToken = token
    become(stateOf(token, state.current()))
  }
  return {
    state,
    cookie,
    read,
    accept: (): void => {
      refusedToken = null
      read()
    },
    /** A user signed in, or with null out, here or in another tab. */
    changed: (userId: string | null): void => {
      refusedToken = null
      if (userId !== null) return read()
      cookie.leave()
      become(SIGNED_OUT)
    },
    /** The server refused the session of the cookie that was seen last. */
    end: (): void => {
      const token = cookie.token()
      // A newer cookie than the one known here: a sign-in happened meanwhile, and the 401 is about
      // the old session.
      if (token !== null && token !== seenToken) return read()
      refusedToken = token
      const before = state.current()
      if (before.kind === 'signed-in') become({ kind: 'ended', user: before.user })
    },
  }
}

/** The login cookie, which counts for nothing in a session that was left: [Note: left session]. */
function createLoginCookie(deps: Pick<SessionDeps, 'readCookies' | 'leftMark'>) {
  let leftMark = deps.leftMark ?? null
  const mark = (): string | null => cookieValue(deps.readCookies(), XSRF_COOKIE)
  return {
    mark,
    token: (): string | null =>
      leftMark !== null && mark() === leftMark
        ? null
        : cookieValue(deps.readCookies(), SESSION_COOKIE),
    /** From now on the cookies of the present session count for nothing. */
    leave: (): void => {
      leftMark = mark()
    },
  }
}

function stateOf(token: string | null, before: SessionState): SessionState {
  const user = decodeToken(token)
  if (user !== null) return { kind: 'signed-in', user }
  return before.kind === 'signed-out' ? SIGNED_OUT : { kind: 'ended', user: before.user }
}

function userIdOf(state: SessionState): string | null {
  return state.kind === 'signed-in' ? state.user._id : null
}

function isSame(a: SessionState, b: SessionState): boolean {
  if (a.kind !== b.kind) return false
  if (a.kind === 'signed-out' || b.kind === 'signed-out') return true
  return (
    a.user._id === b.user._id &&
    a.user.email === b.user.email &&
    a.user.permissions.join() === b.user.permissions.join()
  )
}
