import { useEffect } from 'react'
import { useLocal } from '#src/hooks/device/local-context.ts'
import { watchSignIn } from '#src/local/session/watch-sign-in.ts'

/**
 * While mounted: notices when the person signs in elsewhere in this browser, for example by the
 * link of a mail, and when the server accepts a session again that had ended.
 */
export function useWatchSignIn(): void {
  const { session, api, ports } = useLocal()
  useEffect(
    () =>
      watchSignIn({
        session,
        api,
        isVisible: ports.isVisible,
        every: (delayMs, run) => {
          const timer = setInterval(run, delayMs)
          return () => clearInterval(timer)
        },
        onAttention: (listener) => {
          window.addEventListener('focus', listener)
          window.addEventListener('online', listener)
          return () => {
            window.removeEventListener('focus', listener)
            window.removeEventListener('online', listener)
          }
        },
      }),
    [session, api, ports],
  )
}
