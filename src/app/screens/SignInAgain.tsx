import { lazy, Suspense } from 'react'
import { LoadingScreen } from './LoadingScreen.tsx'
import { useWatchSignIn } from './use-watch-sign-in.ts'

const LogInAgain = lazy(async () => ({
  default: (await import('#src/features/auth/LogInAgain.tsx')).LogInAgain,
}))

/**
 * Takes the place of a private screen whose session has ended, at the same address: signing in,
 * here or in another tab, brings the screen back. Nothing private is shown meanwhile, since
 * another person may sit here now. @param redirectUri where the mail's link leads
 */
export function SignInAgain({ redirectUri }: { readonly redirectUri: string }) {
  useWatchSignIn()
  return (
    <Suspense fallback={<LoadingScreen text="One moment…" />}>
      <LogInAgain redirectUri={redirectUri} />
    </Suspense>
  )
}
