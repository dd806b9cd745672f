import type { Account, PageLocal } from '#src/local/compose.ts'

/**
 * The signed-in user's open database: at once when it is open, else as soon as it is (just after
 * signing in). Null when no user is signed in, or the signal aborted first. Local only, so it works
 * without network.
 */
export function accountReady(
  local: Pick<PageLocal, 'account' | 'session' | 'subscribeAccount'>,
  signal: AbortSignal,
): Promise<Account | null> {
  return new Promise((resolve) => {
    const settle = (): boolean => {
      const session = local.session.current()
      if (session.kind !== 'signed-in' || signal.aborted) return finish(null)
      const account = local.account()
      return account !== null && account.userId === session.user._id ? finish(account) : false
    }
    const stops: (() => void)[] = []
    const finish = (account: Account | null): true => {
      for (const stop of stops) stop()
      resolve(account)
      return true
    }
    if (settle()) return
    stops.push(local.subscribeAccount(settle), local.session.subscribe(settle))
    signal.addEventListener('abort', settle, { once: true })
  })
}
