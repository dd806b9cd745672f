import { SINCE_DAYS, type LibraryAddress } from '#src/features/edits/library-address.ts'
import type { MadeFileRow } from '#src/hooks/edits/use-made-edits.ts'
import type { JobState } from '#src/local/db/job-state.ts'
import type { MadeState } from '#src/local/db/rows.ts'
import { DAY_MS } from '#src/lib/time.ts'

/** What the filter of the library calls these states; null where it has no word. */
const STATES: Readonly<Record<MadeState['kind'], JobState['kind'] | null>> = {
  making: 'in-progress',
  ready: 'completed',
  failed: 'failed',
  gone: null,
}

/**
 * The device edits that an address asks for, newest first. One that asks for a video of the server
 * asks for none: that this is the same video is known on this device only for a time.
 */
export function findMade(
  rows: readonly MadeFileRow[],
  { search, state, format, since, video }: LibraryAddress,
  nowEpochMs: number,
): readonly MadeFileRow[] {
  const days = SINCE_DAYS[since]
  const sinceEpochMs = days === null ? -Infinity : nowEpochMs - days * DAY_MS
  const part = search.trim().toLowerCase()
  return rows.filter(
    (row) =>
      video === null &&
      (state === 'all' || STATES[row.state.kind] === state) &&
      (format === null || row.slug === format) &&
      row.createdAtEpochMs >= sinceEpochMs &&
      row.videoName.toLowerCase().includes(part),
  )
}
