import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocal } from '#src/hooks/device/local-context.ts'
import { PULL_KEY } from '#src/hooks/sync/pulls.ts'

/**
 * Counts a pull as made no longer than the device keeps what it brought: the empty tables would
 * otherwise seem to say that the server has nothing. What was pulled is gone when an account opens
 * that was closed (it was wiped, or made to wait for another one), when a session that had ended
 * goes on, and when the browser deleted the data. Use it once, in the layout.
 */
export function useForgottenPulls(): void {
  const { account, subscribeAccount, session, deletions } = useLocal()
  const queries = useQueryClient()
  useEffect(() => {
    const forget = (): void => void queries.resetQueries({ queryKey: PULL_KEY })
    // Before React shows the screens again, which read what is counted as made.
    const unsubscribe = [
      subscribeAccount(follow(account, (before, now) => before === null && now !== null, forget)),
      session.subscribe(
        follow(
          session.current,
          (before, { kind }) => before.kind === 'ended' && kind === 'signed-in',
          forget,
        ),
      ),
      deletions.subscribe(forget),
    ]
    return () => {
      for (const end of unsubscribe) end()
    }
  }, [account, subscribeAccount, session, deletions, queries])
}

/** A listener that runs `then` at the changes of a value that `isOne` picks. */
function follow<T>(
  current: () => T,
  isOne: (before: T, now: T) => boolean,
  then: () => void,
): () => void {
  let before = current()
  return () => {
    const now = current()
    const isPicked = isOne(before, now)
    before = now
    if (isPicked) then()
  }
}
