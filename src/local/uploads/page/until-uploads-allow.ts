import { MINUTE_MS, SECOND_MS, type Clock } from '#src/lib/time.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { isSending } from '#src/local/db/upload-states.ts'
import { needsLong, type Patience } from '#src/local/uploads/file/when-idle.ts'

/** Installing takes some seconds of the processor: what needs minutes hardly notices. */
const INSTALLING: Patience = {
  watchMs: 10 * SECOND_MS,
  nothingSafeMs: 15 * SECOND_MS,
  soonMs: MINUTE_MS,
}
/** A draft of this age begins at once, unless the person still reads what the check found. */
const FRESH_DRAFT_MS = 10 * SECOND_MS
/** The work is done at last, however many uploads follow each other. */
const LIMIT_MS = 5 * MINUTE_MS

export interface UploadsAllowDeps {
  readonly clock: Clock
  /** The uploads of the open account; none while signed out. */
  readonly uploads: () => Promise<readonly UploadRow[]>
  /** Whether the device reads a video, as it does from the choice of a file on. */
  readonly isReading: () => boolean
}

/** When an upload was seen first, and what was safe of it then. */
interface Seen {
  readonly atEpochMs: number
  readonly safeBytes: number
}

/**
 * Waits until heavy work that can be done at any time, as the installation of the app, costs no
 * upload a part of its speed that a person notices: no file is being checked, and no upload begins
 * or needs less than a minute for its rest. Five minutes at most. Never rejects.
 */
export async function untilUploadsAllow(deps: UploadsAllowDeps): Promise<void> {
  const { clock } = deps
  const seen = new Map<string, Seen>()
  for (const untilEpochMs = clock.now() + LIMIT_MS; clock.now() < untilEpochMs;) {
    // What cannot be read says nothing of an upload.
    const rows = await deps.uploads().catch(() => [])
    const isBusy = rows.some((row) => isHurt(row, seen, clock.now()))
    if (!isBusy && !deps.isReading()) return
    await clock.sleep(SECOND_MS)
  }
}

/** Whether the upload would be slower for it; notes when it was seen first. */
function isHurt(row: UploadRow, seen: Map<string, Seen>, nowEpochMs: number): boolean {
  const { kind } = row.state
  if (kind === 'draft') return nowEpochMs - row.createdAtEpochMs < FRESH_DRAFT_MS
  if (kind !== 'queued' && !isSending(kind)) return false
  const first = seen.get(row.id) ?? { atEpochMs: nowEpochMs, safeBytes: row.safeBytes }
  seen.set(row.id, first)
  const pace = {
    watchedMs: nowEpochMs - first.atEpochMs,
    gainedBytes: row.safeBytes - first.safeBytes,
    leftBytes: row.file.sizeBytes - row.safeBytes,
  }
  return !needsLong(pace, INSTALLING)
}
