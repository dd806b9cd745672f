import { useState } from 'react'
import type { ApiFailure } from '#src/api/errors.ts'
import {
  DeleteStoredDialog,
  type DeleteQuestion,
} from '#src/components/jobs/DeleteStoredDialog.tsx'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import {
  useDeleteStored,
  useStorage,
  type Storage as Stored,
} from '#src/hooks/account/use-storage.ts'
import { useOnline } from '#src/hooks/network/use-online.ts'
import { formatBytes } from '#src/lib/bytes.ts'
import { Card } from '#src/ui/Card.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { ProgressBar } from '#src/ui/ProgressBar.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { useToasts } from '#src/ui/toasts-context.ts'
import { TextLink } from '#src/ui/TextLink.tsx'
import { paths } from '#src/config/paths.ts'
import { Deletions } from './Deletions.tsx'
import { SourceRule } from './SourceRule.tsx'
import { StoredVideos } from './StoredVideos.tsx'

/** Of the limit in use, in percent, from which on the section warns. */
const FILLING_PERCENT = 80
const NEARLY_FULL_PERCENT = 95

/** What lies on the server of the account: how much, for how long, and how to delete it. */
export function Storage() {
  const storage = useStorage()
  const isOnline = useOnline()
  const toasts = useToasts()
  const deletion = useDeleteStored()
  const [question, setQuestion] = useState<DeleteQuestion | null>(null)
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  const start = async ({ uploadRequestId, name, what }: DeleteQuestion) => {
    setFailure(null)
    const done = await deletion.mutateAsync({ uploadRequestId, what })
    setQuestion(null)
    if (done.ok) toasts.show('success', `"${name}" was deleted from the server.`)
    else setFailure(done.error)
  }
  return (
    <Card as="section" labelledBy="storage" className="flex flex-col gap-4 lg:col-span-2">
      <h2 id="storage" className="text-xl font-semibold">
        Storage
      </h2>
      <PullFailure pull={storage} title="Unable to fetch your storage" />
      {failure === null ? null : (
        <Notice kind="error" isLive title="The files could not be deleted">
          {serverProblemCopy(failure).title}
        </Notice>
      )}
      {storage.status === 'nothing-yet' ? (
        <div role="status" aria-label="Loading your storage">
          <Skeleton className="h-24" />
        </div>
      ) : null}
      {storage.data === null ? null : (
        <>
          <Usage storage={storage.data} />
          <Assets storage={storage.data} />
          <SourceRule storage={storage.data} />
          <StoredVideos
            storage={storage.data}
            isDisabled={!isOnline || deletion.isPending}
            onDelete={setQuestion}
          />
          {storage.data.deletions === undefined || storage.data.deletions.length === 0 ? null : (
            <Deletions deletions={storage.data.deletions} />
          )}
        </>
      )}
      {isOnline ? null : (
        <p className="text-sm text-ink-muted">You can delete files when you are online.</p>
      )}
      <DeleteStoredDialog
        question={question}
        isPending={deletion.isPending}
        onDelete={(asked) => void start(asked)}
        onClose={() => setQuestion(null)}
      />
    </Card>
  )
}

function Usage({ storage }: { readonly storage: Stored }) {
  const { usedBytes, limitBytes } = storage
  const percent = (usedBytes / limitBytes) * 100
  return (
    <>
      <ProgressBar
        label="Used on the server"
        percent={Math.min(percent, 99)}
        isFailed={percent >= NEARLY_FULL_PERCENT}
        valueText={`${formatBytes(usedBytes)} of ${formatBytes(limitBytes)}`}
      />
      {percent < FILLING_PERCENT ? null : (
        <Notice
          kind={percent < NEARLY_FULL_PERCENT ? 'warning' : 'error'}
          title={
            percent < NEARLY_FULL_PERCENT
              ? 'Your storage is filling up'
              : 'Your storage is nearly full'
          }
        >
          Delete videos that you do not need here any more, so that there is room for the next one.
        </Notice>
      )}
      <p className="text-sm text-ink-muted">{keptWords(storage)}</p>
    </>
  )
}

/** What intros, outros, logos and sounds take of it; they have a page of their own. */
function Assets({ storage }: { readonly storage: Stored }) {
  const room = storage.mediaAssets
  if (room === undefined) return null
  const { count, bytes, maxBytes } = room
  const files = count === 1 ? '1 file' : `${count} files`
  return (
    <p className="text-sm">
      {count === 0
        ? 'Media assets: none.'
        : `Media assets: ${files}, ${formatBytes(bytes)} of ${formatBytes(maxBytes)}.`}{' '}
      <TextLink to={paths.mediaAssets}>Open Media Assets</TextLink>
    </p>
  )
}

/** For how long the server keeps what is there; the person's own rule is beside it. */
function keptWords({ keepSourcesDays, keepResultsDays, deleteSourcesAfterDays }: Stored): string {
  const videos =
    keepSourcesDays === null
      ? 'Videos stay until you delete them.'
      : `Videos are deleted ${daysWords(keepSourcesDays)} after their last edit at the latest.`
  const edits =
    keepResultsDays === null
      ? 'Finished edits stay until you delete them.'
      : `Finished edits are deleted ${daysWords(keepResultsDays)} after they were made.`
  const kept = keepSourcesDays === null && deleteSourcesAfterDays ? edits : `${videos} ${edits}`
  return `${kept} Unfinished uploads are deleted after 7 days without progress.`
}

function daysWords(days: number): string {
  return days === 1 ? '1 day' : `${days} days`
}
