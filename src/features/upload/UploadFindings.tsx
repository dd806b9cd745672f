import { mergeFindings } from '#recipes/merge-findings.ts'
import { useArrivalFindings } from '#src/hooks/use-upload-findings.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { Findings } from './Findings.tsx'

/** What the check on this device says of an upload, and the server's once the video is there. Nothing when there is nothing to say. */
export function UploadFindings({ row }: { readonly row: UploadRow }) {
  const findings = mergeFindings(row.probe?.findings ?? [], useArrivalFindings(row))
  return findings.length === 0 ? null : <div className="mt-5 flex flex-col gap-3"><Findings findings={findings} isLive={false} /></div>
}
