import { useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import { useRef } from 'react'
import { useLocal } from '#src/hooks/device/local-context.ts'
import { PULL_KEY } from '#src/hooks/sync/pulls.ts'
import { useCall } from '#src/hooks/server/use-call.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { importFile, type RemoteFile } from '#src/local/calls/import-file.ts'
import type { Result } from '#src/lib/result.ts'

type Begun = Result<{ readonly uploadRequestId: string }, ApiFailure>

/**
 * Has the server fetch a video. Resolves with a `Result`.
 * @param renews the upload that goes on with the chosen file, or null for a new one
 */
export function useImportFile(renews: string | null): UseMutationResult<Begun, Error, RemoteFile> {
  const { ids } = useLocal()
  const queries = useQueryClient()
  // One key for each file, so that one whose answer was lost is no second import.
  const last = useRef({ text: '', key: '' })
  return useCall(
    async (context, file: RemoteFile): Promise<Begun> => {
      const text = JSON.stringify(file)
      if (last.current.text !== text) last.current = { text, key: ids.uuid() }
      return await importFile(context, { file, key: last.current.key, renews })
    },
    () => void queries.invalidateQueries({ queryKey: PULL_KEY }),
  )
}
