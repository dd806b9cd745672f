import * as v from 'valibot'
import type { UploadRow } from '#server/db/rows.ts'

/**
 * The length of an upload for prices, in milliseconds: of the whole file once it is checked, else
 * as measured early; null while it is unknown.
 */
export function lengthOf(upload: Pick<UploadRow, 'probe' | 'earlyDurationMs'>): number | null {
  const parsed = v.safeParse(v.object({ durationMs: v.number() }), upload.probe)
  return parsed.success ? parsed.output.durationMs : upload.earlyDurationMs
}
