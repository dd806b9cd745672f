import { mergeFindings } from '#checks/merge-findings.ts'
import { useArrivalFindings } from '#src/hooks/use-upload-findings.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import type { Finding } from '#src/local/probe/report.ts'
import { Findings } from '#src/features/upload/Findings.tsx'

/** This device could not check the file; the server checks it when it arrives. */
const NOT_CHECKED: Finding = { ruleId: 'B10', verdict: 'warn', facts: {} }

/**
 * The findings of this device about an upload, with the server's once the video has arrived.
 * Renders nothing when there are none.
 */
export function UploadFindings({ row }: { readonly row: UploadRow }) {
  const findings = mergeFindings(row.probe?.findings ?? [NOT_CHECKED], useArrivalFindings(row))
  return findings.length === 0 ? null : (
    <div className="mt-5 flex flex-col gap-3">
      <Findings findings={findings} isLive={false} />
    </div>
  )
}
