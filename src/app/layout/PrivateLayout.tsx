import { useEffect } from 'react'
import { Outlet, useLocation, useNavigate } from 'react-router'
import { keepTarget } from '#src/app/guards/target.ts'
import { LoadingScreen } from '#src/app/screens/LoadingScreen.tsx'
import { MessageScreen } from '#src/app/screens/MessageScreen.tsx'
import { UploadsPanel } from '#src/app/uploads-panel/UploadsPanel.tsx'
import { paths } from '#src/config/paths.ts'
import { useAccount } from '#src/hooks/local-context.ts'
import { useSession } from '#src/hooks/use-session.ts'
import { Button } from '#src/ui/Button.tsx'

/** Around every private screen: follows the session while the screen is open. Panels that stay while moving around belong here. */
export function PrivateLayout() {
  const session = useSession()
  const account = useAccount()
  const navigate = useNavigate()
  const location = useLocation()
  const isSignedOut = session.kind === 'signed-out'
  // Signed out here or in another tab.
  useEffect(() => { if (isSignedOut) void navigate(paths.logIn, { replace: true }) }, [isSignedOut, navigate])
  const logInAgain = () => {
    keepTarget(sessionStorage, location.pathname + location.search + location.hash, window.location.origin)
    void navigate(`${paths.logIn}?message=session-ended`)
  }
  if (session.kind === 'ended') {
    return (
      <MessageScreen title="Please log in again" action={<Button onPress={logInAgain}>Log in</Button>}>
        Your session has ended. What you were doing waits for you; nothing is lost.
      </MessageScreen>
    )
  }
  if (account === null) return <LoadingScreen text="One moment…" />
  return (
    <>
      <Outlet />
      <UploadsPanel />
    </>
  )
}
