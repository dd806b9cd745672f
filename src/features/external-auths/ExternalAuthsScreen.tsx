import { Cloud } from 'lucide-react'
import { ConnectDrive } from '#src/components/drive/ConnectDrive.tsx'
import { HelpLink } from '#src/components/help/HelpLink.tsx'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import type { Shown } from '#src/hooks/sync/shown.ts'
import { useNounList } from '#src/hooks/sync/use-noun.ts'
import { externalAuths, type ExternalAuth } from '#src/local/nouns/external-auths.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { Page } from '#src/ui/Page.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { ExternalAuthCard } from './ExternalAuthCard.tsx'
import { useArrival } from '#src/components/drive/use-arrival.ts'

/** `/external-auths`: the drives that videos come from and finished edits go to. */
export function ExternalAuthsScreen() {
  const auths = useNounList(externalAuths)
  const failure = useArrival(auths)
  return (
    <Page
      title="Integrations"
      lead="Connect a cloud drive: videos come from it and edits go to it without a detour over this device."
      actions={<ConnectDrive label="Connect New Service" provider="google-oauth" />}
    >
      {failure === null ? null : (
        <Notice kind="error" isLive className="mb-6">
          {failure}
        </Notice>
      )}
      <PullFailure pull={auths} title="Unable to fetch your integrations" className="mb-6" />
      <List auths={auths} />
      <Notice className="mt-8" title="What a connected drive can do">
        The server reads the videos that you choose, saves the finished edits that you choose, and
        does nothing else in your drive. The keys to your drive stay on the server, encrypted.{' '}
        <HelpLink slug="drive" />
      </Notice>
    </Page>
  )
}

function List({
  auths: { data, status, refresh },
}: {
  readonly auths: Shown<readonly ExternalAuth[]>
}) {
  if (data === null && status !== 'failed')
    return (
      <div role="status" aria-label="Loading your integrations">
        <Skeleton className="h-52" />
      </div>
    )
  // The server's message stands above; the specification shows the empty list below it.
  if (data === null || data.length === 0)
    return (
      <EmptyState
        icon={<Cloud />}
        title="No External Integrations"
        action={<ConnectDrive label="Connect Google Drive" provider="google-oauth" />}
      >
        Connect your Google Drive to import videos from it and to save edits to it.
      </EmptyState>
    )
  return (
    <ul className="grid gap-4 lg:grid-cols-2">
      {data.map((auth) => (
        <ExternalAuthCard key={auth._id} auth={auth} onChanged={refresh} />
      ))}
    </ul>
  )
}
