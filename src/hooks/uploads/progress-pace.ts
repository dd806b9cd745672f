import { SECOND_MS } from '#src/lib/time.ts'
import type { UploadProgress } from '#src/local/uploads/api.ts'

/** Who does nothing for this long does not follow each step of a bar. */
const IDLE_AFTER_MS = 10 * SECOND_MS
const IDLE_EVERY_MS = SECOND_MS

export interface PaceDeps {
  readonly now: () => number
  readonly isVisible: () => boolean
  /** When a person last pressed, typed, scrolled or moved a pointer on this page; 0 if never. */
  readonly touchedAtMs: () => number
}

/**
 * Decides which reports of an upload's progress are drawn: all of them (4 a second) while a person
 * is at the page, one a second otherwise, since each costs the processor that sends. A report with
 * another reason to wait, or another word on what is stored, is always drawn. Nothing is held back
 * for later: a driver reports every second.
 */
export function createProgressPace({ now, isVisible, touchedAtMs }: PaceDeps) {
  const drawn = new Map<string, { readonly atMs: number; readonly report: UploadProgress }>()
  const isWatched = (): boolean => isVisible() && now() - touchedAtMs() < IDLE_AFTER_MS
  return (report: UploadProgress): boolean => {
    const last = drawn.get(report.uploadId)
    const isDue =
      last === undefined ||
      isWatched() ||
      Math.abs(now() - last.atMs) >= IDLE_EVERY_MS ||
      last.report.pause?.reason !== report.pause?.reason ||
      last.report.isUnsaved !== report.isUnsaved
    if (isDue) drawn.set(report.uploadId, { atMs: now(), report })
    return isDue
  }
}
