import { SkipLink } from '#src/app/layout/SkipLink.tsx'
import { RouterProvider as AriaRouterProvider } from 'react-aria-components'
import { Outlet, ScrollRestoration, useHref, useNavigate, useNavigation } from 'react-router'
import { Footer } from './Footer.tsx'
import { Header } from './Header.tsx'
import { scrollKey } from './scroll-key.ts'
import { TestPaymentsBar } from './TestPaymentsBar.tsx'
import { DeletedDataBar } from '#src/app/pwa/DeletedDataBar.tsx'
import { MakeEndTold } from '#src/app/pwa/MakeEndTold.tsx'
import { OfflineBar } from '#src/app/pwa/OfflineBar.tsx'
import { PlainLook } from '#src/app/pwa/PlainLook.tsx'
import { ScreenStaysOn } from '#src/app/pwa/ScreenStaysOn.tsx'
import { UpdateBar } from '#src/app/pwa/UpdateBar.tsx'
import { WorkAtStake } from '#src/app/pwa/WorkAtStake.tsx'
import { useForgottenPulls } from './use-forgotten-pulls.ts'
import { TOAST_DRAGGABLE_PERCENT } from '#spec/numbers.ts'
import { Toasts } from '#src/ui/Toasts.tsx'
import { useStrayDropsRefused } from '#src/ui/use-file-drop.ts'

/** What stands around every screen. */
export function RootLayout() {
  const navigate = useNavigate()
  useStrayDropsRefused()
  useForgottenPulls()
  const isMoving = useNavigation().state !== 'idle'
  return (
    <AriaRouterProvider navigate={(to) => void navigate(to)} useHref={useHref}>
      <SkipLink />
      <div className="flex min-h-dvh flex-col">
        <TestPaymentsBar />
        <Header />
        <OfflineBar />
        {isMoving ? (
          <div
            aria-hidden
            className="bg-gradient-accent fixed inset-x-0 top-0 z-50 h-0.5 animate-glow"
          />
        ) : null}
        <main id="main" tabIndex={-1} className="flex flex-1 flex-col outline-none">
          <Outlet />
        </main>
        <Footer />
      </div>
      <UpdateBar />
      <DeletedDataBar />
      <WorkAtStake />
      <ScreenStaysOn />
      <PlainLook />
      <MakeEndTold />
      <Toasts dragPercent={TOAST_DRAGGABLE_PERCENT} />
      <ScrollRestoration getKey={scrollKey} />
    </AriaRouterProvider>
  )
}
