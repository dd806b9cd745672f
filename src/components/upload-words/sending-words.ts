import { formatBytes } from '#src/lib/bytes.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import type { UploadProgress } from '#src/local/uploads/api.ts'

/** On a slow network, blocks of bytes leave seconds apart. */
const QUIET_MS = 5_000

/** '3.1 of 25 GB safe - 42 Mbit/s - about 1 h 10 min', as far as it is known. */
export function uploadingFacts(
  row: Pick<UploadRow, 'file' | 'safeBytes'>,
  progress: UploadProgress | null,
): string {
  const safeBytes = Math.max(row.safeBytes, progress?.safeBytes ?? 0)
  const safe = `${partOfWhole(safeBytes, row.file.sizeBytes)} safe`
  if (progress === null) return safe
  if (progress.quietForMs >= QUIET_MS)
    return `${safe} - nothing sent for ${shortLengthWords(progress.quietForMs / 1_000)}`
  // Only a whole part counts as safe. Until the first one is, this shows that bytes are moving.
  const onItsWay =
    safeBytes === 0 && progress.inFlightBytes > 0
      ? [`${formatBytes(progress.inFlightBytes)} being sent`]
      : []
  const speed = progress.bytesPerSecond > 0 ? [speedOf(progress.bytesPerSecond)] : []
  const left =
    progress.secondsLeft === null ? [] : [`about ${shortLengthWords(progress.secondsLeft)}`]
  return [safe, ...onItsWay, ...speed, ...left].join(' - ')
}

/**
 * '3.1 of 25 GB safe - 420 MB more sent': what the browser sends is proven only when it has ended.
 */
export function sentByBrowser(
  row: Pick<UploadRow, 'file' | 'safeBytes'>,
  progress: UploadProgress | null,
): string {
  const safe = `${partOfWhole(row.safeBytes, row.file.sizeBytes)} safe`
  const sentBytes = progress?.inFlightBytes ?? 0
  return sentBytes === 0 ? safe : `${safe} - ${formatBytes(sentBytes)} more sent`
}

/** '3.1 of 25 GB', or '420 MB of 25 GB' where the units differ. */
export function partOfWhole(partBytes: number, wholeBytes: number): string {
  const [part, whole] = [formatBytes(partBytes), formatBytes(wholeBytes)]
  const unit = whole.slice(whole.indexOf(' '))
  return `${partBytes <= 0 ? '0' : part.endsWith(unit) ? part.slice(0, -unit.length) : part} of ${whole}`
}

/** Megabits, the unit that providers advertise; with one decimal below 10. */
export function speedOf(bytesPerSecond: number): string {
  const megabits = (bytesPerSecond * 8) / 1_000_000
  return megabits < 0.1
    ? 'under 0.1 Mbit/s'
    : `${megabits < 10 ? Number(megabits.toFixed(1)) : Math.round(megabits)} Mbit/s`
}

/** '40 s', '12 min', '1 h 5 min'. */
export function shortLengthWords(totalSeconds: number): string {
  if (totalSeconds < 60) return `${Math.max(1, Math.round(totalSeconds))} s`
  const minutes = Math.round(totalSeconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
