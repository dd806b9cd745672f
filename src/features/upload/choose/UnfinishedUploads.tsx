import { isUnfinished } from '#src/local/db/upload-states.ts'
import { UploadControls } from '#src/components/uploads/UploadControls.tsx'
import { NextStepLink } from '#src/components/uploads/NextStepLink.tsx'
import { UploadPoster } from '#src/components/uploads/UploadPoster.tsx'
import { UploadProgress } from '#src/components/uploads/UploadProgress.tsx'
import { useLeftDrafts } from './use-left-drafts.ts'
import { useUploads } from '#src/hooks/uploads/use-uploads.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { Card } from '#src/ui/Card.tsx'
import { ArrivedUploads, useArrived } from './ArrivedUploads.tsx'
import { Findings } from '#src/features/upload/Findings.tsx'

/** Findings that the person has not answered, because the page was left before. */
function DraftFindings({ row }: { readonly row: UploadRow }) {
  const warnings = row.probe?.findings.filter(({ verdict }) => verdict === 'warn') ?? []
  return warnings.length === 0 ? null : (
    <div className="flex flex-col gap-2 sm:order-last sm:col-span-2">
      <Findings findings={warnings} isLive={false} />
    </div>
  )
}

/**
 * Uploads that this device holds and has not finished, with what can be done about each, and a word
 * on those that arrive meanwhile.
 * @param exceptId an upload that is shown elsewhere on the screen
 */
export function UnfinishedUploads({ exceptId }: { readonly exceptId: string | null }) {
  const uploads = useUploads()
  const drafts = useLeftDrafts()
  const others = (uploads ?? []).filter((row) => row.id !== exceptId)
  const { arrived, dismiss } = useArrived(others)
  const left = drafts.filter((row) => row.id !== exceptId)
  const rows = [...left, ...others.filter((row) => isUnfinished(row.state.kind))]
  return (
    <>
      <ArrivedUploads rows={arrived} onDismiss={dismiss} />
      {rows.length === 0 ? null : <UnfinishedList rows={rows} />}
    </>
  )
}

function UnfinishedList({ rows }: { readonly rows: readonly UploadRow[] }) {
  return (
    <Card as="section" labelledBy="unfinished" className="mb-6">
      <h2 id="unfinished" className="text-lg font-semibold">
        Unfinished uploads on this device
      </h2>
      <ul className="mt-4 divide-y divide-line">
        {rows.map((row) => (
          <li
            key={row.id}
            className="grid gap-4 py-4 first:pt-0 last:pb-0 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center"
          >
            <div className="flex gap-4">
              <UploadPoster uploadId={row.id} name={row.file.name} />
              <div className="min-w-0 flex-1">
                <UploadProgress row={row} isCompact />
              </div>
            </div>
            {row.state.kind === 'draft' ? <DraftFindings row={row} /> : null}
            <div className="flex flex-wrap gap-2 sm:max-w-88 sm:justify-end">
              <UploadControls row={row} />
              <NextStepLink row={row} />
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}
