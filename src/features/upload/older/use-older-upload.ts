import { useEffect, useEffectEvent } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { olderFlowPath } from '#src/config/paths.ts'
import type { Live } from '#src/hooks/sync/use-live.ts'
import { useUploadToEdit } from '#src/hooks/edits/use-selection.ts'

/**
 * The upload request that a page of the older flow is about: the one that the address names. A page
 * that was opened without one takes this device's newest video whose edits are still to be sent,
 * and puts it into the address, so that another upload does not change it. Null value for none.
 */
export function useOlderUpload(): Live<string | null> {
  const location = useLocation()
  const navigate = useNavigate()
  const named = new URLSearchParams(location.search).get('uploadRequestId')
  const newest = useUploadToEdit()
  const found = named === null && newest.kind === 'ready' ? newest.value : null
  const name = useEffectEvent((uploadRequestId: string) => {
    const state: unknown = location.state
    void navigate(olderFlowPath(location.pathname, uploadRequestId), { replace: true, state })
  })
  useEffect(() => {
    if (found !== null) name(found)
  }, [found])
  return named === null ? newest : { kind: 'ready', value: named }
}
