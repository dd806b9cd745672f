import { RotateCw } from 'lucide-react'
import { isRouteErrorResponse, useRouteError } from 'react-router'
import { MessageScreen } from './MessageScreen.tsx'
import { NotFoundScreen } from './NotFoundScreen.tsx'
import { useOpenWhen } from './use-open-when.ts'
import { CopyButton } from '#src/ui/CopyButton.tsx'
import { crashReport } from '#src/app/support/support-report.ts'
import { useKeptLines } from '#src/app/support/use-kept-lines.ts'
import { SupportAddress } from '#src/components/help/SupportAddress.tsx'
import { useMe } from '#src/hooks/account/use-profile.ts'
import { Button } from '#src/ui/Button.tsx'

/**
 * What a route shows when something in it was thrown. Expected refusals have their own screens;
 * this is for bugs, and for guards that found no data.
 */
export function CrashScreen() {
  const thrown = useRouteError()
  if (isRouteErrorResponse(thrown) && thrown.status === 404) return <NotFoundScreen />
  if (thrown instanceof Error && thrown.name === 'GuardFailure')
    return <NotLoaded message={thrown.message} />
  return <Crash thrown={thrown} />
}

/** A guard found no data. Opens the page by itself when the server answers after an outage. */
function NotLoaded({ message }: { readonly message: string }) {
  useOpenWhen(useMe().status === 'fresh')
  return (
    <MessageScreen title="This page could not be loaded" action={<ReloadButton />}>
      <p role="alert">{message}</p>
    </MessageScreen>
  )
}

function Crash({ thrown }: { readonly thrown: unknown }) {
  const lines = useKeptLines(true)
  const report = () =>
    crashReport(thrown, {
      path: window.location.pathname,
      browser: navigator.userAgent,
      at: new Date(),
      lines,
    })
  return (
    <MessageScreen
      title="Unexpected Application Error!"
      action={
        <>
          <ReloadButton />
          <CopyButton label="Copy details" text={report} />
        </>
      }
    >
      <p role="alert">
        Something went wrong on our side. Your uploads and finished edits are safe. Reload the page.
      </p>
      <p className="mt-3">
        <SupportAddress before="If it happens again, copy the details and send them to" />
      </p>
    </MessageScreen>
  )
}

function ReloadButton() {
  return (
    <Button onPress={() => window.location.reload()}>
      <RotateCw aria-hidden className="size-4.5" />
      Reload
    </Button>
  )
}
