import { DiscardElsewhere } from '#src/components/uploads/DiscardElsewhere.tsx'
import { ImportProgress } from '#src/features/upload/imports/ImportProgress.tsx'
import { dateWords } from '#src/lib/time-words.ts'
import { paths } from '#src/config/paths.ts'
import { formatBytes } from '#src/lib/bytes.ts'
import type { ListedUpload } from '#src/local/uploads/page/upload-list.ts'
import { Card } from '#src/ui/Card.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'

/** Videos that the server fetches from links, whichever device pasted them. */
export function ImportsUnderWay({ uploads }: { readonly uploads: readonly ListedUpload[] }) {
  const imports = uploads.filter(({ elsewhere }) => elsewhere?.fetching)
  if (imports.length === 0) return null
  return (
    <Card as="section" labelledBy="imports">
      <h2 id="imports" className="text-lg font-semibold">
        Imports
      </h2>
      <ul className="mt-4 divide-y divide-line">
        {imports.map((upload) => (
          <Import key={upload.key} upload={upload} />
        ))}
      </ul>
    </Card>
  )
}

function Import({ upload }: { readonly upload: ListedUpload }) {
  const { uploadRequestId, name, sizeBytes, createdAtEpochMs, elsewhere } = upload
  if (uploadRequestId === null || !elsewhere?.fetching) return null
  return (
    <li className="grid gap-3 py-4 first:pt-0 last:pb-0">
      <div>
        <h3 title={name} className="line-clamp-3 font-semibold wrap-break-word">
          {name}
        </h3>
        <p className="mt-0.5 text-sm text-ink-muted tabular-nums">{`${formatBytes(sizeBytes)} · ${dateWords(createdAtEpochMs)}`}</p>
      </div>
      <ImportProgress
        uploadRequestId={uploadRequestId}
        name={name}
        sizeBytes={sizeBytes}
        open={elsewhere}
        fetching={elsewhere.fetching}
      />
      <div className="flex flex-wrap items-center gap-3">
        <LinkButton to={paths.newMediaJob(uploadRequestId)} variant="secondary" size="small">
          Choose edits<span className="sr-only">{` for ${name}`}</span>
        </LinkButton>
        <DiscardElsewhere
          uploadRequestId={uploadRequestId}
          name={name}
          sizeBytes={sizeBytes}
          safeBytes={elsewhere.safeBytes}
        />
      </div>
    </li>
  )
}
