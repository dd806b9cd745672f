import { useEffect, useEffectEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { useSaveSelection } from '#src/hooks/edits/use-selection.ts'
import { useUpload, useUploadByRequestId } from '#src/hooks/uploads/use-upload.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import type { UploadRow } from '#src/local/db/rows.ts'

/**
 * This device's upload for an address; null when there is none, undefined while it is being read.
 * An upload that is started over gets a new id at the server: the screen then follows it to its new
 * address and takes the chosen edits along.
 */
export function useFollowedUpload(
  uploadRequestId: string,
  chosen: readonly TaskRequest[],
  pathOf: (uploadRequestId: string) => string,
): UploadRow | null | undefined {
  const navigate = useNavigate()
  const row = useUploadByRequestId(uploadRequestId)
  const [seenId, setSeenId] = useState<string | null>(null)
  if (row !== null && row !== undefined && row.id !== seenId) setSeenId(row.id)
  const seen = useUpload(seenId)
  const restarted = row === null && seenId !== null ? seen : null
  const nextId = restarted?.uploadRequestId ?? null
  const save = useSaveSelection(nextId ?? uploadRequestId)
  const follow = useEffectEvent(async (target: string) => {
    // Best effort: a device that cannot save the choice still leads on.
    if (chosen.length > 0) await save(chosen).catch(() => undefined)
    await navigate(pathOf(target), { replace: true })
  })
  useEffect(() => {
    if (nextId !== null && nextId !== uploadRequestId) void follow(nextId)
  }, [nextId, uploadRequestId])
  return row === null && restarted !== null ? restarted : row
}
