import { useEffect } from 'react'
import { Outlet, useLocation, useNavigate, type Location } from 'react-router'
import { PRIVATE_LOOK } from './frame-look.ts'
import { HiddenSceneScreen } from '#src/app/screens/HiddenSceneScreen.tsx'
import { LoadingScreen } from '#src/app/screens/LoadingScreen.tsx'
import { SignInAgain } from '#src/app/screens/SignInAgain.tsx'
import { UploadsPanel } from '#src/app/uploads-panel/UploadsPanel.tsx'
import { paths } from '#src/config/paths.ts'
import { useAccount } from '#src/hooks/device/local-context.ts'
import { useSession } from '#src/hooks/account/use-session.ts'
import { useHiddenNow } from '#src/hooks/sync/use-live.ts'
import type { HiddenNow } from '#src/local/db/hidden-scenes.ts'

/**
 * Around every private screen: follows the session while the screen is open. Panels that stay while
 * moving around belong here.
 */
export function PrivateLayout() {
  const session = useSession()
  const account = useAccount()
  const navigate = useNavigate()
  const location = useLocation()
  const isHiddenHere = namesHidden(useHiddenNow(), location)
  const isSignedOut = session.kind === 'signed-out'
  // Signed out here or in another tab.
  useEffect(() => {
    if (isSignedOut) void navigate(paths.logIn, { replace: true })
  }, [isSignedOut, navigate])
  if (session.kind === 'ended')
    return <SignInAgain redirectUri={location.pathname + location.search + location.hash} />
  if (account === null) return <LoadingScreen text="One moment…" />
  return (
    <>
      <div className={PRIVATE_LOOK}>{isHiddenHere ? <HiddenSceneScreen /> : <Outlet />}</div>
      <UploadsPanel />
    </>
  )
}

/** Whether an address has the id of something hidden in any place. */
function namesHidden(hidden: HiddenNow | null, { pathname, search }: Location): boolean {
  if (hidden === null || hidden.isRevealed) return false
  const parts = [...pathname.split('/'), ...new URLSearchParams(search).values()]
  return parts.some((part) => hidden.ids.has(part))
}
