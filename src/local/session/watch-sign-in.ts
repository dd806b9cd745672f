import type { Session } from './session.ts'

/** What a page needs to notice a sign-in that happened elsewhere. */
export interface SignInWatch {
  readonly session: Pick<Session, 'refresh'>
  readonly isVisible: () => boolean
  /** Calls again and again; returns the end of it. */
  readonly every: (delayMs: number, run: () => void) => () => void
  /** Calls when the page is looked at again; returns the end of it. */
  readonly onFocus: (listener: () => void) => () => void
}

/** Reading a cookie costs nothing; a person who looks at both windows does not wait. */
const SIGN_IN_POLL_MS = 2000

/**
 * Follows the readable cookie while a person waits to be signed in: the link of a mail opens in
 * another tab, and that page is the server's own, which sends no message. Returns the end of it.
 */
export function watchSignIn({ session, isVisible, every, onFocus }: SignInWatch): () => void {
  const stops = [
    every(SIGN_IN_POLL_MS, () => {
      if (isVisible()) session.refresh()
    }),
    onFocus(session.refresh),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
