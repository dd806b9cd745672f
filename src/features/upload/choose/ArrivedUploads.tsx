import { useState } from 'react'
import { isUnfinished } from '#src/local/db/upload-states.ts'
import { nameWithTrim } from '#src/components/upload-words/trim-words.ts'
import { NextStepLink } from '#src/components/uploads/NextStepLink.tsx'
import type { UploadRow } from '#src/local/db/rows.ts'
import { Button } from '#src/ui/Button.tsx'
import { Notice } from '#src/ui/Notice.tsx'

/**
 * Which of the listed uploads have arrived since they were listed as unfinished, whichever tab sent
 * them, and how one is put away.
 */
export function useArrived(rows: readonly UploadRow[]) {
  const [seenIds, setSeenIds] = useState<readonly string[]>([])
  const [dismissedIds, setDismissedIds] = useState<readonly string[]>([])
  const fresh = rows.filter(({ id, state }) => isUnfinished(state.kind) && !seenIds.includes(id))
  // While rendering, so that no state between 'unfinished' and 'arrived' is missed.
  if (fresh.length > 0) setSeenIds([...seenIds, ...fresh.map(({ id }) => id)])
  return {
    arrived: rows.filter(
      ({ id, state }) =>
        state.kind === 'done' && seenIds.includes(id) && !dismissedIds.includes(id),
    ),
    dismiss: (uploadId: string) => setDismissedIds([...dismissedIds, uploadId]),
  }
}

const WORDS: Readonly<Record<UploadRow['purpose'], string>> = {
  'media-job': 'has been uploaded and is ready for editing',
  'media-asset': 'has been uploaded',
  excerpt: 'has been uploaded',
}

/** Says of uploads that have left the list of the unfinished ones that they have arrived. */
export function ArrivedUploads({
  rows,
  onDismiss,
}: {
  readonly rows: readonly UploadRow[]
  readonly onDismiss: (uploadId: string) => void
}) {
  return rows.map((row) => (
    <Notice
      key={row.id}
      kind="success"
      isLive
      title={`${nameWithTrim(row.file.name, row.trim)} ${WORDS[row.purpose]}`}
      className="mb-6"
      action={
        <span className="flex flex-wrap gap-2">
          <NextStepLink row={row} />
          <Button variant="quiet" size="small" onPress={() => onDismiss(row.id)}>
            Dismiss<span className="sr-only">{` ${row.file.name}`}</span>
          </Button>
        </span>
      }
    />
  ))
}
