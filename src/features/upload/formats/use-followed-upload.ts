import { useEffect, useEffectEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#src/config/paths.ts'
import { useSaveSelection } from '#src/hooks/use-selection.ts'
import { useUpload, useUploadByRequestId } from '#src/hooks/use-upload.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import type { UploadRow } from '#src/local/db/rows.ts'

/**
 * This device's upload of an address; null when it has none, undefined while it is being read. One
 * that is started over gets another id at the server: then it is followed to its new address, and
 * the edits chosen so far come along.
 */
export function useFollowedUpload(
  uploadRequestId: string,
  chosen: readonly TaskRequest[],
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
    // Best effort: a device that cannot keep the choice must not keep the person here.
    if (chosen.length > 0) await save(chosen).catch(() => undefined)
    await navigate(paths.newMediaJob(target), { replace: true })
  })
  useEffect(() => {
    if (nextId !== null && nextId !== uploadRequestId) void follow(nextId)
  }, [nextId, uploadRequestId])
  return row === null && restarted !== null ? restarted : row
}
