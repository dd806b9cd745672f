import { useQuery } from '@tanstack/react-query'
import { usePulls } from '#src/hooks/sync/use-pull.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import type { Finding } from '#src/local/probe/report.ts'

/**
 * What the server's pre-checks said of an upload of this device, as kept here; asked for once the
 * video is there. Null until then.
 */
export function useArrivalFindings(row: UploadRow): readonly Finding[] | null {
  const pull = usePulls().uploadFindings(row.uploadRequestId ?? '')
  // What the server found does not change any more.
  useQuery({
    ...pull,
    enabled:
      pull.enabled === true &&
      row.uploadRequestId !== null &&
      row.state.kind === 'done' &&
      row.arrivalFindings === undefined,
  })
  return row.arrivalFindings ?? null
}
