import type { Session } from './session.ts'
import type { ApiClient } from '#src/api/client.ts'
import { send } from '#src/api/send.ts'

/** What a page needs to notice a sign-in that happened elsewhere, or an end that was none. */
export interface SignInWatch {
  readonly session: Pick<Session, 'current' | 'refresh' | 'markAccepted'>
  readonly api: ApiClient
  readonly isVisible: () => boolean
  /** Calls again and again; returns the end of it. */
  readonly every: (delayMs: number, run: () => void) => () => void
  /** Calls when the page is looked at again or the network is back; returns the end of it. */
  readonly onAttention: (listener: () => void) => () => void
}

/** Reading a cookie costs nothing; a person who looks at both windows does not wait. */
const SIGN_IN_POLL_MS = 2000

/**
 * Follows the session while a person waits to be signed in. The link of a mail opens in another
 * tab, and that page is the server's own, which sends no message: the readable cookie tells. Where
 * a session has ended, the server is asked too, first after 2 s and then more and more rarely: an
 * end that the server takes back needs no signing in. Returns the end of it.
 */
export function watchSignIn(watch: SignInWatch): () => void {
  const { session, isVisible, every, onAttention } = watch
  let polls = 0
  const stops = [
    every(SIGN_IN_POLL_MS, () => {
      if (!isVisible()) return
      session.refresh()
      polls += 1
      // At the polls 1, 2, 4, 8 and so on.
      if (Number.isInteger(Math.log2(polls))) void askServer(watch)
    }),
    onAttention(() => {
      session.refresh()
      polls = 0
      void askServer(watch)
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

async function askServer({ session, api }: SignInWatch): Promise<void> {
  if (session.current().kind !== 'ended') return
  const answer = await send(api.GET('/v1/users/me'))
  if (answer.ok) session.markAccepted()
}
