import type { MouseEvent } from 'react'
import { useNavigate } from 'react-router'
import { LandingPage } from './LandingPage.tsx'
import { useFrontPage } from '#src/hooks/server/use-front-page.ts'
import { Button } from '#src/ui/Button.tsx'

/** The front page inside the app: for visitors who come back to it, and without a network. */
export function LandingScreen() {
  const { facts, hasFailed, tryAgain } = useFrontPage()
  const follow = useRoutedLinks()
  return (
    // The links are links; this only lets the router follow them.
    <div role="presentation" onClick={follow}>
      <title>Onecut · Spend Less Time Editing, More Time Living</title>
      <LandingPage
        facts={facts}
        instead={hasFailed ? <NotKnown onTryAgain={tryAgain} /> : <Waiting />}
      />
    </div>
  )
}

/** Follows plain links to screens of the app without loading the document again. */
function useRoutedLinks() {
  const navigate = useNavigate()
  return (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey)
    if (link === null || !isPlain || link.target !== '' || link.origin !== window.location.origin)
      return
    event.preventDefault()
    void navigate(link.pathname)
  }
}

/** As high as the first of the sections that come. */
function Waiting() {
  return (
    <p role="status" className="min-h-[60rem] py-28 text-center text-ink-muted">
      Loading what this server offers…
    </p>
  )
}

function NotKnown({ onTryAgain }: { readonly onTryAgain: () => void }) {
  return (
    <div className="mx-auto max-w-xl px-4 py-28 text-center">
      <p role="alert" className="mb-6 text-lg">
        What this server offers could not be loaded.
      </p>
      <Button variant="secondary" onPress={onTryAgain}>
        Try Again
      </Button>
    </div>
  )
}
