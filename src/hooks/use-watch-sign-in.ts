import { useEffect } from 'react'
import { useLocal } from './local-context.ts'
import { watchSignIn } from '#src/local/session/watch-sign-in.ts'

/**
 * While mounted: notices when the person signs in elsewhere in this browser, for example by the
 * link of a mail.
 */
export function useWatchSignIn(): void {
  const { session, ports } = useLocal()
  useEffect(
    () =>
      watchSignIn({
        session,
        isVisible: ports.isVisible,
        every: (delayMs, run) => {
          const timer = setInterval(run, delayMs)
          return () => clearInterval(timer)
        },
        onFocus: (listener) => {
          window.addEventListener('focus', listener)
          return () => window.removeEventListener('focus', listener)
        },
      }),
    [session, ports],
  )
}
