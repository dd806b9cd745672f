import { Film } from 'lucide-react'
import { DiscardElsewhere } from '#src/components/uploads/DiscardElsewhere.tsx'
import { dateWords } from '#src/lib/time-words.ts'
import { paths } from '#src/config/paths.ts'
import { formatBytes } from '#src/lib/bytes.ts'
import type { OpenUpload } from '#src/local/db/facts.ts'
import type { ListedUpload } from '#src/local/uploads/page/upload-list.ts'
import { Badge } from '#src/ui/Badge.tsx'
import { Card } from '#src/ui/Card.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { ContinueElsewhere } from '#src/components/uploads/ContinueElsewhere.tsx'

/**
 * Unfinished uploads that the server knows and this device does not hold: begun on another device,
 * in another browser, or here before its data was deleted.
 */
export function UploadsElsewhere({ uploads }: { readonly uploads: readonly ListedUpload[] }) {
  const elsewhere = uploads.flatMap(toElsewhere)
  if (elsewhere.length === 0) return null
  return (
    <Card as="section" labelledBy="elsewhere">
      <h2 id="elsewhere" className="text-lg font-semibold">
        Unfinished uploads from elsewhere
      </h2>
      <p className="mt-1 text-sm text-ink-muted">
        What has arrived is safe. To continue one here, choose its file again.
      </p>
      <ul className="mt-4 divide-y divide-line">
        {elsewhere.map((upload) => (
          <ElsewhereItem key={upload.uploadRequestId} upload={upload} />
        ))}
      </ul>
    </Card>
  )
}

function ElsewhereItem({ upload }: { readonly upload: Elsewhere }) {
  const { uploadRequestId, name, sizeBytes, createdAtEpochMs, open, labelText } = upload
  return (
    <li className="grid gap-4 py-4 first:pt-0 last:pb-0">
      <div className="flex gap-4">
        <div className="grid aspect-video w-16 shrink-0 place-items-center self-start rounded-lg bg-surface-sunken text-ink-faint sm:w-24">
          <Film aria-hidden className="size-5" />
        </div>
        <div className="min-w-0 flex-1">
          <h3 title={name} className="line-clamp-3 font-semibold wrap-break-word">
            {name}
          </h3>
          <p className="mt-0.5 mb-1 text-sm text-ink-muted tabular-nums">{`${formatBytes(sizeBytes)} · ${dateWords(createdAtEpochMs)}`}</p>
          <ContinueElsewhere
            uploadRequestId={uploadRequestId}
            name={name}
            sizeBytes={sizeBytes}
            open={open}
          />
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <Badge tone="neutral">{labelText}</Badge>
        <LinkButton to={paths.newMediaJob(uploadRequestId)} variant="secondary" size="small">
          Open<span className="sr-only">{` ${name}`}</span>
        </LinkButton>
        <DiscardElsewhere
          uploadRequestId={uploadRequestId}
          name={name}
          sizeBytes={sizeBytes}
          safeBytes={open.safeBytes}
        />
      </div>
    </li>
  )
}

interface Elsewhere extends Pick<ListedUpload, 'name' | 'sizeBytes' | 'createdAtEpochMs'> {
  readonly uploadRequestId: string
  readonly open: OpenUpload
  readonly labelText: string
}

function toElsewhere(upload: ListedUpload): readonly Elsewhere[] {
  const { uploadRequestId, elsewhere, label } = upload
  return uploadRequestId === null || elsewhere === null || elsewhere.fetching
    ? []
    : [{ ...upload, uploadRequestId, open: elsewhere, labelText: label.text }]
}
