import { Copy, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { isRouteErrorResponse, useRouteError } from 'react-router'
import { crashDetails } from './crash-details.ts'
import { MessageScreen } from './MessageScreen.tsx'
import { NotFoundScreen } from './NotFoundScreen.tsx'
import { Button } from '#src/ui/Button.tsx'

/**
 * What a route shows when something in it was thrown. Expected refusals have their own screens;
 * this is for bugs.
 */
export function CrashScreen() {
  const thrown = useRouteError()
  const [isCopied, setCopied] = useState(false)
  if (isRouteErrorResponse(thrown) && thrown.status === 404) return <NotFoundScreen />
  const isGuard = thrown instanceof Error && thrown.name === 'GuardFailure'
  const copy = () => {
    const details = crashDetails(thrown, window.location.pathname, navigator.userAgent, new Date())
    void navigator.clipboard.writeText(details).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  }
  return (
    <MessageScreen
      title={isGuard ? 'This page could not be loaded' : 'Unexpected Application Error!'}
      action={
        <>
          <Button onPress={() => window.location.reload()}>
            <RotateCw aria-hidden className="size-4.5" />
            Reload
          </Button>
          {isGuard ? null : (
            <Button variant="secondary" onPress={copy}>
              <Copy aria-hidden className="size-4.5" />
              {isCopied ? 'Copied' : 'Copy details'}
            </Button>
          )}
        </>
      }
    >
      <p role="alert">
        {isGuard
          ? thrown.message
          : 'Something went wrong on our side. Your uploads and finished edits are safe. Reload the page. If it happens again, send us the details.'}
      </p>
    </MessageScreen>
  )
}
