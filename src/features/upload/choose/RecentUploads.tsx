import { useState } from 'react'
import { CHECK_LATE, NOT_VALIDATED_YET } from '#src/components/upload-words/state-copy.ts'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { dateWords } from '#src/lib/time-words.ts'
import { onlyWords } from '#src/components/upload-words/trim-words.ts'
import { UploadPoster } from '#src/components/uploads/UploadPoster.tsx'
import { UPLOADS_PAGE_SIZE } from '#spec/numbers.ts'
import { paths } from '#src/config/paths.ts'
import type { ShownUploads } from './use-upload-list.ts'
import { formatBytes } from '#src/lib/bytes.ts'
import type { UploadLabelKind } from '#src/local/uploads/page/labels.ts'
import type { ListedUpload } from '#src/local/uploads/page/upload-list.ts'
import { Badge, type BadgeTone } from '#src/ui/Badge.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Card } from '#src/ui/Card.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'

const TONES: Readonly<Record<UploadLabelKind, BadgeTone>> = {
  failed: 'bad',
  deleted: 'neutral',
  completed: 'good',
  paused: 'warning',
  waiting: 'warning',
  'choose-again': 'warning',
  progress: 'accent',
  discarded: 'neutral',
  'never-finished': 'neutral',
  unknown: 'neutral',
}

/**
 * The upload list (UPL-13): recent uploads of this device and of others, and how far each is.
 * Unfinished ones are listed above.
 */
export function RecentUploads({ uploads }: { readonly uploads: ShownUploads }) {
  const [wanted, setWanted] = useState(UPLOADS_PAGE_SIZE)
  const listed =
    uploads.data?.filter((upload) => !upload.isUnfinishedHere && upload.elsewhere === null) ?? []
  const showOlder = () => {
    setWanted(wanted + UPLOADS_PAGE_SIZE)
    // Rows of this device show at once, also without a connection.
    if (listed.length < wanted + UPLOADS_PAGE_SIZE) uploads.loadMore()
  }
  return (
    <section aria-labelledby="recent-uploads">
      <h2 id="recent-uploads" className="mb-3 text-lg font-semibold">
        Recent uploads
      </h2>
      <PullFailure pull={uploads} title="Your uploads could not be loaded" className="mb-4" />
      {uploads.data === null ? null : <List uploads={listed.slice(0, wanted)} />}
      {listed.length > wanted || uploads.hasMore ? (
        <div className="mt-6 text-center">
          <Button variant="secondary" onPress={showOlder} isBusy={uploads.isLoadingMore}>
            Show older uploads
          </Button>
        </div>
      ) : null}
    </section>
  )
}

function List({ uploads }: { readonly uploads: readonly ListedUpload[] }) {
  if (uploads.length === 0)
    return (
      <p className="text-ink-muted">
        Nothing here yet. Finished uploads of all your devices appear here.
      </p>
    )
  return (
    <Card isFlush>
      <ul className="divide-y divide-line">
        {uploads.map((upload) => (
          <ListItem key={upload.key} upload={upload} />
        ))}
      </ul>
    </Card>
  )
}

function ListItem({ upload }: { readonly upload: ListedUpload }) {
  return (
    <li className="grid gap-3 p-4">
      <div className="flex min-w-0 gap-4">
        <UploadPoster uploadId={upload.key} name={upload.name} />
        <div className="min-w-0">
          <h3 title={upload.name} className="line-clamp-3 font-semibold wrap-break-word">
            {upload.name}
          </h3>
          <p className="mt-0.5 text-sm text-ink-muted tabular-nums">{factsOf(upload)}</p>
          {upload.check === 'none' ? null : (
            <p className="mt-0.5 text-sm text-ink-muted">
              {upload.check === 'late' ? CHECK_LATE : NOT_VALIDATED_YET}
            </p>
          )}
        </div>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Badge tone={TONES[upload.label.kind]}>{upload.label.text}</Badge>
        <NextStep upload={upload} />
      </div>
    </li>
  )
}

/** '25 GB · Nov 21, 2026', or 'only 0:40 to 31:10 · 6.2 GB · Nov 21, 2026'. */
function factsOf({ trim, sizeBytes, createdAtEpochMs }: ListedUpload): string {
  return [
    ...(trim === null ? [] : [onlyWords(trim)]),
    formatBytes(sizeBytes),
    dateWords(createdAtEpochMs),
  ].join(' · ')
}

/** Where the video can be taken further; nothing where it cannot. */
function NextStep({ upload: { uploadRequestId, name, label } }: { readonly upload: ListedUpload }) {
  if (uploadRequestId === null || label.kind === 'failed') return null
  if (label.kind === 'deleted')
    return (
      <LinkButton to={paths.newUpload} variant="secondary" size="small">
        Upload it again<span className="sr-only">{`: ${name}`}</span>
      </LinkButton>
    )
  return (
    <LinkButton to={paths.newMediaJob(uploadRequestId)} variant="secondary" size="small">
      {label.kind === 'completed' ? 'Choose edits' : 'Open'}
      <span className="sr-only">{label.kind === 'completed' ? ` for ${name}` : ` ${name}`}</span>
    </LinkButton>
  )
}
