import { useEffect } from 'react'
import type { ComponentType } from 'react'
import { useNavigate } from 'react-router'
import { readTarget } from '#src/app/guards/target.ts'
import { paths } from '#src/config/paths.ts'
import { useSession } from '#src/hooks/account/use-session.ts'
import { useWatchSignIn } from './use-watch-sign-in.ts'

/**
 * Around sign-up and log-in: knows where the mail should lead, and moves on as soon as a user is
 * signed in, here or in another tab.
 */
export function AuthRoute({
  Screen,
}: {
  readonly Screen: ComponentType<{ readonly redirectUri: string }>
}) {
  const isSignedIn = useSession().kind === 'signed-in'
  const navigate = useNavigate()
  useWatchSignIn()
  useEffect(() => {
    if (isSignedIn) void navigate(paths.landing, { replace: true })
  }, [isSignedIn, navigate])
  return (
    <Screen
      redirectUri={readTarget(sessionStorage, window.location.origin) ?? paths.createProfile}
    />
  )
}
