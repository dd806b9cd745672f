/**
 * [Note: no room] What a browser says of a write for which the device has no room, in its file
 * system and in its databases. One judgement for pages and workers: each screen that says so says
 * what a person can do about it.
 */

/** Whether the device refused something because it is full. */
export function isNoRoom(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  if (thrown.name === 'QuotaExceededError') return true
  // A transaction that could not be finished has the reason within.
  return 'inner' in thrown && isNoRoom(thrown.inner)
}

/**
 * Of ten writes into a full file system, Chromium 156 says of one that its bytes cannot be read, or
 * that it was aborted. Asked again, it says what it is.
 */
const MISTAKEN: ReadonlySet<string> = new Set(['NotReadableError', 'AbortError'])

/** Whether what a file system said of a write may stand for a full device. */
export function mayBeNoRoom(thrown: unknown): boolean {
  return isNoRoom(thrown) || (thrown instanceof Error && MISTAKEN.has(thrown.name))
}
