import type { UseMutationResult } from '@tanstack/react-query'
import { useRef } from 'react'
import { useLocal } from './local-context.ts'
import { useCall } from './use-call.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { importLink } from '#src/local/calls/import-link.ts'
import type { Result } from '#src/lib/result.ts'

type Begun = Result<{ readonly uploadRequestId: string }, ApiFailure>

/** Has the server fetch a video from a link. Resolves with a `Result`. */
export function useImportLink(): UseMutationResult<Begun, Error, string> {
  const { ids } = useLocal()
  // One key for each link, so that a link whose answer was lost is no second import.
  const last = useRef({ link: '', key: '' })
  return useCall(async (context, link: string): Promise<Begun> => {
    if (last.current.link !== link) last.current = { link, key: ids.uuid() }
    return await importLink(context, last.current)
  })
}
